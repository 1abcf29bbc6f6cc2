//===- WakeWheel.h - Which warps wake up when -------------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_WAKEWHEEL_H
#define HEDDLE_INTERVAL_WAKEWHEEL_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace heddle::interval {

/// Up to 64 warp slots by the cycle in which they become ready: a ring of
/// cycles, each with a mask of slots, and a heap for those that are further
/// away.
class WakeWheel {
public:
  static constexpr uint64_t Never = ~uint64_t(0);

  /// A time that has passed already counts as the earliest that has not.
  void push(uint64_t At, unsigned Slot) {
    At = std::max(At, Begin);
    if (At - Begin >= Cycles)
      Far.emplace(At, Slot);
    else
      put(At, Slot);
  }

  /// The first cycle in which a slot wakes up, or Never.
  uint64_t next() const {
    uint64_t Word = Begin % Cycles / 64;
    uint64_t Bits = Used[Word] >> (Begin % 64) << (Begin % 64);
    if (!Bits) {
      // The words after it, and last the beginning of its own.
      const uint64_t Later = std::rotr(UsedWords, int((Word + 1) % Words));
      if (!Later)
        return Far.empty() ? Never : Far.top().first;
      Word = (Word + 1 + uint64_t(std::countr_zero(Later))) % Words;
      Bits = Used[Word];
    }
    const uint64_t At = Word * 64 + uint64_t(std::countr_zero(Bits));
    return Begin + (At - Begin) % Cycles;
  }

  /// Calls V(Slot) for all that wake up until \p Now.
  template <typename VisitorT> void wakeUntil(uint64_t Now, VisitorT &&V) {
    for (uint64_t At = next(); At <= Now; At = next()) {
      moveTo(At);
      const uint64_t Index = At % Cycles;
      uint64_t Here = std::exchange(Slots[Index], 0);
      uint64_t &Word = Used[Index / 64];
      Word &= ~(uint64_t(1) << (Index % 64));
      if (!Word)
        UsedWords &= ~(uint64_t(1) << (Index / 64));
      for (; Here; Here &= Here - 1)
        V(unsigned(std::countr_zero(Here)));
    }
  }

private:
  static constexpr uint64_t Cycles = 4096, Words = Cycles / 64;
  static_assert(Words == 64);

  void put(uint64_t At, unsigned Slot) {
    const uint64_t Index = At % Cycles;
    Slots[Index] |= uint64_t(1) << Slot;
    Used[Index / 64] |= uint64_t(1) << (Index % 64);
    UsedWords |= uint64_t(1) << (Index / 64);
  }
  void moveTo(uint64_t At) {
    Begin = At;
    for (; !Far.empty() && Far.top().first - Begin < Cycles; Far.pop())
      put(Far.top().first, Far.top().second);
  }

  using Wake = std::pair<uint64_t, unsigned>;
  uint64_t Begin = 0; ///< no warp wakes up before
  std::array<uint64_t, Cycles> Slots{};
  std::array<uint64_t, Words> Used{}; ///< cycles in which any warp does
  uint64_t UsedWords = 0;             ///< words of Used that have any
  std::priority_queue<Wake, std::vector<Wake>, std::greater<Wake>> Far;
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_WAKEWHEEL_H
