//===- SMMemory.cpp - The memory as one SM sees it ------------------------===//

#include "pipeline/SMMemory.h"

#include "memory/AddressSpaces.h"
#include "memory/Cache.h"

#include <algorithm>
#include <bit>

using namespace heddle;
using namespace heddle::pipeline;
using memory::Coalescer;

SMMemory::SMMemory(const trace::TraceSource &Source, const arch::GPUSpec &Spec,
                   const arch::CacheSpec &L1Spec, const L2Profile &L2)
    : Launch(Source.header()), Spec(Spec), L2(L2), Lines(L1Spec, Spec.L2),
      ConstantLines(Spec.Constant, Spec.L2), HasL1(L1Spec.Size > 0),
      WriteAllocate(L1Spec.WriteAllocate),
      L1(L1Spec.Size ? L1Spec.Size / L1Spec.Line : 0),
      Constant(Spec.Constant.Size ? Spec.Constant.Size / Spec.Constant.Line
                                  : ~uint64_t(0)),
      ReadDebt(Source.code().Memory.size()),
      Outstanding(std::max(1u, L1Spec.MSHRs)), InFlight(4096) {
  L2Clock = Spec.Clock.Core / Spec.Clock.L2;
  double DRAMClock = Spec.Clock.Core / Spec.Clock.DRAM;
  L1Latency = Spec.L1.Latency;
  L2Latency = L1Latency + (2.0 * Spec.Icnt.Latency + Spec.L2.Latency) * L2Clock;
  DRAMLatency =
      Spec.DRAM.Latency + (Spec.DRAM.TRCD + Spec.DRAM.TCL) * DRAMClock;
  RequestCycles = L2Clock / Spec.Icnt.RequestBytes;
  ReplyCycles = L2Clock / Spec.Icnt.ReplyBytes;
  L2Cycles = double(Spec.L2.CyclesPerSector) / Spec.L2.Slices * L2Clock;
  // GB/s is bytes per nanosecond; MHz / 1000 is cycles per nanosecond.
  DRAMCycles = Spec.L2.Sector * Spec.Clock.Core / 1000 /
               (Spec.DRAM.Bandwidth * Spec.DRAM.Efficiency);
}

double SMMemory::start(const timing::DecodedInst &I,
                       const trace::MemoryAccess *A, size_t Slot) {
  Inst = &I;
  NumLines = 0;
  Passes = 1;
  if (!A) {
    What = Kind::Parameter;
    return Passes;
  }
  const bool Atomic = I.isAtomic();
  switch (A->Space) {
  case HEDDLE_SPACE_SHARED:
    What = Kind::Shared;
    if (A->Mask) {
      Passes = std::max(
          1u, Atomic ? memory::sharedAtomicPasses(*A, I.ByteOffset,
                                                  I.AccessBytes, Spec.Shared)
                     : memory::sharedPasses(*A, I.ByteOffset, I.AccessBytes,
                                            Spec.Shared));
      ++Counts.SharedInsts;
      Counts.SharedPasses += uint64_t(Passes);
    }
    return Passes;
  case HEDDLE_SPACE_CONST:
  case HEDDLE_SPACE_PARAM:
    What = Kind::Constant;
    if (A->Mask)
      NumLines =
          ConstantLines.coalesce(*A, I.ByteOffset, I.AccessBytes, false, Found);
    Passes = std::max(1u, NumLines);
    return Passes;
  default:
    What = Atomic ? Kind::Atomic : Kind::Cached;
    if (!A->Mask)
      return Passes;
    NumLines =
        A->Space == HEDDLE_SPACE_LOCAL
            ? Lines.coalesceLocal(*A, I.ByteOffset, I.AccessBytes,
                                  memory::localMemory(Launch, Slot), Found)
            : Lines.coalesce(*A, I.ByteOffset, I.AccessBytes, Atomic, Found);
    ++Counts.GlobalInsts;
    Counts.Lines += NumLines;
    unsigned Sectors = 0;
    for (unsigned L = 0; L < NumLines; ++L)
      Sectors += std::popcount(Found[L].Sectors);
    Passes = std::max(
        {1.0, double(NumLines), double(Sectors) / std::max(1u, Spec.L1.Banks)});
    return Passes;
  }
}

SMMemory::Outcome SMMemory::finish(double Now, double ActiveSMs) {
  switch (What) {
  case Kind::Parameter:
    return {Now + Spec.Constant.Latency, Now, Now};
  case Kind::Shared:
    if (Inst->isAtomic())
      return {Now + Spec.Shared.Latency + Passes * Spec.Shared.AtomicLatency,
              Now, Now};
    return {Now + Spec.Shared.Latency, Now, Now};
  case Kind::Constant: {
    double Ready = Now + Spec.Constant.Latency;
    for (unsigned L = 0; L < NumLines; ++L)
      if (Constant.read(Found[L].Line, Found[L].Sectors).Missing)
        Ready = Now + Spec.Constant.Latency + L2Latency;
    return {Ready, Now, Now};
  }
  case Kind::Cached:
    return finishCached(Now, ActiveSMs);
  case Kind::Atomic:
    return finishAtomic(Now, ActiveSMs);
  }
  return {Now, Now, Now};
}

