//===- FunctionalMemory.cpp - Caches of all SMs, without time -------------===//

#include "interval/FunctionalMemory.h"

#include "memory/HotPlace.h"
#include "memory/SliceTurn.h"
#include "timing/units/BulkCopies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace heddle::interval {

using memory::LineAccess;

static unsigned longestLine(const arch::GPUSpec &Spec,
                            const arch::CacheSpec &L1) {
  return std::max({L1.Line, Spec.L2.Line, 32u});
}

FunctionalMemory::FunctionalMemory(const arch::GPUSpec &Spec,
                                   const arch::CacheSpec &L1Spec,
                                   unsigned SampleShift, IntervalProfile &Out)
    : Spec(Spec), L1Spec(L1Spec), Out(Out), SampleShift(SampleShift),
      SampleMask((1u << SampleShift) - 1),
      UnitShift(std::countr_zero(std::bit_ceil(longestLine(Spec, L1Spec)))),
      Exact(Spec.SM.Count, SampleShift == 0), Shares(Out.Code.Insts.size()),
      Memo(Out.Code.Insts.size(), std::bit_ceil(longestLine(Spec, L1Spec))),
      Map(Spec), Reads(L1Spec, Spec.L2, Spec.L1.Coalesced),
      Writes(Spec.L2, L1Spec, Spec.L1.Coalesced),

      L1(Spec.SM.Count, Tags(L1Spec, L1Spec.Size >> SampleShift)),
      L2(Spec.L2.Slices, Tags(Spec.L2, Spec.L2.Size >> SampleShift)),
      Dirty(Spec.L2.Slices, {Spec.L2, Spec.L2.Size >> SampleShift}),
      Rows(Spec, Map, L1Spec.Size ? L1Spec.Sector : Spec.L2.Sector),
      Slices(Spec.L2.Slices, SampleMask + 1),
      Channels(Spec.DRAM.Channels, SampleMask + 1), Atomics(Spec.L2.Slices, 1),
      AtomicTurns(Spec.SM.Count), Requests(Spec.SM.Count),
      WarpSlots(std::max(1u, Out.Occupancy.BlocksPerSM) *
                unsigned(Out.Launch.warpsPerBlock())),
      TurnOf(size_t(Spec.SM.Count) * WarpSlots) {
  if (Spec.L2.Halves == 2)
    ReadsOf.resize(TurnOf.size());
  const unsigned NumChannels = std::max(1u, Spec.DRAM.Channels);
  const unsigned PerChannel = std::max(1u, Spec.L2.Slices / NumChannels);
  for (unsigned S = 0; S < Spec.L2.Slices; ++S)
    ChannelOf.push_back(S / PerChannel % NumChannels);
}

void FunctionalMemory::exact(unsigned SM) {
  if (!Exact[SM])
    L1[SM] = Tags(L1Spec, L1Spec.Size);
  Exact[SM] = true;
}

FunctionalMemory::Way *FunctionalMemory::find(Tags &T, uint64_t Line) {
  const uint32_t At = T.find(Line);
  if (At == Tags::None)
    return nullptr;
  T.touch(At);
  return &T[At];
}

FunctionalMemory::Way &FunctionalMemory::findOrTake(Tags &T, uint64_t Line,
                                                    unsigned &Victims) {
  if (Way *W = find(T, Line))
    return *W;
  Way &W = T[T.replace(
      Line, [](const Way &) { return true; },
      [&](const Way &Old) { Victims += std::popcount(Old.Dirty); })];
  W.Ready = 0;
  W.Valid = W.Dirty = W.Copies = 0;
  return W;
}

/// findOrTake for L1. Where a miss takes its way at once, lines that are on
/// their way keep theirs, so that where warps wait for as much as L1 holds what
/// has come is soon replaced. If all are on their way, an access waits in the
/// machine for the first of them to come.
FunctionalMemory::Way &FunctionalMemory::findOrTakeL1(Tags &T, uint64_t Line,
                                                      unsigned &Victims) {
  if (L1Spec.Allocate == arch::AllocateOn::Fill)
    return findOrTake(T, Line, Victims);
  if (Way *W = find(T, Line))
    return *W;
  auto Leaving = [&](const Way &Old) { Victims += std::popcount(Old.Dirty); };
  uint32_t At =
      T.replace(Line, [this](const Way &W) { return !isAwaited(W); }, Leaving);
  if (At == Tags::None)
    At = T.replace(Line, [](const Way &) { return true; }, Leaving, true);
  Way &W = T[At];
  W.Ready = 0;
  W.Valid = W.Dirty = W.Copies = 0;
  return W;
}

