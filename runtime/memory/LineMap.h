//===- LineMap.h - From a line of memory to its entry -----------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_LINEMAP_H
#define HEDDLE_MEMORY_LINEMAP_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::memory {

/// Index of a table of lines, which keeps the lines themselves: open addressing
/// with linear probing, at most half full. An entry holds enough of the line's
/// number to find its neighbours' places, so that a search or removal stays
/// within one or two of the host's cache lines and looks at the table only
/// where it (almost certainly) found what it wanted.
class LineMap {
public:
  static constexpr uint32_t None = ~0u;

  explicit LineMap(size_t Expected) { resize(std::bit_ceil(Expected * 2)); }

  /// The index under which \p Number was inserted, or None. \p Is(Index) tells
  /// whether the table's entry is that line.
  template <typename IsT> uint32_t find(uint64_t Number, IsT &&Is) const {
    for (size_t At = home(uint32_t(Number)); Entries[At].IndexPlus1;
         At = (At + 1) & Mask)
      if (Entries[At].Key == uint32_t(Number) && Is(Entries[At].IndexPlus1 - 1))
        return Entries[At].IndexPlus1 - 1;
    return None;
  }

  /// Brings what find() needs into the host's cache.
  void prefetch(uint64_t Number) const {
    __builtin_prefetch(&Entries[home(uint32_t(Number))], 1);
  }

  /// The index that find() will almost certainly return, without a look at
  /// the table.
  uint32_t likely(uint64_t Number) const {
    return find(Number, [](uint32_t) { return true; });
  }

  void insert(uint64_t Number, uint32_t Index) {
    if (++Used * 2 > Entries.size())
      resize(Entries.size() * 2);
    place({uint32_t(Number), Index + 1});
  }

  /// Removes what insert(\p Number, \p Index) added.
  void erase(uint64_t Number, uint32_t Index) {
    size_t At = slotOf(Number, Index);
    // Close the gap: move back entries that would no longer be found.
    for (size_t Next = (At + 1) & Mask; Entries[Next].IndexPlus1;
         Next = (Next + 1) & Mask)
      if (((Next - home(Entries[Next].Key)) & Mask) >= ((Next - At) & Mask)) {
        Entries[At] = Entries[Next];
        At = Next;
      }
    Entries[At] = {};
    --Used;
  }

  /// The table's entry of \p Number has moved.
  void move(uint64_t Number, uint32_t From, uint32_t To) {
    Entries[slotOf(Number, From)].IndexPlus1 = To + 1;
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Entries, Mask, Used, Shift] = *this;
    A(Entries, Mask, Used, Shift);
  }

private:
  struct Entry {
    uint32_t Key = 0; ///< low half of the line's number
    uint32_t IndexPlus1 = 0;

    template <class Archive> void serialize(Archive &A) {
      auto &[Key, IndexPlus1] = *this;
      A(Key, IndexPlus1);
    }
  };

  size_t home(uint32_t Key) const { return (Key * 0x9E3779B9u) >> Shift; }

  size_t slotOf(uint64_t Number, uint32_t Index) const {
    size_t At = home(uint32_t(Number));
    while (Entries[At].IndexPlus1 != Index + 1)
      At = (At + 1) & Mask;
    return At;
  }

  void place(Entry E) {
    size_t At = home(E.Key);
    while (Entries[At].IndexPlus1)
      At = (At + 1) & Mask;
    Entries[At] = E;
  }

  void resize(size_t Size) {
    Size = Size < 2 ? 2 : Size;
    std::vector<Entry> Old(Size);
    Old.swap(Entries);
    Mask = Size - 1;
    Shift = 32 - std::countr_zero(Size);
    for (const Entry &E : Old)
      if (E.IndexPlus1)
        place(E);
  }

  std::vector<Entry> Entries;
  size_t Mask = 0, Used = 0;
  unsigned Shift = 0;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_LINEMAP_H
