//===- ResultCheck.h - What every simulation must keep to -------*- C++ -*-===//

#ifndef HEDDLE_TIMING_RESULTCHECK_H
#define HEDDLE_TIMING_RESULTCHECK_H

#include "arch/GPUSpec.h"
#include "memory/MemorySystem.h"
#include "timing/SimulationResult.h"

#include <string_view>
#include <vector>

namespace heddle::timing {

/// What a simulation counts for the checks alone.
struct CheckedCounters {
  uint64_t TraceInstructions = 0;  ///< in the blocks that warps have come to
  uint64_t ResidentWarpCycles = 0; ///< from each warp's start to its end
  std::vector<uint64_t> IssuedBySM;
  uint64_t ClusterBlocks = 1; ///< that start at once
  memory::MemoryCounters Memory;
};

/// Throws std::logic_error, in release builds too, if \p R
///  - has other instructions than the trace,
///  - books a cycle of a resident warp twice or not at all,
///  - issues more per cycle than the schedulers can,
///  - moves more bytes than L1, interconnect, L2 or DRAM can in their time,
///  - starts blocks faster than the dispatcher can.
/// Of a truncated simulation the first two can only be bounded, and the last is
/// not checked. DRAM's time
/// ends with the last data, which may be after the launch: L2 still writes back
/// then.
void checkResult(const SimulationResult &R, const CheckedCounters &C,
                 const arch::GPUSpec &Spec);

/// What a model says that runs a part of a launch on the SM (SMGroup.h) and
/// projects the rest.
struct EstimateFigures {
  std::string_view Model, Kernel;
  uint64_t ReplayedInstructions = 0; ///< by the SMs
  uint64_t TraceInstructions = 0;    ///< in the blocks that their warps came to
  uint64_t IssueSlots = 0;           ///< that they took: none where folded
  double WarpInstructions = 0, DRAMBytes = 0, Cycles = 0; ///< of the launch
  double DispatchCycles = 0; ///< that its blocks need to start
};

/// The cycles that the schedulers take at least for \p Slots issue slots: less
/// one, since from the first cycle to the last is one less than there are. A
/// projection of a part that came close to the peak may otherwise exceed it.
double issueCycles(double Slots, const arch::GPUSpec &Spec);

/// The same of an estimate: other instructions than the trace's, more issued
/// than the schedulers can, more bytes than DRAM moves in that time, more
/// blocks than the dispatcher starts.
void checkEstimate(const EstimateFigures &E, const arch::GPUSpec &Spec);

} // namespace heddle::timing

#endif // HEDDLE_TIMING_RESULTCHECK_H
