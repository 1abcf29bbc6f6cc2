//===- CollectStage.cpp - Operand collectors between issue and pipes ------===//

#include "timing/stages/CollectStage.h"

#include <algorithm>
#include <bit>

using namespace heddle;
using namespace heddle::timing;

CollectStage::CollectStage(SMState &S, WarpFlow &Flow, MemoryStage &Memory)
    : S(S), Flow(Flow), Memory(Memory), Schedulers(S.Schedulers.size()),
      StepsPerCycle(std::max(1u, S.M.Spec.FrontEnd.RegisterPorts)),
      BySchedulers(Schedulers),
      ByBanks(std::clamp(S.M.Spec.FrontEnd.RegisterBanks, 1u, 64u)) {
  if (!S.M.Spec.hasCollectors())
    return;
  std::vector<unsigned> Sizes = {S.M.Spec.FrontEnd.OperandCollectors};
  for (const arch::PipeSpec &Pipe : S.M.Spec.Pipes) {
    PoolOf.push_back(Pipe.Collectors ? Sizes.size() : 0);
    if (Pipe.Collectors)
      Sizes.push_back(Pipe.Collectors / Schedulers);
  }
  PoolsEach = Sizes.size();
  for (unsigned Scheduler = 0; Scheduler != Schedulers; ++Scheduler)
    for (unsigned Size : Sizes) {
      Pools.push_back({unsigned(Collectors.size()),
                       Size ? ~uint64_t(0) >> (64 - Size) : 0});
      Collectors.resize(Collectors.size() + Size);
    }
  Issued.resize(PoolOf.size() * Schedulers);
  Taken.resize(PoolOf.size() * Schedulers);
  Queues.resize(PoolOf.size());
  Works.resize(Schedulers);
}

void CollectStage::accept(unsigned Slot, const DecodedInst &I, bool Last,
                          Cycle Now) {
  const unsigned Scheduler = S.Warps[Slot].Scheduler;
  Entry &E = Issued[I.Pipe * Schedulers + Scheduler];
  E.Inst = &I;
  E.Slot = Slot;
  E.Last = Last;
  if (Last && I.Kind == InstKind::Compute)
    S.Registers.setDefs(Slot, I, ReadyTime::pending(I.Result));
  else if (Last && I.goesToMemory())
    E.Ticket = Memory.announce(Slot, I);
  Queues[I.Pipe].push(Scheduler);
  PipesWaiting |= 1u << I.Pipe;
  Accepted = true;
  if (!UnderWay++)
    BusySince = Now + 1;
  setRegisterFree(I.Pipe, Scheduler, false, Now + 1);
}

void CollectStage::cycle(Cycle Now) {
  Accepted = false;
  for (unsigned Step = 0; Step != StepsPerCycle; ++Step) {
    for (unsigned Scheduler = 0; Scheduler != Schedulers; ++Scheduler) {
      const Work &Its = Works[Scheduler];
      for (uint64_t Left = Its.Ready; Left; Left &= Left - 1)
        dispatch(Scheduler, std::countr_zero(Left), Now);
      if (Its.Reading || Its.writes(Now))
        read(Scheduler, Now);
    }
    for (uint32_t Left = PipesWaiting; Left; Left &= Left - 1)
      allocate(std::countr_zero(Left), Now);
  }
}

/// What stands in a register after cycle() finds all collectors taken.
Cycle CollectStage::next(Cycle Now) const {
  if (!UnderWay)
    return NeverCycle;
  if (Accepted)
    return Now + 1;
  for (const Work &Its : Works)
    if (Its.Reading)
      return Now + 1;
  Cycle At = NeverCycle;
  for (unsigned Scheduler = 0; Scheduler != Schedulers; ++Scheduler)
    for (uint64_t Left = Works[Scheduler].Ready; Left; Left &= Left - 1) {
      const Pool &P = Pools[Scheduler * PoolsEach + std::countr_zero(Left)];
      for (uint64_t Ready = P.Ready; Ready; Ready &= Ready - 1) {
        const Entry &E = Collectors[P.First + std::countr_zero(Ready)];
        At = std::min(At, S.Pipes.group(Scheduler, E.Inst->Pipe).Issue.FreeAt);
      }
    }
  return std::max(At, Now + 1);
}

/// Sends the next instruction of the pool that has its operands and finds room
/// in its pipe: in turn from the one after the last.
void CollectStage::dispatch(unsigned Scheduler, unsigned Number, Cycle Now) {
  Pool &P = Pools[Scheduler * PoolsEach + Number];
  const uint64_t UpToLast = ~uint64_t(0) >> (63 - P.Last);
  if (!dispatchFrom(Scheduler, P, P.Ready & ~UpToLast, Now))
    dispatchFrom(Scheduler, P, P.Ready & UpToLast, Now);
  Works[Scheduler].Ready &= ~(uint64_t(!P.Ready) << Number);
}

bool CollectStage::dispatchFrom(unsigned Scheduler, Pool &P, uint64_t Ready,
                                Cycle Now) {
  for (; Ready; Ready &= Ready - 1) {
    const unsigned Index = std::countr_zero(Ready);
    const Entry &E = Collectors[P.First + Index];
    if (!S.Pipes.group(Scheduler, E.Inst->Pipe).Issue.free(Now))
      continue;
    start(Scheduler, E, Now);
    P.Ready &= ~(uint64_t(1) << Index);
    P.Free |= uint64_t(1) << Index;
    P.Last = Index;
    --UnderWay;
    return true;
  }
  return false;
}

