//===- SetTable.h - Keys and order of use of a cache's ways -----*- C++ -*-===//

#ifndef HEDDLE_MEMORY_SETTABLE_H
#define HEDDLE_MEMORY_SETTABLE_H

#include "base/ZeroedVector.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace heddle::memory {

/// Of each set of a cache, which way holds what and which was used when. A way
/// has a key of 16 bits made of its line's number, and a set's keys lie side by
/// side: looking for a line reads one or two of the host's cache lines, and the
/// table of ways only where the key is the same. Sets of at most 16 ways have
/// their order before the keys; wider ones, and those that know which ways
/// are recent, have the time of each way's last use. Empty ways are taken in
/// the order of their numbers and never become empty again.
class SetTable {
public:
  static constexpr uint32_t None = ~0u;

  SetTable() = default;
  SetTable(uint32_t Sets, uint32_t NumWays, bool KnowsRecent = false)
      : NumWays(NumWays), Narrow(NumWays <= MostInOrder && !KnowsRecent),
        KeyWords((NumWays + KeysPerWord - 1) / KeysPerWord),
        RowWords(Narrow ? std::bit_ceil(1 + KeyWords) : KeyWords) {
    // find() reads more keys at once than the last set may have.
    Rows.resize(size_t(Sets) * RowWords + KeysAtOnce / KeysPerWord);
    if (!Narrow)
      Used.resize(size_t(Sets) * NumWays);
    if (KnowsRecent)
      Before.resize(Sets);
  }

  /// The way of the set, by its number there, that holds line \p Number, or
  /// None. \p Is(way) tells whether one with the same key does.
  template <typename IsT>
  uint32_t find(uint32_t Set, uint64_t Number, IsT &&Is) const {
    const uint64_t *Keys = keysOf(Set);
    const auto Wanted = uint16_t(keyOf(Number));
    for (uint32_t First = 0; First < NumWays; First += MostKeys) {
      // All are compared before one is looked at: whether and where one is the
      // same cannot be foreseen.
      const uint32_t Count = std::min(NumWays - First, MostKeys);
      uint64_t Same = 0; // a bit of each key
      for (uint32_t Key = 0; Key < Count; Key += KeysAtOnce)
        Same |= uint64_t(equalKeys(Keys + (First + Key) / KeysPerWord, Wanted))
                << Key;
      // Those behind the set's last are others'.
      for (Same &= ~uint64_t(0) >> (MostKeys - Count); Same; Same &= Same - 1) {
        const uint32_t Way = First + uint32_t(std::countr_zero(Same));
        if (Is(Way))
          return Way;
      }
    }
    return None;
  }

  /// The way holds line \p Number from now on.
  void setKey(uint32_t Set, uint32_t Way, uint64_t Number) {
    uint64_t &Word = keysOf(Set)[Way / KeysPerWord];
    const unsigned Shift = Way % KeysPerWord * 16;
    Word = (Word & ~(KeyMask << Shift)) | keyOf(Number) << Shift;
  }
  /// Whether no way of the set is empty.
  bool isFull(uint32_t Set) const {
    const uint32_t Last = NumWays - 1;
    return keysOf(Set)[Last / KeysPerWord] >> Last % KeysPerWord * 16 & KeyMask;
  }

  /// The way becomes the newest of its set.
  void touch(uint32_t Set, uint32_t Way) {
    if (Narrow)
      moveToEnd(orderOf(Set), Way);
    else
      Used[size_t(Set) * NumWays + Way] = ++Clock;
  }
  /// Of the ways that \p MayGo the one that was used longest ago, or None.
  template <typename MayGoT>
  uint32_t oldest(uint32_t Set, MayGoT &&MayGo) const {
    if (!Narrow)
      return oldestByTime(Set, MayGo);
    uint64_t Order = orderOf(Set) ^ InTurn;
    for (uint32_t Left = NumWays; Left; --Left, Order >>= 4)
      if (MayGo(uint32_t(Order & 15)))
        return uint32_t(Order & 15);
    return None;
  }
  /// A way is recent if it was used since all of its set that might go were.
  /// Of a full set's others that \p MayGo the one that was used last; if there
  /// is none, no way is recent any more. None if no way may go.
  template <typename MayGoT> uint32_t notRecent(uint32_t Set, MayGoT &&MayGo) {
    const uint32_t Way = newestUpTo(Set, Before[Set], MayGo);
    if (Way != None)
      return Way;
    Before[Set] = Clock;
    return newestUpTo(Set, Clock, MayGo);
  }
  bool isRecent(uint32_t Set, uint32_t Way) const {
    return Before.empty() || timesOf(Set)[Way] > Before[Set];
  }
  /// No way of the set is recent from now on.
  void forgetRecent(uint32_t Set) {
    if (!Before.empty())
      Before[Set] = Clock;
  }
  /// All ways of the set, the one that was used longest ago first.
  std::vector<uint32_t> byAge(uint32_t Set) const {
    std::vector<uint32_t> Ways(NumWays);
    std::iota(Ways.begin(), Ways.end(), 0);
    if (Narrow)
      for (uint32_t I = 0; I != NumWays; ++I)
        Ways[I] = uint32_t((orderOf(Set) ^ InTurn) >> 4 * I & 15);
    else
      std::ranges::sort(Ways, {}, [&](uint32_t Way) {
        return std::pair(timesOf(Set)[Way], Way);
      });
    return Ways;
  }

