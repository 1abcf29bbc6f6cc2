//===- LaunchSimulator.h - Whole launches of an application -----*- C++ -*-===//

#ifndef HEDDLE_DRIVER_LAUNCHSIMULATOR_H
#define HEDDLE_DRIVER_LAUNCHSIMULATOR_H

#include "arch/GPUSpec.h"
#include "heddle/Driver/Session.h"
#include "sampling/paper/TimeUnits.h"
#include "timing/Simulator.h"
#include "trace/KeptTrace.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace heddle {

/// Bytes of a launch to keep ahead of a model (trace::KeptTrace). Byte codes
/// fold loops: this holds some hundred million warp instructions.
inline constexpr uint64_t KeptBytes = uint64_t(256) << 20;

/// The buffers of \p S's launch that a host program would fill with a copy, in
/// that order; zeroes are set on the device and leave nothing in L2.
std::vector<timing::DeviceRange> copiedBuffers(Session &S);

/// Simulates what \p Source has of \p S's launch, with \p S's threads, until
/// it is cancelled.
llvm::Expected<timing::SimulationResult>
simulatePart(const Session &S, trace::TraceSource &Source,
             const arch::GPUSpec &Spec,
             timing::LaunchControl *Control = nullptr);

/// A launch that was simulated from its first block to its last.
struct WholeLaunch {
  uint64_t Cycles = 0, WarpInstructions = 0;
  std::vector<sampling::TimeUnit> Units; ///< if they were asked for
  bool Left = false; ///< to another process: executed, not simulated
};

/// Simulates launches one after the other, each from cold caches. One that does
/// exactly what a launch before did takes as long and is not simulated again.
class LaunchSimulator {
public:
  /// \p Spec outlives this.
  explicit LaunchSimulator(const arch::GPUSpec &Spec) : Spec(Spec) {}

  /// Asked before a launch is simulated that is like none before, which of
  /// these it is, counted from 0. What it returns is taken as the result.
  using KnownLaunch =
      std::function<std::optional<WholeLaunch>(size_t Distinct)>;

  /// Executes and simulates. \p Recorder, where given, cuts the launch into
  /// units.
  llvm::Expected<WholeLaunch>
  simulate(Session &S, sampling::UnitRecorder *Recorder = nullptr,
           const KnownLaunch &Ask = {});

private:
  const arch::GPUSpec &Spec;
  /// By program of the application.
  std::map<std::pair<size_t, trace::TraceIdentity>, WholeLaunch> Known;
  size_t Distinct = 0;
};

} // namespace heddle

#endif // HEDDLE_DRIVER_LAUNCHSIMULATOR_H
