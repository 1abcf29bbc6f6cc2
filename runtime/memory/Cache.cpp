//===- Cache.cpp - Tags, MSHRs and write policy of one cache --------------===//

#include "memory/Cache.h"

#include <algorithm>
#include <bit>

namespace heddle::memory {

CacheCounters &CacheCounters::operator+=(const CacheCounters &O) {
  Reads += O.Reads;
  Writes += O.Writes;
  ReadHits += O.ReadHits;
  WriteHits += O.WriteHits;
  PendingHits += O.PendingHits;
  ReadMisses += O.ReadMisses;
  WriteMisses += O.WriteMisses;
  Evictions += O.Evictions;
  Writebacks += O.Writebacks;
  MSHRStalls += O.MSHRStalls;
  MergeStalls += O.MergeStalls;
  WayStalls += O.WayStalls;
  return *this;
}

WriteRule::WriteRule(const arch::CacheSpec &Spec, bool Local) {
  using arch::WritePolicy;
  WritePolicy Policy = Spec.Write;
  if (Policy == WritePolicy::LocalWriteBack)
    Policy = Local ? WritePolicy::WriteBack : WritePolicy::WriteEvict;
  Back = Policy == WritePolicy::WriteBack;
  Evict = Policy == WritePolicy::WriteEvict;
  Allocate =
      Spec.WriteAllocate || (Back && Spec.Write == WritePolicy::LocalWriteBack);
}

bool cachesReads(const arch::L1Spec &Spec, uint8_t Space, uint8_t Flags) {
  if (Flags & (HEDDLE_INST_STREAMING | HEDDLE_INST_VOLATILE))
    return false;
  return Spec.CachesGlobal || Space != HEDDLE_SPACE_GLOBAL ||
         Flags & HEDDLE_INST_READ_ONLY;
}

LineSectors sectorsIn(const arch::CacheSpec &Spec, uint64_t Line,
                      uint16_t Sectors, uint32_t SectorBytes) {
  LineSectors To{Line & ~uint64_t(Spec.Line - 1), 0};
  if (SectorBytes == Spec.Sector && To.Line == Line) {
    To.Sectors = Sectors;
    return To;
  }
  for (uint32_t Rest = Sectors; Rest; Rest &= Rest - 1) {
    const uint64_t Offset =
        Line - To.Line + uint64_t(std::countr_zero(Rest)) * SectorBytes;
    To.Sectors |= uint16_t(1 << (Offset % Spec.Line / Spec.Sector));
  }
  return To;
}

arch::CacheSpec orSmallest(arch::CacheSpec Spec) {
  if (Spec.Size)
    return Spec;
  arch::CacheSpec Smallest;
  Smallest.Line = Smallest.Sector = Smallest.Size = 128;
  Smallest.Ways = Smallest.MSHRs = Smallest.MSHRMerge = 1;
  return Smallest;
}

Cache::Cache(const arch::CacheSpec &S, uint32_t MaxDirty)
    : Spec(S), Sectored(S.Sector < S.Line), MaxDirty(MaxDirty), Tags(S, S.Size),
      MSHRMap(16) {}

uint32_t Cache::replace(uint64_t Line, CacheResult &Result) {
  // Where nothing else is on its way the oldest goes, whatever the policy: one
  // thread's chase has no hits beyond a cache's size on silicon, where many
  // warps have (latency_by_footprint, l1_bandwidth_by_footprint).
  const bool Alone = MSHRsUsed == 0;
  const uint32_t Index = Tags.replace(
      Line, [](const Way &W) { return !W.Pending; },
      [&](const Way &W) {
        ++Counters.Evictions;
        Result.Victim = W.Dirty;
        Result.VictimLine = Tags.lineOf(W);
        NumDirty -= W.Dirty != 0;
        Counters.Writebacks += std::popcount(W.Dirty);
      },
      Alone);
  if (Index != None)
    Tags[Index].Valid = Tags[Index].Dirty = 0;
  return Index;
}

void Cache::soil(uint32_t WayIndex, uint16_t Sectors) {
  Way &W = Tags[WayIndex];
  if (!W.Dirty) {
    ++NumDirty;
    if (MaxDirty != ~0u)
      DirtyOrder.push_back({WayIndex, W.Tag});
  }
  W.Dirty |= Sectors;
}

/// Writes back the line that has been dirty for longest, if there are too many.
void Cache::limitDirty(CacheResult &Result) {
  if (MaxDirty == ~0u)
    return;
  auto Gone = [&](const Soiled &S) {
    return !Tags[S.Way].Dirty || Tags[S.Way].Tag != S.Tag;
  };
  while (!DirtyOrder.empty() && Gone(DirtyOrder.front()))
    DirtyOrder.pop_front();
  if (NumDirty <= MaxDirty)
    return;
  Way &W = Tags[DirtyOrder.front().Way];
  Result.Victim = W.Dirty;
  Result.VictimLine = Tags.lineOf(W);
  Counters.Writebacks += std::popcount(W.Dirty);
  W.Dirty = 0;
  --NumDirty;
  DirtyOrder.pop_front();
}

/// The MSHR of a line, which stands in its way if that was given on the miss.
uint32_t Cache::findMSHR(uint64_t Line, uint32_t WayIndex) const {
  if (allocatesOnFill())
    return MSHRMap.find(Tags.numberOf(Line),
                        [&](uint32_t M) { return MSHRs[M].Line == Line; });
  return WayIndex != None && Tags[WayIndex].Pending ? Tags[WayIndex].MSHR
                                                    : None;
}

uint32_t Cache::takeMSHR(uint64_t Line, uint32_t WayIndex) {
  uint32_t Index;
  if (FreeMSHRs.empty()) {
    Index = uint32_t(MSHRs.size());
    MSHRs.emplace_back();
  } else {
    Index = FreeMSHRs.back();
    FreeMSHRs.pop_back();
    MSHRs[Index] = MSHR();
    if (!FreeMSHRs.empty())
      __builtin_prefetch(&MSHRs[FreeMSHRs.back()], 1);
  }
  MSHRs[Index].Line = Line;
  if (allocatesOnFill()) {
    MSHRMap.insert(Tags.numberOf(Line), Index);
  } else {
    MSHRs[Index].Way = WayIndex;
    Tags[WayIndex].MSHR = Index;
  }
  return Index;
}

void Cache::giveMSHR(uint32_t Index) {
  if (allocatesOnFill())
    MSHRMap.erase(Tags.numberOf(MSHRs[Index].Line), Index);
  FreeMSHRs.push_back(Index);
}

void Cache::addWaiter(MSHR &M, Waiting W) {
  if (!M.NumWaiting++) {
    M.First = W;
    return;
  }
  uint32_t Index = FreeWaiting;
  if (Index == None) {
    Index = uint32_t(Pool.size());
    Pool.emplace_back();
  } else {
    FreeWaiting = Pool[Index].Next;
  }
  Pool[Index] = {W, None};
  if (M.RestHead == None)
    M.RestHead = Index;
  else
    Pool[M.RestTail].Next = Index;
  M.RestTail = Index;
}

/// How many requests wait on the entry of a line, or on its sectors.
uint32_t Cache::waiting(const MSHR &M, uint16_t Sectors) const {
  if (!Spec.MergePerSector)
    return M.NumWaiting;
  uint32_t Count = (M.First.Missing & Sectors) != 0;
  for (uint32_t I = M.RestHead; I != None; I = Pool[I].Next)
    Count += (Pool[I].W.Missing & Sectors) != 0;
  return Count;
}

CacheResult Cache::read(uint64_t Line, uint16_t Sectors, uint32_t Waiter) {
  CacheResult Result;
  const uint32_t WayIndex = Tags.find(Line);
  const unsigned Count = std::popcount(Sectors);
  uint16_t Valid = WayIndex == None ? 0 : Tags[WayIndex].Valid & Sectors;
  if (Valid == Sectors) {
    Tags.touch(WayIndex);
    Counters.Reads += Count;
    Counters.ReadHits += Count;
    return Result;
  }

  const uint16_t Missing = Sectors & ~Valid;
  const uint32_t MSHRIndex = findMSHR(Line, WayIndex);
  uint16_t Pending = MSHRIndex == None ? 0 : MSHRs[MSHRIndex].Pending;
  uint16_t Send = Missing & ~Pending;
  // A whole-line cache asks for the line, whichever part is wanted.
  if (!Sectored && Send)
    Send = Pending ? 0 : uint16_t(1);
  const uint32_t NewEntries = std::popcount(Send);

  // All that can stop the access comes before anything changes.
  if (MSHRsUsed + NewEntries > Spec.MSHRs && NewEntries &&
      (MSHRsUsed || NewEntries <= Spec.MSHRs)) {
    ++Counters.MSHRStalls;
    Result.Outcome = CacheOutcome::MSHRFull;
    return Result;
  }
  if (MSHRIndex != None &&
      waiting(MSHRs[MSHRIndex], Missing) >= Spec.MSHRMerge) {
    ++Counters.MergeStalls;
    Result.Outcome = CacheOutcome::MergeFull;
    return Result;
  }
  uint32_t Target = WayIndex;
  if (Target == None && Send && !allocatesOnFill()) {
    Target = replace(Line, Result);
    if (Target == None) {
      ++Counters.WayStalls;
      Result.Outcome = CacheOutcome::NoWay;
      return Result;
    }
  }

  const unsigned Pended = std::popcount(uint16_t(Missing & Pending));
  Counters.Reads += Count;
  Counters.ReadHits += std::popcount(Valid);
  Counters.PendingHits += Pended;
  Counters.ReadMisses += Count - std::popcount(Valid) - Pended;
  if (Target != None) {
    Tags[Target].Pending |= Send;
    Tags.touch(Target);
  }
  Result.MSHR = MSHRIndex != None ? MSHRIndex : takeMSHR(Line, Target);
  MSHR &M = MSHRs[Result.MSHR];
  M.Pending |= Send;
  MSHRsUsed += NewEntries;
  addWaiter(M, {Waiter, Missing});
  Result.Outcome = Send ? CacheOutcome::Miss : CacheOutcome::PendingHit;
  Result.Send = Send;
  return Result;
}

CacheResult Cache::write(uint64_t Line, uint16_t Sectors, bool Local) {
  CacheResult Result;
  const unsigned Count = std::popcount(Sectors);
  uint32_t WayIndex = Tags.find(Line);
  const WriteRule Rule(Spec, Local);

  Counters.Writes += Count;
  uint16_t Valid = WayIndex == None ? 0 : Tags[WayIndex].Valid & Sectors;
  Counters.WriteHits += std::popcount(Valid);
  Counters.WriteMisses += Count - std::popcount(Valid);

  if (WayIndex == None && Rule.Allocate)
    WayIndex = replace(Line, Result); // None: passes by
  if (WayIndex == None) {
    Result.Outcome = CacheOutcome::Miss;
    Result.Send = Sectors;
    return Result;
  }
  Way &W = Tags[WayIndex];
  Result.Outcome = Valid == Sectors ? CacheOutcome::Hit : CacheOutcome::Miss;
  if (Rule.Evict) {
    Result.Send = Sectors;
    W.Valid &= ~Sectors;
    return Result;
  }
  if (Rule.Allocate)
    W.Valid |= Sectors;
  if (Rule.Back)
    soil(WayIndex, Sectors);
  else
    Result.Send = Sectors;
  Tags.touch(WayIndex);
  limitDirty(Result);
  return Result;
}

void Cache::fill(uint32_t MSHRIndex, uint16_t Sectors,
                 std::vector<uint32_t> &Woken) {
  MSHR &M = MSHRs[MSHRIndex];
  uint32_t WayIndex = M.Way;
  if (allocatesOnFill()) {
    WayIndex = Tags.find(M.Line);
    CacheResult Ignored; // clean: such caches hold no dirty lines
    if (WayIndex == None)
      WayIndex = replace(M.Line, Ignored);
  }
  if (WayIndex != None) {
    Tags[WayIndex].Pending &= ~Sectors;
    Tags[WayIndex].Valid |= Sectored ? Sectors : uint16_t(1);
  }

  MSHRsUsed -= std::popcount(uint16_t(M.Pending & Sectors));
  M.Pending &= ~Sectors;
  if (M.First.Missing) {
    M.First.Missing &= ~Sectors;
    if (!M.First.Missing) {
      Woken.push_back(M.First.Waiter);
      --M.NumWaiting;
    }
  }
  if (M.RestHead != None)
    wakeRest(M, Sectors, Woken);
  if (!M.Pending)
    giveMSHR(MSHRIndex);
}

void Cache::wakeRest(MSHR &M, uint16_t Sectors, std::vector<uint32_t> &Woken) {
  uint32_t *Link = &M.RestHead;
  uint32_t Previous = None;
  while (*Link != None) {
    const uint32_t At = *Link;
    ListedWaiting &Entry = Pool[At];
    Entry.W.Missing &= ~Sectors;
    if (Entry.W.Missing) {
      Previous = At;
      Link = &Entry.Next;
      continue;
    }
    Woken.push_back(Entry.W.Waiter);
    *Link = Entry.Next;
    Entry.Next = FreeWaiting;
    FreeWaiting = At;
    --M.NumWaiting;
  }
  M.RestTail = Previous;
}

CacheResult Cache::markDirty(uint64_t Line, uint16_t Sectors) {
  CacheResult Result;
  if (uint32_t WayIndex = Tags.find(Line); WayIndex != None) {
    soil(WayIndex, Sectors);
    limitDirty(Result);
  }
  return Result;
}

void Cache::drop(uint64_t Line, uint16_t Sectors) {
  if (uint32_t WayIndex = Tags.find(Line); WayIndex != None)
    Tags[WayIndex].Valid &= ~Sectors;
}

unsigned Cache::preload(uint64_t Line, uint16_t Sectors) {
  uint32_t WayIndex = Tags.find(Line);
  if (WayIndex == None) {
    CacheCounters Before = Counters;
    CacheResult Ignored;
    WayIndex = replace(Line, Ignored);
    Counters = Before;
  } else {
    Tags.touch(WayIndex);
  }
  if (WayIndex == None)
    return unsigned(std::popcount(Sectors));
  const unsigned Missing =
      unsigned(std::popcount(uint16_t(Sectors & ~Tags[WayIndex].Valid)));
  Tags[WayIndex].Valid |= Sectors;
  return Missing;
}

void Cache::invalidate() {
  for (Way &W : Tags.all())
    W.Valid = W.Dirty = 0;
  NumDirty = 0;
}

uint64_t Cache::fingerprint() const {
  uint64_t Hash = NumDirty;
  auto Add = [&Hash](uint64_t Value) {
    Hash = (Hash ^ Value) * 0x9E3779B97F4A7C15ull;
    Hash ^= Hash >> 32;
  };
  Tags.visitState(
      [&](const Way &W) {
        Add(W.Tag);
        Add(uint64_t(W.Valid) << 16 | W.Dirty);
      },
      Add);
  for (size_t I = 0; I != DirtyOrder.size(); ++I) {
    Add(DirtyOrder[I].Way);
    Add(DirtyOrder[I].Tag);
  }
  return Hash;
}

void Cache::save(std::vector<uint8_t> &Out) const {
  using trace::bytecode::putVarint;
  Tags.forEachByAge([&](uint32_t Index) {
    const Way &W = Tags[Index];
    putVarint(Out, Index % Tags.numWays());
    putVarint(Out, W.Tag);
    putVarint(Out, W.Valid);
    putVarint(Out, uint64_t(W.Dirty) << 1 | Tags.isRecent(Index));
  });
  putVarint(Out, DirtyOrder.size());
  for (size_t I = 0; I != DirtyOrder.size(); ++I) {
    putVarint(Out, DirtyOrder[I].Way);
    putVarint(Out, DirtyOrder[I].Tag);
  }
}

void Cache::restore(trace::bytecode::ByteReader &In) {
  auto NumberBelow = [&In](uint64_t End) {
    const uint64_t Number = In.varint();
    In.Failed |= Number >= End;
    return In.Failed ? 0 : uint32_t(Number);
  };
  for (uint32_t First = 0; First != Tags.size(); First += Tags.numWays())
    for (uint32_t I = 0; I != Tags.numWays(); ++I) {
      const uint32_t Index = First + NumberBelow(Tags.numWays());
      Way W;
      W.Tag = In.varint();
      W.Valid = uint16_t(In.varint());
      const uint64_t DirtyAndRecent = In.varint();
      W.Dirty = uint16_t(DirtyAndRecent >> 1);
      NumDirty += W.Dirty != 0;
      Tags.put(Index, W, DirtyAndRecent & 1);
    }
  for (uint64_t Left = In.varint(); Left && !In.Failed; --Left) {
    const uint32_t Index = NumberBelow(Tags.size());
    DirtyOrder.push_back({Index, In.varint()});
  }
}

} // namespace heddle::memory
