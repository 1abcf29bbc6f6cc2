//===- TagStore.h - Which lines a cache holds -------------------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_TAGSTORE_H
#define HEDDLE_MEMORY_TAGSTORE_H

#include "arch/GPUSpec.h"
#include "base/Divider.h"
#include "memory/SetTable.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace heddle::memory {

/// Sets, hashing and replacement of every cache, with
/// time (Cache) or without. What a way remembers of its line is its user's: a
/// \p WayT has a Tag, the line's number + 1 or 0 if it is empty. Lines are
/// given by the address of their first byte.
template <typename WayT> class TagStore {
public:
  static constexpr uint32_t None = SetTable::None;

  /// \p SizeBytes may be less than the machine's: a miniature of a cache may
  /// have fewer lines than one of its sets.
  TagStore(const arch::CacheSpec &Spec, uint64_t SizeBytes)
      : NumWays(waysOf(Spec, SizeBytes)),
        LineShift(std::countr_zero(Spec.Line)), HashSets(Spec.HashSets),
        Random(Spec.Replace == arch::Replacement::Random) {
    if (!NumWays)
      return;
    const uint64_t Sets =
        std::max<uint64_t>(1, SizeBytes / Spec.Line / NumWays);
    BySets = Divider(Sets);
    ByWays = Divider(NumWays);
    Ways.resize(Sets * NumWays);
    Table = SetTable(uint32_t(Sets), NumWays);
  }

  bool present() const { return NumWays != 0; }
  WayT &operator[](uint32_t Way) { return Ways[Way]; }
  const WayT &operator[](uint32_t Way) const { return Ways[Way]; }
  std::span<WayT> all() { return Ways; }
  uint64_t numberOf(uint64_t Line) const { return Line >> LineShift; }
  /// The line that a way holds.
  uint64_t lineOf(const WayT &W) const { return (W.Tag - 1) << LineShift; }

  /// The way of a line, or None.
  uint32_t find(uint64_t Line) const {
    const uint64_t Number = numberOf(Line);
    const uint32_t Set = setOf(Number), First = Set * NumWays;
    const uint32_t InSet = Table.find(Set, Number, [&](uint32_t Way) {
      return Ways[First + Way].Tag == Number + 1;
    });
    return InSet == None ? None : First + InSet;
  }
  /// The way becomes the newest of its set.
  void touch(uint32_t Way) {
    const auto Set = uint32_t(ByWays.quotient(Way));
    Table.touch(Set, Way - Set * NumWays);
  }
  /// Gives \p Line a way of its set that \p MayGo: an empty one, else the one
  /// that was used longest ago or, with random replacement and not \p Oldest,
  /// any; None if there is none. \p Leaving(way) sees what it held.
  template <typename MayGoT, typename LeavingT>
  uint32_t replace(uint64_t Line, MayGoT &&MayGo, LeavingT &&Leaving,
                   bool Oldest = false) {
    const uint64_t Number = numberOf(Line);
    const uint32_t Set = setOf(Number), First = Set * NumWays;
    auto MayLeave = [&](uint32_t Way) { return MayGo(Ways[First + Way]); };
    uint32_t InSet = None;
    if (Random && !Oldest && Table.isFull(Set)) {
      Seed = seedAfter(Seed);
      const uint32_t Any = anyWay(Seed);
      if (MayLeave(Any))
        InSet = Any;
    }
    if (InSet == None)
      InSet = Table.oldest(Set, MayLeave);
    if (InSet == None)
      return None;
    WayT &W = Ways[First + InSet];
    if (W.Tag)
      Leaving(W);
    W.Tag = Number + 1;
    Table.setKey(Set, InSet, Number);
    Table.touch(Set, InSet);
    return First + InSet;
  }

  /// Passes each way to \p OnWay, and to \p OnOrder all that decides which goes
  /// next.
  template <typename OnWayT, typename OnOrderT>
  void visitState(OnWayT &&OnWay, OnOrderT &&OnOrder) const {
    OnOrder(Seed);
    forEachByAge([&](uint32_t Way) {
      OnOrder(Way);
      OnWay(Ways[Way]);
    });
  }

  /// Passes the number of each way to \p OnWay: set by set, the one that was
  /// used longest ago first.
  template <typename OnWayT> void forEachByAge(OnWayT &&OnWay) const {
    for (uint32_t First = 0; First != Ways.size(); First += NumWays)
      for (uint32_t InSet : Table.byAge(First / NumWays))
        OnWay(First + InSet);
  }
  /// Way \p Index, empty until now, becomes \p W and the newest of its set.
  void put(uint32_t Index, const WayT &W) {
    Ways[Index] = W;
    if (W.Tag)
      Table.setKey(Index / NumWays, Index % NumWays, W.Tag - 1);
    touch(Index);
  }
  size_t size() const { return Ways.size(); }
  uint32_t numWays() const { return NumWays; } ///< of a set
  uint32_t seed() const { return Seed; }
  void setSeed(uint32_t To) { Seed = To; }

  // What will be needed soon is brought into the host's cache: step by step,
  // since each step has to know what the one before has brought.
  void prefetch(uint64_t Line) const { Table.prefetch(setOf(numberOf(Line))); }
  /// The same a while after prefetch(): the line's way or the one that it will
  /// replace, if \p Before others are replaced until then.
  void prefetchWay(uint64_t Line, unsigned Before = 0) const {
    const uint64_t Number = numberOf(Line);
    const uint32_t Set = setOf(Number);
    auto Any = [](uint32_t) { return true; };
    uint32_t InSet = Table.find(Set, Number, Any);
    if (InSet == None && Random)
      InSet = foreseen(Before);
    else if (InSet == None && Table.findsOldest())
      InSet = Table.oldest(Set, Any);
    if (InSet != None)
      __builtin_prefetch(&Ways[Set * NumWays + InSet], 1);
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[NumWays, LineShift, HashSets, Random, Seed, BySets, ByWays, Ways,
           Table] = *this;
    A(Seed, Ways, Table);
  }

private:
  static uint32_t seedAfter(uint32_t Seed) {
    return Seed * 1664525 + 1013904223; // Knuth, TAOCP 2, 3.3.4
  }
  uint32_t anyWay(uint32_t Seed) const {
    return uint32_t((uint64_t(Seed) * NumWays) >> 32);
  }
  /// What random replacement will take after \p Before others.
  uint32_t foreseen(unsigned Before) const {
    uint32_t Then = seedAfter(Seed);
    for (; Before; --Before)
      Then = seedAfter(Then);
    return anyWay(Then);
  }
  static uint32_t waysOf(const arch::CacheSpec &Spec, uint64_t SizeBytes) {
    if (!SizeBytes || !Spec.Line || !Spec.Ways)
      return 0;
    return uint32_t(std::clamp<uint64_t>(SizeBytes / Spec.Line, 1, Spec.Ways));
  }
  /// Each run of as many lines as sets goes to all sets, hashed or not: silicon
  /// has hits only up to nine tenths of its L2's size and more
  /// (latency_by_footprint), which sets chosen at random would not allow.
  uint32_t setOf(uint64_t Number) const {
    if (!HashSets)
      return uint32_t(BySets.remainder(Number));
    // Fibonacci hashing of the run's number turns its lines around.
    const uint64_t Run = BySets.quotient(Number);
    return uint32_t(
        BySets.remainder(Number + (Run * 0x9E3779B97F4A7C15ull >> 40)));
  }

  uint32_t NumWays, LineShift;
  bool HashSets, Random;
  uint32_t Seed = 1;
  Divider BySets{1}, ByWays{1};
  ZeroedVector<WayT> Ways; ///< set-major
  SetTable Table;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_TAGSTORE_H
