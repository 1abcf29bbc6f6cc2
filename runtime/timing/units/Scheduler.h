//===- Scheduler.h - State of one warp scheduler ----------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_SCHEDULER_H
#define HEDDLE_TIMING_UNITS_SCHEDULER_H

#include "timing/policies/SchedulerPolicy.h"
#include "timing/units/PipeSet.h"

#include <array>
#include <bit>
#include <memory>

namespace heddle::timing {

/// Ready warps stand in one set for each pipe that their next instruction
/// needs, so that a busy pipe takes all its warps out of consideration at once.
struct Scheduler {
  static constexpr unsigned MaxPipes = 32;

  uint32_t ReadyPipes = 0; ///< pipes with a nonempty set
  std::array<uint64_t, MaxPipes> Ready{};
  BusyMeter Dispatch;    ///< operand collection
  bool Excludes = false; ///< the policy has an active set
  std::unique_ptr<SchedulerPolicy> Policy;

  void insert(unsigned Warp, unsigned Pipe) {
    Ready[Pipe] |= uint64_t(1) << Warp;
    ReadyPipes |= uint32_t(1) << Pipe;
  }
  void remove(unsigned Warp, unsigned Pipe) {
    if (!(Ready[Pipe] &= ~(uint64_t(1) << Warp)))
      ReadyPipes &= ~(uint32_t(1) << Pipe);
  }
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_SCHEDULER_H
