//===- GreedyThenYoungest.cpp - Stay with a warp, else the youngest -------===//

#include "timing/policies/SchedulerPolicy.h"

#include <algorithm>
#include <array>
#include <bit>

using namespace heddle;
using namespace heddle::timing;

namespace {

/// Issues from one warp until it cannot issue, then from the one that was
/// started last: what Huerta, Abaie Shoushtary, Cruz and Gonzalez measured on
/// Ampere (Analyzing modern NVIDIA GPU cores, MICRO 2025). Warps of one block
/// are older in slot order.
class GreedyThenYoungest final : public SchedulerPolicy {
public:
  unsigned pick(uint64_t Candidates) override {
    auto IsCandidate = [&](uint64_t Slot) { return Candidates >> Slot & 1; };
    if (!(Candidates & Last))
      Last = uint64_t(1) << *std::find_if(ByAge.rend() - NumLive, ByAge.rend(),
                                          IsCandidate);
    return unsigned(std::countr_zero(Last));
  }
  void warpStarted(unsigned Warp) override { ByAge[NumLive++] = Warp; }
  void warpEnded(unsigned Warp) override {
    Last &= ~(uint64_t(1) << Warp);
    NumLive = std::remove(ByAge.begin(), ByAge.begin() + NumLive, Warp) -
              ByAge.begin();
  }
  void visitState(const NumberVisitor &Visit) override {
    auto &[Last, NumLive, ByAge] = *this;
    visit(Visit, Last, NumLive);
    for (uint8_t &Slot : ByAge)
      visit(Visit, Slot);
  }

private:
  uint64_t Last = 0; ///< the slot that issued last, as a set of one or none
  uint8_t NumLive = 0;
  std::array<uint8_t, 64> ByAge{}; ///< slots of the live warps, oldest first
};

} // namespace

std::unique_ptr<SchedulerPolicy>
timing::createGreedyThenYoungest(const arch::SMSpec &) {
  return std::make_unique<GreedyThenYoungest>();
}
