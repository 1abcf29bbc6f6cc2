//===- FunctionalMemory.cpp - Caches of all SMs, without time -------------===//

#include "interval/FunctionalMemory.h"

#include <algorithm>
#include <bit>

namespace heddle::interval {

using arch::WritePolicy;
using memory::LineAccess;

/// Above any buffer: local memory of the warp slots.
static constexpr uint64_t LocalBase = uint64_t(1) << 46;

static memory::Coalescer coalescerFor(const arch::CacheSpec &Spec,
                                      const arch::CacheSpec &Otherwise) {
  const arch::CacheSpec &Used = Spec.Size ? Spec : Otherwise;
  return {Used.Line ? Used.Line : 128, Used.Sector ? Used.Sector : 32};
}

FunctionalMemory::FunctionalMemory(const arch::GPUSpec &Spec,
                                   const arch::CacheSpec &L1Spec,
                                   IntervalProfile &Out)
    : Spec(Spec), L1Spec(L1Spec), Out(Out), Map(Spec),
      Reads(coalescerFor(L1Spec, Spec.L2)),
      Writes(coalescerFor(Spec.L2, L1Spec)),
      Constants(coalescerFor(Spec.Constant, Spec.L2)),
      L1(Spec.SM.Count, TagArray(L1Spec.Size, L1Spec)),
      L2(Spec.L2.Slices, TagArray(Spec.L2.Size, Spec.L2)), Fills(Spec.SM.Count),
      Slices(Spec.L2.Slices), Channels(Spec.DRAM.Channels),
      Atomics(Spec.L2.Slices),
      SlicesPerChannel(
          std::max(1u, Spec.L2.Slices / std::max(1u, Spec.DRAM.Channels))) {}

void FunctionalMemory::access(unsigned SM, unsigned Slot, uint32_t PC,
                              const StaticInst &I, const trace::MemoryAccess &A,
                              WarpStream *Stream) {
  AccessRecord Record;
  Record.Space = A.Space;
  bool Atomic = I.What == Kind::Atomic || I.What == Kind::Reduction;
  if (Stream)
    Record.FirstLine = uint32_t(Stream->Lines.size());
  if (A.Mask && A.Space == HEDDLE_SPACE_SHARED) {
    if (Stream)
      Record.Passes = uint16_t(std::max(
          1u, Atomic ? memory::sharedAtomicPasses(A, I.ByteOffset,
                                                  I.AccessBytes, Spec.Shared)
                     : memory::sharedPasses(A, I.ByteOffset, I.AccessBytes,
                                            Spec.Shared)));
  } else if (A.Mask && A.Space == HEDDLE_SPACE_CONST) {
    // The constant cache is small and its misses rare: left to the models.
    unsigned Count =
        Constants.coalesce(A, I.ByteOffset, I.AccessBytes, false, Found);
    for (unsigned L = 0; Stream && L < Count; ++L) {
      LineRecord R;
      R.Line = Found[L].Line;
      R.Sectors = Found[L].Sectors;
      Stream->Lines.push_back(R);
    }
    Record.NumLines = uint16_t(Count);
  } else if (A.Mask) {
    const memory::Coalescer &C = I.What == Kind::Load ? Reads : Writes;
    unsigned Count;
    if (A.Space == HEDDLE_SPACE_LOCAL) {
      uint64_t PerWarp =
          (Out.Launch.LocalBytesPerThread * 32 + 127) / 128 * 128;
      uint64_t Base =
          LocalBase + (uint64_t(SM) * Spec.SM.MaxWarps + Slot) * PerWarp;
      Count = C.coalesceLocal(A, I.ByteOffset, I.AccessBytes, Base, Found);
    } else {
      Count = C.coalesce(A, I.ByteOffset, I.AccessBytes, Atomic, Found);
    }
    bool Cached = L1Spec.Size &&
                  !(I.Flags & (HEDDLE_INST_STREAMING | HEDDLE_INST_VOLATILE)) &&
                  (Spec.L1.CachesGlobal || A.Space != HEDDLE_SPACE_GLOBAL ||
                   I.Flags & HEDDLE_INST_READ_ONLY);
    MemorySite &Site = Out.Sites[PC];
    ++Site.Executions;
    unsigned Worst = 0;
    for (unsigned L = 0; L < Count; ++L) {
      LineRecord R;
      R.Line = Found[L].Line;
      R.Sectors = Found[L].Sectors;
      R.SameAddress = Found[L].SameAddress;
      unsigned Level =
          I.What == Kind::Load
              ? read(SM, Found[L], Cached, R)
              : write(SM, Found[L], A.Space == HEDDLE_SPACE_LOCAL, Atomic, R);
      ++Site.Requests;
      Site.L1Misses += Level > 0;
      Site.L2Misses += Level > 1;
      Worst = std::max(Worst, Level);
      if (Stream)
        Stream->Lines.push_back(R);
    }
    ++Site.ByLevel[Worst];
    Record.NumLines = uint16_t(Count);
  }
  if (Stream)
    Stream->Accesses.push_back(Record);
}

unsigned FunctionalMemory::read(unsigned SM, const LineAccess &A, bool Cached,
                                LineRecord &R) {
  uint32_t SectorBytes = L1Spec.Size ? L1Spec.Sector : Spec.L2.Sector;
  uint16_t Missing = A.Sectors;
  TagArray::Found F;
  if (Cached) {
    F = L1[SM].findOrTake(A.Line);
    Missing &= ~F.W->Valid;
    F.W->Valid |= A.Sectors;
    Out.L1.Accesses += std::popcount(A.Sectors);
    Out.L1.Hits += std::popcount(uint16_t(A.Sectors & ~Missing));
    if (F.Victim)
      spill(F.Victim);
  }
  L2Place At;
  for (uint32_t Left = Missing; Left; Left &= Left - 1) {
    unsigned S = std::countr_zero(Left);
    if (readL2(A.Line + uint64_t(S) * SectorBytes, SectorBytes, At))
      R.L2Miss |= uint16_t(1 << S);
  }
  const bool Far = R.L2Miss;
  if (F.W) {
    // Another warp of the SM may be the first to ask when time counts: it then
    // waits for what this one's line came from.
    if (Missing)
      F.W->Fill = ++Fills[SM];
    F.W->Far = uint16_t((F.W->Far & ~Missing) | R.L2Miss);
    R.L2Miss = F.W->Far & A.Sectors;
    R.Fill = F.W->Fill;
  }
  return Far ? 2 : Missing ? 1 : 0;
}

unsigned FunctionalMemory::write(unsigned SM, const LineAccess &A, bool Local,
                                 bool Atomic, LineRecord &R) {
  if (L1Spec.Size && !Atomic) {
    uint64_t Line = A.Line / L1Spec.Line * L1Spec.Line;
    uint16_t Mask = 0;
    for (uint32_t Left = A.Sectors; Left; Left &= Left - 1) {
      uint64_t Offset =
          A.Line - Line + uint64_t(std::countr_zero(Left)) * Spec.L2.Sector;
      Mask |= uint16_t(1 << (Offset % L1Spec.Line / L1Spec.Sector));
    }
    WritePolicy Policy = L1Spec.Write;
    bool Allocate = L1Spec.WriteAllocate;
    if (Policy == WritePolicy::LocalWriteBack) {
      Policy = Local ? WritePolicy::WriteBack : WritePolicy::WriteEvict;
      Allocate |= Local;
    }
    Out.L1.Accesses += std::popcount(A.Sectors);
    Out.L1.Writes += std::popcount(A.Sectors);
    TagArray::Found F = Allocate ? L1[SM].findOrTake(Line) : L1[SM].find(Line);
    if (F.Victim)
      spill(F.Victim);
    if (F.W && (F.W->Valid & Mask) == Mask)
      Out.L1.Hits += std::popcount(A.Sectors);
    if (F.W && Policy == WritePolicy::WriteEvict)
      F.W->Valid &= ~Mask;
    else if (F.W && Allocate)
      F.W->Valid |= Mask;
    if (F.W && Policy == WritePolicy::WriteBack) {
      F.W->Dirty |= Mask;
      R.Sectors = 0; // stays in L1
      return 0;
    }
  }
  bool Miss = writeL2(A.Line, A.Sectors, Atomic);
  memory::AddressMap::Place P = Map.place(A.Line);
  if (Atomic)
    Atomics.add(P.Slice, A.SameAddress);
  if (Atomic && Miss)
    R.L2Miss = A.Sectors;
  return Miss ? 2 : 1;
}

/// Dirty lines of L1 that are pushed out go on to L2.
void FunctionalMemory::spill(uint16_t Victim) {
  Out.L2WrittenSectors += std::popcount(Victim);
}

bool FunctionalMemory::readL2(uint64_t Address, uint32_t Bytes,
                              L2Place &Place) {
  const uint32_t Sector = Spec.L2.Sector, Line = Spec.L2.Line;
  bool Awaited = false;
  for (uint64_t At = Address / Sector * Sector; At < Address + Bytes;
       At += Sector) {
    uint64_t LineAddress = At / Line * Line;
    if (LineAddress != Place.Line) {
      memory::AddressMap::Place P = Map.place(LineAddress);
      Place.Line = LineAddress;
      Place.Slice = P.Slice;
      if (Spec.L2.TotalSize) {
        Place.F = L2[P.Slice].findOrTake(P.Local);
        toDRAM(P.Slice, 0, std::popcount(Place.F.Victim));
      }
    }
    Slices.add(Place.Slice, 1);
    ++Out.L2.Accesses;
    uint16_t Bit = uint16_t(1 << ((At - LineAddress) / Sector));
    bool Fetch = true, Wait = true;
    if (Spec.L2.TotalSize) {
      TagArray::Way &W = *Place.F.W;
      Fetch = !(W.Valid & Bit);
      if (Fetch) {
        W.Valid |= Bit;
        W.Ready = Round;
      }
      // What another SM asked for a moment ago is still on its way.
      Wait = Fetch || (W.Ready == Round && !(W.Dirty & Bit));
    }
    Out.L2.Hits += !Fetch;
    Fetched += Fetch;
    toDRAM(Place.Slice, Fetch, 0);
    Out.AwaitedSectors += Wait;
    Awaited |= Wait;
  }
  return Awaited;
}

bool FunctionalMemory::writeL2(uint64_t Line, uint16_t Sectors, bool Atomic) {
  unsigned Count = std::popcount(Sectors);
  memory::AddressMap::Place P = Map.place(Line);
  Slices.add(P.Slice, Count);
  Out.L2.Accesses += Count;
  Out.L2.Writes += Count;
  Out.L2WrittenSectors += Count;
  if (!Spec.L2.TotalSize) {
    toDRAM(P.Slice, 0, Count);
    return true;
  }
  bool Back = Spec.L2.Write == WritePolicy::WriteBack;
  TagArray::Found F = Spec.L2.WriteAllocate || Atomic
                          ? L2[P.Slice].findOrTake(P.Local)
                          : L2[P.Slice].find(P.Local);
  toDRAM(P.Slice, 0, std::popcount(F.Victim));
  unsigned Here = F.W ? std::popcount(uint16_t(F.W->Valid & Sectors)) : 0;
  Out.L2.Hits += Here;
  Fetched += Count - Here;
  if (Atomic && Here < Count) {
    // An atomic needs the old value.
    toDRAM(P.Slice, Count - Here, 0);
    Out.AwaitedSectors += Count - Here;
  }
  if (F.W) {
    F.W->Valid |= Sectors;
    if (Back || Atomic)
      F.W->Dirty |= Sectors;
  }
  if (!F.W || !(Back || Atomic))
    toDRAM(P.Slice, 0, Count);
  return Here < Count;
}

void FunctionalMemory::toDRAM(unsigned Slice, unsigned Reads, unsigned Writes) {
  Out.DRAMReadSectors += Reads;
  Out.DRAMWriteSectors += Writes;
  Channels.add(Slice / SlicesPerChannel % Channels.Work.size(), Reads + Writes);
}

/// Ends the stretch if there is enough in it that chance alone does not make
/// one place much busier than the others.
void FunctionalMemory::Balance::close(bool Force) {
  if (!Force && Now < 2048 * Work.size())
    return;
  uint64_t Most = 0;
  for (uint64_t &W : Work) {
    Most = std::max(Most, W);
    W = 0;
  }
  Sum += Now;
  Hot += Most;
  Now = 0;
}

void FunctionalMemory::nextRound() {
  ++Round;
  Slices.close(false);
  Channels.close(false);
  Atomics.close(false);
}

void FunctionalMemory::finish() {
  // What is left counts if it is all there was.
  Slices.close(!Slices.Sum);
  Channels.close(!Channels.Sum);
  Atomics.close(!Atomics.Sum);
  Out.HotSlice = Slices.share();
  Out.HotChannel = Channels.share();
  Out.HotAtomic = Atomics.share();
}

} // namespace heddle::interval
