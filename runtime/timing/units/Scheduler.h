//===- Scheduler.h - State of one warp scheduler ----------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_SCHEDULER_H
#define HEDDLE_TIMING_UNITS_SCHEDULER_H

#include "timing/policies/SchedulerPolicy.h"
#include "timing/units/PipeSet.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <vector>

namespace heddle::timing {

/// Ready warps stand in one set for each pipe that their next instruction
/// needs, so that a busy pipe takes all its warps out of consideration at once.
struct Scheduler {
  static constexpr unsigned MaxPipes = 32;

  /// The way to one pipe.
  struct Exit {
    uint64_t Ready = 0; ///< warps
    PipeGroup *Group = nullptr;
  };

  uint32_t ReadyPipes = 0; ///< pipes with a nonempty set
  bool Excludes = false;   ///< the policy has an active set
  BusyMeter Dispatch;      ///< way from issue to the operand collectors
  std::unique_ptr<SchedulerPolicy> Policy;
  std::vector<Cycle> CollectorFree; ///< empty: collectors without limit
  std::array<Exit, MaxPipes> Exits;

  PipeGroup &group(unsigned Pipe) { return *Exits[Pipe].Group; }

  /// Gives an instruction that issues at \p Now a collector, which it holds for
  /// \p Collect cycles and one to hand over; returns when it enters. Issue
  /// waits while an instruction stands in front of taken collectors.
  Cycle enterCollector(Cycle Now, unsigned Collect) {
    if (CollectorFree.empty())
      return Now + 1;
    auto Free = std::min_element(CollectorFree.begin(), CollectorFree.end());
    Cycle Start = std::max(Now + 1, *Free);
    *Free = Start + Collect + 1;
    Dispatch.take(Now, Start > Now + 1 ? Start : 0);
    return Start;
  }

  void insert(unsigned Warp, unsigned Pipe) {
    Exits[Pipe].Ready |= uint64_t(1) << Warp;
    ReadyPipes |= uint32_t(1) << Pipe;
  }
  void remove(unsigned Warp, unsigned Pipe) {
    if (!(Exits[Pipe].Ready &= ~(uint64_t(1) << Warp)))
      ReadyPipes &= ~(uint32_t(1) << Pipe);
  }
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_SCHEDULER_H
