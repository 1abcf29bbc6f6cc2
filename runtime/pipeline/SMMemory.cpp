//===- SMMemory.cpp - The memory as one SM sees it ------------------------===//

#include "pipeline/SMMemory.h"

#include "memory/LevelLatency.h"

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
      L2Clock(Spec.Clock.Core / Spec.Clock.L2), Batches(Spec), Own(SMs),
      ReadDebt(L2.Records.size()) {
  const auto Levels = memory::levelLatencies(Spec);
  RoundTrip = Cycle(std::max(1.0, Levels[1] - Levels[0]));
  DRAMLatency = Levels[2] - Levels[1];
  RequestCycles = L2Clock / Spec.Icnt.RequestBytes;
  ReplyCycles = L2Clock / Spec.Icnt.ReplyBytes;
  L2Cycles = double(Spec.L2.CyclesPerSector) * L2Clock;
  SliceCycles = Spec.Icnt.SliceBytes ? L2Clock / Spec.Icnt.SliceBytes : 0;
  // GB/s is bytes per nanosecond; MHz / 1000 is cycles per nanosecond.
  DRAMCycles = Spec.L2.Sector * Spec.Clock.Core / 1000 /
               memory::sustainedBandwidth(Spec.DRAM);
}

/// The longest wait on the way: queues in a row add up to that of the slowest,
/// since what it lets through does not pile up behind it.
double SMMemory::backlog(double Now, unsigned SM) const {
  double Longest = Own[SM].Reply.wait(Now);
  for (const Server &S : Shared)
    Longest = std::max(Longest, S.wait(Now));
  return Longest;
}

double SMMemory::busy(Way W) const {
  double Most = Shared[unsigned(W)].Busy;
  for (const OwnWays &O : Own) {
    if (W == Way::Request)
      Most = std::max(Most, O.Requested);
    if (W == Way::Reply)
      Most = std::max(Most, O.Reply.Busy);
  }
  return Most;
}

/// Sectors that DRAM reads for a request, on average; \p Misses says whether
/// this one waits for it. Latency is whole or nothing: fractions of a miss are
/// carried over.
double SMMemory::readsOf(const MemoryRequest &R, const RecordTraffic *T,
                         bool &Misses) {
  const double Sectors = std::popcount(R.SectorMask);
  if (!T) {
    Misses = Seen.insert(R.Line).second;
    return Misses ? Sectors / ActiveSMs : 0;
  }
  double &Debt = ReadDebt[size_t(T - L2.Records.data())];
  Debt += T->Waits;
  Misses = Debt >= 1 - 1e-9;
  Debt -= Misses;
  return Sectors * T->DRAMReads;
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
  const double Reads = R.Kind == RequestKind::Read ? readsOf(R, T, Misses) : 0;
  const double Writes = T && !Atomic ? Sectors * T->DRAMWrites : 0;
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
  serve(Way::L2, SliceShare * std::max(Sectors * L2Cycles,
                                       std::max(Out, Back) * SliceCycles));
  const double PerSector = DRAMCycles * Alike;
  const double WriteRequests =
      Writes * Alike / (L2.SectorsPerWrite * std::max(1u, Spec.DRAM.Channels));
  const double Turning =
      Batches.add(At, Reads * PerSector, Writes * PerSector, WriteRequests);
  serve(Way::DRAM, (Reads + Writes) * DRAMCycles + Turning / Alike);
  if (Atomic) {
    // Lanes on one address go one by one, in the slice that owns it.
    const double Distinct = T ? T->AtomicLines : Spec.L2.Slices;
    const double Parallel = std::clamp(Distinct, 1.0, double(Spec.L2.Slices));
    serve(Way::Atomics, std::max<double>(R.SameAddress, 1) *
                            Spec.L2.AtomicCycles * L2Clock / Parallel);
  }
  memory::MemoryResponse Answer;
  Answer.Token = R.Token;
  Answer.Due =
      R.Sent + RoundTrip +
      Cycle(std::ceil(backlog(At, R.SM) +
                      (Misses ? DRAMLatency + Batches.wait(R.Line) : 0)));
  Answer.SM = R.SM;
  Answer.Kind = R.Kind;
  Answer.FromDRAM = Misses;
  return Answer;
}
