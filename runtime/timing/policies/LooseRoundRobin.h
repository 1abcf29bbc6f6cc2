//===- LooseRoundRobin.h - The next ready warp in slot order ----*- C++ -*-===//

#ifndef HEDDLE_TIMING_POLICIES_LOOSEROUNDROBIN_H
#define HEDDLE_TIMING_POLICIES_LOOSEROUNDROBIN_H

#include "timing/policies/SchedulerPolicy.h"

#include <bit>

namespace heddle::timing {

/// Starts after the warp that issued last and takes the first that can issue.
class LooseRoundRobin final : public SchedulerPolicy {
public:
  unsigned pick(uint64_t Candidates) override {
    uint64_t After = Last == 63 ? 0 : Candidates >> (Last + 1) << (Last + 1);
    Last = std::countr_zero(After ? After : Candidates);
    return Last;
  }

private:
  unsigned Last = 63;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_POLICIES_LOOSEROUNDROBIN_H
