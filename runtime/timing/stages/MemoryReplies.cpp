//===- MemoryReplies.cpp - What loads and stores wait for -----------------===//

#include "timing/stages/MemoryStage.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::timing;

void MemoryStage::allSent(InstKind Kind, uint32_t LoadId, unsigned Slot,
                          Cycle Now) {
  if (Kind == InstKind::Load || Kind == InstKind::Atomic) {
    Load &L = Loads[LoadId];
    L.Issued = true;
    if (!L.Pending)
      completeLoad(LoadId, Now);
    return;
  }
  Flow.accessDone(Slot, Now);
}

void MemoryStage::loadPart(uint32_t Id, unsigned Level, Cycle At, Cycle Now) {
  Load &L = Loads[Id];
  L.Level = std::max<uint8_t>(L.Level, Level);
  L.Latest = std::max(L.Latest, At);
  if (--L.Pending == 0 && L.Issued)
    completeLoad(Id, Now);
}

/// What a copy has read takes its turns on the banks of shared memory.
void MemoryStage::writeCopy(Load &L, unsigned Passes, Cycle Now) {
  FreeAt = std::max(FreeAt, Now) + Passes;
  L.Latest = std::max(L.Latest, FreeAt);
  ++S.Tell.Counters.Shared.Instructions;
  S.Tell.Counters.Shared.Transactions += Passes;
  S.Tell.Counters.SharedConflictCycles += Passes - 1;
  findNext();
}

void MemoryStage::completeLoad(uint32_t Id, Cycle Now) {
  Load &L = Loads[Id];
  const DecodedInst &I = S.M.Code[L.Inst];
  unsigned Slot = L.Warp;
  L.Latest = std::max(L.Latest, Now) + L.After;
  S.Registers.setDefs(Slot, I, S.Registers.at(L.Latest, I.Result));
  if (S.Warps[Slot].Phase == WarpPhase::Pending)
    S.Tell.Waits.arrived(Slot, L, L.Latest);
  if (I.isAnyCopy())
    return completeCopy(Id, I, Now);
  Loads.give(Id);
  Flow.recheck(Slot, Now);
  Flow.accessDone(Slot, Now);
}

/// The rest of completeLoad() for an asynchronous copy.
[[gnu::noinline]] void
MemoryStage::completeCopy(uint32_t Id, const DecodedInst &I, Cycle Now) {
  Load &L = Loads[Id];
  const CopyLoad Its = Loads.copy(Id);
  const unsigned Slot = L.Warp;
  if (Its.WritePasses)
    writeCopy(L, Its.WritePasses, Now);
  const Cycle At = L.Latest;
  if (I.isBulkCopy())
    Async.copied(Id, EndedWaits);
  Loads.give(Id);
  Flow.recheck(Slot, Now);
  if (I.isCopy()) {
    Flow.copyDone(Slot, Its.Group, Now, At);
    Async.copyDone(Slot, Its.Section, EndedWaits);
  }
  if (I.isBulkWrite())
    Flow.bulkDone(Slot, Its.Group, Now, At);
  Flow.accessDone(Slot, Now);
  releaseWaits(Now);
}

void MemoryStage::prefetch(std::span<const memory::MemoryResponse> Coming,
                           Cycle End) {
  const auto Later = std::ranges::partition_point(
      Coming, [End](const memory::MemoryResponse &R) { return R.Due < End; });
  Coming = Coming.first(size_t(Later - Coming.begin()));
  // One step after the other for all of them, since a step has to wait for what
  // the one before has asked for.
  for (const memory::MemoryResponse &R : Coming) {
    const Flight &F = S.Port.flight(R.Token);
    if (F.To == ReplyTo::L1)
      L1Cache.prefetchFill(F.Owner);
    else if (F.To == ReplyTo::Load)
      __builtin_prefetch(&Loads[F.Owner], 1);
    else if (F.To == ReplyTo::Store)
      __builtin_prefetch(&S.Warps[WarpTable::slotOf(F.Owner)], 1);
  }
  ComingLoads.clear();
  for (const memory::MemoryResponse &R : Coming) {
    const Flight &F = S.Port.flight(R.Token);
    uint32_t Waiter = memory::Cache::NoWaiter;
    if (F.To == ReplyTo::L1)
      Waiter = L1Cache.prefetchFilledWay(F.Owner);
    else if (F.To == ReplyTo::Load)
      Waiter = F.Owner;
    if (Waiter == memory::Cache::NoWaiter)
      continue;
    __builtin_prefetch(&Loads[Waiter], 1);
    ComingLoads.push_back(Waiter);
  }
  for (uint32_t Id : ComingLoads) {
    const Load &L = Loads[Id];
    __builtin_prefetch(&S.Warps[L.Warp], 1);
    S.Warps.cursor(L.Warp).prefetch();
    S.Registers.prefetch(L.Warp, S.M.Code[L.Inst].Registers[0]);
  }
}

void MemoryStage::respond(const Flight &F, Cycle Now) {
  const Cycle At = Now + S.M.Spec.FrontEnd.WritebackLatency;
  const unsigned Level = F.FromDRAM ? 2 : 1;
  Woken.clear();
  switch (F.To) {
  case ReplyTo::Load:
    loadPart(F.Owner, Level, At, Now);
    break;
  case ReplyTo::L1:
    L1Cache.fill(F.Owner, F.Sectors, Woken);
    break;
  case ReplyTo::Constant:
    ConstantCache.fill(F.Owner, F.Sectors, Woken);
    break;
  case ReplyTo::Texture:
    TextureCache.fill(F.Owner, F.Sectors, Woken);
    break;
  case ReplyTo::Store:
    Flow.storeDone(F.Owner, Now);
    break;
  default:
    break;
  }
  for (uint32_t Id : Woken)
    loadPart(Id, Level, At, Now);
}
