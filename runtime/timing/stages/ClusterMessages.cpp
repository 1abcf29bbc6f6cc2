//===- ClusterMessages.cpp - mbarriers of other blocks of a cluster -------===//

#include "timing/stages/AsyncUnit.h"

#include <bit>
#include <cmath>

using namespace heddle;
using namespace heddle::timing;

/// The blocks that \p A is for hear of it at \p At.
void AsyncUnit::tell(const Work &W, const Ask &A, uint32_t Action, Cycle At) {
  for (uint32_t Left = A.Targets; Left; Left &= Left - 1) {
    ClusterMessage M;
    M.At = At;
    M.Cluster = S.Blocks.Slots[W.Block].Cluster;
    M.Rank = unsigned(std::countr_zero(Left));
    M.Place = A.Barrier;
    M.Action = Action;
    M.Number = A.Bytes ? A.Bytes : A.Number;
    M.Bytes = A.Bytes;
    S.Clusters.Sent.push_back(M);
  }
}

void AsyncUnit::sendAsks(uint32_t Load, Cycle There) {
  const Work &W = Works[Load];
  for (const Ask &A : W.Asks)
    tell(W, A, S.M.Code[Loads[Load].Inst].Groups, There);
}

/// The engine sends what it has read of shared memory over the link, a line in
/// as many cycles as a request takes.
void AsyncUnit::sendToBlock(Work &W, const Ask &A, Cycle Now) {
  const arch::ClusterSpec &Spec = S.M.Spec.Cluster;
  double &Free = S.Clusters.LinkFree;
  Free = std::max(Free, double(Now));
  if (Spec.BytesPerCycle > 0)
    Free += A.Bytes / double(Spec.BytesPerCycle);
  tell(W, A, HEDDLE_MBARRIER_COMPLETE, Cycle(std::ceil(Free)) + Spec.Latency);
  const uint32_t LineBytes = S.M.L1.Size ? S.M.L1.Line : S.M.Spec.L2.Line;
  const Cycle Lines = std::max(1u, (A.Bytes + LineBytes - 1) / LineBytes);
  Next = Now + Lines * std::max(1u, S.M.Spec.Bulk.RequestCycles);
}

void AsyncUnit::foresee(uint32_t Load, Cycle At) {
  const DecodedInst &I = S.M.Code[Loads[Load].Inst];
  if (!I.isBulkCopy() || I.bulkKind() != HEDDLE_BULK_MULTICAST)
    return;
  Work &W = Works[Load];
  ++W.Answers;
  W.LastAnswer =
      std::max(W.LastAnswer, At + S.M.Spec.FrontEnd.WritebackLatency);
  if (W.AllSent && W.Answers == W.Requests)
    tellTargets(W);
}

/// All of a copy to several blocks is known to come.
void AsyncUnit::tellTargets(const Work &W) {
  for (const Ask &A : W.Asks)
    tell(W, A, HEDDLE_MBARRIER_COMPLETE, W.LastAnswer);
}

/// Blocks that have ended hear of nothing.
void AsyncUnit::take(const ClusterMessage &M, std::vector<uint32_t> &Done) {
  for (unsigned Slot = 0; Slot < S.Blocks.Slots.size(); ++Slot) {
    const ResidentBlock &B = S.Blocks.Slots[Slot];
    if (B.Live && B.Cluster == M.Cluster && B.Rank == M.Rank)
      Phases.act(Slot, M.Place, M.Action, M.Number, 0, Done);
  }
}
