//===- MemoryPath.cpp - From an SM's port to DRAM and back ----------------===//

#include "interval/MemoryPath.h"

#include "memory/Bursts.h"
#include "memory/LevelLatency.h"
#include "memory/RowLocality.h"
#include "memory/SliceTurn.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace heddle::interval {

using memory::MemoryRequest;
using memory::RequestKind;

MemoryPath::MemoryPath(const IntervalProfile &P,
                       std::span<const SMStream> Group, const arch::GPUSpec &S)
    : Spec(S), Profile(P), First(Group.front().SM), Slots(Group.front().Slots),
      Map(S), Cost(S), PerL2Cycle(S.Clock.Core / S.Clock.L2),
      RoundTrip(Cycle(
          std::max(1.0, (2.0 * S.Icnt.Latency + S.L2.Latency) * PerL2Cycle))),
      Batches(S), Reply(Group.size()) {
  const double Apart =
      S.Launch.BlocksPerCycle > 0 ? 1 / S.Launch.BlocksPerCycle : 0;
  for (const SMStream &SM : Group) {
    Fetches.emplace_back(SM.Fetches);
    Common.emplace_back(S, Apart * SM.SM);
  }
  BusyGroups = &Group.front() == &P.Longest
                   ? 1
                   : double(P.busySMs()) / double(Group.size());
  if (Group.front().Away < 1)
    Farther =
        std::max(0.0, (P.Away - Group.front().Away) / (1 - Group.front().Away));
  double Own = 0;
  for (const SMStream &SM : Group) {
    Own += SM.AtomicTurns;
    OwnRequests += double(SM.Requests);
  }
  setProgress(0);
  AtomicGroups = Own > 0 ? P.AtomicTurns / Own : BusyGroups;
  double Slices = std::max(1u, S.L2.Slices);
  SliceShare = std::max(1 / Slices, P.HotSlice);
  AtomicShare = std::max(1 / Slices, P.HotAtomic);
  ComingIn = memory::shareComingIn(S.L2, SliceShare) / SliceShare;
  AtomicsComingIn = memory::shareComingIn(S.L2, AtomicShare) / AtomicShare;
  ChannelExcess = std::max(1.0, P.HotChannel * std::max(1u, S.DRAM.Channels));
  DRAMBytesPerCycle =
      std::max(1e-3, memory::sustainedBandwidth(S.DRAM) * 1000 / S.Clock.Core);
  // The burst itself goes over one channel.
  DRAMExtra = S.DRAM.BurstBytes * S.DRAM.Channels / DRAMBytesPerCycle;
  DRAMBytesPerCycle /= memory::rowFactor(S, P.Activates,
                                         P.DRAMWriteSectors > P.DRAMReadSectors
                                             ? memory::writesAtOnce(S.DRAM)
                                             : S.DRAM.Queue);
  if (S.DRAM.Policy != arch::DRAMPolicy::Fixed)
    DRAMExtra += double(S.DRAM.TRCD + S.DRAM.TCL) * S.Clock.Core / S.Clock.DRAM;
  auto perByte = [&](uint32_t Bytes) { return Bytes ? PerL2Cycle / Bytes : 0; };
  WriteQueueCycles = double(memory::writeLimit(S)) * S.L2.Line *
                     S.DRAM.Channels / DRAMBytesPerCycle;
  ReplyPerByte = perByte(S.Icnt.ReplyBytes);
  SlicePerByte = perByte(S.Icnt.SliceBytes);
}

void MemoryPath::setProgress(uint64_t Issued) {
  // Warps that wait for no answer are ahead of what they have asked for.
  if (OwnRequests > 0)
    Issued = std::min(
        Issued, uint64_t(double(std::accumulate(Slots.begin(), Slots.end(),
                                                uint64_t(0))) *
                         Sent / OwnRequests));
  // Each slot is as far as the others, or done.
  while (!Slots.empty() && Ended < Slots.size() &&
         Together + (Slots[Ended] - Reached) * (Slots.size() - Ended) <=
             Issued) {
    Together += (Slots[Ended] - Reached) * (Slots.size() - Ended);
    Reached = Slots[Ended++];
  }
  if (Ended == Slots.size())
    return;
  const auto Own = double(Slots.size() - Ended);
  const uint64_t Far = Reached + (Issued - Together) / (Slots.size() - Ended);
  const auto All =
      Profile.Slots.end() - std::ranges::upper_bound(Profile.Slots, Far);
  BusyGroups = std::max(1.0, double(All) / Own);
}

