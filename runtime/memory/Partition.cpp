//===- Partition.cpp - A DRAM channel and its L2 slices -------------------===//

#include "memory/Partition.h"

#include "memory/LevelLatency.h"

#include <algorithm>
#include <bit>

namespace heddle::memory {

Partition::Slice::Slice(const arch::GPUSpec &Spec)
    : L2(Spec.L2), In(Spec.Icnt.SliceBytes), Out(Spec.Icnt.SliceBytes) {}

Partition::Partition(const arch::GPUSpec &S, const AddressMap &M,
                     unsigned First)
    : Spec(S), Map(M), Cost(S), FirstSlice(First),
      ToDRAM(S.Clock.L2, S.Clock.DRAM), FromDRAM(S.Clock.DRAM, S.Clock.L2),
      DRAMLatency(ClockRatio(S.Clock.Core, S.Clock.L2).up(S.DRAM.Latency)),
      WriteLimit(writeLimit(S)), DRAM(S) {
  for (unsigned I = 0; I != S.L2.Slices / S.DRAM.Channels; ++I)
    Slices.emplace_back(S);
}

void Partition::route(unsigned SliceIndex, const MemoryRequest &R,
                      uint64_t LocalLine, Cycle Arrival) {
  Slice &S = Slices[SliceIndex];
  unsigned Sectors = std::popcount(R.SectorMask);
  uint64_t Bytes = Cost.bytes(Sectors, R.Kind != RequestKind::Read);
  Counts.IcntBytes += Bytes;
  Counts.IcntRequestPackets += Sectors;
  // The first packet passes at once when the port is free.
  Cycle Passed = S.In.send(Arrival, Bytes);
  Cycle First = Passed - std::min<Cycle>(Passed - Arrival, S.In.cycles(Bytes));
  if (Spec.L2.TotalSize)
    S.L2.prefetch(LocalLine);
  S.Queue.push_back({LocalLine, R.Token, First + Spec.L2.Latency, R.SM,
                     R.SectorMask, R.Kind, R.Lanes, R.SameAddress});
  S.findDue();
}

Cycle Partition::nextEvent() const {
  Cycle Next = NextDRAM;
  if (!Fills.empty())
    Next = std::min(Next, Fills.front().Time);
  for (const Slice &S : Slices)
    Next = std::min(Next, S.Due);
  return Next;
}

void Partition::advance(Cycle Until) {
  if (Spec.L2.TotalSize)
    for (Slice &S : Slices)
      for (size_t &I = S.Known; I < S.Queue.size(); ++I)
        S.L2.prefetchWay(S.Queue[I].LocalLine);
  auto Later = [](const Fill &A, const Fill &B) {
    return A.Time != B.Time ? A.Time > B.Time : A.Fetch > B.Fetch;
  };
  for (;;) {
    unsigned SliceIndex = 0;
    Cycle AtSlice = NeverCycle;
    for (unsigned I = 0; I != Slices.size(); ++I)
      if (Slices[I].Due < AtSlice) {
        AtSlice = Slices[I].Due;
        SliceIndex = I;
      }
    const Cycle AtFill = Fills.empty() ? NeverCycle : Fills.front().Time;
    const Cycle Now = std::min({AtSlice, AtFill, NextDRAM});
    if (Now >= Until)
      return;
    if (AtFill == Now) {
      std::pop_heap(Fills.begin(), Fills.end(), Later);
      Fill F = Fills.back();
      Fills.pop_back();
      finishFill(F);
    } else if (NextDRAM == Now) {
      DRAMChannel::Completion Done;
      if (DRAM.step(Done)) {
        Fills.push_back({std::max(Now, FromDRAM.up(Done.Time)), Done.Tag});
        const Fetch &F = Fetches[Done.Tag];
        if (Spec.L2.TotalSize)
          Slices[F.Slice].L2.prefetchFill(F.For);
        std::push_heap(Fills.begin(), Fills.end(), Later);
      }
      NextDRAM = FromDRAM.up(DRAM.nextEvent());
      if (NumHeld && DRAM.writesWaiting() < WriteLimit)
        letGo(Now);
    } else {
      serve(SliceIndex, Now);
    }
  }
}

void Partition::serve(unsigned SliceIndex, Cycle Now) {
  Slice &S = Slices[SliceIndex];
  const Arrived A = S.Queue.front();
  if (DRAM.writesWaiting() >= WriteLimit && mayWriteBack(S, A)) {
    S.Held = true;
    ++NumHeld;
    S.findDue();
    return;
  }
  if (Spec.L2.TotalSize == 0) {
    passThrough(SliceIndex, A, Now);
  } else if (!lookUp(SliceIndex, A, Now)) {
    S.BlockedSince = Now;
    S.findDue();
    return;
  }
  S.Queue.pop_front();
  S.Known -= S.Known != 0;
  Cycle Taken = Cycle(std::popcount(A.Sectors)) * Spec.L2.CyclesPerSector;
  if (A.Kind == RequestKind::Atomic || A.Kind == RequestKind::Reduction)
    Taken = std::max<Cycle>(Taken, Cycle(A.SameAddress) * Spec.L2.AtomicCycles);
  S.Free = Now + Taken;
  S.findDue();
  Counts.L2BusyCycles += Taken;
}

/// Whether the request may send a write to DRAM: all but hits may.
bool Partition::mayWriteBack(const Slice &S, const Arrived &A) const {
  return Spec.L2.TotalSize == 0 || !S.L2.holds(A.LocalLine, A.Sectors);
}

/// DRAM takes writes again.
void Partition::letGo(Cycle Now) {
  NumHeld = 0;
  for (Slice &S : Slices) {
    if (!S.Held)
      continue;
    S.Held = false;
    S.Free = std::max(S.Free, Now);
    S.findDue();
  }
}

/// False if the slice has to wait for a fill.
bool Partition::lookUp(unsigned SliceIndex, const Arrived &A, Cycle Now) {
  Slice &S = Slices[SliceIndex];
  const unsigned Sectors = std::popcount(A.Sectors);
  CacheResult Result;
  if (A.Kind == RequestKind::Write) {
    Result = S.L2.write(A.LocalLine, A.Sectors);
    Counts.L2Writes += Sectors;
    if (Result.Send)
      toDRAM(SliceIndex, A.LocalLine, Result.Send, true, 0, Now);
    reply(SliceIndex, A, Now, false);
  } else {
    uint32_t Waiter = newWaiting(A);
    Result = S.L2.read(A.LocalLine, A.Sectors, Waiter);
    if (Result.stalled() || Result.Outcome == CacheOutcome::Hit)
      FreePool.push_back(Waiter);
    if (Result.stalled())
      return false;
    (A.Kind == RequestKind::Read ? Counts.L2Reads : Counts.L2Atomics) +=
        Sectors;
    if (Result.Outcome == CacheOutcome::Hit)
      finish(SliceIndex, A, Now, false);
    if (Result.Send) {
      uint32_t Tag;
      if (FreeFetches.empty()) {
        Tag = uint32_t(Fetches.size());
        Fetches.emplace_back();
      } else {
        Tag = FreeFetches.back();
        FreeFetches.pop_back();
      }
      Fetches[Tag] = {Result.Send, uint16_t(SliceIndex), Result.MSHR};
      toDRAM(SliceIndex, A.LocalLine, Result.Send, false, Tag, Now);
    }
  }
  if (Result.Victim)
    toDRAM(SliceIndex, Result.VictimLine, Result.Victim, true, 0, Now);
  return true;
}

/// Machines without L2.
void Partition::passThrough(unsigned SliceIndex, const Arrived &A, Cycle Now) {
  const bool Write = A.Kind == RequestKind::Write;
  if (Write) {
    toDRAM(SliceIndex, A.LocalLine, A.Sectors, true, 0, Now);
    reply(SliceIndex, A, Now, false);
    return;
  }
  uint32_t Tag;
  if (FreeFetches.empty()) {
    Tag = uint32_t(Fetches.size());
    Fetches.emplace_back();
  } else {
    Tag = FreeFetches.back();
    FreeFetches.pop_back();
  }
  Fetches[Tag] = {A.Sectors, uint16_t(SliceIndex), newWaiting(A)};
  toDRAM(SliceIndex, A.LocalLine, A.Sectors, false, Tag, Now);
}

void Partition::finish(unsigned SliceIndex, const Arrived &A, Cycle Now,
                       bool FromDRAM) {
  Slice &S = Slices[SliceIndex];
  if (A.Kind != RequestKind::Read) {
    if (Spec.L2.TotalSize)
      S.L2.markDirty(A.LocalLine, A.Sectors);
    else
      toDRAM(SliceIndex, A.LocalLine, A.Sectors, true, 0, Now);
    Now += A.SameAddress * Spec.L2.AtomicCycles;
  }
  reply(SliceIndex, A, Now, FromDRAM);
}

void Partition::finishFill(const Fill &F) {
  const Fetch Done = Fetches[F.Fetch];
  FreeFetches.push_back(F.Fetch);
  Slice &S = Slices[Done.Slice];
  if (Spec.L2.TotalSize == 0) {
    FreePool.push_back(Done.For);
    finish(Done.Slice, Pool[Done.For], F.Time, true);
    return;
  }
  Woken.clear();
  S.L2.fill(Done.For, Done.Sectors, Woken);
  for (uint32_t Waiter : Woken) {
    finish(Done.Slice, Pool[Waiter], F.Time, true);
    FreePool.push_back(Waiter);
  }
  if (S.BlockedSince != NeverCycle) {
    Counts.L2MSHRStallCycles += F.Time - S.BlockedSince;
    S.BlockedSince = NeverCycle;
    S.Free = std::max(S.Free, F.Time);
    S.findDue();
  }
}

void Partition::reply(unsigned SliceIndex, const Arrived &A, Cycle Now,
                      bool FromDRAM) {
  Slice &S = Slices[SliceIndex];
  const unsigned Sectors = std::popcount(A.Sectors);
  const bool Data =
      A.Kind == RequestKind::Read || A.Kind == RequestKind::Atomic;
  uint64_t Bytes = Cost.bytes(Sectors, Data);
  Cycle Exit = S.Out.send(Now, Bytes);
  Counts.IcntBytes += Bytes;
  Counts.IcntReplyPackets += Sectors;
  Replies.push_back({A.Token, Exit, uint32_t(Bytes), A.SM,
                     uint16_t(FirstSlice + SliceIndex), A.Kind, FromDRAM});
}

/// The column commands that sectors of a line take: those in one burst share
/// it, and each takes one at least.
static uint32_t burstsOf(uint16_t Sectors, uint32_t SectorBytes,
                         uint32_t BurstBytes) {
  const uint32_t PerBurst = BurstBytes / std::max(1u, SectorBytes);
  if (PerBurst <= 1)
    return std::popcount(Sectors) * std::max(1u, SectorBytes / BurstBytes);
  uint32_t Bursts = 0;
  for (uint32_t Left = Sectors; Left; ++Bursts) {
    uint32_t End = (std::countr_zero(Left) / PerBurst + 1) * PerBurst;
    Left = End < 16 ? Left >> End << End : 0;
  }
  return Bursts;
}

void Partition::toDRAM(unsigned SliceIndex, uint64_t LocalLine,
                       uint16_t Sectors, bool Write, uint32_t Tag, Cycle Now) {
  uint32_t First = uint32_t(std::countr_zero(Sectors)) * Spec.L2.Sector;
  DRAMChannel::Request R;
  R.Address = Map.channelAddress(SliceIndex, LocalLine) + First;
  R.Arrival = ToDRAM.up(Now + DRAMLatency);
  R.Bursts = burstsOf(Sectors, Spec.L2.Sector, Spec.DRAM.BurstBytes);
  R.Tag = Tag;
  R.Write = Write;
  DRAM.push(R);
  (Write ? Counts.DRAMWriteBytes : Counts.DRAMReadBytes) +=
      uint64_t(R.Bursts) * Spec.DRAM.BurstBytes;
  NextDRAM = FromDRAM.up(DRAM.nextEvent());
}

uint32_t Partition::newWaiting(const Arrived &A) {
  if (FreePool.empty()) {
    Pool.push_back(A);
    return uint32_t(Pool.size()) - 1;
  }
  uint32_t Index = FreePool.back();
  FreePool.pop_back();
  Pool[Index] = A;
  return Index;
}

void Partition::addCounters(MemoryCounters &Sum) const {
  Sum += Counts;
  for (const Slice &S : Slices) {
    const CacheCounters &C = S.L2.counters();
    Sum.L2Hits += C.ReadHits + C.WriteHits;
    Sum.L2PendingHits += C.PendingHits;
    Sum.L2Misses += C.ReadMisses + C.WriteMisses;
    Sum.L2Evictions += C.Evictions;
    Sum.L2Writebacks += C.Writebacks;
  }
  const DRAMChannel::Counters &D = DRAM.counters();
  Sum.DRAMReads += D.Reads;
  Sum.DRAMWrites += D.Writes;
  Sum.DRAMActivates += D.Activates;
  Sum.DRAMRowHits += D.RowHits;
  Sum.DRAMBusyCycles += D.BusyCycles;
  Sum.DRAMQueueCycles += D.QueueCycles;
  Sum.DRAMEnd = std::max(Sum.DRAMEnd, D.End);
}

} // namespace heddle::memory
