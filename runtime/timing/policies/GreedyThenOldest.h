//===- GreedyThenOldest.h - Stay with a warp, else the oldest ---*- C++ -*-===//

#ifndef HEDDLE_TIMING_POLICIES_GREEDYTHENOLDEST_H
#define HEDDLE_TIMING_POLICIES_GREEDYTHENOLDEST_H

#include "timing/policies/SchedulerPolicy.h"

#include <array>
#include <bit>

namespace heddle::timing {

/// Issues from one warp until it cannot issue, then from the one that was
/// started first. Warps of one block are older in slot order.
class GreedyThenOldest final : public SchedulerPolicy {
public:
  unsigned pick(uint64_t Candidates) override {
    if (!(Candidates >> Last & 1)) {
      Last = std::countr_zero(Candidates);
      while (uint64_t Before = Older[Last] & Candidates)
        Last = std::countr_zero(Before);
    }
    return Last;
  }
  void warpStarted(unsigned Warp) override {
    Older[Warp] = Live;
    Live |= uint64_t(1) << Warp;
  }
  void warpEnded(unsigned Warp) override {
    Live &= ~(uint64_t(1) << Warp);
    for (uint64_t &Set : Older)
      Set &= Live;
  }

private:
  unsigned Last = 0;
  uint64_t Live = 0;
  std::array<uint64_t, 64> Older{}; ///< warps that started before this one
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_POLICIES_GREEDYTHENOLDEST_H
