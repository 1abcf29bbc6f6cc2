//===- CountInference.h - Counts that a kernel omits ------------*- C++ -*-===//

#ifndef HEDDLE_LIB_SYNTHESIS_COUNTINFERENCE_H
#define HEDDLE_LIB_SYNTHESIS_COUNTINFERENCE_H

#include "heddle/Dialect/Synth/SynthDialect.h"

#include "llvm/ADT/DenseMap.h"

namespace heddle::synth {

/// How often threads and warps come to a block or take an edge.
struct Flow {
  double Threads = 0, Warps = 0;
};

struct InferredCounts {
  llvm::DenseMap<mlir::Block *, Flow> Blocks;
  /// Of each block's first and second successor.
  llvm::DenseMap<mlir::Block *, std::array<Flow, 2>> Edges;
  /// Shares of the lanes and warps that take the first successor of a branch.
  llvm::DenseMap<mlir::Operation *, SharesAttr> Shares;
};

/// What follows from launch, trip counts, functions and shares: a header runs
/// as often as its loop is entered times the mean trip count; functions of
/// branches are tried for the threads of some blocks in some iterations.
InferredCounts inferCounts(KernelOp Kernel);

} // namespace heddle::synth

#endif // HEDDLE_LIB_SYNTHESIS_COUNTINFERENCE_H
