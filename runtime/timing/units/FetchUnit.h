//===- FetchUnit.h - Instruction cache and whose turn it is -----*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_FETCHUNIT_H
#define HEDDLE_TIMING_UNITS_FETCHUNIT_H

#include "memory/Cache.h"
#include "timing/units/MemoryPort.h"
#include "timing/units/WarpTable.h"

#include <array>
#include <bit>
#include <bitset>

namespace heddle::timing {

/// Holds lines of code, asks for those that it lacks through the SM's port, and
/// serves the warps that fetch in turn.
class FetchUnit {
public:
  FetchUnit(const arch::GPUSpec &Spec, size_t CodeSize, MemoryPort &Port);

  /// Whether the line of a warp's next instruction is there.
  enum class Line : uint8_t {
    Held,
    Coming, ///< arrived() will name the slot
    Busy,   ///< the cache takes no more misses; ask again
  };
  Line hold(unsigned Slot, Warp &W, Cycle Now);

  void ask(unsigned Slot) { Asking |= uint64_t(1) << Slot; }
  /// Whether any warp asks for a fetch.
  bool wanted() const { return Asking; }
  /// The next one in turn, which asks no more.
  unsigned take() {
    const uint64_t After = Last == 63 ? 0 : Asking >> (Last + 1) << (Last + 1);
    Last = std::countr_zero(After ? After : Asking);
    Asking &= ~(uint64_t(1) << Last);
    return Last;
  }

  /// The answer to a request came: the slots of warps that wait for it.
  std::span<const uint32_t> arrived(const Flight &F);
  /// Short ways past the cache count as hits.
  memory::CacheCounters counters() const;

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Spec, FrontEnd, Port, CodeBytes, Cache, Known, Woken, Awaited,
           Delivered, Asking, Last, ShortFetches] = *this;
    A(Cache, Known, Awaited, Delivered, Asking, Last, ShortFetches);
  }

private:
  memory::CacheResult read(uint64_t Address, uint16_t Sector, uint32_t Waiter,
                           Cycle Now);
  void prefetch(uint64_t Address, uint16_t Sector, Cycle Now);

  static constexpr uint32_t NoWaiter = ~0u; ///< a prefetch, in place of a slot

  const arch::CacheSpec &Spec;
  const arch::FrontEndSpec &FrontEnd;
  MemoryPort &Port;
  const uint64_t CodeBytes;
  memory::Cache Cache;
  /// Lines of code that the cache is known to hold. Empty if the kernel is
  /// larger than the cache, so that lines may be replaced.
  std::vector<bool> Known;
  std::vector<uint32_t> Woken;
  std::array<uint32_t, 64> Awaited{}; ///< lines that warps wait for, by slot
  std::bitset<64> Delivered;          ///< that came and were not used yet
  uint64_t Asking = 0;                ///< warps
  unsigned Last = 63;                 ///< that fetched
  uint64_t ShortFetches = 0;          ///< hits found without asking the cache
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_FETCHUNIT_H