/// Work of slices and channels for a line that is not followed, if it is clear
/// what that is. Where it is not, those that are followed count for it too.
void FunctionalMemory::passBy(uint32_t PC, const memory::AddressMap::Place &P,
                              unsigned Sectors, bool Load,
                              unsigned SameAddress) {
  if (SameAddress)
    Atomics.add(P.Slice, memory::atomicTurns(Sectors, SameAddress));
  const FarShare &S = Shares[PC];
  if (Load && !S.Streams)
    return;
  Slices.add(P.Slice, Sectors);
  double ToDRAM = Load ? S.AllFar : Out.dramWritesPerWritten();
  if (SameAddress && S.Asked > 0)
    ToDRAM += S.far(); // an atomic needs the old value
  Channels.add(ChannelOf[P.Slice], Sectors * ToDRAM);
}

unsigned FunctionalMemory::linesOf(const DecodedInst &I,
                                   const trace::MemoryAccess &A,
                                   LineAccess *Out) const {
  if (I.Kind == InstKind::Load)
    return Reads.coalesceReads(A, I.ByteOffset, I.AccessBytes, Out);
  const unsigned Count =
      Writes.coalesce(A, I.ByteOffset, I.AccessBytes, I.isAtomic(), Out);
  if (I.isAtomic() && I.Flags & HEDDLE_INST_UNIFORM)
    memory::takeOneLane({Out, Count});
  return Count;
}

/// Fills Found with the lines of \p A, those that are followed at least.
unsigned FunctionalMemory::coalesce(uint32_t PC, const DecodedInst &I,
                                    const trace::MemoryAccess &A, bool Atomic,
                                    bool Whole) {
  auto now = [&](const trace::MemoryAccess &B) { return linesOf(I, B, Found); };
  if (Memo.useful(PC)) {
    const uint64_t Period = Memo.periodOf(A.Base);
    if (const CoalesceMemo::Entry *E = Memo.find(PC, A)) {
      unsigned Count = 0;
      for (const LineAccess &L : E->Lines) {
        Found[Count] = L;
        Found[Count++].Line += Period;
      }
      return Count;
    }
    const unsigned Count = now(A);
    std::vector<LineAccess> &Lines = Memo.make(PC, A).Lines;
    Lines.assign(Found, Found + Count);
    for (LineAccess &L : Lines)
      L.Line -= Period;
    return Count;
  }
  if (Whole || A.Affine || Atomic)
    return now(A);
  // Lanes on lines that are not followed need not be merged.
  trace::MemoryAccess Some = A;
  for (uint32_t Left = A.Mask; Left; Left &= Left - 1) {
    const unsigned Lane = std::countr_zero(Left);
    const uint64_t Address = A.address(Lane) + uint64_t(I.ByteOffset);
    const memory::AddressMap::Place P = Map.place(Address);
    if (followed(P))
      continue;
    Some.Mask &= ~(1u << Lane);
    if (Rows.has(P)) {
      const uint64_t Sector = Rows.sectorBytes(!I.readsMemory());
      accessRow(I, {Address & ~(Sector - 1), 1});
    }
  }
  return Some.Mask ? now(Some) : 0;
}

/// The lines of \p A that access looks at. Valid until the next call.
std::span<const LineAccess>
FunctionalMemory::linesFor(unsigned SM, unsigned Slot, uint32_t PC,
                           const DecodedInst &I, const trace::MemoryAccess &A,
                           bool Whole) {
  if (!A.Mask || staysInSMs(A.Space))
    return {};
  if (A.Space != HEDDLE_SPACE_LOCAL)
    return {Found, coalesce(PC, I, A, I.isAtomic(), Whole)};
  const memory::Coalescer &C = I.Kind == InstKind::Load ? Reads : Writes;
  const uint64_t Base =
      memory::localMemory(Out.Launch, uint64_t(SM) * Out.Occupancy.BlocksPerSM *
                                              Out.Launch.warpsPerBlock() +
                                          Slot);
  return {Found, C.coalesceLocal(A, I.ByteOffset, I.AccessBytes, Base, Found)};
}

