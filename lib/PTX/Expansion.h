//===- Expansion.h - Hardware instructions per PTX instruction --*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_EXPANSION_H
#define HEDDLE_LIB_PTX_EXPANSION_H

#include "OpcodeInfo.h"

namespace heddle {

/// How many instructions the hardware issues for \p Opcode on the common path,
/// at least 1. From Expansion.def, which says how the numbers were obtained.
unsigned issuedInstructions(llvm::StringRef Opcode, const OpcodeInfo &Info);

} // namespace heddle

#endif // HEDDLE_LIB_PTX_EXPANSION_H
