//===- TwoLevel.h - Round robin within a small active set -------*- C++ -*-===//

#ifndef HEDDLE_TIMING_POLICIES_TWOLEVEL_H
#define HEDDLE_TIMING_POLICIES_TWOLEVEL_H

#include "timing/policies/LooseRoundRobin.h"

#include <deque>

namespace heddle::timing {

/// Only the warps of an active set issue, round robin. A warp that waits for
/// memory or a barrier leaves the set, and the one that has been able to go on
/// for longest takes its place.
class TwoLevel final : public SchedulerPolicy {
public:
  explicit TwoLevel(unsigned ActiveWarps) : Capacity(ActiveWarps) {}

  unsigned pick(uint64_t Candidates) override { return Inner.pick(Candidates); }
  uint64_t excluded() const override { return ~Active; }
  void warpStarted(unsigned Warp) override { warpReady(Warp); }
  void warpEnded(unsigned Warp) override { leave(Warp); }
  void warpBlocked(unsigned Warp, Stall Why) override { leave(Warp); }
  void warpReady(unsigned Warp) override {
    uint64_t Bit = uint64_t(1) << Warp;
    if ((Active | Waiting) & Bit)
      return;
    if (unsigned(std::popcount(Active)) < Capacity) {
      Active |= Bit;
      return;
    }
    Waiting |= Bit;
    Queue.push_back(Warp);
  }

private:
  void leave(unsigned Warp) {
    uint64_t Bit = uint64_t(1) << Warp;
    if (Waiting & Bit) {
      Waiting &= ~Bit;
      std::erase(Queue, Warp);
      return;
    }
    if (!(Active & Bit))
      return;
    Active &= ~Bit;
    if (Queue.empty())
      return;
    Active |= uint64_t(1) << Queue.front();
    Waiting &= ~(uint64_t(1) << Queue.front());
    Queue.pop_front();
  }

  unsigned Capacity;
  LooseRoundRobin Inner;
  uint64_t Active = 0, Waiting = 0;
  std::deque<unsigned> Queue; ///< Waiting, longest first
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_POLICIES_TWOLEVEL_H