unsigned FunctionalMemory::passLine(unsigned SM, uint32_t PC,
                                    const DecodedInst &I, uint8_t Space,
                                    const LineAccess &A) {
  if (I.isBulkWrite())
    return writeBehindL1(PC, A, I.bulkKind() == HEDDLE_BULK_REDUCE);
  if (I.isBulkCopy())
    return read(SM, PC, A, false);
  return I.Kind == InstKind::Load
             ? read(SM, PC, A,
                    L1Spec.Size && memory::cachesReads(Spec.L1, Space, I.Flags))
             : write(SM, PC, A, Space == HEDDLE_SPACE_LOCAL, I.isAtomic());
}

void FunctionalMemory::accessLines(unsigned SM, uint32_t PC,
                                   const DecodedInst &I, uint8_t Space,
                                   std::span<const LineAccess> Lines,
                                   uint64_t Offset, FetchTable *NoteIn) {
  if (Lines.empty())
    return;
  ++Step;
  Fetches = NoteIn;
  SecondHalf = memory::nearHalf(Spec, SM);
  ReadsAway = false;
  if (I.isAtomic())
    for (const LineAccess &A : Lines)
      AtomicTurns[SM] +=
          memory::atomicTurns(std::popcount(A.Sectors), A.SameAddress);
  if (!Exact[SM]) {
    const bool Load = I.readsMemory(), Atomic = I.isAtomic();
    for (const LineAccess &Its : Lines) {
      const uint64_t Line = Its.Line + Offset;
      const memory::AddressMap::Place P = Map.place(Line);
      countAway(P);
      if (Rows.has(P))
        accessRow(I, {Line, Its.Sectors});
      if (!followed(P)) { // most
        const unsigned Sectors = std::popcount(Its.Sectors);
        passBy(PC, P, Sectors, Load, Atomic ? Its.SameAddress : 0);
        if (Fetches && Load) // of a long block
          note(Line, Its.Sectors, predictFar(PC, Sectors) ? Its.Sectors : 0,
               isAway(P.Slice) ? Its.Sectors : 0);
        continue;
      }
      LineAccess A = Its;
      A.Line = Line;
      passLine(SM, PC, I, Space, A);
    }
    if (Load)
      endRead();
    return;
  }
  MemorySite &Site = Out.Sites[PC];
  ++Site.Executions;
  Site.Requests += Lines.size();
  unsigned Worst = 0;
  for (LineAccess A : Lines) {
    A.Line += Offset;
    const memory::AddressMap::Place P = Map.place(A.Line);
    countAway(P);
    if (Rows.has(P))
      accessRow(I, A);
    const unsigned Level = passLine(SM, PC, I, Space, A);
    Site.L1Misses += Level > 0;
    Requests[SM] += Level > 0;
    Site.L2Misses += Level > 1;
    Worst = std::max(Worst, Level);
  }
  ++Site.ByLevel[Worst];
  if (I.readsMemory())
    endRead();
}

/// The asking warp waits for the farthest line.
void FunctionalMemory::endRead() {
  if (ReadsOf.empty())
    return;
  ++ReadsOf[Asker].All;
  ReadsOf[Asker].Away += ReadsAway;
}

/// Lines of few warps may all lie beside one half of L2. The launch ends with
/// that of the longest which is farthest from its own.
void FunctionalMemory::findAway() {
  if (ReadsOf.empty() || !Out.Critical)
    return;
  const uint32_t Most = std::ranges::max(ReadsOf, {}, &WarpReads::All).All;
  std::vector<double> OfSM(Spec.SM.Count);
  for (size_t W = 0; W != ReadsOf.size(); ++W)
    if (const auto [All, Away] = ReadsOf[W]; All && All >= Most - Most / 10)
      OfSM[W / WarpSlots] =
          std::max(OfSM[W / WarpSlots], double(Away) / double(All));
  Out.Away = std::ranges::max(OfSM);
  Out.AcrossOfHits = AwayHits > 0 ? AcrossHits / AwayHits : 1;
  for (SMStream &SM : Out.SMs)
    SM.Away = OfSM[SM.SM];
}

