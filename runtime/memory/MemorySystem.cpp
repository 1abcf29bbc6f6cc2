//===- MemorySystem.cpp - All memory behind the SMs -----------------------===//

#include "memory/MemorySystem.h"

#include "memory/MemorySystemImpl.h"

#include <algorithm>
#include <bit>

namespace heddle::memory {

MemoryCounters &MemoryCounters::operator+=(const MemoryCounters &O) {
  L2Reads += O.L2Reads;
  L2Writes += O.L2Writes;
  L2Atomics += O.L2Atomics;
  L2Hits += O.L2Hits;
  L2PendingHits += O.L2PendingHits;
  L2Misses += O.L2Misses;
  L2Evictions += O.L2Evictions;
  L2Writebacks += O.L2Writebacks;
  L2MSHRStallCycles += O.L2MSHRStallCycles;
  L2BusyCycles += O.L2BusyCycles;
  DRAMReads += O.DRAMReads;
  DRAMWrites += O.DRAMWrites;
  DRAMReadBytes += O.DRAMReadBytes;
  DRAMWriteBytes += O.DRAMWriteBytes;
  DRAMActivates += O.DRAMActivates;
  DRAMRowHits += O.DRAMRowHits;
  DRAMBusyCycles += O.DRAMBusyCycles;
  DRAMQueueCycles += O.DRAMQueueCycles;
  DRAMEnd = std::max(DRAMEnd, O.DRAMEnd);
  IcntRequestPackets += O.IcntRequestPackets;
  IcntReplyPackets += O.IcntReplyPackets;
  IcntBytes += O.IcntBytes;
  IcntQueueCycles += O.IcntQueueCycles;
  return *this;
}

MemorySystem::MemorySystem(const arch::GPUSpec &Spec)
    : I(std::make_unique<Impl>(Spec)) {}
MemorySystem::~MemorySystem() = default;

Cycle MemorySystem::minRoundTrip() const {
  return std::max<Cycle>(
      1, I->ToCore.down(2 * I->Spec.Icnt.Latency + I->Spec.L2.Latency));
}

template <typename Fn>
void MemorySystem::Impl::forEachLine(uint64_t Address, uint64_t Bytes, Fn Do) {
  const arch::L2Spec &L2 = Spec.L2;
  if (L2.TotalSize == 0 || Bytes == 0)
    return;
  const uint64_t End = Address + Bytes;
  for (uint64_t Line = Address & ~uint64_t(L2.Line - 1); Line < End;
       Line += L2.Line) {
    uint64_t First = std::max(Address, Line) - Line;
    uint64_t Last = std::min(End, Line + L2.Line) - 1 - Line;
    unsigned From = unsigned(First / L2.Sector),
             To = unsigned(Last / L2.Sector);
    AddressMap::Place P = Map.place(Line);
    const auto [Target, Slice] = SlicePlaces[P.Slice];
    Do(*Target, Slice, P.Local,
       uint16_t(((2u << To) - 1) & ~((1u << From) - 1)));
  }
}

unsigned MemorySystem::preload(uint64_t Address, uint64_t Bytes) {
  unsigned Missing = 0;
  I->forEachLine(Address, Bytes,
                 [&](Partition &P, unsigned Slice, uint64_t Line, uint16_t S) {
                   Missing += P.preload(Slice, Line, S);
                 });
  return Missing;
}

unsigned MemorySystem::warm(uint64_t Address, uint64_t Bytes, unsigned SM,
                            bool Writes) {
  unsigned Missing = 0;
  I->forEachLine(Address, Bytes,
                 [&](Partition &P, unsigned Slice, uint64_t Line, uint16_t S) {
                   Missing += P.warm(Slice, Line, S, SM, Writes);
                 });
  return Missing;
}

void MemorySystem::drop(uint64_t Address, uint64_t Bytes) {
  I->forEachLine(Address, Bytes,
                 [](Partition &P, unsigned Slice, uint64_t Line, uint16_t S) {
                   P.drop(Slice, Line, S);
                 });
}

std::vector<Cache> MemorySystem::takeL2() {
  std::vector<Cache> Slices;
  for (Partition &P : I->Partitions)
    P.takeL2(Slices);
  return Slices;
}

void MemorySystem::putL2(std::vector<Cache> Slices) {
  std::span<Cache> Left(Slices);
  for (Partition &P : I->Partitions)
    P.putL2(Left);
}

void MemorySystem::Impl::route(const MemoryRequest &R) {
  const Cycle Sent = ToL2.up(R.Sent);
  if (!Spec.Icnt.HeadOfLine) {
    deliver(R, Sent + Spec.Icnt.Latency);
    return;
  }
  const uint32_t Bytes = Cost.bytes(unsigned(std::popcount(R.SectorMask)),
                                    R.Kind != RequestKind::Read);
  const uint32_t Narrower =
      std::min(Spec.Icnt.RequestBytes, Spec.Icnt.SliceBytes);
  RequestNet.push(R.SM, Map.place(R.Line).Slice, Sent,
                  (Bytes + Narrower - 1) / Narrower, R);
}

void MemorySystem::Impl::deliver(const MemoryRequest &R, Cycle Arrival) {
  AddressMap::Place P = Map.place(R.Line);
  const auto [Target, Slice] = SlicePlaces[P.Slice];
  if (R.BySector)
    return forEachPart(R, [&](const MemoryRequest &Part) {
      Target->route(Slice, Part, P.Local, Arrival);
    });
  const bool Atomic =
      R.Kind == RequestKind::Atomic || R.Kind == RequestKind::Reduction;
  if (!Atomic || !Spec.L2.SplitAtomics || R.SameAddress <= 1) {
    Target->route(Slice, R, P.Local, Arrival);
    return;
  }
  // One request for each lane on the most wanted address; the last one of
  // them answers.
  MemoryRequest Single = R;
  Single.SameAddress = 1;
  Single.Kind = RequestKind::Reduction;
  Single.Token = Partition::NoToken;
  for (unsigned N = 1; N < R.SameAddress; ++N)
    Target->route(Slice, Single, P.Local, Arrival);
  Single.Kind = R.Kind;
  Single.Token = R.Token;
  Target->route(Slice, Single, P.Local, Arrival);
}

void MemorySystem::Impl::collect(Cycle Until,
                                 std::vector<MemoryResponse> &Out) {
  // Counting sort by the cycle of leaving, partitions in order within one.
  // Replies that leave later stay with their partition.
  Cycle First = NeverCycle;
  size_t Total = 0;
  forEachReplies([&](const std::vector<SliceReply> &Replies) {
    for (const SliceReply &R : Replies)
      if (R.Exit < Until) {
        First = std::min(First, R.Exit);
        ++Total;
      }
  });
  if (Total == 0)
    return;
  Starts.assign(size_t(Until - First) + 1, 0);
  forEachReplies([&](const std::vector<SliceReply> &Replies) {
    for (const SliceReply &R : Replies)
      if (R.Exit < Until)
        ++Starts[size_t(R.Exit - First) + 1];
  });
  for (size_t N = 1; N != Starts.size(); ++N)
    Starts[N] += Starts[N - 1];
  Ordered.resize(Total);
  forEachReplies([&](std::vector<SliceReply> &Replies) {
    std::erase_if(Replies, [&](const SliceReply &R) {
      if (R.Exit >= Until)
        return false;
      Ordered[Starts[size_t(R.Exit - First)]++] = R;
      return true;
    });
  });
  for (const SliceReply &R : Ordered)
    if (GPCCaches::owns(R))
      GPCs.answer(R, [&](const SliceReply &Its) { toSM(Its, Out); });
    else
      toSM(R, Out);
}

/// Sends a reply that has left a slice, or a GPC's cache, to its SM.
void MemorySystem::Impl::toSM(const SliceReply &R,
                              std::vector<MemoryResponse> &Out) {
  if (Spec.Icnt.HeadOfLine) {
    const uint32_t Narrower =
        std::min(Spec.Icnt.ReplyBytes, Spec.Icnt.SliceBytes);
    ReplyNet.push(R.Slice, R.SM, R.Exit, (R.Bytes + Narrower - 1) / Narrower,
                  R);
    return;
  }
  // What the slice's port already spread out passes a free port at once.
  Cycle Passed = ReplyPorts[R.SM].send(R.Exit, R.Bytes);
  answer(R,
         Passed -
             std::min<Cycle>(Passed - R.Exit, ReplyPorts[R.SM].cycles(R.Bytes)),
         Out);
}

void MemorySystem::Impl::answer(const SliceReply &R, Cycle Start,
                                std::vector<MemoryResponse> &Out) {
  ReplyQueueCycles += Start - R.Exit;
  if (R.Token != Partition::NoToken)
    Out.push_back({R.Token, ToCore.up(Start + Spec.Icnt.Latency), R.SM, R.Kind,
                   R.FromDRAM});
}

void MemorySystem::process(std::span<const MemoryRequest> Requests,
                           Cycle WindowEnd, std::vector<MemoryResponse> &Out,
                           const Parallel &Run) {
  for (const MemoryRequest &R : Requests)
    if (!I->GPCs.take(R))
      I->route(R);
    else if (const auto Missing = I->GPCs.ask(R, I->atSlice(R.Sent)))
      I->route(*Missing);
  I->RequestNet.advance(I->ToL2.up(WindowEnd),
                        [&](const MemoryRequest &R, unsigned, Cycle Start) {
                          I->deliver(R, Start + I->Spec.Icnt.Latency);
                        });
  I->Horizon = std::max(I->Horizon, I->atSlice(WindowEnd));
  const unsigned Count = unsigned(I->Partitions.size());
  auto Advance = [&](unsigned N) { I->Partitions[N].advance(I->Horizon); };
  if (Run)
    Run(Count, Advance);
  else
    for (unsigned N = 0; N != Count; ++N)
      Advance(N);
  I->collect(I->Horizon, Out);
  I->ReplyNet.advance(I->Horizon,
                      [&](const SliceReply &R, unsigned, Cycle Start) {
                        I->answer(R, Start, Out);
                      });
}

Cycle MemorySystem::nextDue() const {
  Cycle Next = NeverCycle;
  for (const Partition &P : I->Partitions)
    Next = std::min(Next, P.nextEvent());
  I->forEachReplies([&](const std::vector<SliceReply> &Replies) {
    for (const SliceReply &R : Replies)
      Next = std::min(Next, R.Exit);
  });
  Next = std::min(Next, I->ReplyNet.nextEvent());
  if (Cycle Sent = I->RequestNet.nextEvent(); Sent != NeverCycle)
    Next = std::min(Next, Sent + I->Spec.Icnt.Latency + I->Spec.L2.Latency);
  return Next == NeverCycle ? NeverCycle
                            : I->ToCore.down(Next + I->Spec.Icnt.Latency);
}

CacheCounters MemorySystem::gpcCounters() const { return I->GPCs.counters(); }

MemoryCounters MemorySystem::counters() const {
  MemoryCounters Sum;
  for (const Partition &P : I->Partitions)
    P.addCounters(Sum);
  Sum.IcntQueueCycles += I->ReplyQueueCycles;
  return Sum;
}

} // namespace heddle::memory
