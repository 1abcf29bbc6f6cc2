//===- PaperModels.h - The five models of GPUMech ---------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_PAPERMODELS_H
#define HEDDLE_INTERVAL_PAPERMODELS_H

#include "interval/IntervalAlgorithm.h"
#include "interval/IntervalModel.h"

namespace heddle::interval {

/// Fills in CoreCPI, Stack and what is said of the representative warp, by
/// GPUMech's equations 1 to 23 or, for Markov, by the chain of Chen and Aamodt
/// (HPCA 2009). One scheduler's warps share one issue slot per cycle.
void estimatePaper(const IntervalProfile &Profile, const arch::GPUSpec &Spec,
                   IntervalEstimate &E);

// Huang, Lee, Kim, Lee: GPUMech, MICRO 2014. Each takes plain numbers, so that
// it can be checked by hand.

/// IPC of one scheduler: warps alternate between ready and stalled; a ready one
/// stalls with probability \p P when it issues and returns with 1 / \p M per
/// cycle. The chain over the number of stalled warps; IPC = 1 - P(all stalled).
double markovIPC(double Warps, double P, double M);

/// Equations 10 to 16: issue slots of the other warps that hide no stall, over
/// all intervals of \p W. \p Greedy: greedy-then-oldest, else round robin.
double nonoverlapped(const WarpIntervals &W, double Warps, bool Greedy);

/// Equations 18 to 20: cycles that one warp's loads of an interval wait for
/// MSHRs when all warps have that interval at the same time.
double mshrDelay(const Interval &I, double Warps, double MSHRs,
                 double MissLatency);

/// Equations 21 to 23: cycles that its DRAM requests queue, \p Service cycles
/// each; the cap also holds at a utilisation of 1 and above.
double bandwidthDelay(const Interval &I, double Warps, double Cores,
                      double Service);

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_PAPERMODELS_H
