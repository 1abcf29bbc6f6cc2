//===- Occupancy.h - How many blocks fit on an SM ---------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_OCCUPANCY_H
#define HEDDLE_TIMING_OCCUPANCY_H

#include "arch/GPUSpec.h"
#include "base/Result.h"
#include "timing/SimulationResult.h"
#include "trace/TraceSource.h"

namespace heddle::timing {

/// Blocks of a launch that one SM holds at once, by warp slots, block slots,
/// registers and shared memory, with the machine's allocation granularities.
/// Fails, naming resource, need and limit, if not even one fits.
Result<Occupancy> computeOccupancy(const trace::TraceHeader &Launch,
                                   const arch::GPUSpec &Spec);

/// Shared memory that one block takes, rounded as the machine rounds it.
uint64_t sharedBytesPerBlock(const trace::TraceHeader &Launch,
                             const arch::GPUSpec &Spec);

} // namespace heddle::timing

#endif // HEDDLE_TIMING_OCCUPANCY_H
