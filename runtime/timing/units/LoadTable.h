//===- LoadTable.h - Loads and requests under way ---------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_LOADTABLE_H
#define HEDDLE_TIMING_UNITS_LOADTABLE_H

#include "base/Units.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::timing {

/// Slots that are reused, named by number. Numbers are handed out in a fixed
/// order, so that a simulation repeats exactly.
template <typename T> class SlotPool {
public:
  uint32_t take() {
    if (FreeSlots.empty()) {
      Slots.emplace_back();
      return Slots.size() - 1;
    }
    uint32_t Slot = FreeSlots.back();
    FreeSlots.pop_back();
    Slots[Slot] = T();
    if (!FreeSlots.empty())
      __builtin_prefetch(&Slots[FreeSlots.back()], 1);
    return Slot;
  }
  void give(uint32_t Slot) { FreeSlots.push_back(Slot); }
  T &operator[](uint32_t Slot) { return Slots[Slot]; }
  const T &operator[](uint32_t Slot) const { return Slots[Slot]; }
  size_t inUse() const { return Slots.size() - FreeSlots.size(); }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Slots, FreeSlots] = *this;
    A(Slots, FreeSlots);
  }

private:
  std::vector<T> Slots;
  std::vector<uint32_t> FreeSlots;
};

/// A warp instruction that waits for data. Two fill one line of the host's
/// cache.
struct alignas(32) Load {
  uint32_t Inst = 0;
  uint8_t Warp = 0;
  bool Issued = false;  ///< all parts were sent
  uint16_t Pending = 0; ///< parts that have not come
  uint8_t Level = 0;    ///< 0: L1, 1: L2, 2: DRAM served the farthest part
  uint16_t After = 0;   ///< cycles from its last part to its result: a filter's
  uint32_t MSHRWait = 0; ///< cycles at the head of the queue without an MSHR
  Cycle Start = 0;
  Cycle Latest = 0; ///< when the last part so far is there

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Inst, Warp, Issued, Pending, Level, After, MSHRWait, Start, Latest] =
        *this;
    A(Inst, Warp, Issued, Pending, Level, After, MSHRWait, Start, Latest);
  }
};
static_assert(sizeof(Load) == 32);

/// What a response is for.
enum class ReplyTo : uint8_t {
  Load, ///< a load that passes by the caches, or an atomic
  L1,   ///< sectors for L1
  Constant,
  Texture,
  Instructions,
  Store,       ///< a warp counts its stores
  GridBarrier, ///< the arrival of a block
  None,        ///< write-backs
};

/// A group of requests that is answered when all of its parts are.
struct Flight {
  uint16_t Sectors = 0;
  uint16_t Parts = 0;
  uint32_t Owner = 0; ///< load, warp slot or MSHR of the cache
  uint16_t Packets = 0;
  ReplyTo To = ReplyTo::None;
  bool FromDRAM = false;

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Sectors, Parts, Owner, Packets, To, FromDRAM] = *this;
    A(Sectors, Parts, Owner, Packets, To, FromDRAM);
  }
};

/// What only an asynchronous copy has to remember.
struct CopyLoad {
  uint32_t Section = 0;     ///< for CopyArrivals
  uint16_t WritePasses = 0; ///< turns of its write on the banks
  uint8_t Group = 0;        ///< of CopyGroups

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Section, WritePasses, Group] = *this;
    A(Section, WritePasses, Group);
  }
};

/// Loads, and by the same numbers what copies among them add.
class LoadTable : public SlotPool<Load> {
public:
  CopyLoad &newCopy(uint32_t Load) {
    Copies.resize(std::max<size_t>(Copies.size(), Load + 1));
    return Copies[Load] = CopyLoad();
  }
  CopyLoad &copy(uint32_t Load) { return Copies[Load]; }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    SlotPool::serialize(A);
    A(Copies);
  }

private:
  std::vector<CopyLoad> Copies;
};

using FlightTable = SlotPool<Flight>;

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_LOADTABLE_H
