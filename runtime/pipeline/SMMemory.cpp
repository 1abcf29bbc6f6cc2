//===- SMMemory.cpp - The memory as one SM sees it ------------------------===//

#include "pipeline/SMMemory.h"

#include "memory/Bursts.h"
#include "memory/LevelLatency.h"
#include "memory/RowLocality.h"
#include "memory/SliceTurn.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace heddle;
using namespace heddle::pipeline;
using memory::MemoryRequest;
using memory::RequestKind;

SMMemory::SMMemory(const timing::DecodedCode &Code, const arch::GPUSpec &Spec,
                   const L2Profile &L2, unsigned SMs)
    : Code(Code), Spec(Spec), L2(L2), Cost(Spec),
      L2Clock(Spec.Clock.Core / Spec.Clock.L2), Map(Spec),
      Common(SMs, memory::CommonLines(Spec)), Batches(Spec), Own(SMs),
      ReadDebt(L2.Records.size()), AcrossDebt(L2.Records.size()) {
  const auto Levels = memory::levelLatencies(Spec);
  RoundTrip = Cycle(std::max(1.0, Levels[1] - Levels[0]));
  DRAMLatency = Levels[2] - Levels[1];
  if (Spec.L2.Halves == 2) {
    AcrossLatency = Spec.L2.FarLatency * L2Clock;
    DRAMLatency -= AcrossLatency / 2; // which is in it on average
  }
  RequestCycles = L2Clock / Spec.Icnt.RequestBytes;
  ReplyCycles = L2Clock / Spec.Icnt.ReplyBytes;
  L2Cycles = double(Spec.L2.CyclesPerSector) * L2Clock;
  SliceCycles = Spec.Icnt.SliceBytes ? L2Clock / Spec.Icnt.SliceBytes : 0;
  // GB/s is bytes per nanosecond; MHz / 1000 is cycles per nanosecond.
  const double OfData = Spec.L2.Sector * Spec.Clock.Core / 1000 /
                        memory::sustainedBandwidth(Spec.DRAM);
  ReadCycles = OfData * memory::rowFactor(Spec, L2.Activates, Spec.DRAM.Queue);
  WriteCycles = OfData * memory::rowFactor(Spec, L2.WriteActivates,
                                           memory::writesAtOnce(Spec.DRAM));
}

/// The longest wait on the way: queues in a row add up to that of the slowest,
/// since what it lets through does not pile up behind it.
double SMMemory::backlog(double Now, unsigned SM) const {
  double Longest = std::max(
      {Own[SM].Reply.wait(Now), SliceIn.wait(Now), SliceOut.wait(Now)});
  for (const Server &S : Shared)
    Longest = std::max(Longest, S.wait(Now));
  return Longest;
}

double SMMemory::busy(Way W) const {
  double Most = Shared[unsigned(W)].Busy;
  if (W == Way::L2)
    Most = std::max({Most, SliceIn.Busy, SliceOut.Busy});
  for (const OwnWays &O : Own) {
    if (W == Way::Request)
      Most = std::max(Most, O.Requested);
    if (W == Way::Reply)
      Most = std::max(Most, O.Reply.Busy);
  }
  return Most;
}

/// Sectors that DRAM moves for a request, on average; \p Misses says whether
/// this one waits for it. Latency is whole or nothing: fractions of a miss are
/// carried over.
double SMMemory::readsOf(const MemoryRequest &R, const RecordTraffic *T,
                         bool &Misses) {
  const double Sectors = std::popcount(R.SectorMask);
  if (!T) {
    Misses = Seen.insert(R.Line).second;
    return Misses ? memory::sectorsMoved(Spec, R.SectorMask) / ActiveSMs : 0;
  }
  double &Debt = ReadDebt[size_t(T - L2.Records.data())];
  Debt += T->Waits;
  Misses = Debt >= 1 - 1e-9;
  Debt -= Misses;
  return Sectors * T->DRAMReads * T->Moved;
}

/// Whether the line of \p R has its home in the other half of L2, or that of
/// the warp with which the launch ends.
bool SMMemory::isAway(const MemoryRequest &R) {
  if (!L2.Away || R.Kind == RequestKind::Write)
    return Map.place(R.Line).Slice >= Spec.L2.Slices / 2;
  AwayDebt += *L2.Away;
  const bool Away = AwayDebt >= 1 - 1e-9;
  AwayDebt -= Away;
  return Away;
}

/// What it takes to go to the half of L2 that is not the SM's, which is taken
/// to be the first one: for what has its home there, but for reads of what this
/// half has a copy of. A write waits there too, and leaves no copy, so what a
/// thread reads of its local memory, it reads there. Where a line is read N
/// times, by either half at random, the other half is the first to read half of
/// the lines, and reads 1 - 2^-N of them at all; the rest of these finds them
/// in L2, but not near.
double SMMemory::acrossL2(const MemoryRequest &R, const RecordTraffic *T,
                          bool Misses) {
  if (AcrossLatency <= 0)
    return 0;
  if (!T && R.Kind != RequestKind::Write)
    return Misses && Common[R.SM].farFromAll(R.Line, ActiveSMs) ? AcrossLatency
                                                                : 0;
  if (!isAway(R))
    return 0;
  if (Misses || R.Kind != RequestKind::Read || T->Local)
    return AcrossLatency;
  const double Lines = T->DRAMReads; // per sector that is asked for
  if (Lines <= 0 || Lines >= 1)
    return 0;
  double &Debt = AcrossDebt[size_t(T - L2.Records.data())];
  Debt += Lines * (1 - std::exp2(1 - 1 / Lines)) / (1 - Lines);
  const bool Across = Debt >= 1 - 1e-9;
  Debt -= Across;
  return Across ? AcrossLatency : 0;
}