double MemoryPath::SliceQueue::serve(double At, double Requests,
                                     const std::array<double, 3> &Cycles) {
  double Wait = 0;
  for (size_t Step = 0; Step != Cycles.size(); ++Step) {
    Wait = std::max(Wait, Steps[Step].serve(At, Requests * Cycles[Step]));
    Work[Step] += Requests * Cycles[Step];
  }
  return Wait + Requests * std::ranges::max(Cycles) / 2;
}

double MemoryPath::Calendar::serve(double At, double Cycles) {
  if (Cycles <= 0)
    return 0;
  uint64_t Bin = uint64_t(At / BinCycles) + 1; // 0: never used
  const uint64_t First = Bin;
  double Left = Cycles;
  for (;; ++Bin) {
    size_t Index = Bin % NumBins;
    if (Of[Index] != Bin) {
      Of[Index] = Bin;
      Used[Index] = 0;
    }
    double Part = std::min(Left, BinCycles - Used[Index]);
    Used[Index] += float(Part);
    Left -= Part;
    if (Left <= 1e-6 || Bin - First == NumBins - 1)
      break;
  }
  return std::max(0.0, double(Bin - First) * BinCycles - Cycles);
}

/// What DRAM has to write for \p Sectors that are written to L2: nothing as
/// long as L2 may have more that is dirty.
double MemoryPath::writtenBack(double Sectors) {
  if (!HeldBack)
    return Sectors * Profile.dramWritesPerWritten();
  const double Late =
      std::clamp(Sectors - *HeldBack / BusyGroups, 0.0, Sectors);
  *HeldBack -= (Sectors - Late) * BusyGroups;
  return Late * Profile.dramWritesPerLateWritten();
}

/// Whether a read near by stands for one from the other half of L2, since the
/// launch ends with warps whose lines are farther than this SM's.
bool MemoryPath::goesAcross(uint64_t Line, bool FromDRAM) {
  if (Farther <= 0 || memory::inOtherHalf(Spec, First, Map.place(Line).Slice))
    return false;
  AcrossDebt += Farther * (FromDRAM ? 1 : Profile.AcrossOfHits);
  const bool Across = AcrossDebt >= 1 - 1e-9;
  AcrossDebt -= Across;
  return Across;
}

MemoryPath::Traffic MemoryPath::trafficOf(const MemoryRequest &R) {
  Traffic T;
  const double Count = std::popcount(R.SectorMask);
  if (R.Kind != RequestKind::Read)
    T.Written = writtenBack(Count);
  if (R.Kind == RequestKind::Write && Spec.L2.Halves == 2)
    T.Across = memory::inOtherHalf(Spec, R.SM, Map.place(R.Line).Slice);
  if (R.Kind == RequestKind::Write)
    return T;
  const FetchTable::Cursor::Answer A = Fetches[R.SM - First].take(
      R.Kind == RequestKind::Read ? FetchTable::Kind::Read
                                  : FetchTable::Kind::Atomic,
      R.Line, R.SectorMask);
  if (A.Known) {
    T.Across = A.Across != 0 || goesAcross(R.Line, A.Far != 0);
    T.Awaited = std::popcount(A.Far);
    T.Read = T.Awaited * Profile.dramReadsPerAwaited();
  } else {
    // Code, parameters, constants: all SMs ask for the same few lines, which
    // DRAM delivers once.
    T.Common = true;
    T.Across = Common[R.SM - First].farFromAll(R.Line, busySMs());
    T.Awaited = Count;
    T.Read = Count / busySMs();
  }
  return T;
}

