//===- RemoteMemory.cpp - Shared memory of other SMs of the cluster -------===//

#include "timing/stages/MemoryStage.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace heddle;
using namespace heddle::timing;

/// What travels between SMs at least (Hopper tuning guide: accesses are best
/// coalesced and aligned to 32 bytes).
static constexpr uint64_t SectorBytes = 32;

/// The sectors of \p A that lie in other blocks of the cluster.
uint8_t MemoryStage::remoteSectors(const trace::MemoryAccess &A, unsigned Slot,
                                   const DecodedInst &I) const {
  const unsigned Own = S.Blocks.Slots[S.Warps[Slot].Block].Rank;
  uint64_t Sectors[64];
  unsigned Count = 0;
  for (uint32_t M = A.Mask; M; M &= M - 1) {
    const uint64_t At = A.address(std::countr_zero(M)) + I.ByteOffset;
    if (At >> HEDDLE_CLUSTER_RANK_SHIFT == Own)
      continue;
    Sectors[Count++] = At / SectorBytes;
    const uint64_t Last = (At + std::max<unsigned>(I.AccessBytes, 1) - 1);
    if (Last / SectorBytes != At / SectorBytes)
      Sectors[Count++] = Last / SectorBytes;
  }
  std::sort(Sectors, Sectors + Count);
  return uint8_t(std::unique(Sectors, Sectors + Count) - Sectors);
}

/// After its turns on the own SM's load/store unit: the sectors take the SM's
/// link to the others one after the other. The banks of the SM that they reach
/// are not looked at.
void MemoryStage::serveRemote(Entry &E, Cycle Now) {
  const arch::ClusterSpec &Spec = S.M.Spec.Cluster;
  const double PerSector =
      Spec.BytesPerCycle > 0 ? double(SectorBytes) / Spec.BytesPerCycle : 0;
  double &Free = S.Clusters.LinkFree;
  const double First = std::max(Free, double(Now));
  Free = First + PerSector * E.RemoteSectors;
  const Cycle There =
      Cycle(std::ceil(Free - PerSector)) + Spec.Latency + (E.Passes - 1);
  if (E.Kind == InstKind::Load || E.Kind == InstKind::Atomic)
    Loads[E.Load].Latest = std::max(Loads[E.Load].Latest, There);
  if (E.Kind != InstKind::Load) {
    ResidentBlock &B = S.Blocks.Slots[S.Warps[E.Warp].Block];
    B.RemoteUntil = std::max(B.RemoteUntil, There);
  }
  if (E.Kind == InstKind::Atomic && E.Flags & HEDDLE_INST_ASYNC)
    Async.sendAsks(E.Load, There);
}

/// What comes takes its turns on the banks, as a copy of the own SM does.
void MemoryStage::clusterArrived(Cycle Now) {
  const uint32_t Pass = S.M.Spec.Shared.Banks * S.M.Spec.Shared.BankBytes;
  Async.arrived(Now, EndedWaits, [&](uint32_t Bytes) {
    const uint32_t Passes = (Bytes + Pass - 1) / Pass;
    FreeAt = std::max(FreeAt, Now) + Passes;
    ++S.Tell.Counters.Shared.Instructions;
    S.Tell.Counters.Shared.Transactions += Passes;
    S.Tell.Counters.SharedConflictCycles += Passes - 1;
  });
  findNext();
  releaseWaits(Now);
}
