//===- LaunchChecks.h - What a machine must have for a launch ---*- C++ -*-===//

#ifndef HEDDLE_TIMING_LAUNCHCHECKS_H
#define HEDDLE_TIMING_LAUNCHCHECKS_H

#include "base/Result.h"
#include "timing/SMContext.h"
#include "trace/TraceSource.h"

#include <memory>
#include <span>

namespace heddle::timing {

/// Blocks of the launch of \p Source that an SM of \p Spec holds. Fails, naming
/// the line and what to do, where not even one fits, where the machine has no
/// rate for a wgmma or too few registers for a setmaxnreg, and where no GPC has
/// room for a cluster.
Result<arch::Occupancy> checkedOccupancy(const trace::TraceSource &Source,
                                         const arch::GPUSpec &Spec);

/// Nothing happens any more on \p SMs, some of which hold blocks: what their
/// warps wait for, by line, where the launch is at fault (an mbarrier whose
/// phase nothing ends, registers that no one gives back). Without an error it
/// is the model's fault.
Result<void> checkHang(std::span<const std::unique_ptr<SMContext>> SMs,
                       const Machine &M);

} // namespace heddle::timing

#endif // HEDDLE_TIMING_LAUNCHCHECKS_H
