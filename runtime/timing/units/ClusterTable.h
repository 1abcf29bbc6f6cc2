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
};

/// When the barrier of a cluster lets the warps of this SM go on.
struct ClusterOpening {
  Cycle At = 0;
  uint64_t Cluster = 0;
  uint64_t Times = 0; ///< that it has opened then
};

struct ClusterTable {
  ClusterTable(const Clusters &Shape, unsigned WarpSlots)
      : Shape(Shape), Warps(WarpSlots) {}

  /// What a warp has done at the barrier of its cluster.
  struct WarpTimes {
    uint64_t Arrivals = 0, Waits = 0;
  };

  const Clusters Shape;
  std::vector<WarpTimes> Warps;         ///< by slot
  std::vector<ClusterArrival> Arrivals; ///< since the last window's end
  std::vector<ClusterOpening> Openings; ///< to come
  double LinkFree = 0;                  ///< when the SM can send more to others

  bool hasSeveral() const { return Shape.blocksPerCluster() > 1; }
  Cycle next() const {
    Cycle First = NeverCycle;
    for (const ClusterOpening &O : Openings)
      First = std::min(First, O.At);
    return First;
  }
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_CLUSTERTABLE_H
