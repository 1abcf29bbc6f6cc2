//===- ClusterFlow.cpp - Warps that wait for their cluster ----------------===//

#include "timing/stages/WarpFlow.h"

#include <bit>

using namespace heddle;
using namespace heddle::timing;

/// An arrive or a wait was issued; false if the warp has been taken care of.
bool WarpFlow::meetCluster(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  ResidentBlock &B = S.Blocks.Slots[W.Block];
  ClusterTable::WarpTimes &Times = S.Clusters.Warps[Slot];
  const DecodedInst &I = S.M.Code[W.BookedAt];
  if (I.Groups == HEDDLE_CLUSTER_ARRIVE) {
    ++Times.Arrivals;
    tellCluster(B, Now);
    return true;
  }
  ++S.Tell.Counters.BarrierWaits;
  if (++Times.Waits <= B.ClusterOpened) {
    settle(Slot, W, Now, Now + I.Latency, Stall::Barrier);
    return false;
  }
  W.Phase = WarpPhase::Barrier;
  S.Schedulers[W.Scheduler].Policy->warpBlocked(Slot, Stall::Barrier);
  return false;
}

/// Says how often all warps of the block that live have come, if that is news.
void WarpFlow::tellCluster(ResidentBlock &B, Cycle Now) {
  uint64_t Times = UINT64_MAX;
  for (uint64_t Left = B.Warps; Left; Left &= Left - 1)
    Times = std::min(Times, S.Clusters.Warps[std::countr_zero(Left)].Arrivals);
  if (Times == B.ClusterTold)
    return;
  B.ClusterTold = Times;
  if (S.Clusters.hasSeveral())
    S.Clusters.Arrivals.push_back(
        {B.Cluster, B.Rank, Times, std::max(Now, B.RemoteUntil)});
  else if (B.Warps)
    openCluster(B, Times, Now);
}

void WarpFlow::openClusters(Cycle Now) {
  auto &Openings = S.Clusters.Openings;
  for (const ClusterOpening &O : Openings)
    for (ResidentBlock &B : S.Blocks.Slots)
      if (O.At <= Now && B.Live && B.Cluster == O.Cluster)
        openCluster(B, O.Times, Now);
  std::erase_if(Openings,
                [Now](const ClusterOpening &O) { return O.At <= Now; });
}

/// The warps of \p B that wait for the barrier's first \p Times openings go on.
void WarpFlow::openCluster(ResidentBlock &B, uint64_t Times, Cycle Now) {
  B.ClusterOpened = Times;
  for (uint64_t Left = B.Warps; Left; Left &= Left - 1) {
    const unsigned Slot = std::countr_zero(Left);
    const Warp &W = S.Warps[Slot];
    if (W.Phase == WarpPhase::Barrier &&
        S.M.Code[W.BookedAt].Kind == InstKind::ClusterBarrier &&
        S.Clusters.Warps[Slot].Waits <= Times)
      passBarrier(Slot, Now);
  }
}
