//===- TagStore.h - Which lines a cache holds -------------------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_TAGSTORE_H
#define HEDDLE_MEMORY_TAGSTORE_H

#include "arch/GPUSpec.h"
#include "base/Divider.h"
#include "memory/LineMap.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::memory {

/// Sets, hashing and replacement of every cache, with
/// time (Cache) or without. What a way remembers of its line is its user's: a
/// \p WayT has a Tag, the line's number + 1 or 0 if it is empty. Lines are
/// given by the address of their first byte.
template <typename WayT> class TagStore {
public:
  static constexpr uint32_t None = LineMap::None;

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
    Map = LineMap(Ways.size());
    Uses.assign(Sets, {0, uint16_t(NumWays - 1)});
    for (size_t I = 0; I != Ways.size(); ++I) {
      const uint32_t InSet = I % NumWays;
      Links.push_back({uint16_t(InSet ? InSet - 1 : NoWay),
                       uint16_t(InSet + 1 != NumWays ? InSet + 1 : NoWay)});
    }
  }

  bool present() const { return NumWays != 0; }
  WayT &operator[](uint32_t Way) { return Ways[Way]; }
  const WayT &operator[](uint32_t Way) const { return Ways[Way]; }
  std::vector<WayT> &all() { return Ways; }
  uint64_t numberOf(uint64_t Line) const { return Line >> LineShift; }
  /// The line that a way holds.
  uint64_t lineOf(const WayT &W) const { return (W.Tag - 1) << LineShift; }

  /// The way of a line, or None.
  uint32_t find(uint64_t Line) const {
    const uint64_t Number = numberOf(Line);
    return Map.find(Number,
                    [&](uint32_t W) { return Ways[W].Tag == Number + 1; });
  }
  /// The way becomes the newest of its set.
  void touch(uint32_t Way) {
    Link &L = Links[Way];
    if (L.Newer == NoWay)
      return;
    const auto Set = uint32_t(ByWays.quotient(Way));
    Link *const First = &Links[Set * NumWays];
    SetUse &Use = Uses[Set];
    const auto Self = uint16_t(&L - First);
    First[L.Newer].Older = L.Older;
    if (L.Older == NoWay)
      Use.Oldest = L.Newer;
    else
      First[L.Older].Newer = L.Newer;
    First[Use.Newest].Newer = Self;
    L.Older = Use.Newest;
    L.Newer = NoWay;
    Use.Newest = Self;
  }
  /// Gives \p Line a way of its set that \p MayGo: an empty one, else the one
  /// that was used longest ago or, with random replacement and not \p Oldest,
  /// any; None if there is none. \p Leaving(way) sees what it held.
  template <typename MayGoT, typename LeavingT>
  uint32_t replace(uint64_t Line, MayGoT &&MayGo, LeavingT &&Leaving,
                   bool Oldest = false) {
    const uint32_t Set = setOf(Line), First = Set * NumWays;
    uint32_t InSet = Uses[Set].Oldest;
    if (Random && !Oldest && Ways[First + InSet].Tag) {
      Seed = Seed * 1664525 + 1013904223; // Knuth, TAOCP 2, 3.3.4
      const uint32_t Any = uint32_t((uint64_t(Seed) * NumWays) >> 32);
      if (MayGo(Ways[First + Any]))
        InSet = Any;
    }
    while (InSet != NoWay && !MayGo(Ways[First + InSet]))
      InSet = Links[First + InSet].Newer;
    if (InSet == NoWay)
      return None;
    const uint32_t Index = First + InSet;
    WayT &W = Ways[Index];
    if (W.Tag) {
      Leaving(W);
      Map.erase(W.Tag - 1, Index);
    }
    W.Tag = numberOf(Line) + 1;
    touch(Index);
    Map.insert(numberOf(Line), Index);
    return Index;
  }

  /// Passes each way to \p OnWay, and to \p OnOrder all that decides which goes
  /// next.
  template <typename OnWayT, typename OnOrderT>
  void visitState(OnWayT &&OnWay, OnOrderT &&OnOrder) const {
    OnOrder(Seed);
    for (size_t I = 0; I != Ways.size(); ++I) {
      OnWay(Ways[I]);
      OnOrder(uint64_t(Links[I].Older) << 16 | Links[I].Newer);
    }
  }

  /// Passes the number of each way to \p OnWay: set by set, the one that was
  /// used longest ago first.
  template <typename OnWayT> void forEachByAge(OnWayT &&OnWay) const {
    for (uint32_t Set = 0; Set != Uses.size(); ++Set)
      for (uint32_t InSet = Uses[Set].Oldest; InSet != NoWay;
           InSet = Links[Set * NumWays + InSet].Newer)
        OnWay(Set * NumWays + InSet);
  }
  /// Way \p Index, empty until now, becomes \p W and the newest of its set.
  void put(uint32_t Index, const WayT &W) {
    Ways[Index] = W;
    if (W.Tag)
      Map.insert(W.Tag - 1, Index);
    touch(Index);
  }
  size_t size() const { return Ways.size(); }
  uint32_t numWays() const { return NumWays; } ///< of a set
  uint32_t seed() const { return Seed; }
  void setSeed(uint32_t To) { Seed = To; }

  // What will be needed soon is brought into the host's cache: step by step,
  // since each step has to know what the one before has brought.
  void prefetch(uint64_t Line) const {
    Map.prefetch(numberOf(Line));
    __builtin_prefetch(&Uses[setOf(Line)], 1);
  }
  /// The same a while after prefetch(): the line's way or the one that it will
  /// replace.
  void prefetchWay(uint64_t Line) const {
    uint32_t W = Map.likely(numberOf(Line));
    if (W == None) {
      const uint32_t Set = setOf(Line);
      W = Set * NumWays + Uses[Set].Oldest;
      __builtin_prefetch(&Links[W], 1);
    }
    __builtin_prefetch(&Ways[W], 1);
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[NumWays, LineShift, HashSets, Random, Seed, BySets, ByWays, Ways,
           Links, Uses, Map] = *this;
    A(Seed, Ways, Links, Uses);
    if constexpr (Archive::is_loading::value) {
      Map = LineMap(std::max<size_t>(1, Ways.size()));
      for (uint32_t I = 0; I != Ways.size(); ++I)
        if (Ways[I].Tag)
          Map.insert(Ways[I].Tag - 1, I);
    }
  }

