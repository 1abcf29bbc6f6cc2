//===- Expansion.h - Hardware instructions per PTX instruction --*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_EXPANSION_H
#define HEDDLE_LIB_PTX_EXPANSION_H

#include "heddle/PTX/PTXReader.h"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace heddle {

/// What one PTX instruction becomes; Expansion.def says how it was measured.
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

#endif // HEDDLE_LIB_PTX_EXPANSION_H
