//===- LoadWaits.h - Which level served what warps wait for -----*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_LOADWAITS_H
#define HEDDLE_TIMING_UNITS_LOADWAITS_H

#include "memory/LevelLatency.h"
#include "timing/SimulationResult.h"
#include "timing/units/LoadTable.h"

#include <algorithm>
#include <vector>

namespace heddle::timing {

/// Splits long_scoreboard into the latency of the level that served the load,
/// the time that the load stood without an MSHR, and the rest of its time:
/// queues. A wait takes its parts from the load that ended it.
class LoadWaits {
public:
  LoadWaits(const arch::GPUSpec &Spec, unsigned Warps)
      : Latencies(memory::levelLatencies(Spec)), Last(Warps) {}

  /// Warp slot \p Slot waited for \p L, whose data is there at \p Done.
  void arrived(unsigned Slot, const Load &L, Cycle Done) {
    Parts &P = Last[Slot];
    P.Level = L.Level;
    P.Total = Done > L.Start ? Done - L.Start : 0;
    P.MSHR = std::min<uint64_t>(L.MSHRWait, P.Total);
    uint64_t Latency = std::min(uint64_t(Latencies[L.Level]), P.Total - P.MSHR);
    P.Queue = P.Total - P.MSHR - Latency;
  }
  /// The slot's warp has waited for \p Cycles.
  void book(unsigned Slot, uint64_t Cycles) {
    Parts &P = Last[Slot];
    // Most have one part or none; divisions are slow.
    const uint64_t MSHR = P.MSHR ? Cycles * P.MSHR / P.Total : 0;
    const uint64_t Queue = P.Queue ? Cycles * P.Queue / P.Total : 0;
    Sum[P.Level] += Cycles - MSHR - Queue;
    Sum[LoadWaitMSHR] += MSHR;
    Sum[LoadWaitQueue] += Queue;
    P = Parts(); // a wait whose end was known from the start is one for L1
  }
  const LoadWaitCycles &sum() const { return Sum; }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Latencies, Last, Sum] = *this;
    A(Last, Sum);
  }

private:
  struct Parts {
    uint64_t Total = 0, MSHR = 0, Queue = 0;
    unsigned Level = 0;

    template <class Archive> void serialize(Archive &A) {
      auto &[Total, MSHR, Queue, Level] = *this;
      A(Total, MSHR, Queue, Level);
    }
  };
  std::array<double, 3> Latencies;
  std::vector<Parts> Last; ///< by warp slot
  LoadWaitCycles Sum{};
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_LOADWAITS_H
