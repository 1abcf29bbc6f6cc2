//===- IssueStage.cpp - Sends ready instructions to the pipes -------------===//

#include "timing/stages/IssueStage.h"

#include <bit>

using namespace heddle;
using namespace heddle::timing;

IssueStage::IssueStage(SMState &S, WarpFlow &Flow, MemoryStage &Memory,
                       CollectStage &Collect)
    : S(S), Flow(Flow), Memory(Memory), Collect(Collect),
      MaxIssue(S.M.Spec.SM.MaxIssue), ReadCycles(S.M.Spec.FrontEnd.ReadCycles),
      OneReadInTime(MaxIssue == 1 && ReadCycles),
      NumSchedulers(S.Schedulers.size()),
      NumTurns(Collect.exists() ? 1 : NumSchedulers), ByTurns(NumTurns),
      Record(S.Tell.wants(EventKind::StallInterval)) {}

void IssueStage::cycle(Cycle Now) {
  bool Any = false;
  // A scheduler never makes warps of another ready in the same cycle. They take
  // turns in being first, as they compete for the pipes that all share: else
  // the last one would wait for all others, and then have the pipe alone, for
  // which its issue slots are too few. Of collectors the pipes take turns.
  const uint64_t Ready = S.Schedulers.ready();
  const auto First =
      unsigned(std::has_single_bit(NumTurns) ? Now & (NumTurns - 1)
                                             : ByTurns.remainder(Now));
  const uint64_t All = (uint64_t(1) << NumSchedulers) - 1;
  // Rotated so that the first is bit 0: the host predicts the end of one loop
  // better than those of two.
  for (uint64_t Left = (Ready << NumSchedulers | Ready) >> First & All; Left;
       Left &= Left - 1) {
    const unsigned Index = First + std::countr_zero(Left);
    Any |=
        issueFrom(Index < NumSchedulers ? Index : Index - NumSchedulers, Now);
  }
  S.Tell.Counters.IssueCycles += Any;
}

bool IssueStage::issueFrom(unsigned Index, Cycle Now) {
  Scheduler &Own = S.Schedulers[Index];
  uint64_t Candidates = Own.candidates(Now);
  if (Own.Excludes)
    Candidates &= ~Own.Policy->excluded();
  if (!Candidates || !Own.Dispatch.free(Now))
    return false;

  const unsigned Slot = Own.Policy->pick(Candidates);
  Warp &W = S.Warps[Slot];
  S.Schedulers.take(Index, Own, Slot, W.Inst->Pipe);
  bookWait(Slot, W, Own, Now);
  for (unsigned Issued = 1; issue(Slot, W, Own, Now, Issued);)
    ++Issued;
  return true;
}

/// Whether the next instruction of a warp that has just issued can go along.
bool IssueStage::canFollow(unsigned Slot, const Warp &W, const Scheduler &Own,
                           unsigned PreviousPipe, Cycle Now) {
  const DecodedInst &I = *W.Inst;
  if (S.M.Spec.SM.DualIssueDistinct && I.Pipe == PreviousPipe)
    return false;
  if (!W.Buffered || I.Slots != 1 || !Own.pipeFree(I.Pipe, Now))
    return false;
  const ReadyTime Ready = S.Registers.latest(Slot, I, ReadyTime());
  return !Ready.isPending() && S.Registers.time(Ready) <= Now;
}

/// Books what the warp, which issues now, has waited for since it issued last.
/// Mostly without branches: who waits for how long cannot be foreseen.
void IssueStage::bookWait(unsigned Slot, const Warp &W, const Scheduler &Own,
                          Cycle Now) {
  const DecodedInst &I = *W.Inst;
  StallCycles &Cycles = S.Tell.sample(W.PC).Cycles;
  const Cycle Ready = std::max(W.ReadyAt, W.Since);
  const uint64_t Total = Now > Ready ? Now - Ready : 0;
  const uint32_t PipeBusy = uint32_t(Own.busy(I.Pipe, Now));
  const uint64_t ForPipe = std::min<uint64_t>(Total, PipeBusy - W.PipeBusy);
  const uint32_t DispatchBusy = uint32_t(Own.Dispatch.busy(Now));
  const uint64_t ForDispatch =
      std::min<uint64_t>(Total - ForPipe, DispatchBusy - W.DispatchBusy);
  const uint64_t Rest = Total - ForPipe - ForDispatch;

  ++Cycles[unsigned(Stall::Selected)];
  Cycles[unsigned(W.Reason)] += Ready - W.Since;
  if (W.Reason == Stall::LongScoreboard && Ready > W.Since)
    S.Tell.Waits.book(Slot, Ready - W.Since);
  Cycles[unsigned(I.Throttle)] += ForPipe;
  Cycles[unsigned(Stall::NotSelected)] += Rest;
  if (ForDispatch)
    Cycles[unsigned(Stall::DispatchStall)] += ForDispatch;
  if (Record) [[unlikely]] {
    S.Tell.stall(W, W.Reason, Ready, Ready - W.Since);
    S.Tell.stall(W, I.Throttle, Ready + ForPipe, ForPipe);
    S.Tell.stall(W, Stall::DispatchStall, Now - Rest, ForDispatch);
    S.Tell.stall(W, Stall::NotSelected, Now, Rest);
  }
}