  /// Brings what find() reads into the host's cache.
  void prefetch(uint32_t Set) const {
    const uint64_t *Row = &Rows[size_t(Set) * RowWords];
    __builtin_prefetch(Row, 1);
    __builtin_prefetch(Row + RowWords - 1, 1);
  }
  /// Whether oldest() looks at no more than find().
  bool findsOldest() const { return Narrow; }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[NumWays, Narrow, KeyWords, RowWords, Rows, Used, Before, Clock] =
        *this;
    A(Rows, Used, Before, Clock);
  }

private:
  static constexpr uint32_t KeysPerWord = 4, KeysAtOnce = 16, MostKeys = 64;
  static constexpr uint32_t MostInOrder = 16;
  static constexpr uint64_t KeyMask = 0xffff;
  /// The order of a new set, by which all orders are exclusive-ored: so it is
  /// zero.
  static constexpr uint64_t InTurn = 0xFEDCBA9876543210;

  /// Fibonacci hashing; an empty way has 0.
  static uint64_t keyOf(uint64_t Number) {
    return Number * 0x9E3779B97F4A7C15 >> 48 | 1;
  }
  /// Which of the KeysAtOnce keys from \p Keys on are \p Wanted, the first in
  /// the lowest bit.
  static uint16_t equalKeys(const uint64_t *Keys, uint16_t Wanted) {
    typedef uint16_t Lanes __attribute__((ext_vector_type(KeysAtOnce)));
    typedef bool Bits __attribute__((ext_vector_type(KeysAtOnce)));
    Lanes Held;
    std::memcpy(&Held, Keys, sizeof(Held));
    return std::bit_cast<uint16_t>(
        __builtin_convertvector(Held == Lanes(Wanted), Bits));
  }
  const uint64_t *keysOf(uint32_t Set) const {
    return &Rows[size_t(Set) * RowWords + Narrow];
  }
  uint64_t *keysOf(uint32_t Set) {
    return &Rows[size_t(Set) * RowWords + Narrow];
  }
  uint64_t orderOf(uint32_t Set) const { return Rows[size_t(Set) * RowWords]; }
  uint64_t &orderOf(uint32_t Set) { return Rows[size_t(Set) * RowWords]; }
  std::span<const uint64_t> timesOf(uint32_t Set) const {
    return {&Used[size_t(Set) * NumWays], NumWays};
  }

  /// Four bits for each way, the oldest lowest.
  void moveToEnd(uint64_t &Stored, uint32_t Way) const {
    const uint64_t Order = Stored ^ InTurn;
    const uint32_t Newest = 4 * (NumWays - 1);
    if ((Order >> Newest & 15) == Way)
      return;
    constexpr uint64_t Each = 0x1111111111111111;
    const uint64_t Differs = Order ^ Way * Each;
    // The lowest of these bits is exact.
    const uint64_t Same = (Differs - Each) & ~Differs & Each << 3;
    const uint64_t Older = (uint64_t(1) << (std::countr_zero(Same) - 3)) - 1;
    const uint64_t Newer = (uint64_t(1) << Newest) - 1 & ~Older;
    const uint64_t Others = ~(Older | Newer) & ~(uint64_t(15) << Newest);
    Stored = InTurn ^ ((Order & (Older | Others)) | (Order >> 4 & Newer) |
                       uint64_t(Way) << Newest);
  }

  /// Of the ways that were last used at \p Time or before, and that \p MayGo,
  /// the one that was used last, or None.
  template <typename MayGoT>
  uint32_t newestUpTo(uint32_t Set, uint64_t Time, MayGoT &&MayGo) const {
    const std::span<const uint64_t> Times = timesOf(Set);
    // Without a branch: which is the newest cannot be foreseen.
    uint32_t Newest = None;
    uint64_t Latest = 0;
    for (uint32_t Way = 0; Way != NumWays; ++Way) {
      // After Latest, and not after Time.
      const bool Newer = Times[Way] - Latest - 1 < Time - Latest;
      Newest = Newer ? Way : Newest;
      Latest = Newer ? Times[Way] : Latest;
    }
    if (Newest == None || MayGo(Newest)) [[likely]]
      return Newest;
    Newest = None;
    Latest = 0;
    for (uint32_t Way = 0; Way != NumWays; ++Way)
      if (Times[Way] > Latest && Times[Way] <= Time && MayGo(Way)) {
        Newest = Way;
        Latest = Times[Way];
      }
    return Newest;
  }

  template <typename MayGoT>
  uint32_t oldestByTime(uint32_t Set, MayGoT &&MayGo) const {
    const std::span<const uint64_t> Times = timesOf(Set);
    const auto First =
        uint32_t(std::ranges::min_element(Times) - Times.begin());
    if (MayGo(First))
      return First;
    uint32_t Oldest = None;
    for (uint32_t Way = 0; Way != NumWays; ++Way)
      if ((Oldest == None || Times[Way] < Times[Oldest]) && MayGo(Way))
        Oldest = Way;
    return Oldest;
  }

  uint32_t NumWays = 0;
  bool Narrow = true;
  uint32_t KeyWords = 0, RowWords = 0;
  ZeroedVector<uint64_t> Rows; ///< by set: the order of narrow ones, the keys
  // Of wide sets:
  ZeroedVector<uint64_t> Used; ///< by set and way
  /// By set: uses after this are recent. Empty if no set knows.
  ZeroedVector<uint64_t> Before;
  uint64_t Clock = 0; ///< uses so far
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_SETTABLE_H
