//===- SMReplay.h - One SM with an analytic memory --------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_SMREPLAY_H
#define HEDDLE_INTERVAL_SMREPLAY_H

#include "interval/IntervalProfile.h"
#include "timing/SimulationResult.h"

namespace heddle::interval {

struct ReplayOptions {
  /// Warp instructions that are replayed at most; the rest of the SM's work is
  /// projected at the rate of the second half.
  uint64_t MaxInsts = 150000;
};

struct ReplayResult {
  double Cycles = 0;  ///< from the launch to the end of the SM's last block
  uint64_t Insts = 0; ///< replayed
  uint64_t TraceInsts = 0;      ///< that the trace of the replayed part holds
  uint64_t IssueSlots = 0;      ///< that the replayed part took
  timing::StallCycles Stalls{}; ///< warp-cycles of the replayed part
  timing::LoadWaitCycles LoadWaits{};
  double DRAMBusy = 0, L2Busy = 0; ///< of the whole GPU's, 0..1
};

/// Runs the kept blocks of one SM on the timing model's SM, with a MemoryPath
/// behind its port: all SMs are taken to do the same at the same time.
ReplayResult replaySM(const IntervalProfile &Profile, const SMStream &SM,
                      const arch::GPUSpec &Spec, const ReplayOptions &Options);

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_SMREPLAY_H
