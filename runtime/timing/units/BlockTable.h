//===- BlockTable.h - Thread blocks that live on an SM ----------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_BLOCKTABLE_H
#define HEDDLE_TIMING_UNITS_BLOCKTABLE_H

#include "base/Units.h"
#include "trace/TraceSource.h"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

namespace heddle::timing {

/// A barrier for a number of warps of a block.
struct NamedBarrier {
  uint64_t Waiting = 0; ///< slots of those that wait there
  unsigned Arrived = 0; ///< that have come and gone on

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Waiting, Arrived] = *this;
    A(Waiting, Arrived);
  }
};

/// A resident block. Its trace lives as long as its warps.
struct ResidentBlock {
  trace::BlockTrace Trace;
  uint64_t Warps = 0;   ///< slots that have not ended
  uint64_t Arrived = 0; ///< of Warps, at the barrier
  std::array<NamedBarrier, 16> Named;
  Cycle Start = 0;
  Cycle StoresLeave = 0; ///< L1, the last of them
  // Of its cluster (ClusterTable.h).
  uint64_t Cluster = 0;
  unsigned Rank = 0;
  uint64_t ClusterOpened = 0; ///< times that the barrier has
  uint64_t ClusterTold = 0;   ///< arrivals that the others know of
  Cycle RemoteUntil = 0;      ///< what it has sent to others is there by then
  bool Live = false;
  bool AtGrid = false; ///< at a barrier of the grid, whose turn was asked for

  /// Of a saved state; of the trace only which block it is of.
  template <class Archive> void serialize(Archive &A) {
    auto &[Trace, Warps, Arrived, Named, Start, StoresLeave, Cluster, Rank,
           ClusterOpened, ClusterTold, RemoteUntil, Live, AtGrid] = *this;
    A(Trace.Index, Warps, Arrived, Named, Start, StoresLeave, Cluster, Rank,
      ClusterOpened, ClusterTold, RemoteUntil, Live, AtGrid);
  }
};

/// A block that was given to the SM but has not started.
struct PendingBlock {
  trace::BlockTrace Trace;
  Cycle NotBefore = 0;

  /// As that of a ResidentBlock.
  template <class Archive> void serialize(Archive &A) {
    auto &[Trace, NotBefore] = *this;
    A(Trace.Index, NotBefore);
  }
};

/// The barrier of the grid, as one SM sees it.
struct GridBarrier {
  unsigned Arrived = 0;     ///< blocks whose arrival the L2 has counted
  Cycle Last = 0;           ///< when the SM knew of the last
  Cycle Opens = NeverCycle; ///< when all blocks of the grid go on

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Arrived, Last, Opens] = *this;
    A(Arrived, Last, Opens);
  }
};

struct BlockTable {
  explicit BlockTable(unsigned Slots) : Slots(Slots) {}

  std::vector<ResidentBlock> Slots;
  std::deque<PendingBlock> Waiting; ///< in the order in which they start
  unsigned Resident = 0;
  /// Start times of slots that became free, ascending; the next blocks of
  /// Waiting take them.
  std::deque<Cycle> FreeSlots;
  std::vector<trace::BlockTrace> Spent; ///< buffers for the next traces
  std::vector<uint64_t> Ended;          ///< blocks, since the last window's end
  Cycle NextStart = NeverCycle; ///< of the first of Waiting, if it has a slot
  Cycle ActiveSince = 0;        ///< valid while blocks are resident
  Cycle LastEnd = 0;            ///< of a block
  GridBarrier Grid;
  uint64_t Started = 0; ///< blocks

  /// When block \p N of Waiting got a slot, NeverCycle if it has none.
  Cycle hasSlotSince(size_t N) const {
    return N < std::min(Waiting.size(), FreeSlots.size()) ? FreeSlots[N]
                                                          : NeverCycle;
  }
  /// To be called when Waiting or FreeSlots have changed.
  void findNextStart() {
    NextStart = Waiting.empty()
                    ? NeverCycle
                    : std::max(Waiting.front().NotBefore, hasSlotSince(0));
  }
  /// A slot becomes free at \p At.
  void release(Cycle At) {
    FreeSlots.insert(std::ranges::upper_bound(FreeSlots, At), At);
    findNextStart();
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Slots, Waiting, Resident, FreeSlots, Spent, Ended, NextStart,
           ActiveSince, LastEnd, Grid, Started] = *this;
    A(Slots, Waiting, Resident, FreeSlots, Ended, NextStart, ActiveSince,
      LastEnd, Grid, Started); // Spent: memory to use again
  }
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_BLOCKTABLE_H
