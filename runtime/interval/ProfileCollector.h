//===- ProfileCollector.h - The input collector -----------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_PROFILECOLLECTOR_H
#define HEDDLE_INTERVAL_PROFILECOLLECTOR_H

#include "base/Result.h"
#include "interval/IntervalProfile.h"

namespace heddle::interval {

struct CollectOptions {
  /// Warp instructions of one SM that are kept for replay, beyond its first
  /// round of blocks.
  uint64_t KeepInsts = 150000;
};

/// Reads the whole launch and feeds caches without time: all SMs' L1 and the
/// slices of L2, each resident warp in turn up to its next memory access
/// (GPUMech, section V). Fails if a block does not fit on an SM or the source
/// cannot be read.
Result<IntervalProfile> collectProfile(trace::TraceSource &Source,
                                       const arch::GPUSpec &Spec,
                                       const CollectOptions &Options = {});

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_PROFILECOLLECTOR_H
