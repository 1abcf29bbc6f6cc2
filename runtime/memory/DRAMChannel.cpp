//===- DRAMChannel.cpp - Banks, rows and the scheduler of a channel -------===//

#include "memory/DRAMChannel.h"

#include <algorithm>
#include <bit>

namespace heddle::memory {

using arch::DRAMPolicy;

DRAMChannel::DRAMChannel(const arch::GPUSpec &S)
    : Spec(S.DRAM),
      Batches(S.DRAM.WriteHigh && S.DRAM.Policy == DRAMPolicy::FRFCFS),
      BankShift(std::countr_zero(std::max(S.DRAM.RowBytes, S.L2.Interleave))),
      RowShift(BankShift + std::countr_zero(S.DRAM.Banks)),
      Banks(S.DRAM.Banks) {
  InOrder.reserve(S.DRAM.Banks);
  for (uint32_t I = 0; I < S.DRAM.Banks; I += S.DRAM.BankGroups)
    FirstGroup |= uint64_t(1) << I;
  if (Spec.TREFI)
    for (uint32_t I = 0; I != Spec.Banks; ++I)
      RefreshAt.push_back(Cycle(Spec.TREFI) * I / Spec.Banks);
  double BytesPerCycle = S.DRAM.Bandwidth * S.DRAM.Efficiency * 1000 /
                         S.Clock.DRAM / S.DRAM.Channels;
  TicksPerBurst = Cycle(256 * S.DRAM.BurstBytes / BytesPerCycle + 0.5);
}

Cycle DRAMChannel::nextEvent() const {
  Cycle Next = PickedAt;
  for (const bool Apart : {false, true})
    if (!Arrivals[Apart].empty() && hasRoom(Apart))
      Next = std::min(Next, Arrivals[Apart].front().Arrival);
  return Next;
}

bool DRAMChannel::step(Completion &Done) {
  if (Spec.Policy == DRAMPolicy::Fixed) {
    Request R = Arrivals[0].front();
    Arrivals[0].pop_front();
    Cycle Start = std::max(BusFree, R.Arrival << 8);
    BusFree = Start + R.Bursts * TicksPerBurst;
    Stats.QueueCycles += (Start >> 8) - R.Arrival;
    Stats.BusyCycles += (R.Bursts * TicksPerBurst) >> 8;
    (R.Write ? Stats.Writes : Stats.Reads) += R.Bursts;
    WritesWaiting -= R.Write;
    Done = {R.Tag, (BusFree + 255) >> 8};
    Stats.End = Done.Time;
    return !R.Write;
  }

  const Cycle Now = nextEvent();
  if (PickedAt > Now) {
    admit(Now);
    return false;
  }
  const uint32_t BankIndex = PickedBank;
  Bank &B = Banks[BankIndex];
  const uint32_t Index = B.Current;
  const Request R = Pool[Index].R;

  // Commands to one bank group come tCCDL apart, unless another group has
  // something to send in between.
  const uint64_t SameGroup = FirstGroup << (BankIndex & (Spec.BankGroups - 1));
  bool OthersReady = false;
  for (uint64_t Left = BusyBanks & ~SameGroup; Left && !OthersReady;
       Left &= Left - 1)
    OthersReady = Banks[std::countr_zero(Left)].ColumnAt <= Now + R.Bursts;
  const Cycle Spacing = OthersReady ? Spec.TCCD : Spec.TCCDL;
  // The data bus may be slower than the commands allow.
  BusFree = std::max(BusFree, Now << 8) + R.Bursts * TicksPerBurst;
  // What is left of a cycle counts with the next request.
  const Cycle Bus = std::max<Cycle>(BusFree >> 8, Now + 1) - Now;
  const Cycle Span = (R.Bursts - 1) * Spacing;
  Cycle DataEnd;
  if (R.Write) {
    DataEnd = Now + Spec.TWL + Span + Spec.TCCD;
    NextWrite = Now + std::max(Bus, Span + Spacing);
    NextRead = DataEnd + Spec.TWTR;
    B.MayPrecharge = std::max(B.MayPrecharge, DataEnd + Spec.TWR);
    Stats.Writes += R.Bursts;
  } else {
    DataEnd = Now + Spec.TCL + Span + Spec.TCCD;
    NextRead = Now + std::max(Bus, Span + Spacing);
    NextWrite = std::max(NextRead, DataEnd > Spec.TWL ? DataEnd - Spec.TWL : 0);
    B.MayPrecharge = std::max(B.MayPrecharge, Now + Span + Spec.TRTP);
    Stats.Reads += R.Bursts;
  }
  Stats.BusyCycles += Bus;
  Stats.End = std::max({Stats.End, DataEnd, Now + Bus});
  Stats.QueueCycles += Now - R.Arrival;
  FreePool.push_back(Index);
  --NumQueued;
  WritesQueued -= R.Write;
  WritesWaiting -= R.Write;
  B.Current = None;
  takeFromOrder(BankIndex);
  admit(Now);
  if (Spec.Policy == DRAMPolicy::FCFS) {
    for (uint32_t I = 0; I != Spec.Banks; ++I)
      startBank(I, Now);
  } else {
    startBank(BankIndex, Now);
  }
  pick();
  Done = {R.Tag, DataEnd};
  return !R.Write;
}

void DRAMChannel::admit(Cycle Now) {
  for (const bool Apart : {false, true})
    while (!Arrivals[Apart].empty() && hasRoom(Apart) &&
           Arrivals[Apart].front().Arrival <= Now) {
      const Request R = Arrivals[Apart].front();
      Arrivals[Apart].pop_front();
      enqueue(R, Now);
    }
  if (Batches)
    chooseDirection(Now);
}

void DRAMChannel::enqueue(const Request &R, Cycle Now) {
  uint32_t Index;
  if (FreePool.empty()) {
    Index = uint32_t(Pool.size());
    Pool.emplace_back();
  } else {
    Index = FreePool.back();
    FreePool.pop_back();
  }
  const auto Row = uint32_t(R.Address >> RowShift);
  const uint32_t BankIndex = bankOf(Spec, R.Address >> BankShift);
  Pool[Index] = {R, NextOrder++, Row, None};
  ++NumQueued;
  WritesQueued += R.Write;
  Waiting &Queue = Banks[BankIndex].Queues[isApart(R)];
  if (Queue.Last == None)
    Queue.First = Index;
  else
    Pool[Queue.Last].Next = Index;
  Queue.Last = Index;
  startBank(BankIndex, Now);
}

/// Starts a batch of writes, or ends it.
void DRAMChannel::chooseDirection(Cycle Now) {
  const bool Reads = NumQueued != WritesQueued;
  const bool Drain =
      !Reads || WritesQueued >= std::min(Spec.WriteHigh, Spec.WriteQueue) ||
      (Draining && WritesQueued > Spec.WriteLow);
  if (Drain == Draining)
    return;
  Draining = Drain;
  for (uint32_t I = 0; I != Spec.Banks; ++I)
    startBank(I, Now);
}

/// Brings a bank up to the last refresh that has begun: it closes the row, and
/// the bank takes no command while it lasts.
void DRAMChannel::refresh(uint32_t BankIndex, Cycle Now) {
  Cycle &Next = RefreshAt[BankIndex];
  if (Now < Next)
    return;
  const Cycle Began = Now - (Now - Next) % Spec.TREFI;
  Banks[BankIndex].OpenRow = None;
  Banks[BankIndex].MayPrecharge = Began + Spec.TRFC;
  Next = Began + Spec.TREFI;
}

void DRAMChannel::startBank(uint32_t BankIndex, Cycle Now) {
  Bank &B = Banks[BankIndex];
  if (B.Current != None)
    return;
  if (Spec.TREFI)
    refresh(BankIndex, Now);
  const uint32_t Chosen = takeNext(B);
  if (Chosen == None)
    return;
  const uint32_t Row = Pool[Chosen].Row;
  if (B.OpenRow == Row) {
    ++Stats.RowHits;
    B.ColumnAt = std::max(Now, B.Activated + Spec.TRCD);
  } else {
    openRow(B, Row, Now);
  }
  B.Current = Chosen;
  B.Order = Pool[Chosen].Order;
  B.Write = Pool[Chosen].R.Write;
  putInOrder(BankIndex);
  const Cycle Time = issueTime(B);
  if (Time < PickedAt ||
      (Time == PickedAt && B.Order < Banks[PickedBank].Order)) {
    PickedBank = BankIndex;
    PickedAt = Time;
  }
}

/// Takes the request from the bank's queues that it works on next, if one may
/// start: of the direction that has its turn.
uint32_t DRAMChannel::takeNext(Bank &B) {
  Waiting &Queue = B.Queues[Batches && Draining];
  if (Queue.First == None)
    return None;
  uint32_t Chosen = Queue.First, Before = None;
  if (Spec.Policy == DRAMPolicy::FCFS) {
    // Strictly in order: only the oldest request of the channel may start.
    for (const Bank &Other : Banks)
      if (Other.Current != None ||
          (Other.Queues[0].First != None &&
           Pool[Other.Queues[0].First].Order < Pool[Chosen].Order))
        return None;
  } else {
    uint32_t Previous = None;
    for (uint32_t I = Queue.First; I != None; Previous = I, I = Pool[I].Next)
      if (Pool[I].Row == B.OpenRow) {
        Chosen = I;
        Before = Previous;
        break;
      }
  }
  if (Before == None)
    Queue.First = Pool[Chosen].Next;
  else
    Pool[Before].Next = Pool[Chosen].Next;
  if (Queue.Last == Chosen)
    Queue.Last = Before;
  return Chosen;
}

void DRAMChannel::openRow(Bank &B, uint32_t Row, Cycle Now) {
  Cycle Activate = std::max(Now, B.MayPrecharge);
  if (B.OpenRow != None)
    Activate = std::max(B.Activated + Spec.TRC, Activate + Spec.TRP);
  if (Activating)
    Activate = std::max(Activate, LastActivate + Spec.TRRD);
  Activating = true;
  LastActivate = Activate;
  B.OpenRow = Row;
  B.Activated = Activate;
  B.MayPrecharge = Activate + Spec.TRAS;
  B.ColumnAt = Activate + Spec.TRCD;
  ++Stats.Activates;
}

void DRAMChannel::putInOrder(uint32_t BankIndex) {
  BusyBanks |= uint64_t(1) << BankIndex;
  InOrder.push_back(uint8_t(BankIndex));
  size_t At = InOrder.size() - 1;
  for (; At && Banks[InOrder[At - 1]].Order > Banks[BankIndex].Order; --At)
    InOrder[At] = InOrder[At - 1];
  InOrder[At] = uint8_t(BankIndex);
}

void DRAMChannel::takeFromOrder(uint32_t BankIndex) {
  BusyBanks &= ~(uint64_t(1) << BankIndex);
  InOrder.erase(std::ranges::find(InOrder, uint8_t(BankIndex)));
}

void DRAMChannel::pick() {
  // Under load the oldest of those that wait for nothing but the bus.
  const Cycle Earliest = std::min(NextRead, NextWrite);
  for (const uint8_t I : InOrder)
    if (issueTime(Banks[I]) == Earliest) {
      PickedBank = I;
      PickedAt = Earliest;
      return;
    }
  pickAmongAll();
}

void DRAMChannel::pickAmongAll() {
  PickedBank = None;
  PickedAt = NeverCycle;
  for (const uint8_t I : InOrder) {
    const Cycle Time = issueTime(Banks[I]);
    // Without a branch: which bank comes first cannot be foreseen.
    const bool First = Time < PickedAt;
    PickedBank = First ? I : PickedBank;
    PickedAt = First ? Time : PickedAt;
  }
}

} // namespace heddle::memory
