//===- AsyncUnit.cpp - mbarriers and bulk copies of an SM -----------------===//

#include "timing/stages/AsyncUnit.h"

#include <bit>

using namespace heddle;
using namespace heddle::timing;

/// The rank in an address of the space CLUSTER.
static unsigned rankIn(uint64_t Address) {
  return unsigned(Address >> HEDDLE_CLUSTER_RANK_SHIFT);
}

/// Its access to shared memory takes turns on the banks.
void AsyncUnit::issuedBulk(unsigned Slot, const DecodedInst &I, CopyLoad &L,
                           Work &W) {
  trace::WarpCursor &C = S.Warps.cursor(Slot);
  const uint32_t Pass = S.M.Spec.Shared.Banks * S.M.Spec.Shared.BankBytes;
  const auto From = C.access(I.Memory + HEDDLE_BULK_FROM),
             Sizes = C.access(I.Memory + HEDDLE_BULK_SIZES),
             Barrier = C.access(I.Memory + HEDDLE_BULK_AT);
  const bool Multicasts = I.bulkKind() == HEDDLE_BULK_MULTICAST,
             Sends = I.bulkKind() == HEDDLE_BULK_SEND;
  const unsigned Own = S.Blocks.Slots[W.Block].Rank;
  uint32_t Passes = 0;
  for (uint32_t Mask = From.Mask; Mask; Mask &= Mask - 1) {
    const unsigned Lane = std::countr_zero(Mask);
    Ask A;
    A.Barrier = uint32_t(Barrier.address(Lane));
    A.Bytes = uint32_t(Sizes.address(Lane));
    if (Sends) {
      A.Barrier &= (1u << HEDDLE_CLUSTER_RANK_SHIFT) - 1;
      A.Targets = uint16_t(1u << rankIn(Barrier.address(Lane)));
      A.IsOwn = false;
    } else if (Multicasts) {
      const uint64_t Mask =
          C.access(I.Memory + heddleBulkRecords(I.bulkRank())).address(Lane);
      A.IsOwn = Mask >> Own & 1;
      A.Targets = uint16_t(Mask & ~(uint64_t(1) << Own));
    }
    A.Rows = rowsOf(C, I, Lane);
    if (A.IsOwn || Sends)
      Passes += (A.Bytes + Pass - 1) / Pass;
    W.Asks.push_back(A);
  }
  if (I.bulkKind() == HEDDLE_BULK_LOAD || Multicasts)
    L.WritePasses = uint16_t(std::min<uint32_t>(Passes, UINT16_MAX));
  else if (I.bulkKind() != HEDDLE_BULK_PREFETCH)
    W.ReadPasses = Passes;
}

void AsyncUnit::issued(unsigned Slot, const DecodedInst &I, uint32_t Load) {
  Works.resize(std::max<size_t>(Works.size(), Load + 1));
  Work &W = Works[Load];
  W = Work();
  W.Block = S.Warps[Slot].Block;
  W.Slot = uint8_t(Slot);
  if (I.isBulkCopy())
    return issuedBulk(Slot, I, Loads.copy(Load), W);
  const unsigned Own = S.Blocks.Slots[W.Block].Rank;
  trace::WarpCursor &C = S.Warps.cursor(Slot);
  const auto Barrier = C.access(I.Memory), Number = C.access(I.Memory + 1);
  // A lane without a number was told no, and waits for nothing.
  for (uint32_t Mask = Barrier.Mask & Number.Mask; Mask; Mask &= Mask - 1) {
    const unsigned Lane = std::countr_zero(Mask);
    Ask A;
    A.Barrier = uint32_t(Barrier.address(Lane));
    A.Number = Number.address(Lane);
    if (Barrier.Space == HEDDLE_SPACE_CLUSTER) {
      const unsigned Rank = rankIn(Barrier.address(Lane));
      A.Barrier &= (1u << HEDDLE_CLUSTER_RANK_SHIFT) - 1;
      A.IsOwn = Rank == Own;
      A.Targets = A.IsOwn ? 0 : uint16_t(1u << Rank);
    }
    W.Asks.push_back(A);
  }
  if (!I.arrivesForCopies())
    return;
  std::vector<uint32_t> Places;
  for (const Ask &A : W.Asks)
    Places.push_back(A.Barrier);
  W.Section = Arrivals[Slot].end(std::move(Places));
}

void AsyncUnit::begin(Cycle Now) {
  Next = Copies.empty() ? NeverCycle
                        : std::max(Now + 1, Works[Copies.front()].From);
}

