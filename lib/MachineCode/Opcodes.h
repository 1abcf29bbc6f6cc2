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

/// The state space that a memory instruction accesses, else none.
HeddleMemorySpace spaceOf(llvm::StringRef Name);

/// Bytes per lane that the access \p Name moves by its modifiers (.64, .U8).
unsigned accessBytes(llvm::StringRef Name);

} // namespace heddle::machine

#endif // HEDDLE_LIB_MACHINECODE_OPCODES_H
