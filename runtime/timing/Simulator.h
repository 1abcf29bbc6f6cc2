//===- Simulator.h - Cycle-level simulation of a launch ---------*- C++ -*-===//
//
// The cycle-level timing model: docs/TimingModel.md says what each unit models
// and what it leaves out.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TIMING_SIMULATOR_H
#define HEDDLE_TIMING_SIMULATOR_H

#include "arch/ModelContract.h"
#include "base/Result.h"
#include "base/Units.h"
#include "memory/MemorySystem.h"
#include "timing/LaunchControl.h"
#include "timing/SimulationResult.h"
#include "timing/TimingListener.h"
#include "trace/TraceSource.h"

#include <functional>

namespace heddle::timing {

class StateKeeper;

struct SimulationProgress {
  Cycle Now = 0;
  uint64_t BlocksDone = 0, Blocks = 0;
  uint64_t WarpInstructions = 0;
};

/// A range of device memory, e.g. a buffer.
struct DeviceRange {
  uint64_t Address = 0, Bytes = 0;
};

struct SimulationOptions {
  unsigned Threads = 1;         ///< host threads; no influence on the result
  Cycle MaxCycles = NeverCycle; ///< stop there and report what was done
  TimingListener *Listener = nullptr;
  LaunchControl *Control = nullptr; ///< chooses which blocks are simulated
  /// Called between windows; returns false to stop.
  std::function<bool(const SimulationProgress &)> OnProgress;
  /// Buffers that a copy from the host left in L2, in the order of the copies.
  std::vector<DeviceRange> Preloaded;
  /// What the launch finds in L2, if not empty, and then what it leaves there.
  memory::L2Contents *L2 = nullptr;
  /// Goes on from what is kept there, and keeps the state. Not with a Listener
  /// or a Control, which would miss what was before.
  StateKeeper *States = nullptr;
};

/// What an SM can hold at most, in every model.
inline constexpr arch::FieldLimit SMLimits[] = {
    {"sm.max_warps", 64, "sets of warps are masks of 64 bits"},
    {"pipes", 32, "a scheduler has that many ports"}};

/// What an SM reads of a machine, in every model that replays one.
inline constexpr std::string_view SMReads[] = {"clock.core",
                                               "sm.*",
                                               "front.*",
                                               "pipes.*",
                                               "ops.*",
                                               "shared.*",
                                               "bulk.*",
                                               "cluster.*",
                                               "l1.*",
                                               "icache.*",
                                               "constant.*",
                                               "constant2.*",
                                               "texture.*",
                                               "launch.block_latency",
                                               "launch.kernel_latency",
                                               "launch.drain_stores",
                                               "launch.in_cycles"};

/// What the model reads of a machine.
extern const arch::ModelContract Contract;

/// Replays \p Source on \p Spec. Fails if a block does not fit on an SM or the
/// source cannot be read. SecondsCPU is left to the caller. Throws
/// std::logic_error if the model hangs, which is a defect of the model.
Result<SimulationResult> simulate(trace::TraceSource &Source,
                                  const arch::GPUSpec &Spec,
                                  const SimulationOptions &Options = {});

} // namespace heddle::timing

#endif // HEDDLE_TIMING_SIMULATOR_H
