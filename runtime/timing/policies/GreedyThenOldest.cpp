//===- GreedyThenOldest.cpp - Stay with a warp, else the oldest -----------===//

#include "base/Divider.h"
#include "timing/policies/SchedulerPolicy.h"
#include <array>
#include <bit>

using namespace heddle;
using namespace heddle::timing;

namespace {

/// Issues from one warp until it cannot issue, then from the one that was
/// started first. Warps of one block are older in slot order.
class GreedyThenOldest final : public SchedulerPolicy {
public:
  /// The scheduler has each \p Stride th warp slot.
  explicit GreedyThenOldest(unsigned Stride) : ByStride(Stride) {}

  unsigned pick(uint64_t Candidates) override {
    // Slots are mostly filled in turn, so the oldest comes first after the one
    // that was filled last: a guess that the loop seldom has to correct.
    const bool Stay = Candidates >> Last & 1;
    const unsigned Guess =
        (std::countr_zero(std::rotr(Candidates, int(AfterNewest))) +
         AfterNewest) %
        64;
    const uint64_t Rivals = Stay ? 0 : Candidates;
    Last = Stay ? Last : Guess;
    while (uint64_t Before = older(Last) & Rivals)
      Last = std::countr_zero(Before);
    return Last;
  }
  void warpStarted(unsigned Warp) override {
    older(Warp) = Live;
    Live |= uint64_t(1) << Warp;
    AfterNewest = (Warp + 1) % 64;
  }
  void warpEnded(unsigned Warp) override {
    Live &= ~(uint64_t(1) << Warp);
    for (unsigned I = 0, Count = unsigned(ByStride.quotient(63)); I <= Count;
         ++I)
      Older[I] &= Live;
  }
  void visitState(const NumberVisitor &Visit) override {
    auto &[ByStride, Last, AfterNewest, Live, Older] = *this;
    visit(Visit, Last, AfterNewest, Live);
    for (uint64_t &Each : Older)
      visit(Visit, Each);
  }

private:
  uint64_t &older(unsigned Warp) { return Older[ByStride.quotient(Warp)]; }

  Divider ByStride;
  unsigned Last = 0;
  unsigned AfterNewest = 0; ///< slot
  uint64_t Live = 0;
  /// Warps that started before the one, by its number within the scheduler.
  std::array<uint64_t, 64> Older{};
};

} // namespace

std::unique_ptr<SchedulerPolicy>
timing::createGreedyThenOldest(const arch::SMSpec &SM) {
  return std::make_unique<GreedyThenOldest>(SM.Schedulers);
}
