//===- TwoLevel.cpp - Round robin within a small active set ---------------===//

#include "timing/policies/SchedulerPolicy.h"

#include <bit>
#include <deque>

using namespace heddle;
using namespace heddle::timing;

namespace {

/// Only the warps of an active set issue, round robin. A warp that waits for
/// memory or a barrier leaves the set, and the one that has been able to go on
/// for longest takes its place.
class TwoLevel final : public SchedulerPolicy {
public:
  explicit TwoLevel(const arch::SMSpec &SM)
      : Capacity(SM.TwoLevelActive ? SM.TwoLevelActive : 8),
        Inner(createLooseRoundRobin(SM)) {}

  unsigned pick(uint64_t Candidates) override {
    return Inner->pick(Candidates);
  }
  bool excludes() const override { return true; }
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
  void visitState(const NumberVisitor &Visit) override {
    auto &[Capacity, Inner, Active, Waiting, Queue] = *this;
    visit(Visit, Active, Waiting);
    Queue.resize(size_t(std::popcount(Waiting)));
    for (unsigned &Each : Queue)
      visit(Visit, Each);
    Inner->visitState(Visit);
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
  std::unique_ptr<SchedulerPolicy> Inner;
  uint64_t Active = 0, Waiting = 0;
  std::deque<unsigned> Queue; ///< Waiting, longest first
};

} // namespace

std::unique_ptr<SchedulerPolicy>
timing::createTwoLevel(const arch::SMSpec &SM) {
  return std::make_unique<TwoLevel>(SM);
}