private:
  static constexpr uint16_t NoWay = 0xffff;
  /// The ways of a set are linked in the order of their last use. Apart from
  /// the ways, as the neighbours change with every use.
  struct Link {
    uint16_t Older, Newer; ///< ways of the set

    template <class Archive> void serialize(Archive &A) {
      auto &[Older, Newer] = *this;
      A(Older, Newer);
    }
  };
  struct SetUse {
    uint16_t Oldest, Newest;

    template <class Archive> void serialize(Archive &A) {
      auto &[Oldest, Newest] = *this;
      A(Oldest, Newest);
    }
  };

  static uint32_t waysOf(const arch::CacheSpec &Spec, uint64_t SizeBytes) {
    if (!SizeBytes || !Spec.Line || !Spec.Ways)
      return 0;
    return uint32_t(std::clamp<uint64_t>(SizeBytes / Spec.Line, 1, Spec.Ways));
  }
  /// Each run of as many lines as sets goes to all sets, hashed or not: silicon
  /// has hits only up to nine tenths of its L2's size and more
  /// (latency_by_footprint), which sets chosen at random would not allow.
  uint32_t setOf(uint64_t Line) const {
    const uint64_t Number = numberOf(Line);
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
  std::vector<WayT> Ways; ///< set-major
  std::vector<Link> Links;
  std::vector<SetUse> Uses;
  LineMap Map{1}; ///< of the lines in Ways
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_TAGSTORE_H