/// The wait for the other SMs that ask for the same line: code and what is
/// constant. Local memory is not in the profile either, but each SM's own.
double SMMemory::turnsOf(const MemoryRequest &R, const RecordTraffic *T,
                         bool Misses) {
  if (T || R.Kind != RequestKind::Read)
    return 0;
  if (R.Inst != MemoryRequest::NoInst) {
    const uint32_t Record = Code[R.Inst].Memory;
    if (Record != HEDDLE_NO_MEMORY &&
        Code.table().Memory[Record].Space != HEDDLE_SPACE_CONST &&
        Code.table().Memory[Record].Space != HEDDLE_SPACE_PARAM)
      return 0;
  }
  const unsigned Sectors = std::popcount(R.SectorMask);
  memory::CommonLines &Its = Common[R.SM];
  return Its.wait(
      double(R.Sent), double(RoundTrip) + (Misses ? DRAMLatency : 0), R.Line,
      ActiveSMs,
      std::max(Sectors * L2Cycles, Cost.bytes(Sectors, true) * SliceCycles),
      Its.besideBoth(ActiveSMs) ? AcrossLatency : 0);
}

/// Cycles that an atomic takes of the busiest slice: its turn there, in which
/// lanes on one address go one by one, or its way in or out if that takes
/// longer, since one atomic after the other goes the same way.
double SMMemory::slowestStep(const MemoryRequest &R, const RecordTraffic *T,
                             double Out, double Back) const {
  const double Distinct = T ? T->AtomicLines : Spec.L2.Slices;
  const double Share =
      T && T->HotAtomic > 0
          ? T->HotAtomic
          : 1 / std::clamp(Distinct, 1.0, double(Spec.L2.Slices));
  const auto Turn =
      double(memory::sliceTurn(Spec.L2, std::popcount(R.SectorMask),
                               std::max(1u, unsigned(R.SameAddress))));
  return std::max({Share * Turn * L2Clock,
                   memory::shareComingIn(Spec.L2, Share) * Out * SliceCycles,
                   Share * Back * SliceCycles});
}

memory::MemoryResponse SMMemory::serve(const MemoryRequest &R) {
  const unsigned Sectors = std::popcount(R.SectorMask);
  const bool Atomic =
      R.Kind == RequestKind::Atomic || R.Kind == RequestKind::Reduction;
  const uint32_t Record =
      R.Inst == MemoryRequest::NoInst ? HEDDLE_NO_MEMORY : Code[R.Inst].Memory;
  const RecordTraffic *T =
      Record < L2.Records.size() && L2.Records[Record].Sectors > 0
          ? &L2.Records[Record]
          : nullptr;
  bool Misses = false;
  // An atomic needs the old value.
  const double Reads = R.Kind == RequestKind::Write ? 0 : readsOf(R, T, Misses);
  const double Writes = T ? Sectors * T->DRAMWrites * L2.WriteMoved : 0;
  L2Sectors += Sectors;
  DRAMReads += Reads;
  DRAMWrites += Writes;

  const auto At = double(R.Sent);
  // So many requests of the whole GPU come with this one.
  const double Alike = std::max(1.0, ActiveSMs / double(Own.size()));
  auto serve = [&](Way W, double Work) {
    if (Work > 0)
      Shared[unsigned(W)].serve(At, Work * Alike);
  };
  OwnWays &Its = Own[R.SM];
  const bool HasReply =
      R.Kind == RequestKind::Read || R.Kind == RequestKind::Atomic;
  const double Out = Cost.bytes(Sectors, R.Kind != RequestKind::Read),
               Back = Cost.bytes(Sectors, HasReply);
  Its.Requested += Out * RequestCycles;
  if (HasReply)
    Its.Reply.serve(At, Back * ReplyCycles);
  // Local memory and code, which the profile leaves out, lie in all slices.
  const double SliceShare = T ? T->OneLine + (1 - T->OneLine) * L2.SliceShare
                              : 1.0 / std::max(1u, Spec.L2.Slices);
  serve(Way::L2, SliceShare * Sectors * L2Cycles);
  SliceIn.serve(At, memory::shareComingIn(Spec.L2, SliceShare) * Out *
                        SliceCycles * Alike);
  SliceOut.serve(At, SliceShare * Back * SliceCycles * Alike);
  const double ReadWork = Reads * ReadCycles, WriteWork = Writes * WriteCycles;
  const double WriteRequests =
      Writes * Alike /
      (L2.SectorsPerWrite * L2.WriteMoved * std::max(1u, Spec.DRAM.Channels));
  const double Turning =
      Batches.add(At, ReadWork * Alike, WriteWork * Alike, WriteRequests);
  serve(Way::DRAM, ReadWork + WriteWork + Turning / Alike);
  if (Atomic) {
    const double Turns =
        slowestStep(R, T, Out, Back) *
        (T && !AtomicRatios.empty() ? AtomicRatios[Record] : 1);
    serve(Way::Atomics, Turns);
    AtomicCycles += Turns;
    if (FirstAtomic == 0)
      FirstAtomic = double(R.Sent + RoundTrip);
  }
  memory::MemoryResponse Answer;
  Answer.Token = R.Token;
  Answer.Due =
      R.Sent + RoundTrip +
      Cycle(std::ceil(backlog(At, R.SM) +
                      (Misses ? DRAMLatency + Batches.wait(R.Line) : 0) +
                      acrossL2(R, T, Misses) + turnsOf(R, T, Misses)));
  Answer.SM = R.SM;
  Answer.Kind = R.Kind;
  Answer.FromDRAM = Misses;
  return Answer;
}
