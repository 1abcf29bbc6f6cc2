//===- SchedulerPolicy.cpp - Makes the policy of a machine ----------------===//

#include "timing/policies/SchedulerPolicy.h"

#include "timing/policies/GreedyThenOldest.h"
#include "timing/policies/LooseRoundRobin.h"
#include "timing/policies/TwoLevel.h"

using namespace heddle;
using namespace heddle::timing;

std::unique_ptr<SchedulerPolicy>
heddle::timing::createPolicy(const arch::SMSpec &SM) {
  switch (SM.Scheduler) {
  case arch::SchedulerPolicy::GTO:
    return std::make_unique<GreedyThenOldest>(SM.Schedulers);
  case arch::SchedulerPolicy::TwoLevel:
    return std::make_unique<TwoLevel>(SM.TwoLevelActive ? SM.TwoLevelActive
                                                        : 8);
  case arch::SchedulerPolicy::LRR:
    break;
  }
  return std::make_unique<LooseRoundRobin>();
}
