//===- IntervalAlgorithm.h - The intervals of one warp ----------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_INTERVALALGORITHM_H
#define HEDDLE_INTERVAL_INTERVALALGORITHM_H

#include "interval/CPIStack.h"
#include "interval/IntervalProfile.h"
#include "timing/DecodedCode.h"

namespace heddle::interval {

using timing::DecodedCode;
using timing::DecodedInst;
using timing::InstKind;

/// Instructions at the full issue rate, then a stall.
struct Interval {
  double Insts = 0, Stall = 0;
  int32_t Cause = -1; ///< instruction that the stall waits for
  double MemoryInsts = 0, Requests = 0; ///< loads; lines that leave the SM
  double DRAMRequests = 0;              ///< lines to and from DRAM
};

struct WarpIntervals {
  std::vector<Interval> Intervals;
  double Insts = 0, Stall = 0;
  double Executed = 0; ///< Insts and those folded into others
  double perf() const { return Insts > 0 ? Insts / (Insts + Stall) : 0; }
};

/// The latency of every instruction: compute as the machine says, memory its
/// mean access time, by the levels that served it (GPUMech, section V-B).
std::vector<double> latencies(const IntervalProfile &Profile,
                              const DecodedCode &Code,
                              const arch::GPUSpec &Spec);

/// GPUMech, equation 4: one instruction per cycle in order; an instruction that
/// cannot follow the one before in the next cycle closes an interval.
WarpIntervals intervalsOf(const WarpClass &Warp, const IntervalProfile &Profile,
                          const DecodedCode &Code,
                          const std::vector<double> &Latencies);

/// Index of the class that represents the launch: k-means (k = 2) over warp
/// performance and instructions, both relative to their means (equation 6); the
/// warp nearest to the centre of the larger cluster.
size_t representative(const std::vector<WarpIntervals> &Warps,
                      const std::vector<WarpClass> &Classes);

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_INTERVALALGORITHM_H
