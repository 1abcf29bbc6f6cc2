//===- LaunchSimulator.h - Whole launches of an application -----*- C++ -*-===//

#ifndef HEDDLE_DRIVER_LAUNCHSIMULATOR_H
#define HEDDLE_DRIVER_LAUNCHSIMULATOR_H

#include "arch/GPUSpec.h"
#include "heddle/Driver/Session.h"
#include "sampling/paper/TimeUnits.h"
#include "streams/StreamSchedule.h"
#include "timing/Simulator.h"
#include "trace/KeptTrace.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
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
llvm::Expected<timing::SimulationResult> simulatePart(
    const Session &S, trace::TraceSource &Source, const arch::GPUSpec &Spec,
    timing::LaunchControl *Control = nullptr, memory::L2Contents *L2 = nullptr,
    timing::StateKeeper *Keeper = nullptr);

/// A launch that was simulated from its first block to its last.
struct WholeLaunch {
  uint64_t Cycles = 0, WarpInstructions = 0;
  std::vector<sampling::TimeUnit> Units; ///< if they were asked for
  bool Left = false;    ///< to another process: executed, not simulated
  uint64_t L2After = 0; ///< fingerprint of what it left in L2, if that is kept
  streams::LaunchUse Use = {};
};

/// A launch that was executed, not simulated.
struct PassedLaunch {
  /// Sectors that it accesses, and those of them that L2 does not have. Zero
  /// where caches are cold.
  uint64_t Sectors = 0, Misses = 0;
  uint64_t L2After = 0; ///< fingerprint, if L2 is kept
};

/// What launches of late left in L2, by fingerprint.
using L2States = std::deque<std::pair<uint64_t, memory::L2Contents>>;

/// What launches of an application find in the caches.
enum class CachesAtLaunch {
  Cold,
  L2Kept, ///< L2 as the launch before left it, all others empty
};

/// Simulates launches one after the other, by their code of one level. One that
/// does exactly what a launch before did, and finds the same in L2, takes as
/// long and is not simulated again.
class LaunchSimulator {
public:
  /// \p Spec outlives this.
  LaunchSimulator(const arch::GPUSpec &Spec, ISA Level,
                  CachesAtLaunch Caches = CachesAtLaunch::Cold)
      : Spec(Spec), Level(Level), Caches(Caches) {}
  ISA level() const { return Level; }

  /// Asked before a launch is simulated that is like none before, which of
  /// these it is, counted from 0. What it returns is taken as the result. Where
  /// L2 is kept, a launch that is simulated next needs what it left there.
  using KnownLaunch =
      std::function<std::optional<WholeLaunch>(size_t Distinct)>;

  /// Executes and simulates. \p Recorder, where given, cuts the launch into
  /// units.
  llvm::Expected<WholeLaunch>
  simulate(Session &S, sampling::UnitRecorder *Recorder = nullptr,
           const KnownLaunch &Ask = {});

  /// Executes. Where L2 is kept, it then has what the launch accessed, in the
  /// order of its blocks: an approximation of what a simulation leaves there.
  llvm::Expected<PassedLaunch> pass(Session &S);

  /// Simulates what \p Control does not leave out of \p Source, a launch of
  /// \p S.
  llvm::Expected<timing::SimulationResult>
  simulateBlocks(const Session &S, trace::TraceSource &Source,
                 timing::LaunchControl *Control,
                 timing::StateKeeper *KeptIn = nullptr);

  /// \p In keeps the state of the launch that simulate() simulates next; null:
  /// nothing does.
  void keepStates(timing::StateKeeper *In) { Keeper = In; }

  bool keepsL2() const { return Caches == CachesAtLaunch::L2Kept; }
  /// The next launch is the application's first one.
  void restart() { L2Now = 0; }

  /// From where a launch after a known one can go on.
  const L2States &l2States() const { return States; }
  /// Adds to these; few are held.
  void addL2(uint64_t Fingerprint, memory::L2Contents L2);

private:
  /// What decides a launch: program of the application, what it does, and the
  /// fingerprint of what it finds in L2.
  using Key = std::tuple<size_t, trace::TraceIdentity, uint64_t>;
  std::optional<Key> keyOf(Session &S, const trace::KeptTrace &Kept) const;
  const memory::L2Contents *findL2(uint64_t Fingerprint) const;
  bool knowsL2(uint64_t Fingerprint) const {
    return Fingerprint == L2Now || findL2(Fingerprint);
  }
  const WholeLaunch *recall(const std::optional<Key> &K);
  void remember(const std::optional<Key> &K, const WholeLaunch &L);

  const arch::GPUSpec &Spec;
  const ISA Level;
  const CachesAtLaunch Caches;
  std::map<Key, WholeLaunch> Known;
  std::map<Key, PassedLaunch> Passed;
  size_t Distinct = 0;
  uint64_t L2Now = 0; ///< fingerprint; 0: cold
  L2States States;
  timing::StateKeeper *Keeper = nullptr;
};

} // namespace heddle

#endif // HEDDLE_DRIVER_LAUNCHSIMULATOR_H
