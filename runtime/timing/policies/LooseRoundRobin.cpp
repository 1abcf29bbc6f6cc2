//===- LooseRoundRobin.cpp - The next ready warp in slot order ------------===//

#include "timing/policies/SchedulerPolicy.h"
#include <bit>

using namespace heddle;
using namespace heddle::timing;

namespace {

/// Starts after the warp that issued last and takes the first that can issue.
class LooseRoundRobin final : public SchedulerPolicy {
public:
  unsigned pick(uint64_t Candidates) override {
    uint64_t After = Last == 63 ? 0 : Candidates >> (Last + 1) << (Last + 1);
    Last = std::countr_zero(After ? After : Candidates);
    return Last;
  }
  void visitState(const NumberVisitor &Visit) override {
    auto &[Last] = *this;
    visit(Visit, Last);
  }

private:
  unsigned Last = 63;
};

} // namespace

std::unique_ptr<SchedulerPolicy>
timing::createLooseRoundRobin(const arch::SMSpec &) {
  return std::make_unique<LooseRoundRobin>();
}
