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

namespace {

uint32_t hashOf(uint64_t LineNumber) {
  return uint32_t((LineNumber * 0x9E3779B97F4A7C15ull) >> 32);
}

} // namespace

Cache::Cache(const arch::CacheSpec &S)
    : Spec(S), NumSets(S.sets()), LineShift(std::countr_zero(S.Line)),
      BySets(std::max(1u, NumSets)), ByWays(std::max(1u, S.Ways)),
      Sectored(S.Sector < S.Line), Ways(size_t(NumSets) * S.Ways),
      Links(Ways.size()), Uses(NumSets, {0, uint16_t(S.Ways - 1)}),
      WayMap(Ways.size()), MSHRMap(16) {
  for (size_t I = 0; I != Ways.size(); ++I) {
    const uint32_t InSet = I % S.Ways;
    Links[I].Older = InSet ? InSet - 1 : NoWay;
    Links[I].Newer = InSet + 1 != S.Ways ? InSet + 1 : NoWay;
  }
}

uint32_t Cache::setOf(uint64_t Line) const {
  uint64_t Number = Line >> LineShift;
  if (Spec.HashSets)
    Number = hashOf(Number >> 3) ^ Number;
  return uint32_t(BySets.remainder(Number));
}

void Cache::touch(uint32_t WayIndex) {
  Link &L = Links[WayIndex];
  if (L.Newer == NoWay)
    return;
  const uint32_t Set = uint32_t(ByWays.quotient(WayIndex));
  Link *const First = &Links[Set * Spec.Ways];
  SetUse &Use = Uses[Set];
  const uint16_t Self = uint16_t(&L - First);
  First[L.Newer].Older = L.Older;
  if (L.Older == NoWay)
    Use.Oldest = L.Newer;
  else
    First[L.Older].Newer = L.Newer;
  First[Use.Newest].Newer = Self;
  L.Older = Use.Newest;
  L.Newer = NoWay;
  Use.Newest = Self;
}

uint32_t Cache::replace(uint64_t Line, CacheResult &Result) {
  const uint32_t Set = setOf(Line), First = Set * Spec.Ways;
  uint32_t InSet = Uses[Set].Oldest;
  while (InSet != NoWay && Ways[First + InSet].Pending)
    InSet = Links[First + InSet].Newer;
  if (InSet == NoWay)
    return None;
  const uint32_t Index = First + InSet;
  Way &W = Ways[Index];
  if (W.Tag) {
    ++Counters.Evictions;
    Result.Victim = W.Dirty;
    Result.VictimLine = (W.Tag - 1) << LineShift;
    Counters.Writebacks += std::popcount(W.Dirty);
    WayMap.erase(W.Tag - 1, Index);
  }
  W.Tag = numberOf(Line) + 1;
  W.Valid = W.Dirty = 0;
  touch(Index);
  WayMap.insert(numberOf(Line), Index);
  return Index;
}

/// The MSHR of a line, which stands in its way if that was given on the miss.
uint32_t Cache::findMSHR(uint64_t Line, uint32_t WayIndex) const {
  if (allocatesOnFill())
    return MSHRMap.find(numberOf(Line),
                        [&](uint32_t M) { return MSHRs[M].Line == Line; });
  return WayIndex != None && Ways[WayIndex].Pending ? Ways[WayIndex].MSHR
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
  }
  MSHRs[Index].Line = Line;
  if (allocatesOnFill()) {
    MSHRMap.insert(numberOf(Line), Index);
  } else {
    MSHRs[Index].Way = WayIndex;
    Ways[WayIndex].MSHR = Index;
  }
  return Index;
}

void Cache::giveMSHR(uint32_t Index) {
  if (allocatesOnFill())
    MSHRMap.erase(numberOf(MSHRs[Index].Line), Index);
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
  const uint32_t WayIndex = find(Line);
  const unsigned Count = std::popcount(Sectors);
  uint16_t Valid = WayIndex == None ? 0 : Ways[WayIndex].Valid & Sectors;
  if (Valid == Sectors) {
    touch(WayIndex);
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
    Ways[Target].Pending |= Send;
    touch(Target);
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
  using arch::WritePolicy;
  CacheResult Result;
  const unsigned Count = std::popcount(Sectors);
  uint32_t WayIndex = find(Line);
  WritePolicy Policy = Spec.Write;
  if (Policy == WritePolicy::LocalWriteBack)
    Policy = Local ? WritePolicy::WriteBack : WritePolicy::WriteEvict;
  const bool Back = Policy == WritePolicy::WriteBack;
  const bool Allocate =
      Spec.WriteAllocate || (Back && Spec.Write == WritePolicy::LocalWriteBack);

  Counters.Writes += Count;
  uint16_t Valid = WayIndex == None ? 0 : Ways[WayIndex].Valid & Sectors;
  Counters.WriteHits += std::popcount(Valid);
  Counters.WriteMisses += Count - std::popcount(Valid);

  if (WayIndex == None && Allocate)
    WayIndex = replace(Line, Result); // None: passes by
  if (WayIndex == None) {
    Result.Outcome = CacheOutcome::Miss;
    Result.Send = Sectors;
    return Result;
  }
  Way &W = Ways[WayIndex];
  Result.Outcome = Valid == Sectors ? CacheOutcome::Hit : CacheOutcome::Miss;
  if (Policy == WritePolicy::WriteEvict) {
    Result.Send = Sectors;
    W.Valid &= ~Sectors;
    return Result;
  }
  if (Allocate)
    W.Valid |= Sectors;
  if (Back)
    W.Dirty |= Sectors;
  else
    Result.Send = Sectors;
  touch(WayIndex);
  return Result;
}

void Cache::fill(uint32_t MSHRIndex, uint16_t Sectors,
                 std::vector<uint32_t> &Woken) {
  MSHR &M = MSHRs[MSHRIndex];
  uint32_t WayIndex = M.Way;
  if (allocatesOnFill()) {
    WayIndex = find(M.Line);
    CacheResult Ignored; // clean: such caches hold no dirty lines
    if (WayIndex == None)
      WayIndex = replace(M.Line, Ignored);
  }
  if (WayIndex != None) {
    Ways[WayIndex].Pending &= ~Sectors;
    Ways[WayIndex].Valid |= Sectored ? Sectors : uint16_t(1);
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

void Cache::markDirty(uint64_t Line, uint16_t Sectors) {
  if (uint32_t WayIndex = find(Line); WayIndex != None)
    Ways[WayIndex].Dirty |= Sectors;
}

void Cache::preload(uint64_t Line, uint16_t Sectors) {
  uint32_t WayIndex = find(Line);
  if (WayIndex == None) {
    CacheCounters Before = Counters;
    CacheResult Ignored;
    WayIndex = replace(Line, Ignored);
    Counters = Before;
  } else {
    touch(WayIndex);
  }
  if (WayIndex != None)
    Ways[WayIndex].Valid |= Sectors;
}

void Cache::invalidate() {
  for (Way &W : Ways)
    W.Valid = W.Dirty = 0;
}

} // namespace heddle::memory
