//===- Opcodes.h - Instructions of NVIDIA's machines ------------*- C++ -*-===//

#ifndef HEDDLE_LIB_MACHINECODE_OPCODES_H
#define HEDDLE_LIB_MACHINECODE_OPCODES_H

#include "heddle/ABI/CodeTable.h"

#include "llvm/ADT/StringRef.h"

namespace heddle::machine {

/// What a row of Opcodes.def says.
struct OpcodeRow {
  llvm::StringLiteral Name;
  HeddleOpClass Class;
  HeddleDataType Type;
  llvm::StringLiteral Pipe;
  unsigned Cycles; ///< to the issue of an instruction that needs the result
};

/// The row of \p Name, which may have further modifiers; null if none is.
const OpcodeRow *findOpcode(llvm::StringRef Name);

/// The class of an instruction that is \p Name in code tables. Lanes that meet
/// in BSYNC take time there; what orders instructions takes it for none.
inline HeddleOpClass classInTable(llvm::StringRef Name, const OpcodeRow &Row) {
  return Name.split('.').first == "BSYNC" ? HEDDLE_OP_WARP_SYNC : Row.Class;
}

/// The state space that a memory instruction accesses, else none.
HeddleMemorySpace spaceOf(llvm::StringRef Name);

/// Bytes per lane that the access \p Name moves by its modifiers (.64, .U8).
unsigned accessBytes(llvm::StringRef Name);

/// What the matrix instruction \p Name multiplies (HMMA.16816.F32, STEP0 of
/// HMMA.884.F32.F32).
struct MatrixProduct {
  unsigned Rows = 0, Columns = 0, Depth = 0;
  unsigned Products = 0; ///< multiply-adds of the warp, 0 if the name has none
  bool HalfSums = false; ///< it adds in f16
};
MatrixProduct matrixProductOf(llvm::StringRef Name);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_OPCODES_H