void FunctionalMemory::copy(unsigned SM, uint32_t PC, const DecodedInst &I,
                            trace::WarpCursor &C, FetchTable *NoteIn) {
  const bool AsL1 = I.readsMemory() && L1Spec.Size;
  Copied.clear();
  timing::forEachBulkLine(C, I, AsL1 ? L1Spec.Line : Spec.L2.Line,
                          AsL1 ? L1Spec.Sector : Spec.L2.Sector,
                          [this](const LineAccess &A) { Copied.push_back(A); });
  accessLines(SM, PC, I, HEDDLE_SPACE_GLOBAL, Copied, 0, NoteIn);
}

unsigned FunctionalMemory::read(unsigned SM, uint32_t PC, const LineAccess &A,
                                bool Cached) {
  uint32_t SectorBytes = L1Spec.Size ? L1Spec.Sector : Spec.L2.Sector;
  const uint64_t Stands = Exact[SM] ? 1 : SampleMask + 1;
  uint16_t Missing = A.Sectors;
  if (Cached) {
    unsigned Victims = 0;
    Way &W = findOrTakeL1(L1[SM], A.Line, Victims);
    Missing &= ~W.Valid;
    if (Missing)
      W.Ready = awaitedBy(Asker, TurnOf[Asker]);
    AwaitsL2 |= Missing != 0;
    W.Valid |= A.Sectors;
    Out.L1.Accesses += Stands * std::popcount(A.Sectors);
    Out.L1.Hits += Stands * std::popcount(uint16_t(A.Sectors & ~Missing));
    spill(SM, Victims);
  }
  uint16_t FromDRAM = 0, Across = 0;
  if (const memory::AddressMap::Place P = Map.place(A.Line);
      SampleMask && !followed(P)) {
    if (Missing) {
      passBy(PC, P, std::popcount(Missing), true, 0);
      FromDRAM = predictFar(PC, std::popcount(Missing)) ? Missing : 0;
      if (Fetches)
        noteLater(PC, A.Line, Missing, isAway(P.Slice));
      return FromDRAM ? 2 : 1;
    }
  } else {
    SliceWeight = Shares[PC].Streams ? 1 : SampleMask + 1;
    ChannelWeight = Shares[PC].AllFar ? 1 : SampleMask + 1;
    Group = Balance::groupOf(P.Local >> UnitShift);
    L2Place At;
    for (uint32_t Left = Missing; Left; Left &= Left - 1) {
      unsigned S = std::countr_zero(Left);
      const FetchTable::Origin From =
          readL2(A.Line + uint64_t(S) * SectorBytes, SectorBytes, At);
      FromDRAM |= uint16_t(From.DRAM << S);
      Across |= uint16_t(From.Across << S);
    }
    if (SampleMask) {
      const uint16_t Hits = isAway(P.Slice) ? Missing & ~FromDRAM : 0;
      Shares[PC].Away += float(std::popcount(Hits));
      Shares[PC].Across += float(std::popcount(uint16_t(Hits & Across)));
      learn(PC, std::popcount(A.Sectors), std::popcount(Missing),
            std::popcount(FromDRAM));
    }
  }
  if (Fetches)
    note(A.Line, Missing, FromDRAM, Across);
  return FromDRAM ? 2 : Missing ? 1 : 0;
}

template <typename Fn>
void FunctionalMemory::eachL2Sector(uint64_t First, uint16_t Sectors,
                                    Fn Do) const {
  const uint32_t Sector = Spec.L2.Sector, Line = Spec.L2.Line;
  const uint32_t Bytes = L1Spec.Size ? L1Spec.Sector : Spec.L2.Sector;
  for (uint32_t Left = Sectors; Left; Left &= Left - 1) {
    const unsigned S = std::countr_zero(Left);
    const uint64_t Address = First + uint64_t(S) * Bytes;
    for (uint64_t At = Address / Sector * Sector; At < Address + Bytes;
         At += Sector)
      Do(At / Line * Line, uint16_t(1 << (At % Line / Sector)), S);
  }
}