/// Returns when what the SM waits for is there, or \p Now.
double MemoryPath::throughDRAM(double Now, const MemoryRequest &R,
                               const Traffic &T) {
  if (T.Read <= 0 && T.Written <= 0 && T.Awaited <= 0)
    return Now;
  const double BytesPerSector = Spec.L2.Sector *
                                memory::sectorsMoved(Spec, R.SectorMask) /
                                std::popcount(R.SectorMask);
  const double PerSector =
      BytesPerSector * BusyGroups * ChannelExcess / DRAMBytesPerCycle;
  const double Arrival = Now + Spec.DRAM.Latency;
  const double WriteRequests =
      T.Written * BusyGroups * ChannelExcess /
      (Profile.sectorsPerDRAMWrite() * std::max(1u, Spec.DRAM.Channels));
  const double Cycles = (T.Read + T.Written) * PerSector +
                        Batches.add(Arrival, T.Read * PerSector,
                                    T.Written * PerSector, WriteRequests);
  const double Served = DRAM.serve(Arrival, Cycles, Before);
  DRAMWork += Cycles;
  if (T.Awaited > 0)
    return Served + Batches.wait(R.Line) + DRAMExtra;
  // A write waits for those that the channels' queues do not hold.
  return Now + std::max(0.0, Served - Cycles / 2 - Arrival - WriteQueueCycles);
}

memory::MemoryResponse MemoryPath::serve(const MemoryRequest &R) {
  const bool Atomic =
      R.Kind == RequestKind::Atomic || R.Kind == RequestKind::Reduction;
  const bool DataBack =
      R.Kind == RequestKind::Read || R.Kind == RequestKind::Atomic;
  const unsigned Sectors = std::popcount(R.SectorMask);
  const double Out = Cost.bytes(Sectors, R.Kind != RequestKind::Read);
  const double Back = Cost.bytes(Sectors, DataBack);
  const double Latency = Spec.Icnt.Latency * PerL2Cycle;
  double Now = double(R.Sent) + Latency;
  const Traffic T = trafficOf(R);
  Sent += !T.Common;
  memory::CommonLines &Its = Common[R.SM - First];
  // The busiest slice decides; behind it wait as many others' requests. Lines
  // that all ask for lie in all slices, each of which serves them in turn.
  const double Requests =
      BusyGroups * (T.Common ? Its.askers(busySMs()) / busySMs() /
                                   std::max(1u, Spec.L2.Slices)
                             : SliceShare);
  double AtSlice = L2.serve(Now, Requests,
                            {Out * SlicePerByte * (T.Common ? 1 : ComingIn),
                             Sectors * Spec.L2.CyclesPerSector * PerL2Cycle,
                             Back * SlicePerByte});
  double SlotCycles = 0;
  if (Atomic) {
    SlotCycles = double(R.SameAddress) * Spec.L2.AtomicCycles * PerL2Cycle;
    const double Turn =
        double(memory::sliceTurn(Spec.L2, Sectors, R.SameAddress)) * PerL2Cycle;
    AtSlice =
        std::max(AtSlice, Atomics.serve(Now, AtomicGroups * AtomicShare,
                                        {Out * SlicePerByte * AtomicsComingIn,
                                         Turn, Back * SlicePerByte}));
    if (FirstAtomic == 0)
      FirstAtomic = double(R.Sent + RoundTrip);
  }
  Now += AtSlice + Spec.L2.Latency * PerL2Cycle;
  Before.reach(Its.lag(double(R.Sent)));
  const double HalfWay = T.Across * Spec.L2.FarLatency * PerL2Cycle / 2;
  Now = throughDRAM(Now + HalfWay, R, T) + HalfWay;
  if (T.Common && R.Kind == RequestKind::Read) {
    Now += Its.wait(double(R.Sent), Now - double(R.Sent), R.Line, busySMs(),
                    std::max(Sectors * Spec.L2.CyclesPerSector * PerL2Cycle,
                             Back * SlicePerByte),
                    Its.besideBoth(busySMs()) ? Spec.L2.FarLatency * PerL2Cycle
                                              : 0);
  }
  Now += Reply[R.SM - First].serve(Now, Back * ReplyPerByte) + Latency +
         SlotCycles;
  memory::MemoryResponse Answer;
  Answer.Token = R.Token;
  Answer.Due = std::max(Cycle(std::ceil(Now)), R.Sent + RoundTrip);
  Answer.SM = R.SM;
  Answer.Kind = R.Kind;
  Answer.FromDRAM = T.Awaited > 0;
  return Answer;
}

} // namespace heddle::interval
