//===- ResultBuilder.h - Sums up a simulation -------------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_RESULTBUILDER_H
#define HEDDLE_TIMING_RESULTBUILDER_H

#include "timing/ResultCheck.h"
#include "timing/SMContext.h"

namespace heddle::timing {

/// Adds the counters of the units to one SimulationResult.
class ResultBuilder {
public:
  ResultBuilder(const Machine &M, const arch::Occupancy &O);

  void add(const SMTotals &SM);
  void add(std::span<const InstSample> Samples);
  void add(const memory::MemoryCounters &Memory,
           const memory::CacheCounters &GPCs);
  /// \p LastCycle counts if the simulation was cut short. Else it is over when
  /// the last block has ended and the dispatcher has had time to start all,
  /// which takes until \p Dispatched.
  /// Throws std::logic_error if the result breaks a condition of ResultCheck.h.
  SimulationResult finish(bool Truncated, Cycle LastCycle, Cycle Dispatched);

private:
  void sumLines();

  const Machine &M;
  SimulationResult R;
  CheckedCounters Counted;
  uint64_t ActiveCycles = 0;
  Cycle LastBlockEnd = 0;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_RESULTBUILDER_H
