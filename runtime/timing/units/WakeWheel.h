//===- WakeWheel.h - When which warp of an SM wakes -------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_WAKEWHEEL_H
#define HEDDLE_TIMING_UNITS_WAKEWHEEL_H

#include "base/Units.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace heddle::timing {

/// A timing wheel over the at most 64 warps of an SM: one bit mask per cycle
/// for the next 64 cycles, a list for later. Adding a warp and finding the
/// next event take constant time, which is what lets the SM skip cycles.
class WakeWheel {
public:
  WakeWheel() { FarTime.fill(NeverCycle); }

  /// Wakes \p Warp at \p At, which is later than \p Now.
  void add(unsigned Warp, Cycle At, Cycle Now) {
    if (At - Now < Span) {
      Slots[At % Span] |= uint64_t(1) << Warp;
      Occupied |= uint64_t(1) << (At % Span);
      return;
    }
    addFar(Warp, At);
  }

  /// The warps that wake at \p Now. Must be called at each time next() names.
  uint64_t take(Cycle Now) {
    uint64_t Due = 0;
    unsigned Slot = Now % Span;
    if (Occupied >> Slot & 1) {
      Due = Slots[Slot];
      Slots[Slot] = 0;
      Occupied &= ~(uint64_t(1) << Slot);
    }
    if (FarNext <= Now)
      Due |= takeFar(Now);
    return Due;
  }

  /// The next time after \p Now at which a warp wakes, or NeverCycle.
  Cycle next(Cycle Now) const {
    if (!Occupied)
      return FarNext;
    uint64_t Rotated = std::rotr(Occupied, int((Now + 1) % Span));
    return std::min<Cycle>(FarNext, Now + 1 + std::countr_zero(Rotated));
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Slots, Occupied, Far, FarNext, FarTime] = *this;
    A(Slots, Occupied, Far, FarNext, FarTime);
  }

private:
  static constexpr unsigned Span = 64;

  [[gnu::noinline]] void addFar(unsigned Warp, Cycle At) {
    FarTime[Warp] = At;
    Far |= uint64_t(1) << Warp;
    FarNext = std::min(FarNext, At);
  }
  [[gnu::noinline]] uint64_t takeFar(Cycle Now) {
    uint64_t Due = 0;
    FarNext = NeverCycle;
    for (uint64_t Rest = Far; Rest; Rest &= Rest - 1) {
      unsigned Warp = std::countr_zero(Rest);
      if (FarTime[Warp] <= Now)
        Due |= uint64_t(1) << Warp;
      else
        FarNext = std::min(FarNext, FarTime[Warp]);
    }
    Far &= ~Due;
    return Due;
  }

  std::array<uint64_t, Span> Slots{};
  uint64_t Occupied = 0; ///< slots that hold a warp
  uint64_t Far = 0;
  Cycle FarNext = NeverCycle;
  std::array<Cycle, 64> FarTime;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_WAKEWHEEL_H
