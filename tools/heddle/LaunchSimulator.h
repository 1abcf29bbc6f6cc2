//===- LaunchSimulator.h - Whole launches of an application -----*- C++ -*-===//

#ifndef HEDDLE_TOOLS_LAUNCHSIMULATOR_H
#define HEDDLE_TOOLS_LAUNCHSIMULATOR_H

#include "Session.h"
#include "arch/GPUSpec.h"
#include "sampling/TimeUnits.h"
#include "trace/KeptTrace.h"

#include <map>
#include <utility>

namespace heddle::tool {

/// A launch that was simulated from its first block to its last.
struct WholeLaunch {
  uint64_t Cycles = 0, WarpInstructions = 0;
  std::vector<sampling::TimeUnit> Units; ///< if they were asked for
};

/// Simulates launches one after the other, each from cold caches. One that does
/// exactly what a launch before did takes as long and is not simulated again.
class LaunchSimulator {
public:
  /// \p Spec outlives this.
  LaunchSimulator(const arch::GPUSpec &Spec, unsigned Threads)
      : Spec(Spec), Threads(Threads) {}

  /// Executes and simulates. \p Recorder, where given, cuts the launch into
  /// units. Throws CommandError.
  WholeLaunch simulate(Session &S, sampling::UnitRecorder *Recorder = nullptr);
  /// Launches that were simulated, not known from before.
  uint64_t simulated() const { return Simulated; }

private:
  const arch::GPUSpec &Spec;
  unsigned Threads;
  uint64_t Simulated = 0;
  /// By program of the application.
  std::map<std::pair<size_t, trace::TraceIdentity>, WholeLaunch> Known;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_LAUNCHSIMULATOR_H
