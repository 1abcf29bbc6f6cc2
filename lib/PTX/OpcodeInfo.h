//===- OpcodeInfo.h - What a PTX opcode does --------------------*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_OPCODEINFO_H
#define HEDDLE_LIB_PTX_OPCODEINFO_H

#include "heddle/ABI/CodeTable.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace heddle {

/// The part of a HeddleInst that the opcode alone determines.
struct OpcodeInfo {
  HeddleOpClass Class = HEDDLE_OP_NOP;
  HeddleDataType Type = HEDDLE_TYPE_NONE;
  HeddleMemorySpace Space = HEDDLE_SPACE_NONE;
  unsigned Flags = 0;       ///< HeddleInstFlags
  unsigned AccessBytes = 0; ///< memory instructions: bytes per lane
};

/// \p Opcode with all its modifiers ("ld.global.nc.v2.b32"), or a pseudo opcode
/// of PTXEmitter. Nothing if the opcode is unknown.
std::optional<OpcodeInfo> describeOpcode(llvm::StringRef Opcode);

} // namespace heddle

#endif // HEDDLE_LIB_PTX_OPCODEINFO_H