void AsyncUnit::serve(uint32_t Load, Cycle Now, std::vector<uint32_t> &Done) {
  Work &W = Works[Load];
  const DecodedInst &I = S.M.Code[Loads[Load].Inst];
  if (I.isBulkCopy()) {
    if (W.Asks.empty())
      return;
    ++Loads[Load].Pending; // until the last request has gone
    const arch::BulkSpec &Spec = S.M.Spec.Bulk;
    W.From = Now + Spec.Latency + (I.bulkRank() ? Spec.TensorLatency : 0);
    Copies.push_back(Load);
    if (Copies.size() == 1)
      begin(Now);
    return;
  }
  for (const Ask &A : W.Asks)
    if (A.IsOwn &&
        Phases.act(W.Block, A.Barrier, I.Groups, A.Number, Load, Done))
      ++Loads[Load].Pending;
  if (I.arrivesForCopies()) {
    Arrivals[W.Slot].serve(W.Section);
    arriveForCopies(W.Slot, Done);
  }
}

/// The arrivals of the warp that wait for no copy any more.
void AsyncUnit::arriveForCopies(unsigned Slot, std::vector<uint32_t> &Done) {
  const unsigned Block = S.Warps[Slot].Block;
  Arrivals[Slot].arrive([&](uint32_t Place) {
    Phases.act(Block, Place, HEDDLE_MBARRIER_ARRIVE, 1, 0, Done);
  });
}

void AsyncUnit::copyDone(unsigned Slot, uint32_t Section,
                         std::vector<uint32_t> &Done) {
  Arrivals[Slot].done(Section);
  arriveForCopies(Slot, Done);
}

void AsyncUnit::copied(uint32_t Load, std::vector<uint32_t> &Done) {
  const Work &W = Works[Load];
  const unsigned Kind = kindOf(Load);
  if (Kind != HEDDLE_BULK_LOAD && Kind != HEDDLE_BULK_MULTICAST)
    return;
  for (const Ask &A : W.Asks)
    if (A.IsOwn)
      Phases.act(W.Block, A.Barrier, HEDDLE_MBARRIER_COMPLETE, A.Bytes, 0,
                 Done);
}

std::optional<PhaseWait> AsyncUnit::awaits() const {
  if (const auto First = Phases.firstWait())
    return PhaseWait{Loads[First->first].Inst, First->second};
  return std::nullopt;
}

/// The request for \p Part of the operation \p Id.
void AsyncUnit::sendPart(uint32_t Id, const BulkPart &Part, Cycle Now) {
  const arch::CacheSpec &L1 = S.M.L1;
  const uint32_t Sector = L1.Size ? L1.Sector : S.M.Spec.L2.Sector;
  const memory::LineAccess A = Part.sectors(Sector);
  struct Load &L = Loads[Id];
  const DecodedInst &I = S.M.Code[L.Inst];
  using memory::RequestKind;
  const bool Reduces = I.bulkKind() == HEDDLE_BULK_REDUCE,
             Writes = I.bulkKind() == HEDDLE_BULK_STORE;
  ++L.Pending;
  const uint64_t Before = S.Port.requests();
  // A reduction counts as one of words; the trace has no type of elements.
  const auto Words = uint8_t(std::min(32u, (Part.Behind - Part.First) / 4));
  S.Port.send(Reduces  ? RequestKind::Reduction
              : Writes ? RequestKind::Write
                       : RequestKind::Read,
              A.Line, A.Sectors, Writes ? A.FullSectors : 0, Sector,
              Now + L1.Latency, ReplyTo::Load, Id, L.Inst, Reduces ? Words : 0);
  Works[Id].Requests += S.Port.requests() - Before;
  S.Tell.request(S.Warps[L.Warp], L.Inst, Now, Part.Line);
}

/// The next line of the first copy; true if it was the copy's last.
bool AsyncUnit::sendOne(Cycle Now, uint32_t &Last) {
  if (const Cycle Over = S.Port.backpressure(Now + S.M.L1.Latency)) {
    Next = Now + Over;
    return false;
  }
  if (!S.Port.canWrite()) {
    Next = Now + 1;
    return false;
  }
  Last = Copies.front();
  Work &W = Works[Last];
  Ask &A = W.Asks[W.NextAsk];
  Next = Now + 1;
  if (kindOf(Last) == HEDDLE_BULK_SEND) {
    sendToBlock(W, A, Now);
  } else if (!A.Rows.done()) {
    const uint32_t LineBytes = S.M.L1.Size ? S.M.L1.Line : S.M.Spec.L2.Line;
    const BulkPart Part = A.Rows.next(LineBytes);
    sendPart(Last, Part, Now);
    Next = Now + std::max(1u, S.M.Spec.Bulk.RequestCycles);
    if (!A.Rows.done())
      return false;
  }
  if (++W.NextAsk < W.Asks.size())
    return false;
  W.AllSent = true;
  if (kindOf(Last) == HEDDLE_BULK_MULTICAST && !W.Requests) {
    W.LastAnswer = Now + S.M.Spec.Cluster.Latency; // it is all filled
    tellTargets(W);
  }
  Copies.pop_front();
  begin(Next - 1);
  return true;
}