/// Notes a read of L2 for the replay, in L2's lines and sectors.
void FunctionalMemory::note(uint64_t First, uint16_t Sectors, uint16_t FromDRAM,
                            uint16_t Across) {
  eachL2Sector(First, Sectors, [&](uint64_t Line, uint16_t Sector, unsigned S) {
    const bool Far = FromDRAM >> S & 1;
    const FetchTable::Added Added = Fetches->add(
        FetchTable::Kind::Read, Line, Sector, {Far, bool(Across >> S & 1)});
    AgainAsked += float(Added.Again);
    AgainFar += float(Added.Again && Far);
  });
}

/// The same for a line that is not followed; decide() says where it came from.
void FunctionalMemory::noteLater(uint32_t PC, uint64_t First, uint16_t Sectors,
                                 bool Away) {
  eachL2Sector(First, Sectors, [&](uint64_t Line, uint16_t Sector, unsigned) {
    const FetchTable::Added Added =
        Fetches->add(FetchTable::Kind::Read, Line, Sector, {});
    (Added.Again ? Shares[PC].Again : Shares[PC].First) += 1;
    Later.push_back({Fetches, Added.Fetch, PC, Sector, Added.Again, Away});
  });
}

unsigned FunctionalMemory::write(unsigned SM, uint32_t PC, const LineAccess &A,
                                 bool Local, bool Atomic) {
  if (L1Spec.Size && !Atomic && writeL1(SM, A, Local))
    return 0;
  return writeBehindL1(PC, A, Atomic);
}

/// Whether the write stays in L1.
bool FunctionalMemory::writeL1(unsigned SM, const LineAccess &A, bool Local) {
  const uint64_t Stands = Exact[SM] ? 1 : SampleMask + 1;
  const auto [Line, Mask] =
      memory::sectorsIn(L1Spec, A.Line, A.Sectors, Spec.L2.Sector);
  const memory::WriteRule Rule(L1Spec, Local);
  Out.L1.Accesses += Stands * std::popcount(A.Sectors);
  Out.L1.Writes += Stands * std::popcount(A.Sectors);
  unsigned Victims = 0;
  Way *const W =
      Rule.Allocate ? &findOrTakeL1(L1[SM], Line, Victims) : find(L1[SM], Line);
  spill(SM, Victims);
  if (W && (W->Valid & Mask) == Mask)
    Out.L1.Hits += Stands * std::popcount(A.Sectors);
  if (W && Rule.Evict)
    W->Valid &= ~Mask;
  else if (W && Rule.Allocate)
    W->Valid |= Mask;
  if (!W || !Rule.Back)
    return false;
  W->Dirty |= Mask;
  return true;
}

unsigned FunctionalMemory::writeBehindL1(uint32_t PC, const LineAccess &A,
                                         bool Atomic) {
  if (const memory::AddressMap::Place P = Map.place(A.Line);
      SampleMask && !followed(P)) {
    passBy(PC, P, std::popcount(A.Sectors), false, Atomic ? A.SameAddress : 0);
    const bool Far = Atomic && predictFar(PC, std::popcount(A.Sectors));
    if (Atomic && Fetches)
      Fetches->add(FetchTable::Kind::Atomic, A.Line, A.Sectors,
                   {Far, isAway(P.Slice)});
    return Far ? 2 : 1;
  }
  SliceWeight = ChannelWeight = 1;
  bool Miss = writeL2(A.Line, A.Sectors, Atomic);
  if (const unsigned N = std::popcount(A.Sectors); Atomic && SampleMask)
    learn(PC, N, N, Miss ? N : 0);
  memory::AddressMap::Place P = Map.place(A.Line);
  if (Atomic)
    Atomics.add(P.Slice,
                memory::atomicTurns(std::popcount(A.Sectors), A.SameAddress));
  if (Atomic && Fetches)
    Fetches->add(FetchTable::Kind::Atomic, A.Line, A.Sectors,
                 {Miss, isAway(P.Slice)});
  return Miss ? 2 : 1;
}

