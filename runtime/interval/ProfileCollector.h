//===- ProfileCollector.h - The input collector -----------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_PROFILECOLLECTOR_H
#define HEDDLE_INTERVAL_PROFILECOLLECTOR_H

#include "base/Result.h"
#include "interval/IntervalProfile.h"

#include <optional>

namespace heddle::interval {

struct CollectOptions {
  /// Warp instructions of one SM that are kept for replay, beyond its first
  /// round of blocks: where blocks are equal, and where they are not or are so
  /// few that SMs differ. Longer ones take more time; over the launches of
  /// test/kernels and test/unseen on v100 the mean error was 6.3 % with 40,000
  /// and 150,000, 5.8 with 100,000 and 150,000, 5.3 with these.
  uint64_t KeepInsts = 200000, KeepOfUnequal = 300000;
  /// The second round of blocks is kept where both have no more. An assumption:
  /// some tenths of a second.
  uint64_t KeepOfTwoRounds = 600000;
  /// Warp instructions of one SM that are replayed where its blocks all run at
  /// once, as they have to be kept anyway. The same assumption.
  uint64_t ReplayOfOneRound = 2000000;
  /// Read every block, also where the rest is like what was read, and follow
  /// all lines of all SMs.
  bool Whole = false;
  /// One line in 2 ^ this is followed through the caches of SMs that are not
  /// replayed; by default as few as leave five SMs' worth of lines.
  std::optional<unsigned> SampleShift;
};

/// Reads the launch and feeds caches without time: all SMs' L1 and the slices
/// of L2, each resident warp in turn up to its next memory access (GPUMech,
/// section V). Of SMs that are not kept for replay only some lines are followed
/// (FunctionalMemory). Of a launch of many equal blocks it stops to do so when
/// what is kept for replay is complete and L2 has settled; from there on it
/// counts the instructions of every nth block only. Fails if a block does not
/// fit on an SM or the source cannot be read.
Result<IntervalProfile> collectProfile(trace::TraceSource &Source,
                                       const arch::GPUSpec &Spec,
                                       const CollectOptions &Options = {});

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_PROFILECOLLECTOR_H