/// The longest wait on the way: queues in a row add up to that of the slowest,
/// since what it lets through does not pile up behind it.
double SMMemory::backlog(double Now) const {
  double Longest = 0;
  for (const Server &S : Servers)
    Longest = std::max(Longest, S.wait(Now));
  return Longest;
}

/// When the next miss may leave: all MSHRs before it must have been freed.
double SMMemory::mshr(double Now) {
  return std::max(Now, Outstanding[NextMSHR]);
}

SMMemory::Outcome SMMemory::finishCached(double Now, double ActiveSMs) {
  const bool Store = Inst->Kind == timing::InstKind::Store;
  const bool Uses = HasL1 && (Store || memory::cachesReads(Spec.L1, Inst->Space,
                                                           Inst->Flags));
  Server &Request = Servers[unsigned(Way::Request)];
  Server &Reply = Servers[unsigned(Way::Reply)];
  Server &Slices = Servers[unsigned(Way::L2)];
  Server &DRAM = Servers[unsigned(Way::DRAM)];
  bool Known = Inst->Memory < L2.Records.size();
  const RecordTraffic None;
  const RecordTraffic &T = Known ? L2.Records[Inst->Memory] : None;
  Outcome O{Now + (HasL1 ? L1Latency : L2Latency), Now, Now};
  for (unsigned L = 0; L < NumLines; ++L) {
    uint16_t Sectors = Found[L].Sectors;
    if (Uses && Store) {
      L1.write(Found[L].Line, Sectors, WriteAllocate);
    } else if (Uses) {
      Counts.L1Sectors += std::popcount(Sectors);
      uint16_t Missing = L1.read(Found[L].Line, Sectors).Missing;
      Counts.L1Hits += std::popcount(uint16_t(Sectors & ~Missing));
      Pending &P = InFlight[(Found[L].Line >> 5) % InFlight.size()];
      if (!Missing && P.Line == Found[L].Line)
        O.Ready = std::max(O.Ready, P.Until);
      Sectors = Missing;
    }
    if (!Sectors)
      continue;
    double N = std::popcount(Sectors);
    Counts.L2Sectors += N;
    double At = Store ? Now : mshr(Now);
    double FromDRAM = 0, ToDRAM = 0;
    if (Known) {
      FromDRAM = Store ? 0 : N * T.DRAMReads;
      ToDRAM = N * T.DRAMWrites;
    }
    Counts.DRAMReads += FromDRAM;
    Counts.DRAMWrites += ToDRAM;
    double Header = Spec.Icnt.HeaderBytes, Bytes = N * Spec.L2.Sector;
    double Asking = (Header + (Store ? Bytes : 0)) * RequestCycles;
    double InL2 = N * L2Cycles * ActiveSMs;
    double InDRAM = (FromDRAM + ToDRAM) * DRAMCycles * ActiveSMs;
    Request.serve(At, Asking);
    if (!Store)
      Reply.serve(At, (Header + Bytes) * ReplyCycles);
    Slices.serve(At, InL2);
    if (InDRAM > 0)
      DRAM.serve(At, InDRAM);
    double Wait = backlog(At);
    if (Store) {
      O.Gone = std::max(O.Gone, At + Wait);
      double Credits = Spec.Icnt.WriteCredits;
      if (Credits > 0)
        O.Next = std::max(O.Next,
                          O.Gone - Credits * std::max({Asking, InL2, InDRAM}));
      continue;
    }
    // Latency is whole or nothing: fractions of a miss are carried over.
    bool Misses = false;
    if (Known) {
      ReadDebt[Inst->Memory] += T.DRAMReads;
      if (ReadDebt[Inst->Memory] >= 1 - 1e-9) {
        ReadDebt[Inst->Memory] -= 1;
        Misses = true;
      }
    }
    double Ready = At + L2Latency + (Misses ? DRAMLatency : 0) + Wait;
    Outstanding[NextMSHR] = Ready;
    NextMSHR = (NextMSHR + 1) % Outstanding.size();
    InFlight[(Found[L].Line >> 5) % InFlight.size()] = {Found[L].Line, Ready};
    O.Ready = std::max(O.Ready, Ready);
  }
  return O;
}

SMMemory::Outcome SMMemory::finishAtomic(double Now, double ActiveSMs) {
  Outcome O{Now, Now, Now};
  double Distinct = Inst->Memory < L2.Records.size()
                        ? L2.Records[Inst->Memory].AtomicLines
                        : Spec.L2.Slices;
  // Lanes on one address go one by one, in the slice that owns it.
  double Parallel = std::clamp(Distinct, 1.0, double(Spec.L2.Slices));
  for (unsigned L = 0; L < NumLines; ++L) {
    double N = std::popcount(Found[L].Sectors);
    Counts.L2Sectors += N;
    double Header = Spec.Icnt.HeaderBytes, Bytes = N * Spec.L2.Sector;
    Servers[unsigned(Way::Request)].serve(Now,
                                          (Header + Bytes) * RequestCycles);
    double Work =
        std::max<double>(Found[L].SameAddress, 1) * Spec.L2.AtomicCycles;
    Servers[unsigned(Way::Atomics)].serve(Now, Work * L2Clock * ActiveSMs /
                                                   Parallel);
    O.Ready = std::max(O.Ready, Now + L2Latency + backlog(Now));
    O.Gone = std::max(O.Gone, Now + backlog(Now));
  }
  return O;
}
