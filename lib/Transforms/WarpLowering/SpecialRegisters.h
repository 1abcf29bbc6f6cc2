//===- SpecialRegisters.h - Kinds of device intrinsics ----------*- C++ -*-===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_SPECIALREGISTERS_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_SPECIALREGISTERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace heddle {

/// "tid.x" for llvm.nvvm.read.ptx.sreg.tid.x, "NAME" for heddle.special.NAME;
/// empty for anything else.
llvm::StringRef specialRegister(const llvm::CallBase &Call);
inline bool isSpecialRegister(const llvm::CallBase &Call) {
  return !specialRegister(Call).empty();
}

/// Whether \p Call reads a register that grows while the warp runs; here by one
/// for each block.
bool isClock(const llvm::CallBase &Call);

/// Whether lanes hand each other values here (shuffles, matches, reductions,
/// matrices).
bool isCrossLane(const llvm::CallBase &Call);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_SPECIALREGISTERS_H
