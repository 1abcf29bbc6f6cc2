//===- Scoreboard.h - When the registers of each warp are ready -*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_SCOREBOARD_H
#define HEDDLE_TIMING_UNITS_SCOREBOARD_H

#include "base/Units.h"
#include "timing/DecodedCode.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::timing {

/// A point in time with the reason to wait for it, in one word: the later of
/// two is their maximum, so one pass over the operands gives both.
class ReadyTime {
public:
  constexpr ReadyTime() = default;
  constexpr ReadyTime(Cycle At, Stall Why)
      : Bits((std::min(At, Unknown) << ReasonBits) | uint64_t(Why)) {}
  /// Ready when a response of the memory says so.
  static constexpr ReadyTime pending(Stall Why) { return {Unknown, Why}; }

  Cycle at() const { return Bits >> ReasonBits; }
  Stall reason() const { return Stall(Bits & ((1 << ReasonBits) - 1)); }
  bool isPending() const { return at() == Unknown; }
  friend constexpr bool operator<(ReadyTime A, ReadyTime B) {
    return A.Bits < B.Bits;
  }

private:
  static constexpr unsigned ReasonBits = 5;
  static constexpr Cycle Unknown = ~uint64_t(0) >> ReasonBits;
  uint64_t Bits = 0;
};

/// Ready times of the virtual registers of the code table, for every warp
/// slot. Register 0 stands for none and is always ready.
class Scoreboard {
public:
  Scoreboard(unsigned Warps, unsigned Registers)
      : Registers(std::max(Registers, 1u)),
        Times(size_t(Warps) * this->Registers) {}

  void clear(unsigned Warp) {
    std::fill_n(Times.begin() + size_t(Warp) * Registers, Registers,
                ReadyTime());
  }
  void set(unsigned Warp, unsigned Register, ReadyTime At) {
    Times[size_t(Warp) * Registers + Register] = At;
  }
  /// Brings the entries into the host's cache.
  void prefetch(unsigned Warp, std::span<const uint16_t> Used) const {
    const ReadyTime *Row = Times.data() + size_t(Warp) * Registers;
    for (uint16_t R : Used)
      __builtin_prefetch(Row + R, 1);
  }
  /// The latest of \p From and the ready times of the registers of \p I.
  ReadyTime latest(unsigned Warp, const DecodedInst &I, ReadyTime From) const {
    // Most instructions have no more than four registers; the missing ones are
    // register 0, which is always ready.
    const ReadyTime *Row = Times.data() + size_t(Warp) * Registers;
    From = std::max(
        std::max(From, std::max(Row[I.Registers[0]], Row[I.Registers[1]])),
        std::max(Row[I.Registers[2]], Row[I.Registers[3]]));
    for (unsigned N = 4; N < I.NumRegisters; ++N)
      From = std::max(From, Row[I.Registers[N]]);
    return From;
  }

private:
  unsigned Registers;
  std::vector<ReadyTime> Times;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_SCOREBOARD_H