/// Brings what the issue of a warp's next instruction will read into the host's
/// cache: its addresses, and at a block's end what the warp does next.
static void prefetchNext(SMState &S, const MemoryStage &Memory, unsigned Slot,
                         const DecodedInst &I) {
  Memory.prefetchAddresses(Slot, I);
  if (!I.Straight) {
    S.Warps.cursor(Slot).prefetch();
    S.Warps.cursor(Slot).prefetchBytes();
  }
}

bool IssueStage::issue(unsigned Slot, Warp &W, Scheduler &Own, Cycle Now,
                       unsigned Issued) {
  const DecodedInst &I = *W.Inst;
  S.Tell.event(EventKind::Issue, W, Now);
  ++S.Tell.Counters.IssuedInstructions;

  if (I.Slots > 1 && !W.SlotsLeft)
    W.SlotsLeft = I.Slots;
  const bool Last = I.Slots <= 1 || !--W.SlotsLeft;
  if (Collect.exists())
    Collect.accept(Slot, I, Last, Now);
  else
    startInPipe(Slot, I, Own, Last, Now);
  if (!Last) {
    W.Since = Now + 1;
    Flow.again(Slot, W, Now, Now + I.SlotGap);
    return false;
  }

  S.Tell.issued(W);

  const bool Branches = I.Kind == InstKind::Branch;
  if (!Flow.step(Slot, W, Now))
    return false;
  prefetchNext(S, Memory, Slot, *W.Inst);
  if (Issued < MaxIssue && !Branches && !I.Holds &&
      canFollow(Slot, W, Own, I.Pipe, Now))
    return true;
  Flow.settle(Slot, W, Now, Now + 1 + I.Holds,
              Branches ? Stall::BranchResolving : Stall::Wait);
  return false;
}

/// The way of machines without collectors: the time in the pipe is known at
/// issue.
void IssueStage::startInPipe(unsigned Slot, const DecodedInst &I,
                             Scheduler &Own, bool Last, Cycle Now) {
  PipeGroup &Group = Own.group(I.Pipe);
  if (I.Kind == InstKind::GroupProduct) {
    S.Products[Slot].issue(S.Pipes.startQueued(Group, Now, I.Initiation) +
                           I.StartDelay + I.ResultDelay);
    return;
  }
  const Cycle Start = S.Pipes.start(Group, Now, I.Initiation) + I.StartDelay;
  S.Schedulers.pipeChanged(I.Pipe, Group, Own);
  const Cycle Late = readOperands(Slot, I, Own, Now);
  if (Late)
    Own.Dispatch.take(Now, Now + 1 + Late);
  if (!Last)
    return;
  if (I.Kind == InstKind::Compute)
    S.startCompute(Slot, I, Start + Late);
  else if (I.goesToMemory())
    Memory.accept(Slot, I, Start + Late, Now);
}

/// Cycles by which the operands come late.
Cycle IssueStage::readOperands(unsigned Slot, const DecodedInst &I,
                               Scheduler &Own, Cycle Now) const {
  const bool Again = Own.Ports.again(Slot);
  const arch::BankCycles Reads = Again ? I.ReadsAfter : I.Reads;
  // Mostly the banks have given all before the scheduler issues again, which
  // saves a loop over them.
  if (OneReadInTime && Own.Ports.readAtOnce(Reads, Now))
    return 0;
  return Own.Ports.read(Reads, Now, ReadCycles);
}

Cycle IssueStage::nextIssue(Cycle Now) const {
  Cycle Next = NeverCycle;
  for (uint32_t Left = S.Schedulers.ready(); Left; Left &= Left - 1) {
    const Scheduler &Own = S.Schedulers[std::countr_zero(Left)];
    Next = std::min(
        Next, Own.nextIssue(Now, Own.Excludes ? Own.Policy->excluded() : 0));
  }
  return Next;
}
