//===- Barriers.h - Where warps wait for each other -------------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_BARRIERS_H
#define HEDDLE_ANALYSIS_BARRIERS_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace heddle {

/// The function that waits for all blocks of the grid: grid.sync() of CUDA's
/// cooperative groups.
inline constexpr llvm::StringLiteral GridBarrierName =
    "heddle.barrier.grid.sync";

/// Whether \p I makes the warps of a thread block, of a cluster or of the grid
/// wait for each other, or says that one has come.
bool isBarrier(const llvm::Instruction &I);
bool isGridBarrier(const llvm::Instruction &I);
bool hasGridBarrier(const llvm::Function &Kernel);

/// barrier.cluster.arrive or .wait: of the blocks of a cluster.
bool isClusterBarrier(const llvm::Instruction &I);
bool isClusterArrive(const llvm::Instruction &I);

/// A barrier that is for a number of threads of the block (bar.sync 1, 128), as
/// far as the code says number and threads in constants.
struct NamedBarrier {
  bool Arrives; ///< bar.arrive: does not wait
  std::optional<unsigned> Number, Threads;
};
std::optional<NamedBarrier> namedBarrierOf(const llvm::Instruction &I);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_BARRIERS_H