/// Dirty lines of L1 that are pushed out go on to L2. What is counted there
/// stands for several, but an exact SM pushes out all of its own.
void FunctionalMemory::spill(unsigned SM, unsigned Sectors) {
  const uint64_t Stands = Exact[SM] ? SampleMask + 1 : 1;
  Spilled += Sectors;
  Out.L2WrittenSectors += Spilled / Stands;
  Spilled %= Stands;
}

FetchTable::Origin FunctionalMemory::readL2(uint64_t Address, uint32_t Bytes,
                                            L2Place &Place) {
  const uint32_t Sector = Spec.L2.Sector, Line = Spec.L2.Line;
  FetchTable::Origin From;
  for (uint64_t At = Address / Sector * Sector; At < Address + Bytes;
       At += Sector) {
    uint64_t LineAddress = At / Line * Line;
    if (LineAddress != Place.Line) {
      memory::AddressMap::Place P = Map.place(LineAddress);
      Place.Line = LineAddress;
      Place.Slice = P.Slice;
      if (Spec.L2.TotalSize) {
        unsigned Victims = 0;
        Place.W = &findOrTake(L2[P.Slice], P.Local, Victims);
        replaced(P.Slice, Victims);
      }
    }
    Slices.add(Place.Slice, 1, SliceWeight, Group);
    ++Out.L2.Accesses;
    uint16_t Bit = uint16_t(1 << ((At - LineAddress) / Sector));
    bool Fetch = true, Wait = true, Across = isAway(Place.Slice);
    if (Spec.L2.TotalSize) {
      Way &W = *Place.W;
      Fetch = !(W.Valid & Bit);
      if (Fetch) {
        W.Valid |= Bit;
        W.Ready = Round;
      }
      // What another SM asked for a moment ago is still on its way.
      Wait = Fetch || (W.Ready == Round && !(W.Dirty & Bit));
      // What this half has read before it still has.
      AwayHits += Across && !Fetch;
      Across &= !(W.Copies & Bit);
      AcrossHits += Across && !Fetch;
      W.Copies |= Across ? Bit : 0;
    }
    Out.L2.Hits += !Fetch;
    Fetched += Fetch;
    toDRAM(Place.Slice, Fetch, 0);
    Out.AwaitedSectors += Wait;
    From.DRAM |= Wait;
    From.Across |= Across;
  }
  return From;
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
  const memory::WriteRule Rule(Spec.L2, false);
  unsigned Victims = 0;
  Way *const W = Rule.Allocate || Atomic
                     ? &findOrTake(L2[P.Slice], P.Local, Victims)
                     : find(L2[P.Slice], P.Local);
  replaced(P.Slice, Victims);
  unsigned Here = W ? std::popcount(uint16_t(W->Valid & Sectors)) : 0;
  Out.L2.Hits += Here;
  Fetched += Count - Here;
  if (Atomic && Here < Count) {
    // An atomic needs the old value.
    toDRAM(P.Slice, Count - Here, 0);
    Out.AwaitedSectors += Count - Here;
  }
  if (W) {
    W->Valid |= Sectors;
    W->Copies &= ~Sectors;
    const bool Clean = !W->Dirty;
    if (Rule.Back || Atomic)
      W->Dirty |= Sectors;
    if (Tags &T = L2[P.Slice]; Clean && W->Dirty)
      Dirty[P.Slice].soil(T, uint32_t(W - &T[0]), [&](const Way &Old) {
        toDRAM(P.Slice, 0, std::popcount(Old.Dirty));
      });
  }
  if (!W || !(Rule.Back || Atomic))
    toDRAM(P.Slice, 0, Count);
  return Here < Count;
}

/// A line has been replaced whose dirty sectors go to DRAM, if it had any.
void FunctionalMemory::replaced(unsigned Slice, unsigned DirtySectors) {
  if (DirtySectors)
    Dirty[Slice].left();
  toDRAM(Slice, 0, DirtySectors);
}

