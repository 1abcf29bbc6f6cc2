//===- SMReplay.h - The intervals of one SM's warps together ----*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_SMREPLAY_H
#define HEDDLE_INTERVAL_SMREPLAY_H

#include "interval/CPIStack.h"
#include "interval/IntervalProfile.h"

namespace heddle::interval {

struct ReplayOptions {
  /// Warp instructions that are replayed at most; the rest of the SM's work is
  /// projected at the rate of the second half.
  uint64_t MaxInsts = 150000;
};

struct ReplayResult {
  double Cycles = 0;  ///< from the launch to the end of the SM's last block
  uint64_t Insts = 0; ///< replayed
  double WarpCycles = 0;
  StateCycles States{};            ///< warp-cycles of the replayed part
  double DRAMBusy = 0, L2Busy = 0; ///< of the whole GPU's, 0..1
};

/// Lets the warps of one SM interleave their instructions: each warp's
/// intervals follow from its registers as in GPUMech's equation 4, but issue,
/// pipes, the load/store unit, MSHRs and what lies behind are shared and take
/// the time that the machine gives them. All SMs are taken to do the same at
/// the same time: L2 and DRAM serve as many requests for each of this SM's as
/// there are busy SMs. L1 is simulated here, L2's hits are the profile's.
ReplayResult replaySM(const IntervalProfile &Profile, const SMStream &SM,
                      const arch::GPUSpec &Spec, const ReplayOptions &Options);

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_SMREPLAY_H
