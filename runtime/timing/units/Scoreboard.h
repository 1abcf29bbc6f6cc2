//===- Scoreboard.h - When the registers of each warp are ready -*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_SCOREBOARD_H
#define HEDDLE_TIMING_UNITS_SCOREBOARD_H

#include "base/Units.h"
#include "timing/DecodedCode.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::timing {

/// A point in time with the reason to wait for it, in one half word: the later
/// of two is their maximum, so one pass over the operands gives both. The time
/// counts from the scoreboard's epoch. Zero is a time that has passed.
class ReadyTime {
public:
  constexpr ReadyTime() = default;
  /// \p AfterEpoch is less than Unknown.
  constexpr ReadyTime(uint32_t AfterEpoch, Stall Why)
      : Bits(AfterEpoch << ReasonBits | uint32_t(Why)) {}
  /// Ready when a response of the memory says so.
  static constexpr ReadyTime pending(Stall Why) { return {Unknown, Why}; }

  uint32_t afterEpoch() const { return Bits >> ReasonBits; }
  Stall reason() const { return Stall(Bits & ((1 << ReasonBits) - 1)); }
  bool isPending() const { return afterEpoch() == Unknown; }
  /// The same point after the epoch has moved by \p Passed.
  ReadyTime movedBy(uint32_t Passed) const {
    if (isPending())
      return *this;
    return afterEpoch() > Passed ? ReadyTime(afterEpoch() - Passed, reason())
                                 : ReadyTime();
  }
  friend constexpr bool operator<(ReadyTime A, ReadyTime B) {
    return A.Bits < B.Bits;
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Bits] = *this;
    A(Bits);
  }

  static constexpr unsigned ReasonBits = 5;
  static constexpr uint32_t Unknown = ~uint32_t(0) >> ReasonBits;

private:
  uint32_t Bits = 0;
};

/// Ready times of the virtual registers of the code table, for every warp
/// slot. Register 0 stands for none and is always ready. It is the largest
/// table that every instruction looks at, hence the half words.
class Scoreboard {
public:
  Scoreboard(unsigned Warps, unsigned Registers)
      : Registers(std::max(Registers, 1u)),
        Times(size_t(Warps) * this->Registers) {}

  /// To be called from time to time, at least every 2^25 cycles: times before
  /// \p Now are not asked for any more.
  void moveOn(Cycle Now) {
    if (Now - Epoch > ReadyTime::Unknown / 4) [[unlikely]] {
      for (ReadyTime &T : Times)
        T = T.movedBy(
            uint32_t(std::min<Cycle>(Now - Epoch, ReadyTime::Unknown)));
      Epoch = Now;
    }
  }
  /// A time that is not before the epoch, or so long past that it does not
  /// matter.
  ReadyTime at(Cycle Time, Stall Why) const {
    return {uint32_t(Time > Epoch ? Time - Epoch : 0), Why};
  }
  Cycle time(ReadyTime T) const { return Epoch + T.afterEpoch(); }

  void clear(unsigned Warp) {
    std::fill_n(Times.begin() + size_t(Warp) * Registers, Registers,
                ReadyTime());
  }
  /// Brings an entry into the host's cache.
  void prefetch(unsigned Warp, unsigned Register) const {
    __builtin_prefetch(&Times[size_t(Warp) * Registers + Register], 1);
  }
  void setDefs(unsigned Warp, const DecodedInst &I, ReadyTime At) {
    ReadyTime *Row = Times.data() + size_t(Warp) * Registers;
    if (I.NumDefs == 1) [[likely]] { // no loop to set up
      Row[I.Registers[0]] = At;
      return;
    }
    for (uint16_t R : I.defs())
      Row[R] = At;
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

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Registers, Epoch, Times] = *this;
    A(Epoch, Times);
  }

private:
  unsigned Registers;
  Cycle Epoch = 0;
  std::vector<ReadyTime> Times;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_SCOREBOARD_H
