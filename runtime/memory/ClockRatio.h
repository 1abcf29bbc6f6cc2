//===- ClockRatio.h - From one clock's cycles to another's ------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_CLOCKRATIO_H
#define HEDDLE_MEMORY_CLOCKRATIO_H

#include "base/Divider.h"
#include "base/Units.h"

#include <cmath>
#include <numeric>

namespace heddle::memory {

/// Converts points in time between two clocks that start together. Rounds up,
/// so an event is seen at the first edge after it; exact and monotone.
class ClockRatio {
public:
  ClockRatio(double FromMHz, double ToMHz) {
    uint64_t From = uint64_t(std::llround(FromMHz * 1000));
    uint64_t To = uint64_t(std::llround(ToMHz * 1000));
    uint64_t Common = std::gcd(From, To);
    Num = To / Common;
    Den = From / Common;
    ByDen = Divider(Den);
    Narrow = (~uint64_t(0) - Den) / Num;
  }
  Cycle up(Cycle Time) const {
    if (Num == Den || Time == NeverCycle)
      return Time;
    if (Time < Narrow)
      return ByDen.quotient(Time * Num + Den - 1);
    return Cycle(((unsigned __int128)Time * Num + Den - 1) / Den);
  }
  Cycle down(Cycle Time) const {
    if (Num == Den || Time == NeverCycle)
      return Time;
    if (Time < Narrow)
      return ByDen.quotient(Time * Num);
    return Cycle((unsigned __int128)Time * Num / Den);
  }

private:
  uint64_t Num, Den;
  Divider ByDen;
  Cycle Narrow; ///< up to here 64 bits are enough
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_CLOCKRATIO_H
