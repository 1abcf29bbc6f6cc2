//===- SweepWorker.h - Evaluates configurations of a sweep ------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SWEEPWORKER_H
#define HEDDLE_TOOLS_SWEEPWORKER_H

#include "SweepPlan.h"
#include "SweepStore.h"

#include "arch/GPUSpec.h"
#include "heddle/Driver/Session.h"

#include <memory>
#include <string>

namespace heddle::tool {

/// Evaluates configurations one after the other. What compiles to the same is
/// compiled once.
class SweepWorker {
public:
  explicit SweepWorker(const SweepPlan &Plan);
  ~SweepWorker();
  SweepRow evaluate(uint64_t Index);

private:
  std::string result(const SweepSettings &Settings);
  Session &sessionFor(const SweepSettings &Settings, const arch::GPUSpec &Spec);

  const SweepPlan &Plan;
  launch::Launch Launch;
  std::string Compiled; ///< what Current was compiled from
  std::unique_ptr<Session> Current;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SWEEPWORKER_H
