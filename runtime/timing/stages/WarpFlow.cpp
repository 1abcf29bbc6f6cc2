//===- WarpFlow.cpp - Takes warps from one instruction to the next --------===//

#include "timing/stages/WarpFlow.h"

#include "memory/AddressSpaces.h"

#include <bit>
#include <utility>

using namespace heddle;
using namespace heddle::timing;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void WarpFlow::startBlocks(Cycle Now) {
  BlockTable &B = S.Blocks;
  while (B.NextStart <= Now) {
    unsigned Slot = 0;
    while (B.Slots[Slot].Live)
      ++Slot;
    ResidentBlock &R = B.Slots[Slot];
    std::swap(R.Trace, B.Waiting.front().Trace);
    B.Spent.push_back(std::move(B.Waiting.front().Trace));
    R.Start = Now;
    R.Live = true;
    R.Arrived = 0;
    R.Named = {};
    R.Cluster = S.Clusters.Shape.clusterOf(R.Trace.Index);
    R.Rank = S.Clusters.Shape.rankOf(R.Trace.Index);
    R.ClusterOpened = R.ClusterTold = 0;
    R.RemoteUntil = 0;
    R.Warps = 0;
    R.StoresLeave = 0;
    S.Shares.startBlock(Slot);
    ++B.Started;
    B.Waiting.pop_front();
    B.FreeSlots.pop_front();
    B.findNextStart();
    if (!B.Resident++)
      B.ActiveSince = Now;

    unsigned First = Slot * S.M.WarpsPerBlock;
    unsigned Count = R.Trace.Warps.size();
    for (unsigned W = 0; W < Count; ++W)
      R.Warps |= uint64_t(1) << (First + W);
    for (unsigned W = 0; W < Count; ++W)
      startWarp(First + W, Slot, W, Now);
  }
}

void WarpFlow::startWarp(unsigned Slot, unsigned BlockSlot, unsigned InBlock,
                         Cycle Now) {
  ResidentBlock &R = S.Blocks.Slots[BlockSlot];
  S.Warps.start(Slot, S.M.Code.table(), R.Trace.Warps[InBlock]);
  S.Registers.clear(Slot);
  S.Copies[Slot].clear();
  S.Clusters.Warps[Slot] = {};
  S.Products[Slot].clear();
  S.Shares.startWarp(Slot);
  S.Bulk[Slot].clear();
  S.BulkReads[Slot].clear();
  Warp &W = S.Warps[Slot];
  W.Block = BlockSlot;
  W.InBlock = InBlock;
  W.Scheduler = Slot % S.Schedulers.size();
  W.Since = Now;
  S.Schedulers[W.Scheduler].Policy->warpStarted(Slot);
  if (InBlock == 0)
    S.Tell.event(EventKind::BlockStart, W, Now);
  W.PC = 0;
  W.Inst = &S.M.Code[0];
  if (!nextRun(Slot)) {
    finish(Slot, Now);
    return;
  }
  W.Buffered = 0;
  Cycle First = Now + S.M.Spec.Launch.BlockLatency;
  if (First > Now) {
    W.Phase = WarpPhase::Refetch;
    W.Reason = Stall::Sleeping;
    S.Wheel.add(Slot, First, Now);
    return;
  }
  supply(Slot, Now, Now, Stall::NoInstruction);
}

