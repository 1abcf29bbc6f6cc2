//===- RegisterPorts.h - Read ports of a register file ----------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_REGISTERPORTS_H
#define HEDDLE_TIMING_UNITS_REGISTERPORTS_H

#include "arch/RegisterBanks.h"
#include "base/Units.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::timing {

/// The registers of one scheduler's warps, in banks that each give so many
/// operands a cycle. Instructions that are issued read one after the other.
class RegisterPorts {
public:
  /// Takes the banks for the operands of an instruction that is issued at
  /// \p Now. Returns the cycles by which it needs more than \p ReadCycles.
  Cycle read(arch::BankCycles Wanted, Cycle Now, Cycle ReadCycles) {
    Cycle End = Now;
    for (Cycle *Free = FreeAt.data(); Wanted; Wanted >>= 4, ++Free) {
      const unsigned Reads = Wanted & 15;
      const Cycle Done = std::max(*Free, Now) + Reads;
      *Free = Reads ? Done : *Free;
      End = std::max(End, Reads ? Done : Now);
    }
    BusyUntil = std::max(BusyUntil, End);
    return End > Now + ReadCycles ? End - Now - ReadCycles : 0;
  }

  /// Whether all of \p Wanted is read before the next cycle: read() may be left
  /// out if nothing else is issued in this one.
  bool readAtOnce(arch::BankCycles Wanted, Cycle Now) const {
    constexpr arch::BankCycles MoreThanOne = 0xeeee;
    return !(Wanted & MoreThanOne) && BusyUntil <= Now;
  }

  /// Whether the last instruction was of warp \p Slot, too.
  bool again(unsigned Slot) { return std::exchange(LastSlot, Slot) == Slot; }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[FreeAt, BusyUntil, LastSlot] = *this;
    A(FreeAt, BusyUntil, LastSlot);
  }

private:
  std::array<Cycle, arch::MaxBanks> FreeAt{};
  Cycle BusyUntil = 0; ///< the latest of FreeAt
  unsigned LastSlot = ~0u;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_REGISTERPORTS_H
