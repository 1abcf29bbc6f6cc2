//===- CommonLines.h - Lines that all SMs ask for at once -------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_COMMONLINES_H
#define HEDDLE_MEMORY_COMMONLINES_H

#include "memory/AddressMap.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace heddle::memory {

/// How long the last of all SMs waits for lines that all of them read when they
/// get there: code, parameters and constants. A slice of L2 serves one SM after
/// the other. From then on this SM is as much behind the first one, so that the
/// next such line has been served to the others meanwhile. For models that
/// look at one SM.
class CommonLines {
public:
  explicit CommonLines(const arch::GPUSpec &Spec)
      : Map(Spec), Halves(std::max(1u, Spec.L2.Halves)),
        Free(std::max(1u, Spec.L2.Slices)) {}

  /// The wait at \p Now for a line of which a slice takes \p Cycles for each
  /// request, if \p SMs ask for it. \p Latency is the rest of the way.
  double wait(double Now, double Latency, uint64_t Line, double SMs,
              double Cycles) {
    while (!Coming.empty() && Coming.front().At <= Now) {
      Lag = std::max(Lag, Coming.front().Lag);
      Coming.pop_front();
    }
    double &Slice = Free[Map.place(Line).Slice];
    Slice = std::max(Slice, Now - Lag) + std::max(1.0, SMs / Halves) * Cycles;
    const double Wait = std::max(0.0, Slice - Now - Cycles);
    if (Wait > 0)
      Coming.push_back({Now + Latency + Wait, Lag + Wait});
    return Wait;
  }

private:
  AddressMap Map;
  double Halves;
  std::vector<double> Free; ///< by slice: when the last SM has been served
  double Lag = 0;           ///< behind the first SM
  struct Behind {
    double At, Lag;
  };
  std::deque<Behind> Coming; ///< what it is from then on
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_COMMONLINES_H