/// Moves to the next basic block with instructions; false at the end.
bool WarpFlow::nextRun(unsigned Slot) {
  Warp &W = S.Warps[Slot];
  trace::WarpCursor &C = S.Warps.cursor(Slot);
  const trace::CodeTable &Code = S.M.Code.table();
  while (C.next()) {
    const HeddleBlock &B = Code.Blocks[C.block()];
    if (!B.NumInsts)
      continue;
    S.Tell.Counters.TraceInstructions += B.NumInsts;
    Jumped = B.FirstInst != W.PC;
    W.PC = B.FirstInst;
    W.Inst = &S.M.Code[W.PC];
    W.Mask = C.mask();
    W.Lanes = std::popcount(W.Mask);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// From one instruction to the next
//===----------------------------------------------------------------------===//

/// To the next instruction; false at the end, where the warp stays at its last.
bool WarpFlow::advance(unsigned Slot) {
  Warp &W = S.Warps[Slot];
  const bool EndsBlock = W.Inst->EndsBlock;
  if (W.Buffered)
    --W.Buffered;
  ++W.Inst;
  ++W.PC;
  if (!EndsBlock)
    return true;
  Jumped = false;
  if (!nextRun(Slot)) {
    --W.PC;
    --W.Inst;
    return false;
  }
  if (Jumped)
    W.Buffered = 0;
  return true;
}

/// Passes an instruction by that is part of those that use its result: they can
/// read it when its operands are there. If it is not known when that is, it has
/// to be waited for, and the instruction issues like any other.
bool WarpFlow::skipFolded(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  if (W.Inst->Slots)
    return false;
  ReadyTime At = S.Registers.latest(Slot, *W.Inst, ReadyTime());
  if (At.isPending())
    return false;
  S.Registers.setDefs(Slot, *W.Inst, At);
  S.Tell.issued(W);
  return true;
}

/// step() where more than the next instruction in the table comes into play.
bool WarpFlow::stepAside(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  InstKind Kind = W.Inst->Kind;
  W.Since = Now + 1;
  const uint32_t Issued = W.PC;
  do
    if (!advance(Slot)) {
      finish(Slot, Now);
      return false;
    }
  while (skipFolded(Slot, Now));
  return !mayWait(Kind) || !awaitOthers(Slot, Kind, Issued, Now);
}

/// Whether the warp waits at the barrier or fence \p Inst, of \p Kind, that
/// has issued; which has been taken care of then.
[[gnu::noinline]] bool WarpFlow::awaitOthers(unsigned Slot, InstKind Kind,
                                             uint32_t Inst, Cycle Now) {
  S.Warps[Slot].BookedAt = Inst;
  switch (Kind) {
  case InstKind::Barrier:
    arrive(Slot, Now);
    return true;
  case InstKind::GridBarrier:
    enterGridBarrier(Slot, Now);
    return true;
  case InstKind::ClusterBarrier:
    return !meetCluster(Slot, Now);
  case InstKind::NamedBarrier:
    return meetSome(Slot, Now);
  case InstKind::Fence:
    enterFence(Slot, Now);
    return true;
  case InstKind::CopyFence:
    enterCopyFence(Slot, Now);
    return true;
  default: // GroupFence
    enterGroupFence(Slot, Now);
    return true;
  }
}

/// The instruction buffer is empty: gets instructions from \p Earliest on.
void WarpFlow::supply(unsigned Slot, Cycle Now, Cycle Earliest, Stall Why) {
  Warp &W = S.Warps[Slot];
  if (!S.M.Spec.FrontEnd.FetchWidth) {
    // Fetch runs ahead of issue; only a jump or a missing line is felt.
    if (!holdLine(Slot, Now)) {
      W.ReadyAt = Earliest; // the line may come before
      return;
    }
    W.Buffered = W.Inst->ToLineEnd;
    evaluate(Slot, W, Now, Earliest, Why);
    return;
  }
  if (Earliest > Now + 1) {
    W.Phase = WarpPhase::Refetch;
    W.Reason = Why;
    S.Wheel.add(Slot, Earliest, Now);
    return;
  }
  W.Phase = WarpPhase::Fetch;
  W.Reason = Why == Stall::BranchResolving ? Why : Stall::NoInstruction;
  Fetch.ask(Slot);
}

void WarpFlow::fetch(Cycle Now) {
  for (unsigned Left = S.M.Spec.FrontEnd.FetchWidth; Fetch.wanted() && Left;
       --Left) {
    const unsigned Slot = Fetch.take();
    if (holdLine(Slot, Now))
      fetchOne(Slot, Now);
  }
}

/// Takes what one access to the instruction cache gives, to the line's end.
void WarpFlow::fetchOne(unsigned Slot, Cycle Now) {
  const arch::FrontEndSpec &F = S.M.Spec.FrontEnd;
  Warp &W = S.Warps[Slot];
  unsigned Count = std::max(1u, std::min(F.FetchInsts, F.BufferInsts));
  W.Buffered = std::min<unsigned>(Count, W.Inst->ToLineEnd);
  evaluate(Slot, W, Now, Now + F.DecodeLatency, W.Reason);
}

/// Whether the line of the next instruction is in the instruction cache. If
/// not, it is asked for and the warp waits.
bool WarpFlow::holdLine(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  const FetchUnit::Line Line = Fetch.hold(Slot, W, Now);
  if (Line == FetchUnit::Line::Held)
    return true;
  W.Reason = Stall::NoInstruction;
  W.Phase = WarpPhase::LineMiss;
  if (Line == FetchUnit::Line::Busy) {
    W.Phase = WarpPhase::Refetch;
    S.Wheel.add(Slot, Now + 1, Now);
  }
  return false;
}

void WarpFlow::linesArrived(const Flight &F, Cycle Now) {
  for (uint32_t Slot : Fetch.arrived(F)) {
    Warp &W = S.Warps[Slot];
    if (W.Phase == WarpPhase::LineMiss)
      supply(Slot, Now, std::max(Now, W.ReadyAt), Stall::NoInstruction);
  }
}

/// Its operands are there: offers it to its scheduler.
void WarpFlow::makeReady(unsigned Slot, Warp &W) {
  Scheduler &Own = S.Schedulers[W.Scheduler];
  const unsigned Pipe = W.Inst->Pipe;
  W.Phase = WarpPhase::Ready;
  W.PipeBusy = uint32_t(Own.busy(Pipe, W.ReadyAt));
  W.DispatchBusy = uint32_t(Own.Dispatch.busy(W.ReadyAt));
  S.Schedulers.offer(W.Scheduler, Slot, Pipe);
}

/// An operand will come from memory; recheck() goes on then.
void WarpFlow::waitForMemory(unsigned Slot, Warp &W, Cycle Earliest) {
  W.Phase = WarpPhase::Pending;
  W.ReadyAt = Earliest;
  S.Schedulers[W.Scheduler].Policy->warpBlocked(Slot, W.Reason);
}

void WarpFlow::recheck(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  if (W.Phase != WarpPhase::Pending)
    return;
  evaluate(Slot, W, Now, W.ReadyAt, W.Reason);
  if (W.Phase != WarpPhase::Pending)
    S.Schedulers[W.Scheduler].Policy->warpReady(Slot);
}

void WarpFlow::wake(uint64_t Due, Cycle Now) {
  for (; Due; Due &= Due - 1) {
    unsigned Slot = std::countr_zero(Due);
    Warp &W = S.Warps[Slot];
    if (W.Phase == WarpPhase::Timed)
      makeReady(Slot, W);
    else
      supply(Slot, Now, std::max(Now, W.ReadyAt), W.Reason);
  }
}

//===----------------------------------------------------------------------===//
// Barriers, fences, end
//===----------------------------------------------------------------------===//

void WarpFlow::arrive(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  ResidentBlock &B = S.Blocks.Slots[W.Block];
  ++S.Tell.Counters.BarrierWaits;
  W.Phase = WarpPhase::Barrier;
  B.Arrived |= uint64_t(1) << Slot;
  S.Schedulers[W.Scheduler].Policy->warpBlocked(Slot, Stall::Barrier);
  releaseBarrier(B, Now);
}

/// At a barrier of some warps; whether the warp waits or waited there.
bool WarpFlow::meetSome(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  const unsigned Which = S.M.Code[W.BookedAt].Groups;
  NamedBarrier &N = S.Blocks.Slots[W.Block].Named[heddleNamedNumber(Which)];
  const bool Waits = !(Which & HEDDLE_NAMED_ARRIVES);
  if (Waits) {
    ++S.Tell.Counters.BarrierWaits;
    W.Phase = WarpPhase::Barrier;
    N.Waiting |= uint64_t(1) << Slot;
    S.Schedulers[W.Scheduler].Policy->warpBlocked(Slot, Stall::Barrier);
  } else {
    ++N.Arrived;
  }
  if (std::popcount(N.Waiting) + N.Arrived >= (Which & HEDDLE_NAMED_WARPS)) {
    const uint64_t Released = std::exchange(N, {}).Waiting;
    for (uint64_t Rest = Released; Rest; Rest &= Rest - 1)
      passBarrier(std::countr_zero(Rest), Now);
  }
  return Waits;
}

/// Lets the block's warps go on if all that live have arrived.
void WarpFlow::releaseBarrier(ResidentBlock &B, Cycle Now) {
  if (!B.Arrived || B.Arrived != B.Warps)
    return;
  const Warp &Any = S.Warps[std::countr_zero(B.Arrived)];
  if (S.M.Code[Any.BookedAt].Kind == InstKind::GridBarrier)
    arriveAtGrid(B, Now);
  else
    letGo(B, Now);
}

/// What other blocks shall see must have arrived before the block says so.
void WarpFlow::enterGridBarrier(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  if (!W.Accesses) {
    arrive(Slot, Now);
    return;
  }
  W.Phase = WarpPhase::Fence;
  S.Schedulers[W.Scheduler].Policy->warpBlocked(Slot, Stall::Barrier);
}

/// One thread of the block counts it with an atomic in the L2, on a word that
/// all blocks use (cooperative_groups' way, and the only one there is).
void WarpFlow::arriveAtGrid(ResidentBlock &B, Cycle Now) {
  if (B.AtGrid)
    return;
  B.AtGrid = true;
  const arch::GPUSpec &Spec = S.M.Spec;
  S.Port.send(memory::RequestKind::Atomic, memory::GridBarrierBase, 1, 0,
              Spec.L2.Size ? Spec.L2.Sector : S.M.L1.Sector,
              Now + S.M.L1.Latency, ReplyTo::GridBarrier, 0,
              memory::MemoryRequest::NoInst, 1, 1);
}

void WarpFlow::openGridBarrier(Cycle Now) {
  S.Blocks.Grid.Opens = NeverCycle;
  for (ResidentBlock &B : S.Blocks.Slots)
    if (B.Live && B.AtGrid) {
      B.AtGrid = false;
      letGo(B, Now);
    }
}

/// The warps at the barrier go on.
void WarpFlow::letGo(ResidentBlock &B, Cycle Now) {
  uint64_t Released = B.Arrived;
  B.Arrived = 0;
  for (uint64_t Rest = Released; Rest; Rest &= Rest - 1)
    passBarrier(std::countr_zero(Rest), Now);
}

/// A warp that has waited at a barrier goes on.
void WarpFlow::passBarrier(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  Cycle Go = Now + S.M.Code[W.BookedAt].Latency;
  if (Go > W.Since) {
    S.Tell.waited(W, W.BookedAt, Stall::Barrier, Go, Go - W.Since);
    W.Since = Go;
  }
  S.Schedulers[W.Scheduler].Policy->warpReady(Slot);
  settle(Slot, W, Now, Go, Stall::Barrier);
}

/// A fence waits for the accesses of its warp, cp.async apart, for which only
/// its own groups and mbarriers wait (PTX ISA 8.8, "cp.async").
bool WarpFlow::awaitsAccesses(unsigned Slot) const {
  return S.Warps[Slot].Accesses > S.Copies[Slot].count();
}

void WarpFlow::enterFence(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  if (!awaitsAccesses(Slot)) {
    settle(Slot, W, Now, Now + S.M.Code[W.BookedAt].Latency, Stall::Membar);
    return;
  }
  W.Phase = WarpPhase::Fence;
  S.Schedulers[W.Scheduler].Policy->warpBlocked(Slot, Stall::Membar);
}

void WarpFlow::accessDone(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  --W.Accesses;
  if (W.Phase == WarpPhase::Drain && W.Accesses == S.Warps.storesLeft(Slot))
    return end(Slot, Now);
  if (W.Phase != WarpPhase::Fence)
    return;
  const InstKind Kind = S.M.Code[W.BookedAt].Kind;
  if (Kind == InstKind::GridBarrier && !W.Accesses)
    arrive(Slot, Now);
  else if (Kind == InstKind::Fence && !awaitsAccesses(Slot))
    leaveFence(Slot, Stall::Membar, Now, Now);
}

/// What the warp has waited for is there at \p At.
void WarpFlow::leaveFence(unsigned Slot, Stall Why, Cycle Now, Cycle At) {
  Warp &W = S.Warps[Slot];
  Cycle Go = At + S.M.Code[W.BookedAt].Latency;
  S.Tell.waited(W, W.BookedAt, Why, Go, Go > W.Since ? Go - W.Since : 0);
  W.Since = std::max(W.Since, Go);
  S.Schedulers[W.Scheduler].Policy->warpReady(Slot);
  settle(Slot, W, Now, Go, Why);
}

bool WarpFlow::awaitsCopies(unsigned Slot) const {
  const uint16_t Groups = S.M.Code[S.Warps[Slot].BookedAt].Groups;
  if (Groups == HEDDLE_COPY_WAIT_ALL)
    return S.Copies[Slot].any();
  return awaited(Slot, Groups).waitsFor(Groups & HEDDLE_BULK_MAX_GROUPS);
}

/// The groups that a wait with \p Groups (HeddleInst::Products) is for.
CopyGroups &WarpFlow::awaited(unsigned Slot, uint16_t Groups) const {
  const uint16_t Kind = Groups & ~HEDDLE_BULK_MAX_GROUPS;
  return Kind == HEDDLE_BULK_WAIT        ? S.Bulk[Slot]
         : Kind == HEDDLE_BULK_WAIT_READ ? S.BulkReads[Slot]
                                         : S.Copies[Slot];
}

void WarpFlow::enterCopyFence(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  const DecodedInst &I = S.M.Code[W.BookedAt];
  const bool CommitsBulk = I.Groups == HEDDLE_BULK_COMMIT;
  const bool Commits = I.Groups == HEDDLE_COPY_COMMIT || CommitsBulk;
  if (CommitsBulk) {
    S.Bulk[Slot].commit();
    S.BulkReads[Slot].commit();
  } else if (Commits) {
    S.Copies[Slot].commit();
  }
  if (Commits || !awaitsCopies(Slot)) {
    const Cycle Ready = Commits ? 0 : awaited(Slot, I.Groups).latest();
    settle(Slot, W, Now, std::max(Now + I.Latency, Ready),
           Ready > Now + I.Latency ? Stall::LongScoreboard : Stall::Wait);
    return;
  }
  W.Phase = WarpPhase::Fence;
  S.Schedulers[W.Scheduler].Policy->warpBlocked(Slot, Stall::LongScoreboard);
}

void WarpFlow::copyDone(unsigned Slot, uint8_t Group, Cycle Now, Cycle At) {
  S.Copies[Slot].done(Group, At);
  recheckCopies(Slot, Now, At);
}

void WarpFlow::bulkRead(unsigned Slot, uint8_t Group, Cycle Now) {
  S.BulkReads[Slot].done(Group, Now);
  recheckCopies(Slot, Now, Now);
}

void WarpFlow::bulkDone(unsigned Slot, uint8_t Group, Cycle Now, Cycle At) {
  S.Bulk[Slot].done(Group, At);
  recheckCopies(Slot, Now, At);
}

/// Whether the wait of \p Slot, if it is in one, ends at \p At.
void WarpFlow::recheckCopies(unsigned Slot, Cycle Now, Cycle At) {
  const Warp &W = S.Warps[Slot];
  if (W.Phase == WarpPhase::Fence &&
      S.M.Code[W.BookedAt].Kind == InstKind::CopyFence && !awaitsCopies(Slot))
    leaveFence(Slot, Stall::LongScoreboard, Now, At);
}

uint32_t WarpFlow::storeSent(unsigned Slot, Cycle At) {
  Warp &W = S.Warps[Slot];
  ++W.Accesses;
  if (S.M.Spec.Launch.DrainStores)
    return Slot;
  Cycle &Last = S.Blocks.Slots[W.Block].StoresLeave;
  Last = std::max(Last, At);
  return S.Warps.leaveStore(Slot);
}

/// L2 has taken a store, whose warp may have ended.
void WarpFlow::storeDone(uint32_t Owner, Cycle Now) {
  if (S.M.Spec.Launch.DrainStores)
    return accessDone(Owner, Now);
  // The launch ends after it.
  S.Blocks.LastEnd = std::max(S.Blocks.LastEnd, Now);
  if (S.Warps.takeStore(Owner))
    accessDone(WarpTable::slotOf(Owner), Now);
}

void WarpFlow::finish(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  if (W.Accesses == S.Warps.storesLeft(Slot)) {
    end(Slot, Now);
    return;
  }
  W.Phase = WarpPhase::Drain;
  S.Schedulers[W.Scheduler].Policy->warpBlocked(Slot, Stall::Drain);
}

void WarpFlow::end(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  ResidentBlock &B = S.Blocks.Slots[W.Block];
  if (Now > W.Since && S.M.Code.size())
    S.Tell.waited(W, W.PC, Stall::Drain, Now, Now - W.Since);
  S.Tell.Counters.ResidentWarpCycles += std::max(Now, W.Since) - B.Start;
  S.Schedulers[W.Scheduler].Policy->warpEnded(Slot);
  B.Warps &= ~(uint64_t(1) << Slot);
  if (B.Warps) {
    S.Warps.release(Slot);
    releaseBarrier(B, Now);
    tellCluster(B, Now);
    return;
  }
  tellCluster(B, Now);
  S.Tell.event(EventKind::BlockEnd, W, Now);
  S.Warps.release(Slot);
  B.Live = false;
  ++S.Tell.Counters.BlocksDone;
  S.Blocks.Ended.push_back(B.Trace.Index);
  S.Blocks.LastEnd = std::max(S.Blocks.LastEnd, Now);
  S.Blocks.release(std::max(Now, B.StoresLeave) + 1);
  if (!--S.Blocks.Resident)
    S.Tell.Counters.ActiveCycles += Now - S.Blocks.ActiveSince;
}
