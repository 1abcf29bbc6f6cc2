//===- Partition.cpp - DRAM channels and their L2 slices ------------------===//

#include "memory/Partition.h"

#include "memory/Bursts.h"
#include "memory/LevelLatency.h"
#include "memory/SliceTurn.h"

#include <algorithm>
#include <bit>

namespace heddle::memory {

static uint32_t maxDirty(const arch::L2Spec &L2) {
  return L2.DirtyShare < 1 && L2.TotalSize
             ? uint32_t(L2.DirtyShare * double(L2.Size / L2.Line))
             : ~0u;
}

Partition::Slice::Slice(const arch::GPUSpec &Spec)
    : L2(Spec.L2, maxDirty(Spec.L2)), In(Spec.Icnt.SliceBytes),
      Out(Spec.Icnt.SliceBytes) {}

Partition::Partition(const arch::GPUSpec &S, const AddressMap &M,
                     unsigned Index)
    : Spec(S), Map(M), Cost(S), Index(Index),
      PerChannel(S.L2.Slices / S.DRAM.Channels),
      ToDRAM(S.Clock.L2, S.Clock.DRAM), FromDRAM(S.Clock.DRAM, S.Clock.L2),
      DRAMLatency(ClockRatio(S.Clock.Core, S.Clock.L2).up(S.DRAM.Latency)),
      WriteLimit(writeLimit(S)), HalfWay((S.L2.FarLatency + 1) / 2) {
  for (unsigned Half = 0; Half != S.L2.Halves; ++Half) {
    Channels.emplace_back(S);
    for (unsigned I = 0; I != PerChannel; ++I)
      Slices.emplace_back(S);
  }
  Due.assign(Slices.size(), NeverCycle);
}

void Partition::route(unsigned SliceIndex, const MemoryRequest &R,
                      uint64_t LocalLine, Cycle Arrival) {
  if (Channels.size() == 2 &&
      nearHalf(Spec, R.SM) != (SliceIndex >= PerChannel)) {
    SliceIndex = counterpart(SliceIndex);
    LocalLine |= Copy;
  }
  Slice &S = Slices[SliceIndex];
  unsigned Sectors = std::popcount(R.SectorMask);
  uint64_t Bytes = Cost.bytes(Sectors, R.Kind != RequestKind::Read);
  Counts.IcntBytes += Bytes;
  Counts.IcntRequestPackets += Sectors;
  // The first packet passes at once when the port is free.
  Cycle Passed = S.In.send(Arrival, Bytes);
  Cycle First = Passed - std::min<Cycle>(Passed - Arrival, S.In.cycles(Bytes));
  if (Spec.L2.TotalSize) {
    S.L2.prefetch(LocalLine);
    if (Channels.size() == 2 && R.Kind != RequestKind::Read)
      Slices[counterpart(SliceIndex)].L2.prefetch(LocalLine ^ Copy);
  }
  S.SMs.Queue.push_back({LocalLine, R.Token, First + Spec.L2.Latency, R.SM,
                         R.SectorMask, R.Kind, R.Lanes, R.SameAddress});
  findDue(SliceIndex);
}

Cycle Partition::nextEvent() const {
  Cycle Next = Fills.empty() ? NeverCycle : Fills.front().Time;
  for (const Channel &C : Channels)
    Next = std::min(Next, C.Next);
  for (Cycle OfSlice : Due)
    Next = std::min(Next, OfSlice);
  return Next;
}

static constexpr auto Later = [](const auto &A, const auto &B) {
  return A.Time != B.Time ? A.Time > B.Time : A.Fetch > B.Fetch;
};

void Partition::addFill(Cycle Time, uint32_t FetchTag) {
  Fills.push_back({Time, FetchTag});
  std::push_heap(Fills.begin(), Fills.end(), Later);
}

void Partition::advance(Cycle Until) {
  if (Spec.L2.TotalSize)
    for (Slice &S : Slices)
      for (size_t &I = S.Known; I < S.SMs.Queue.size(); ++I)
        S.L2.prefetchWay(S.SMs.Queue[I].LocalLine);
  for (;;) {
    if (DueChanged)
      findFirst();
    const Cycle AtSlice = Due[FirstDue];
    Channel &C = Channels.size() == 2 && Channels[1].Next < Channels[0].Next
                     ? Channels[1]
                     : Channels[0];
    const Cycle AtFill = Fills.empty() ? NeverCycle : Fills.front().Time;
    const Cycle Now = std::min({AtSlice, AtFill, C.Next});
    if (Now >= Until)
      return;
    if (AtFill == Now) {
      std::pop_heap(Fills.begin(), Fills.end(), Later);
      Fill F = Fills.back();
      Fills.pop_back();
      if (!Fills.empty())
        prefetchFill(Fills.front());
      finishFill(F);
    } else if (C.Next == Now) {
      stepDRAM(C, Now);
    } else {
      serve(FirstDue, Now);
    }
  }
}

/// The slice whose next request is served first.
void Partition::findFirst() {
  DueChanged = false;
  // Without a branch: which slice comes first cannot be foreseen.
  Cycle First = NeverCycle;
  FirstDue = 0;
  for (unsigned I = 0; I != Due.size(); ++I) {
    const bool Before = Due[I] < First;
    First = Before ? Due[I] : First;
    FirstDue = Before ? I : FirstDue;
  }
}

void Partition::stepDRAM(Channel &C, Cycle Now) {
  DRAMChannel::Completion Done;
  if (C.DRAM.step(Done)) {
    const Fetch &F = Fetches[Done.Tag];
    if (!F.Through)
      Slices[F.Slice].L2.prefetchFill(F.For);
    addFill(std::max(Now, FromDRAM.up(Done.Time)), Done.Tag);
  }
  C.Next = FromDRAM.up(C.DRAM.nextEvent());
  if (C.NumHeld && C.DRAM.writesWaiting() < WriteLimit)
    letGo(unsigned(&C - Channels.data()), Now);
}

void Partition::serve(unsigned SliceIndex, Cycle Now) {
  Slice &S = Slices[SliceIndex];
  Lane &L = S.next(Now);
  const Arrived A = L.Queue.front();
  Channel &C = channelOf(SliceIndex);
  if (C.DRAM.writesWaiting() >= WriteLimit && mayWriteBack(S, A)) {
    S.Held = true;
    ++C.NumHeld;
    findDue(SliceIndex);
    return;
  }
  if (Spec.L2.TotalSize == 0) {
    passThrough(SliceIndex, A, Now);
  } else if (!lookUp(SliceIndex, A, Now)) {
    L.BlockedSince = Now;
    findDue(SliceIndex);
    return;
  }
  L.Queue.pop_front();
  if (&L == &S.SMs)
    S.Known -= S.Known != 0;
  const bool Atomic =
      A.Kind == RequestKind::Atomic || A.Kind == RequestKind::Reduction;
  const Cycle Taken =
      sliceTurn(Spec.L2, std::popcount(A.Sectors), Atomic ? A.SameAddress : 0);
  S.Free = Now + Taken;
  findDue(SliceIndex);
  Counts.L2BusyCycles += Taken;
}

/// Whether the request may send a write to DRAM: all but hits may.
bool Partition::mayWriteBack(const Slice &S, const Arrived &A) const {
  if (A.LocalLine & Copy && A.Kind != RequestKind::Read)
    return false; // goes on to its home
  return Spec.L2.TotalSize == 0 || !S.L2.holds(A.LocalLine, A.Sectors);
}

/// DRAM takes writes again.
void Partition::letGo(unsigned ChannelIndex, Cycle Now) {
  Channels[ChannelIndex].NumHeld = 0;
  const unsigned First = ChannelIndex * PerChannel;
  for (unsigned I = First; I != First + PerChannel; ++I) {
    Slice &S = Slices[I];
    if (!S.Held)
      continue;
    S.Held = false;
    S.Free = std::max(S.Free, Now);
    findDue(I);
  }
}

void Partition::writeBack(unsigned SliceIndex, const CacheResult &Result,
                          Cycle Now) {
  if (Result.Victim)
    toDRAM(SliceIndex, Result.VictimLine, Result.Victim, true, 0, Now);
}

/// False if the slice has to wait for a fill.
bool Partition::lookUp(unsigned SliceIndex, const Arrived &A, Cycle Now) {
  const bool ToHome = A.LocalLine & Copy && A.Kind != RequestKind::Read;
  if (!ToHome && A.Kind != RequestKind::Write)
    return read(SliceIndex, A, Now);
  if (ToHome)
    passOn(SliceIndex, A, Now);
  else
    write(SliceIndex, A, Now);
  return true;
}

void Partition::write(unsigned SliceIndex, const Arrived &A, Cycle Now) {
  if (Channels.size() == 2)
    Slices[counterpart(SliceIndex)].L2.drop(A.LocalLine | Copy, A.Sectors);
  CacheResult Result = Slices[SliceIndex].L2.write(A.LocalLine, A.Sectors);
  Counts.L2Writes += std::popcount(A.Sectors);
  if (Result.Send)
    toDRAM(SliceIndex, A.LocalLine, Result.Send, true, 0, Now);
  reply(SliceIndex, A, Now, false);
  writeBack(SliceIndex, Result, Now);
}

bool Partition::read(unsigned SliceIndex, const Arrived &A, Cycle Now) {
  Slice &S = Slices[SliceIndex];
  const unsigned Sectors = std::popcount(A.Sectors);
  const bool OfOther = A.LocalLine & Copy;
  uint32_t Waiter = newWaiting(A);
  CacheResult Result = S.L2.read(A.LocalLine, A.Sectors, Waiter);
  if (A.FromHalf && (Result.Outcome == CacheOutcome::NoWay ||
                     Result.Outcome == CacheOutcome::MSHRFull)) {
    // What has no room is not kept.
    const uint32_t Tag =
        newFetch({A.Sectors, uint16_t(SliceIndex), Waiter, true, true});
    toDRAM(SliceIndex, A.LocalLine, A.Sectors, false, Tag, Now);
    return true;
  }
  if (Result.stalled() || Result.Outcome == CacheOutcome::Hit)
    FreePool.push_back(Waiter);
  if (Result.stalled())
    return false;
  (A.Kind == RequestKind::Read ? Counts.L2Reads : Counts.L2Atomics) += Sectors;
  if (Result.Outcome == CacheOutcome::Hit)
    finish(SliceIndex, A, Now, false);
  if (Result.Send) {
    const uint32_t Tag =
        newFetch({Result.Send, uint16_t(SliceIndex), Result.MSHR, false, true});
    if (OfOther) {
      Arrived Asked = A;
      Asked.Token = Tag;
      Asked.Sectors = Result.Send;
      Asked.FromHalf = true;
      passOn(SliceIndex, Asked, Now);
    } else {
      toDRAM(SliceIndex, A.LocalLine, Result.Send, false, Tag, Now);
    }
  }
  writeBack(SliceIndex, Result, Now);
  return true;
}

/// The request goes to the half that is its line's home.
void Partition::passOn(unsigned SliceIndex, Arrived A, Cycle Now) {
  const unsigned Home = counterpart(SliceIndex);
  A.LocalLine &= ~Copy;
  A.Time = Now + HalfWay;
  Slices[Home].L2.prefetch(A.LocalLine);
  Slice &To = Slices[Home];
  (A.FromHalf ? To.HalfReads : To.Half).Queue.push_back(A);
  findDue(Home);
}

uint32_t Partition::newFetch(const Fetch &F) {
  if (FreeFetches.empty()) {
    Fetches.push_back(F);
    return uint32_t(Fetches.size()) - 1;
  }
  const uint32_t Tag = FreeFetches.back();
  FreeFetches.pop_back();
  Fetches[Tag] = F;
  return Tag;
}

/// Machines without L2.
void Partition::passThrough(unsigned SliceIndex, const Arrived &A, Cycle Now) {
  if (A.Kind == RequestKind::Write) {
    toDRAM(SliceIndex, A.LocalLine, A.Sectors, true, 0, Now);
    reply(SliceIndex, A, Now, false);
    return;
  }
  const uint32_t Tag =
      newFetch({A.Sectors, uint16_t(SliceIndex), newWaiting(A), true, true});
  toDRAM(SliceIndex, A.LocalLine, A.Sectors, false, Tag, Now);
}

void Partition::finish(unsigned SliceIndex, const Arrived &A, Cycle Now,
                       bool FromDRAM) {
  Slice &S = Slices[SliceIndex];
  if (A.Kind != RequestKind::Read) {
    if (Spec.L2.TotalSize)
      writeBack(SliceIndex, S.L2.markDirty(A.LocalLine, A.Sectors), Now);
    else
      toDRAM(SliceIndex, A.LocalLine, A.Sectors, true, 0, Now);
    if (Channels.size() == 2)
      Slices[counterpart(SliceIndex)].L2.drop(A.LocalLine | Copy, A.Sectors);
    Now += A.SameAddress * Spec.L2.AtomicCycles;
  }
  reply(SliceIndex, A, Now, FromDRAM);
}

/// Brings what finishFill() will need into the host's cache.
void Partition::prefetchFill(const Fill &F) const {
  const Fetch &Next = Fetches[F.Fetch];
  const uint32_t Waiter =
      Next.Through ? Next.For
                   : Slices[Next.Slice].L2.prefetchFilledWay(Next.For);
  if (Waiter != Cache::NoWaiter)
    __builtin_prefetch(&Pool[Waiter], 1);
}

void Partition::finishFill(const Fill &F) {
  const Fetch Done = Fetches[F.Fetch];
  FreeFetches.push_back(F.Fetch);
  Slice &S = Slices[Done.Slice];
  if (Done.Through) {
    FreePool.push_back(Done.For);
    finish(Done.Slice, Arrived(Pool[Done.For]), F.Time, true);
    return;
  }
  Woken.clear();
  S.L2.fill(Done.For, Done.Sectors, Woken);
  for (uint32_t Waiter : Woken) {
    finish(Done.Slice, Pool[Waiter], F.Time, Done.FromDRAM);
    FreePool.push_back(Waiter);
  }
  for (Lane *L : {&S.SMs, &S.HalfReads, &S.Half})
    if (L->BlockedSince != NeverCycle) {
      Counts.L2MSHRStallCycles += F.Time - L->BlockedSince;
      L->BlockedSince = NeverCycle;
      S.Free = std::max(S.Free, F.Time);
      findDue(Done.Slice);
    }
}

void Partition::reply(unsigned SliceIndex, const Arrived &A, Cycle Now,
                      bool FromDRAM) {
  Slice &S = Slices[SliceIndex];
  const unsigned Sectors = std::popcount(A.Sectors);
  const bool Data =
      A.Kind == RequestKind::Read || A.Kind == RequestKind::Atomic;
  uint64_t Bytes = Cost.bytes(Sectors, Data);
  if (A.FromHalf) {
    // What goes between the halves does not take the port to the network.
    Fetches[A.Token].FromDRAM = FromDRAM;
    addFill(Now + HalfWay, uint32_t(A.Token));
    return;
  }
  Cycle Exit = S.Out.send(Now, Bytes);
  if (Channels.size() == 2 &&
      nearHalf(Spec, A.SM) != (SliceIndex >= PerChannel))
    Exit += HalfWay;
  Counts.IcntBytes += Bytes;
  Counts.IcntReplyPackets += Sectors;
  const unsigned Channel =
      SliceIndex < PerChannel ? Index : Index + Spec.DRAM.Channels / 2;
  Replies.push_back({A.Token, Exit, uint32_t(Bytes), A.SM,
                     uint16_t(Channel * PerChannel + SliceIndex % PerChannel),
                     A.Kind, FromDRAM});
}

void Partition::toDRAM(unsigned SliceIndex, uint64_t LocalLine,
                       uint16_t Sectors, bool Write, uint32_t Tag, Cycle Now) {
  uint32_t First = uint32_t(std::countr_zero(Sectors)) * Spec.L2.Sector;
  DRAMChannel::Request R;
  R.Address = Map.channelAddress(SliceIndex % PerChannel, LocalLine) + First;
  R.Arrival = ToDRAM.up(Now + DRAMLatency);
  R.Bursts = burstsOf(Spec, Sectors);
  R.Tag = Tag;
  R.Write = Write;
  Channel &C = channelOf(SliceIndex);
  C.DRAM.push(R);
  (Write ? Counts.DRAMWriteBytes : Counts.DRAMReadBytes) +=
      uint64_t(R.Bursts) * Spec.DRAM.BurstBytes;
  C.Next = FromDRAM.up(C.DRAM.nextEvent());
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
  for (const Channel &C : Channels) {
    const DRAMChannel::Counters &D = C.DRAM.counters();
    Sum.DRAMReads += D.Reads;
    Sum.DRAMWrites += D.Writes;
    Sum.DRAMActivates += D.Activates;
    Sum.DRAMRowHits += D.RowHits;
    Sum.DRAMBusyCycles += D.BusyCycles;
    Sum.DRAMQueueCycles += D.QueueCycles;
    Sum.DRAMEnd = std::max(Sum.DRAMEnd, D.End);
  }
}

} // namespace heddle::memory
