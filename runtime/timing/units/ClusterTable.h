//===- ClusterTable.h - The clusters that an SM has blocks of ---*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_CLUSTERTABLE_H
#define HEDDLE_TIMING_UNITS_CLUSTERTABLE_H

#include "base/Clusters.h"
#include "base/Units.h"

#include <algorithm>
#include <vector>

namespace heddle::timing {

/// A block has come to the barrier of its cluster, or has ended.
struct ClusterArrival {
  uint64_t Cluster = 0;
  unsigned Rank = 0;
  uint64_t Times = 0; ///< that it has come by now; UINT64_MAX: it has ended
  Cycle At = 0;       ///< what it has written to other blocks is there as well

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Cluster, Rank, Times, At] = *this;
    A(Cluster, Rank, Times, At);
  }
};

/// When the barrier of a cluster lets the warps of this SM go on.
struct ClusterOpening {
  Cycle At = 0;
  uint64_t Cluster = 0;
  uint64_t Times = 0; ///< that it has opened then

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[At, Cluster, Times] = *this;
    A(At, Cluster, Times);
  }
};

/// What a block does to an mbarrier of another block of its cluster.
struct ClusterMessage {
  Cycle At = 0; ///< when it is there
  uint64_t Cluster = 0;
  unsigned Rank = 0;   ///< of the block that has the barrier
  uint32_t Place = 0;  ///< of the barrier in its shared memory
  uint32_t Action = 0; ///< HeddleBarrierAction
  uint64_t Number = 0; ///< that goes with it
  uint32_t Bytes = 0;  ///< that come with it into shared memory

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[At, Cluster, Rank, Place, Action, Number, Bytes] = *this;
    A(At, Cluster, Rank, Place, Action, Number, Bytes);
  }
};

struct ClusterTable {
  ClusterTable(const Clusters &Shape, unsigned WarpSlots)
      : Shape(Shape), Warps(WarpSlots) {}

  /// What a warp has done at the barrier of its cluster.
  struct WarpTimes {
    uint64_t Arrivals = 0, Waits = 0;

    template <class Archive> void serialize(Archive &A) {
      auto &[Arrivals, Waits] = *this;
      A(Arrivals, Waits);
    }
  };

  const Clusters Shape;
  std::vector<WarpTimes> Warps;         ///< by slot
  std::vector<ClusterArrival> Arrivals; ///< since the last window's end
  std::vector<ClusterOpening> Openings; ///< to come
  double LinkFree = 0;                  ///< when the SM can send more to others
  std::vector<ClusterMessage> Sent;     ///< not handed over yet
  std::vector<ClusterMessage> Coming;   ///< to this SM
  /// The first of Openings and Coming; kept: every cycle asks for it.
  Cycle Next = NeverCycle;

  bool hasSeveral() const { return Shape.blocksPerCluster() > 1; }
  /// To be called when openings or messages have gone.
  void findNext() {
    Next = NeverCycle;
    for (const ClusterOpening &O : Openings)
      Next = std::min(Next, O.At);
    for (const ClusterMessage &M : Coming)
      Next = std::min(Next, M.At);
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Shape, Warps, Arrivals, Openings, LinkFree, Sent, Coming, Next] =
        *this;
    A(Warps, Arrivals, Openings, LinkFree, Sent, Coming, Next);
  }
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_CLUSTERTABLE_H
