//===- Barriers.h - Where warps wait for each other -------------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_BARRIERS_H
#define HEDDLE_ANALYSIS_BARRIERS_H

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

/// Whether \p I makes the warps of a thread block, or of the grid, wait for
/// each other.
bool isBarrier(const llvm::Instruction &I);
bool isGridBarrier(const llvm::Instruction &I);
bool hasGridBarrier(const llvm::Function &Kernel);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_BARRIERS_H
