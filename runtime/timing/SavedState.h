//===- SavedState.h - A simulation that goes on later -----------*- C++ -*-===//
//
// What the machine, the trace and the code decide is made again; what changes
// while the model runs is saved and loaded. Each type with such state has a
// function serialize() that names all of its members, so that a new member does
// not compile until it is decided whether it is saved.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TIMING_SAVEDSTATE_H
#define HEDDLE_TIMING_SAVEDSTATE_H

#include "timing/ClusterExchange.h"
#include "timing/Dispatcher.h"
#include "trace/HashedSource.h"

namespace heddle::timing {

/// Where the state of a simulation is kept, from which a later one goes on.
class StateKeeper {
public:
  virtual ~StateKeeper() = default;
  /// What keep() was given in a simulation of the same launch on the same
  /// machine with the same options, which the keeper sees to; else empty.
  virtual std::span<const uint8_t> kept() = 0;
  /// Whether to keep the state as it is now; asked between windows of time.
  virtual bool wants() = 0;
  /// The state at \p Now. Called when wants() says so, and when OnProgress ends
  /// the simulation.
  virtual void keep(Cycle Now, std::vector<uint8_t> State) = 0;
};

/// All that changes while a launch is simulated, between two windows of time.
struct SimulationParts {
  const trace::TraceSource &Launch;
  trace::HashedSource &Source; ///< of the launch, which the dispatcher reads
  memory::MemorySystem &Memory;
  std::span<const std::unique_ptr<SMContext>> SMs;
  Dispatcher &Blocks;
  ClusterExchange &Exchange;
  std::vector<InstSample> &Samples; ///< by instruction, of all host threads
  Cycle &LastEnd;                   ///< of the last window
};

/// The state, compressed.
std::vector<uint8_t> saveState(const SimulationParts &Parts);

/// Brings new parts to the state in \p Bytes. The blocks that were given out
/// are read again. Fails if the bytes are damaged, and if header, code or
/// blocks are others than those of the saved simulation.
Result<void> loadState(const SimulationParts &Parts,
                       std::span<const uint8_t> Bytes);

} // namespace heddle::timing

#endif // HEDDLE_TIMING_SAVEDSTATE_H
