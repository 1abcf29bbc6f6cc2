//===- IssueStage.cpp - Sends ready instructions to the pipes -------------===//

#include "timing/stages/IssueStage.h"

#include <bit>

using namespace heddle;
using namespace heddle::timing;

void IssueStage::cycle(Cycle Now) {
  bool Any = false;
  // A scheduler never makes warps of another ready in the same cycle.
  for (uint32_t Left = S.ReadySchedulers; Left; Left &= Left - 1)
    Any |= issueFrom(std::countr_zero(Left), Now);
  S.Counters.IssueCycles += Any;
}

bool IssueStage::issueFrom(unsigned Index, Cycle Now) {
  Scheduler &Own = S.Schedulers[Index];
  if (!Own.Dispatch.free(Now))
    return false;
  uint64_t Candidates = 0;
  for (uint32_t Pipes = Own.ReadyPipes; Pipes; Pipes &= Pipes - 1) {
    unsigned P = std::countr_zero(Pipes);
    const Scheduler::Exit &Exit = Own.Exits[P];
    // No branch: whether a pipe is free cannot be foreseen.
    Candidates |= Exit.Ready & -uint64_t(Exit.Group->Issue.free(Now));
  }
  if (Own.Excludes)
    Candidates &= ~Own.Policy->excluded();
  if (!Candidates)
    return false;

  unsigned Slot = Own.Policy->pick(Candidates);
  S.unmarkReady(Slot, Index, S.inst(S.Warps[Slot]).Pipe);
  for (unsigned Position = 0; issue(Slot, Now, Position);)
    ++Position;
  return true;
}

/// Whether the next instruction of a warp that has just issued can go along.
bool IssueStage::canFollow(unsigned Slot, unsigned PreviousPipe, Cycle Now) {
  const Warp &W = S.Warps[Slot];
  const DecodedInst &I = S.inst(W);
  if (S.M.Spec.SM.DualIssueDistinct && I.Pipe == PreviousPipe)
    return false;
  return W.Buffered && I.Slots == 1 &&
         S.Schedulers[W.Scheduler].group(I.Pipe).Issue.free(Now) &&
         S.Registers.latest(Slot, I, ReadyTime()).at() <= Now;
}

void IssueStage::bookWait(unsigned Slot, const DecodedInst &I, Cycle Now) {
  Warp &W = S.Warps[Slot];
  uint32_t PC = W.PC;
  if (W.ReadyAt > W.Since) {
    S.book(PC, W.Reason, W.ReadyAt - W.Since);
    S.recordStall(W, W.Reason, W.ReadyAt, W.ReadyAt - W.Since);
    if (W.Reason == Stall::LongScoreboard)
      S.Waits.book(Slot, W.ReadyAt - W.Since);
  }
  Cycle Ready = std::max(W.ReadyAt, W.Since);
  if (Now <= Ready)
    return;
  uint64_t Left = Now - Ready;
  const BusyMeter &Pipe = S.Schedulers[W.Scheduler].group(I.Pipe).Issue;
  auto take = [&](const BusyMeter &Meter, uint64_t Before, Stall Why) {
    uint64_t After = Meter.busy(Now);
    uint64_t Lost = std::min(Left, After > Before ? After - Before : 0);
    if (!Lost)
      return;
    S.book(PC, Why, Lost);
    S.recordStall(W, Why, Ready + Lost, Lost);
    Ready += Lost;
    Left -= Lost;
  };
  take(Pipe, W.PipeBusy, I.Throttle);
  take(S.Schedulers[W.Scheduler].Dispatch, W.DispatchBusy,
       Stall::DispatchStall);
  if (Left) {
    S.book(PC, Stall::NotSelected, Left);
    S.recordStall(W, Stall::NotSelected, Now, Left);
  }
}

bool IssueStage::issue(unsigned Slot, Cycle Now, unsigned Position) {
  Warp &W = S.Warps[Slot];
  const DecodedInst &I = S.inst(W);
  InstSample &Sample = S.sample(W.PC);
  if (Position == 0) {
    bookWait(Slot, I, Now);
    ++Sample.Cycles[unsigned(Stall::Selected)];
  }
  S.record(EventKind::Issue, W, Now);
  ++S.Counters.IssuedInstructions;

  const arch::FrontEndSpec &F = S.M.Spec.FrontEnd;
  Scheduler &Own = S.Schedulers[W.Scheduler];
  Cycle Collector = Own.enterCollector(Now, I.Collect);
  if (Own.CollectorFree.empty() && I.Collect > 1)
    Own.Dispatch.take(Now, Now + I.Collect);
  // IssueToPipe covers a collector that is free and one cycle in it.
  unsigned Delay = F.IssueToPipe + (Collector - Now - 1) + (I.Collect - 1);
  Cycle Start = S.Pipes.start(Own.group(I.Pipe), Now, Delay, I.Initiation);

  if (I.Slots > 1) {
    if (!W.SlotsLeft)
      W.SlotsLeft = I.Slots;
    if (--W.SlotsLeft) {
      W.Since = Now + 1;
      Flow.again(Slot, Now, Now + I.SlotGap);
      return false;
    }
  }

  ++Sample.Issued;
  Sample.Threads += W.Lanes;
  ++S.Counters.WarpInstructions;
  S.Counters.ThreadInstructions += W.Lanes;

  Cycle Earliest = Now + 1;
  Stall Why = Stall::Wait;
  switch (I.Kind) {
  case InstKind::Compute: {
    ReadyTime Done(Start + I.Latency + F.WritebackLatency, I.Result);
    for (uint16_t R : I.defs())
      S.Registers.set(Slot, R, Done);
    break;
  }
  case InstKind::Load:
  case InstKind::Store:
  case InstKind::Atomic:
  case InstKind::Reduction:
    Memory.accept(Slot, I, Start, Now);
    break;
  case InstKind::Branch:
    Earliest = Now + 1 + F.BranchLatency;
    Why = Stall::BranchResolving;
    break;
  case InstKind::Exit:
  case InstKind::Barrier:
  case InstKind::Fence:
    break;
  }
  if (!Flow.step(Slot, Now))
    return false;
  if (Position + 1 < S.M.Spec.SM.MaxIssue && I.Kind != InstKind::Branch &&
      canFollow(Slot, I.Pipe, Now))
    return true;
  Flow.settle(Slot, Now, Earliest, Why);
  return false;
}

Cycle IssueStage::nextIssue(Cycle Now) const {
  Cycle Next = NeverCycle;
  for (uint32_t Left = S.ReadySchedulers; Left; Left &= Left - 1) {
    const Scheduler &Own = S.Schedulers[std::countr_zero(Left)];
    uint64_t Excluded = Own.Excludes ? Own.Policy->excluded() : 0;
    for (uint32_t Pipes = Own.ReadyPipes; Pipes; Pipes &= Pipes - 1) {
      unsigned P = std::countr_zero(Pipes);
      if (!(Own.Exits[P].Ready & ~Excluded))
        continue;
      Cycle Free = Own.Exits[P].Group->Issue.FreeAt;
      if (Free == NeverCycle)
        continue;
      Next = std::min(Next, std::max({Now + 1, Free, Own.Dispatch.FreeAt}));
    }
  }
  return Next;
}