void FunctionalMemory::toDRAM(unsigned Slice, unsigned Reads, unsigned Writes) {
  Out.DRAMReadSectors += Reads;
  Out.DRAMWriteSectors += Writes;
  Out.DRAMWriteRequests += Writes != 0;
  WrittenBack += Writes;
  WrittenThen += double(Writes) * double(Out.L2WrittenSectors);
  Channels.add(ChannelOf[Slice], Reads, ChannelWeight, Group);
  Channels.add(ChannelOf[Slice], Writes);
}

/// What was written to L2 before it began to write back, of followed lines. The
/// sectors that it wrote back were written evenly from then on, so that the
/// middle of these says when they began.
double FunctionalMemory::heldBack() const {
  if (WrittenBack <= 0)
    return 0;
  return std::clamp(2 * WrittenThen / WrittenBack - WrittenByNow, 0.0,
                    std::max(0.0, WrittenByNow - WrittenBack));
}

/// Variance of the work of \p Place since only some lines are followed, from
/// how unequal its groups of lines are.
double FunctionalMemory::Balance::variance(size_t Place) const {
  const std::span<const double> Groups =
      std::span(Sampled).subspan(Place * NumGroups, NumGroups);
  const double Mean =
      std::accumulate(Groups.begin(), Groups.end(), 0.0) / NumGroups;
  double Squares = 0;
  for (double G : Groups)
    Squares += (G - Mean) * (G - Mean);
  return Squares * NumGroups / (NumGroups - 1);
}

/// Ends the stretch if there is enough in it that chance alone does not make
/// one place much busier than the others. The largest of N normal variables is
/// some sqrt(2 ln N) deviations up. All lines together vary by the root of how
/// many of them one stands for less than those that are followed: as these do
/// at all places, since the busiest may be so by one line.
void FunctionalMemory::Balance::close(bool Force) {
  const double Now = std::accumulate(Work.begin(), Work.end(), 0.0);
  const double Places = double(Work.size());
  if (Now <= 0 || (!Force && Now < 2048.0 * Places))
    return;
  double Variance = 0;
  for (size_t Place = 0; Place != Work.size(); ++Place)
    Variance += variance(Place) / Places;
  const size_t Busiest = size_t(std::ranges::max_element(Work) - Work.begin());
  const double Deviations = std::sqrt(2 * std::log(Places));
  const double ByChance = Deviations * std::sqrt(variance(Busiest));
  const double OfAll =
      Deviations * std::sqrt(Variance / double(LinesPerFollowed));
  Sum += Now;
  Hot += memory::beyondChance(Work[Busiest], ByChance, Now / Places + OfAll);
  std::ranges::fill(Work, 0);
  std::ranges::fill(Sampled, 0);
}

/// Whether slices and channels are equally busy is judged by stretches of time,
/// one of which may end here.
void FunctionalMemory::endTurn() {
  decide();
  ++Turn;
  Step = 0;
  WrittenByNow = double(Out.L2WrittenSectors);
  Rows.endTurn();
  Slices.close(false);
  Channels.close(false);
  Atomics.close(false);
}

void FunctionalMemory::finish() {
  // What was counted behind L1 stands for the lines that were not followed.
  const uint64_t Stands = SampleMask + 1;
  for (uint64_t *Count :
       {&Out.L2.Accesses, &Out.L2.Hits, &Out.L2.Writes, &Out.DRAMReadSectors,
        &Out.DRAMWriteSectors, &Out.DRAMWriteRequests, &Out.AwaitedSectors,
        &Out.L2WrittenSectors})
    *Count *= Stands;
  Out.HeldBackSectors = heldBack() * double(Stands);
  // What is left is less than a stretch, and counts as much less.
  Slices.close(true);
  Channels.close(true);
  Atomics.close(true);
  Out.HotSlice = Slices.share();
  Out.HotChannel = Channels.share();
  Out.HotAtomic = Atomics.share();
  Out.Activates = Rows.activates();
  findAway();
  for (SMStream &SM : Out.SMs) {
    SM.AtomicTurns = AtomicTurns[SM.SM];
    SM.Requests = Requests[SM.SM];
  }
  Out.AtomicTurns =
      std::accumulate(AtomicTurns.begin(), AtomicTurns.end(), 0.0);
}

} // namespace heddle::interval
