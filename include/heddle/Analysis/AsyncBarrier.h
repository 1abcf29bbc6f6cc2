//===- AsyncBarrier.h - mbarriers in IR -------------------------*- C++ -*-===//
//
// An operation of an mbarrier is one call in IR, of the intrinsic that LLVM has
// for it. It has two memory records: of the barrier and, behind it, in the
// space PARAM, of the number that goes with it (an arrival count, bytes, a
// parity or state). So traces say what a model of barriers has to know.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_ASYNCBARRIER_H
#define HEDDLE_ANALYSIS_ASYNCBARRIER_H

#include "heddle/ABI/AsyncOps.h"

#include <optional>

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace heddle {

struct BarrierOperation {
  HeddleBarrierAction Action;
  const llvm::Value *Barrier;
  const llvm::Value *Number; ///< as ABI/AsyncOps.h has it; null: 1
  bool IsRemote;             ///< may be of another block of the cluster
};

/// What \p Call does if it is an operation on an mbarrier.
std::optional<BarrierOperation> barrierOperation(const llvm::CallBase &Call);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_ASYNCBARRIER_H
