//===- PhaseBarriers.h - mbarriers of the blocks of an SM -------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_PHASEBARRIERS_H
#define HEDDLE_TIMING_UNITS_PHASEBARRIERS_H

#include "heddle/ABI/AsyncOps.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heddle::timing {

/// The mbarriers of each block slot, by their place in shared memory, with the
/// waits that their phases hold up.
class PhaseBarriers {
public:
  explicit PhaseBarriers(unsigned Blocks) : OfBlock(Blocks) {}

  /// Does \p Action with \p Number to the barrier at \p Place. A test whose
  /// phase has not ended keeps \p Waiter: then true. The waiters of a phase
  /// that ends are added to \p Released.
  bool act(unsigned Block, uint32_t Place, uint32_t Action, uint64_t Number,
           uint32_t Waiter, std::vector<uint32_t> &Released) {
    Barrier &B = at(Block, Place);
    switch (Action) {
    case HEDDLE_MBARRIER_INIT:
      B.Expected = B.Pending = int64_t(Number);
      B.Bytes = 0;
      B.Parity = false;
      return false;
    case HEDDLE_MBARRIER_INVAL:
    case HEDDLE_MBARRIER_COPIES_NOINC: // its arrival comes later
      return false;
    case HEDDLE_MBARRIER_COPIES:
      ++B.Pending;
      return false;
    case HEDDLE_MBARRIER_EXPECT:
      B.Bytes += int64_t(Number);
      return false;
    case HEDDLE_MBARRIER_COMPLETE:
      B.Bytes -= int64_t(Number);
      break;
    case HEDDLE_MBARRIER_DROP_EXPECT:
    case HEDDLE_MBARRIER_ARRIVE_EXPECT:
      B.Bytes += int64_t(Number);
      --B.Pending;
      B.Expected -= Action == HEDDLE_MBARRIER_DROP_EXPECT;
      break;
    case HEDDLE_MBARRIER_DROP:
      B.Expected -= int64_t(Number);
      [[fallthrough]];
    case HEDDLE_MBARRIER_ARRIVE:
      B.Pending -= int64_t(Number);
      break;
    default: // the state's topmost bit is its parity
      if (B.Parity != bool(Action == HEDDLE_MBARRIER_TEST_STATE ? Number >> 63
                                                                : Number & 1))
        return false;
      B.Waiters.push_back(Waiter);
      return true;
    }
    if (!B.Pending && !B.Bytes) {
      B.Parity = !B.Parity;
      B.Pending = B.Expected;
      Released.insert(Released.end(), B.Waiters.begin(), B.Waiters.end());
      B.Waiters.clear();
    }
    return false;
  }

  /// A waiter, with the place of its barrier; none if no test waits.
  std::optional<std::pair<uint32_t, uint32_t>> firstWait() const {
    for (const std::vector<Barrier> &All : OfBlock)
      for (const Barrier &B : All)
        if (!B.Waiters.empty())
          return std::pair(B.Waiters.front(), B.Place);
    return std::nullopt;
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[OfBlock] = *this;
    A(OfBlock);
  }

private:
  struct Barrier {
    uint32_t Place = 0;
    bool Parity = false;
    int64_t Expected = 0, Pending = 0, Bytes = 0;
    std::vector<uint32_t> Waiters;

    template <class Archive> void serialize(Archive &A) {
      auto &[Place, Parity, Expected, Pending, Bytes, Waiters] = *this;
      A(Place, Parity, Expected, Pending, Bytes, Waiters);
    }
  };

  Barrier &at(unsigned Block, uint32_t Place) {
    std::vector<Barrier> &All = OfBlock[Block];
    auto It = std::ranges::find(All, Place, &Barrier::Place);
    if (It == All.end()) {
      It = All.insert(It, Barrier());
      It->Place = Place;
    }
    return *It;
  }

  std::vector<std::vector<Barrier>> OfBlock;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_PHASEBARRIERS_H
