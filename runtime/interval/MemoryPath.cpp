//===- MemoryPath.cpp - From one SM's load/store unit to DRAM -------------===//

#include "interval/MemoryPath.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::interval {

using arch::WritePolicy;

static arch::CacheSpec l1Of(const IntervalProfile &P,
                            const arch::GPUSpec &Spec) {
  return Spec.l1For(arch::sharedBytesPerBlock(P.Launch.blockResources(), Spec) *
                    P.Occupancy.BlocksPerSM);
}

MemoryPath::MemoryPath(const IntervalProfile &P, const arch::GPUSpec &S,
                       double OthersShare)
    : Spec(S), Profile(P), L1Spec(l1Of(P, S)), Cost(S), L1(L1Spec.Size, L1Spec),
      Constant(S.Constant.Size, S.Constant), Code(S.ICache.Size, S.ICache),
      PerL2Cycle(S.Clock.Core / S.Clock.L2) {
  BusySMs = double(std::min<uint64_t>(S.SM.Count, P.Launch.Grid.count()));
  BusySMs = 1 + (BusySMs - 1) * OthersShare;
  double Slices = std::max(1u, S.L2.Slices);
  SliceShare = std::max(1 / Slices, P.HotSlice);
  AtomicShare = std::max(1 / Slices, P.HotAtomic);
  ChannelExcess = std::max(1.0, P.HotChannel * std::max(1u, S.DRAM.Channels));
  DRAMBytesPerCycle = std::max(1e-3, S.DRAM.Bandwidth * 1000 / S.Clock.Core *
                                         S.DRAM.Efficiency);
  // The burst itself goes over one channel.
  DRAMExtra = S.DRAM.BurstBytes * S.DRAM.Channels / DRAMBytesPerCycle;
  if (S.DRAM.Policy != arch::DRAMPolicy::Fixed)
    DRAMExtra += double(S.DRAM.TRCD + S.DRAM.TCL) * S.Clock.Core / S.Clock.DRAM;
  auto perByte = [&](uint32_t Bytes) { return Bytes ? PerL2Cycle / Bytes : 0; };
  ReplyPerByte = perByte(S.Icnt.ReplyBytes);
  RequestPerByte = perByte(S.Icnt.RequestBytes);
  SlicePerByte = perByte(S.Icnt.SliceBytes);
  QueueCycles = std::max(1u, S.L1.MissQueue) *
                std::max(1.0, Cost.bytes(1, true) * RequestPerByte);
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

/// The cycle in which the line's sectors pass the banks of L1.
double MemoryPath::turn(double Turn, const LineRecord &L,
                        uint32_t SectorBytes) {
  const arch::L1Spec &C = Spec.L1;
  if (C.Banks <= 1 || C.Sector >= C.Line) {
    Turn += BanksTaken != 0;
    BanksTaken = 1;
    return Turn;
  }
  for (uint32_t Rest = L.Sectors; Rest; Rest &= Rest - 1) {
    uint64_t Address = L.Line + uint64_t(std::countr_zero(Rest)) * SectorBytes;
    uint64_t Bank = uint64_t(1) << (Address / std::max(1u, C.BankInterleave) %
                                    C.Banks % 64);
    if (BanksTaken & Bank) {
      ++Turn;
      BanksTaken = 0;
    }
    BanksTaken |= Bank;
  }
  return Turn;
}

/// The first time from \p Turn on at which the miss queue has room.
double MemoryPath::portRoom(double Turn) {
  double Backlog = Request.FreeAt - (Turn + L1Spec.Latency);
  return Backlog > QueueCycles ? Turn + Backlog - QueueCycles : Turn;
}

double MemoryPath::roundTrip(double At, double Sectors, double MissSectors,
                             double Reads, bool DataOut, bool DataBack,
                             double SlotCycles, AccessTime &T) {
  unsigned Count = unsigned(std::clamp(Sectors, 1.0, 16.0));
  double Scale = Sectors / Count;
  double Out = Cost.bytes(Count, DataOut) * Scale;
  double Back = Cost.bytes(Count, DataBack) * Scale;
  double Latency = Spec.Icnt.Latency * PerL2Cycle;
  double Wait = Request.serve(At, Out * RequestPerByte);
  double Now = At + Wait + Latency;
  // The busiest slice decides; behind it wait as many others' requests.
  double Taken = std::max({Sectors * Spec.L2.CyclesPerSector * PerL2Cycle,
                           std::max(Out, Back) * SlicePerByte}) *
                 BusySMs * SliceShare;
  double Queue = L2.serve(Now, Taken) + Taken / 2;
  L2Work += Taken;
  if (SlotCycles > 0) {
    double Serial = SlotCycles * PerL2Cycle * BusySMs * AtomicShare;
    Queue += Atomics.serve(Now + Queue, Serial) + Serial / 2;
  }
  Now += Queue + Spec.L2.Latency * PerL2Cycle;
  if (Reads > 0 || MissSectors > 0) {
    // Sectors side by side share a burst.
    double Whole = double(Count) * Spec.L2.Sector;
    double Bursts = std::ceil(Whole / Spec.DRAM.BurstBytes);
    double Bytes = Reads * Spec.L2.Sector *
                   std::max(1.0, Bursts * Spec.DRAM.BurstBytes / Whole);
    double Cycles = Bytes * BusySMs * ChannelExcess / DRAMBytesPerCycle;
    double Arrival = Now + Spec.DRAM.Latency;
    double Behind = DRAM.serve(Arrival, Cycles);
    DRAMWork += Cycles;
    if (MissSectors > 0) {
      Queue += Behind + Cycles / 2;
      Now = Arrival + Behind + Cycles / 2 + DRAMExtra;
    }
  }
  double Return = Reply.serve(Now, Back * ReplyPerByte);
  T.Queue = std::max(T.Queue, Wait + Queue + Return);
  return Now + Return + Latency;
}

double MemoryPath::load(double At, const LineRecord &L, bool Cached,
                        AccessTime &T) {
  uint32_t SectorBytes = L1Spec.Size ? L1Spec.Sector : Spec.L2.Sector;
  double PerSector = std::max(1.0, double(SectorBytes) / Spec.L2.Sector);
  uint16_t Missing = L.Sectors;
  TagArray::Found F;
  if (Cached) {
    F = L1.findOrTake(L.Line);
    Missing &= ~F.W->Valid;
    if (!Missing) {
      if (double(F.W->Ready) > At + L1Spec.Latency) {
        T.Level = std::max(T.Level, F.W->Far & L.Sectors ? 2u : 1u);
        return double(F.W->Ready);
      }
      return At + L1Spec.Latency;
    }
  }
  unsigned Count = std::popcount(Missing);
  uint16_t Far = L.L2Miss & Missing;
  if (Far && Cached) {
    // DRAM delivers once what the profile's L1 got once.
    if (Delivered.size() <= L.Fill)
      Delivered.resize(L.Fill + 1024);
    Far &= ~Delivered[L.Fill];
    Delivered[L.Fill] |= Far;
  }
  unsigned Miss = std::popcount(Far);
  T.Level = std::max(T.Level, Miss ? 2u : 1u);
  double Sectors = Count * PerSector, MissSectors = Miss * PerSector;
  double Done =
      roundTrip(At + L1Spec.Latency, Sectors, MissSectors,
                MissSectors * Profile.dramReadsPerAwaited(), false, true, 0, T);
  if (F.W) {
    F.W->Valid |= Missing;
    F.W->Far = uint16_t((F.W->Far & ~Missing) | Far);
    F.W->Ready = uint64_t(std::max<double>(double(F.W->Ready), Done));
    bool Sectored = L1Spec.Sector < L1Spec.Line;
    for (unsigned N = Sectored ? Count : 1; N; --N)
      MSHRs.push(Done);
  }
  return Done;
}

void MemoryPath::write(double At, const LineRecord &L, bool Atomic,
                       bool Returns, AccessTime &T) {
  unsigned Count = std::popcount(L.Sectors);
  if (L1Spec.Size && !Atomic) {
    uint64_t Line = L.Line / L1Spec.Line * L1Spec.Line;
    uint16_t Mask = 0;
    for (uint32_t Left = L.Sectors; Left; Left &= Left - 1) {
      uint64_t Offset =
          L.Line - Line + uint64_t(std::countr_zero(Left)) * Spec.L2.Sector;
      Mask |= uint16_t(1 << (Offset % L1Spec.Line / L1Spec.Sector));
    }
    TagArray::Found F =
        L1Spec.WriteAllocate ? L1.findOrTake(Line) : L1.find(Line);
    if (F.W && L1Spec.WriteAllocate)
      F.W->Valid |= Mask;
    else if (F.W)
      F.W->Valid &= ~Mask;
  }
  double Reads = Count * Profile.dramWritesPerWritten();
  double MissSectors = 0;
  if (Atomic) {
    MissSectors = std::popcount(L.L2Miss);
    Reads += MissSectors * Profile.dramReadsPerAwaited();
  }
  double Slot = Atomic ? double(L.SameAddress) * Spec.L2.AtomicCycles : 0;
  double Ack = roundTrip(At + L1Spec.Latency, Count, MissSectors, Reads, true,
                         Returns, Slot, T);
  Ack += Slot * PerL2Cycle;
  T.Level = std::max(T.Level, MissSectors > 0 ? 2u : 1u);
  T.Done = std::max(T.Done, Ack);
  if (Spec.Icnt.WriteCredits)
    Credits.push(Ack);
}

AccessTime MemoryPath::access(double At, const DecodedInst &I,
                              const AccessRecord &R, const LineRecord *Lines) {
  AccessTime T;
  const bool Atomic = I.isAtomic();
  double Turn = std::max(At, UnitFree);
  const double Begin = Turn;
  if (R.Space == HEDDLE_SPACE_SHARED) {
    double Taken = R.Passes;
    if (Atomic)
      Taken *= std::max(1u, Spec.Shared.AtomicLatency);
    T.Served = UnitFree = Turn + Taken;
    T.Done = Turn + Spec.Shared.Latency + std::max(0.0, Taken - 1);
    return T;
  }
  BanksTaken = 0;
  T.Done = Turn;
  bool Cached = L1Spec.Size &&
                !(I.Flags & (HEDDLE_INST_STREAMING | HEDDLE_INST_VOLATILE)) &&
                (Spec.L1.CachesGlobal || R.Space != HEDDLE_SPACE_GLOBAL ||
                 I.Flags & HEDDLE_INST_READ_ONLY);
  bool Sectored = L1Spec.Sector < L1Spec.Line;
  uint32_t SectorBytes =
      I.Kind == InstKind::Load && L1Spec.Size ? L1Spec.Sector : Spec.L2.Sector;
  for (unsigned N = 0; N < R.NumLines; ++N) {
    const LineRecord &L = Lines[N];
    if (!L.Sectors)
      continue;
    Turn = portRoom(Turn);
    if (I.Kind == InstKind::Load) {
      if (Cached) {
        while (!MSHRs.empty() && MSHRs.top() <= Turn)
          MSHRs.pop();
        unsigned Need = Sectored ? std::popcount(L.Sectors) : 1;
        TagArray::Found F = L1.find(L.Line);
        bool Hit = F.W && (F.W->Valid & L.Sectors) == L.Sectors;
        while (!Hit && !MSHRs.empty() && MSHRs.size() + Need > L1Spec.MSHRs) {
          T.MSHR += std::max(0.0, MSHRs.top() - Turn);
          Turn = std::max(Turn, MSHRs.top());
          MSHRs.pop();
        }
      }
      Turn = turn(Turn, L, SectorBytes);
      T.Done = std::max(T.Done, load(Turn, L, Cached, T));
      continue;
    }
    while (Spec.Icnt.WriteCredits && Credits.size() >= Spec.Icnt.WriteCredits) {
      Turn = std::max(Turn, Credits.top());
      Credits.pop();
    }
    Turn = turn(Turn, L, SectorBytes);
    write(Turn, L, Atomic, I.Kind == InstKind::Atomic, T);
  }
  T.Served = UnitFree =
      std::max(UnitFree, Turn + (BanksTaken || Turn == Begin));
  return T;
}

AccessTime MemoryPath::constant(double At, uint64_t Address) {
  AccessTime T;
  double Turn = std::max(At, UnitFree);
  T.Served = UnitFree = Turn + 1;
  T.Done = Turn + Spec.Constant.Latency;
  if (!Constant.present())
    return T;
  TagArray::Found F =
      Constant.findOrTake(Address / Spec.Constant.Line * Spec.Constant.Line);
  if (!F.W->Valid) {
    F.W->Valid = 1;
    double Sectors =
        std::max(1.0, double(Spec.Constant.Sector) / Spec.L2.Sector);
    // All SMs ask for the same few lines: DRAM delivers them once.
    F.W->Ready = uint64_t(roundTrip(T.Done, Sectors, Sectors, Sectors / BusySMs,
                                    false, true, 0, T));
  }
  T.Done = std::max(T.Done, double(F.W->Ready));
  return T;
}

double MemoryPath::fetchLine(double At, uint64_t Address, uint64_t CodeBytes) {
  if (!Code.present())
    return At;
  const uint32_t Line = Spec.ICache.Line;
  uint64_t First = Address / Line * Line;
  double Ready = At;
  for (unsigned N = 0; N <= Spec.FrontEnd.PrefetchLines; ++N) {
    uint64_t Wanted = First + uint64_t(N) * Line;
    if (Wanted >= CodeBytes)
      break;
    TagArray::Found F = Code.findOrTake(Wanted);
    if (!F.W->Valid) {
      F.W->Valid = 1;
      AccessTime T;
      double Sectors = double(Spec.ICache.Sector) / Spec.L2.Sector;
      Sectors = std::max(1.0, Sectors);
      F.W->Ready =
          uint64_t(roundTrip(At + Spec.ICache.Latency, Sectors, Sectors,
                             Sectors / BusySMs, false, true, 0, T));
    } else if (N == 0 && double(F.W->Ready) <= At) {
      return At;
    }
    if (N == 0)
      Ready = std::max(At, double(F.W->Ready));
  }
  return Ready;
}

} // namespace heddle::interval