/// The banks that take a result now; of two for one bank the other waits, also
/// in the cycles since the last call. Those of before BusySince made
/// nothing wait.
uint64_t CollectStage::written(unsigned Scheduler, Cycle Now) {
  WriteQueue &Queue = Works[Scheduler].Writes;
  uint64_t Banks = 0;
  Cycle At = 0;
  while (!Queue.empty() && Queue.top().Time <= Now) {
    const Write W = Queue.top();
    Queue.pop();
    if (W.Time < BusySince)
      continue;
    if (W.Time != At)
      Banks = 0;
    At = W.Time;
    const uint64_t Bank = uint64_t(1) << W.Bank;
    if (Banks & Bank)
      Queue.push({At + 1, W.Bank});
    Banks |= Bank;
  }
  return At == Now ? Banks : 0;
}

/// Each bank that takes no result gives one operand.
void CollectStage::read(unsigned Scheduler, Cycle Now) {
  Work &Its = Works[Scheduler];
  uint64_t Used = written(Scheduler, Now);
  for (uint64_t Rest = Its.Reading; Rest; Rest &= Rest - 1) {
    const unsigned Number = std::countr_zero(Rest);
    Pool &P = Pools[Scheduler * PoolsEach + Number];
    for (uint64_t Reading = P.Reading; Reading; Reading &= Reading - 1) {
      const unsigned Index = std::countr_zero(Reading);
      Entry &E = Collectors[P.First + Index];
      unsigned Left = 0;
      for (unsigned U = 0; U != E.NumUnread; ++U) {
        const uint64_t Bank = uint64_t(1) << E.Unread[U];
        if (Used & Bank)
          E.Unread[Left++] = E.Unread[U];
        Used |= Bank;
      }
      E.NumUnread = Left;
      if (Left)
        continue;
      P.Reading &= ~(uint64_t(1) << Index);
      P.Ready |= uint64_t(1) << Index;
    }
    Its.Ready |= uint64_t(P.Ready != 0) << Number;
    Its.Reading &= ~(uint64_t(!P.Reading) << Number);
  }
}

/// Moves instructions from the registers of a pipe into collectors.
void CollectStage::allocate(unsigned Pipe, Cycle Now) {
  RegisterQueue &Queue = Queues[Pipe];
  while (Queue.Count) {
    const unsigned Scheduler = Queue.first(), Number = PoolOf[Pipe];
    if (!Pools[Scheduler * PoolsEach + Number].Free)
      return;
    collect(Scheduler, Number, Issued[Pipe * Schedulers + Scheduler]);
    Queue.pop();
    setRegisterFree(Pipe, Scheduler, true, Now);
  }
  PipesWaiting &= ~(1u << Pipe);
}

/// Puts an instruction into the first free collector of a pool.
void CollectStage::collect(unsigned Scheduler, unsigned Number,
                           const Entry &Inst) {
  Pool &P = Pools[Scheduler * PoolsEach + Number];
  const unsigned Index = std::countr_zero(P.Free);
  Entry &E = Collectors[P.First + Index];
  E = Inst;
  findBanks(E);
  const uint64_t Bit = uint64_t(1) << Index;
  P.Free &= ~Bit;
  Work &Its = Works[Scheduler];
  (E.NumUnread ? P.Reading : P.Ready) |= Bit;
  (E.NumUnread ? Its.Reading : Its.Ready) |= uint64_t(1) << Number;
}

/// Registers are dealt over the banks by number, each warp's from another bank
/// on.
unsigned CollectStage::bankOf(uint16_t Register, unsigned Slot) const {
  return ByBanks.remainder(Register + BySchedulers.quotient(Slot));
}

/// The banks that hold the operands.
void CollectStage::findBanks(Entry &E) const {
  E.NumUnread = 0;
  if (!S.M.Spec.FrontEnd.RegisterBanks)
    return;
  const std::span<const uint16_t> Uses =
      E.Inst->registers().subspan(E.Inst->NumDefs);
  for (size_t N = 0; N != Uses.size(); ++N)
    if (std::find(Uses.begin(), Uses.begin() + N, Uses[N]) == Uses.begin() + N)
      E.Unread[E.NumUnread++] = bankOf(Uses[N], E.Slot);
}

/// What an instruction computes takes its banks in the cycle before it can be
/// used.
void CollectStage::announceWrites(unsigned Scheduler, const Entry &E,
                                  Cycle Ready) {
  if (!S.M.Spec.FrontEnd.RegisterBanks)
    return;
  for (uint16_t Result : E.Inst->registers().first(E.Inst->NumDefs))
    Works[Scheduler].Writes.push({Ready - 1, uint8_t(bankOf(Result, E.Slot))});
}

void CollectStage::start(unsigned Scheduler, const Entry &E, Cycle Now) {
  const DecodedInst &I = *E.Inst;
  // Two cycles have gone: into the register, into the collector.
  const unsigned ToPipe = S.M.Spec.FrontEnd.IssueToPipe;
  const Cycle Turn =
      S.Pipes.start(S.Pipes.group(Scheduler, I.Pipe), Now, I.Initiation) +
      (ToPipe > 2 ? ToPipe - 2 : 0);
  if (!E.Last)
    return;
  if (I.Kind == InstKind::Compute) {
    S.startCompute(E.Slot, I, Turn);
    announceWrites(Scheduler, E, Turn + I.ResultDelay);
    Flow.recheck(E.Slot, Now);
  } else if (I.goesToMemory()) {
    Memory.enter(E.Ticket, Turn, Now);
  }
}

/// The register is what the scheduler sees of the pipe.
void CollectStage::setRegisterFree(unsigned Pipe, unsigned Scheduler, bool Free,
                                   Cycle At) {
  BusyMeter &Meter = Taken[Pipe * Schedulers + Scheduler];
  if (Free)
    Meter.unblock(At);
  else
    Meter.block(At);
  S.Schedulers[Scheduler].setMeter(Pipe, Meter);
}
