//===- PTXInstructions.h - What a PTX instruction does ----------*- C++ -*-===//

#ifndef HEDDLE_PTX_PTXINSTRUCTIONS_H
#define HEDDLE_PTX_PTXINSTRUCTIONS_H

#include "heddle/ABI/CodeTable.h"
#include "heddle/ABI/PTXInstructions.h"
#include "heddle/PTX/PTXReader.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace heddle {

/// The row of \p Opcode, with all its modifiers; nothing if it is unknown.
inline std::optional<HeddlePTXForm> findInstruction(llvm::StringRef Opcode) {
  HeddlePTXForm Form;
  if (!heddleFindPTX(Opcode.data(), Opcode.size(), &Form))
    return std::nullopt;
  return Form;
}

/// The class of \p Opcode; that of a call if it is unknown.
inline HeddleOpClass classOf(llvm::StringRef Opcode) {
  auto Form = findInstruction(Opcode);
  return Form ? HeddleOpClass(Form->Row->Class) : HEDDLE_OP_CALL;
}

inline const HeddlePTXType *findType(llvm::StringRef Name) {
  return heddlePTXType(Name.data(), Name.size());
}

/// The part of a HeddleInst that the opcode alone determines: class, type,
/// space, flags and bytes accessed by a lane. Nothing if it is unknown.
std::optional<HeddleInst> describeOpcode(llvm::StringRef Opcode);

/// The type of a code table's instruction whose factors are of \p MatrixType, a
/// HeddleMatrixType.
HeddleDataType dataTypeOf(unsigned MatrixType);

/// What one PTX instruction becomes.
struct Expansion {
  unsigned Issued = 1;      ///< instructions issued on the common path
  unsigned Temporaries = 0; ///< 32-bit registers beside its operands
};

/// By the opcode alone, with all modifiers.
Expansion expansionOf(llvm::StringRef Opcode);

/// The same for every instruction of every block of \p Kernel, where neighbours
/// count: an address computed by `mul.wide` and `add` is one IMAD.WIDE, by
/// `shl` and `add` an LEA. What is folded issues none.
std::vector<std::vector<unsigned>>
issuedInstructions(const ptx::Kernel &Kernel);

} // namespace heddle

#endif // HEDDLE_PTX_PTXINSTRUCTIONS_H
