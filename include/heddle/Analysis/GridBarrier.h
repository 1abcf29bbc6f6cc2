//===- GridBarrier.h - Barriers of all thread blocks ------------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_GRIDBARRIER_H
#define HEDDLE_ANALYSIS_GRIDBARRIER_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace heddle {

/// The function that waits for all blocks of the grid: grid.sync() of CUDA's
/// cooperative groups.
inline constexpr llvm::StringLiteral GridBarrierName =
    "heddle.barrier.grid.sync";

bool isGridBarrier(const llvm::Instruction &I);
bool hasGridBarrier(const llvm::Function &Kernel);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_GRIDBARRIER_H
