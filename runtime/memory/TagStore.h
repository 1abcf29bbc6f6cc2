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
        NotRecent(Spec.Replace == arch::Replacement::NotRecent) {
    if (!NumWays)
      return;
    const uint64_t Sets =
        std::max<uint64_t>(1, SizeBytes / Spec.Line / NumWays);
    BySets = Divider(Sets);
    ByWays = Divider(NumWays);
    Ways.resize(Sets * NumWays);
    Table = SetTable(uint32_t(Sets), NumWays, NotRecent);
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
  /// that was used longest ago or, where the specification says so and not
  /// \p Oldest, SetTable::notRecent()'s; None if there is none. \p Leaving(way)
  /// sees what it held.
  template <typename MayGoT, typename LeavingT>
  uint32_t replace(uint64_t Line, MayGoT &&MayGo, LeavingT &&Leaving,
                   bool Oldest = false) {
    const uint64_t Number = numberOf(Line);
    const uint32_t Set = setOf(Number), First = Set * NumWays;
    auto MayLeave = [&](uint32_t Way) { return MayGo(Ways[First + Way]); };
    const bool KeepsRecent = NotRecent && !Oldest && Table.isFull(Set);
    const uint32_t InSet = KeepsRecent ? Table.notRecent(Set, MayLeave)
                                       : Table.oldest(Set, MayLeave);
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
    forEachByAge([&](uint32_t Way) {
      OnOrder(Way);
      OnOrder(isRecent(Way));
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
  /// Whether the way was used since all of its set were.
  bool isRecent(uint32_t Way) const {
    return Table.isRecent(Way / NumWays, Way % NumWays);
  }
  /// Way \p Index, empty until now, becomes \p W and the newest of its set;
  /// unless \p Recent, none of the set is recent then.
  void put(uint32_t Index, const WayT &W, bool Recent) {
    Ways[Index] = W;
    if (W.Tag)
      Table.setKey(Index / NumWays, Index % NumWays, W.Tag - 1);
    touch(Index);
    if (!Recent)
      Table.forgetRecent(Index / NumWays);
  }
  size_t size() const { return Ways.size(); }
  uint32_t numWays() const { return NumWays; } ///< of a set

  // What will be needed soon is brought into the host's cache: step by step,
  // since each step has to know what the one before has brought.
  void prefetch(uint64_t Line) const { Table.prefetch(setOf(numberOf(Line))); }
  /// The same a while after prefetch(): the line's way or, if that is soon
  /// known, the one that it will replace.
  void prefetchWay(uint64_t Line) const {
    const uint64_t Number = numberOf(Line);
    const uint32_t Set = setOf(Number);
    auto Any = [](uint32_t) { return true; };
    uint32_t InSet = Table.find(Set, Number, Any);
    if (InSet == None && Table.findsOldest())
      InSet = Table.oldest(Set, Any);
    if (InSet != None)
      __builtin_prefetch(&Ways[Set * NumWays + InSet], 1);
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[NumWays, LineShift, HashSets, NotRecent, BySets, ByWays, Ways,
           Table] = *this;
    A(Ways, Table);
  }

private:
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
  bool HashSets, NotRecent;
  Divider BySets{1}, ByWays{1};
  ZeroedVector<WayT> Ways; ///< set-major
  SetTable Table;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_TAGSTORE_H
