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
      BySets(std::max(1u, NumSets)), Sectored(S.Sector < S.Line),
      Ways(size_t(NumSets) * S.Ways), Uses(NumSets, {0, uint16_t(S.Ways - 1)}),
      WayMap(Ways.size()), MSHRMap(16) {
  for (size_t I = 0; I != Ways.size(); ++I) {
    const uint32_t InSet = I % S.Ways;
    Ways[I].Older = InSet ? InSet - 1 : NoWay;
    Ways[I].Newer = InSet + 1 != S.Ways ? InSet + 1 : NoWay;
  }
}

uint32_t Cache::setOf(uint64_t Line) const {
  uint64_t Number = Line >> LineShift;
  if (Spec.HashSets)
    Number = hashOf(Number >> 3) ^ Number;
  return uint32_t(BySets.remainder(Number));
}

void Cache::touch(uint32_t WayIndex) {
  Way &W = Ways[WayIndex];
  if (W.Newer == NoWay)
    return;
  const uint32_t Set = setOf((W.Tag - 1) << LineShift);
  Way *const First = &Ways[Set * Spec.Ways];
  SetUse &Use = Uses[Set];
  const uint16_t Self = uint16_t(&W - First);
  First[W.Newer].Older = W.Older;
  if (W.Older == NoWay)
    Use.Oldest = W.Newer;
  else
    First[W.Older].Newer = W.Newer;
  First[Use.Newest].Newer = Self;
  W.Older = Use.Newest;
  W.Newer = NoWay;
  Use.Newest = Self;
}

uint32_t Cache::replace(uint64_t Line, CacheResult &Result) {
  const uint32_t Set = setOf(Line), First = Set * Spec.Ways;
  uint32_t InSet = Uses[Set].Oldest;
  while (InSet != NoWay && Ways[First + InSet].Pending)
    InSet = Ways[First + InSet].Newer;
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

void Cache::addWaiter(MSHR &M, uint32_t Waiter, uint16_t Missing) {
  uint32_t Index = FreeWaiting;
  if (Index == None) {
    Index = uint32_t(Pool.size());
    Pool.emplace_back();
  } else {
    FreeWaiting = Pool[Index].Next;
  }
  Pool[Index] = {Waiter, None, Missing};
  if (M.LastWaiting == None)
    M.FirstWaiting = Index;
  else
    Pool[M.LastWaiting].Next = Index;
  M.LastWaiting = Index;
  ++M.NumWaiting;
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
  // A line that is on its way holds its way, unless that is given on the fill.
  const bool MayPend = Spec.Allocate == arch::AllocateOn::Fill ||
                       (WayIndex != None && Ways[WayIndex].Pending);
  const uint32_t MSHRIndex = MayPend ? findMSHR(Line) : None;
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
  if (MSHRIndex != None && MSHRs[MSHRIndex].NumWaiting >= Spec.MSHRMerge) {
    ++Counters.MergeStalls;
    Result.Outcome = CacheOutcome::MergeFull;
    return Result;
  }
  uint32_t Target = WayIndex;
  if (Target == None && Send && Spec.Allocate == arch::AllocateOn::Miss) {
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
  uint32_t Index = MSHRIndex;
  if (Index == None) {
    Index = uint32_t(MSHRs.size());
    MSHRs.push_back({Line, None, None, 0, 0});
    MSHRMap.insert(numberOf(Line), Index);
  }
  MSHRs[Index].Pending |= Send;
  MSHRsUsed += NewEntries;
  addWaiter(MSHRs[Index], Waiter, Missing);
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

void Cache::fill(uint64_t Line, uint16_t Sectors,
                 std::vector<uint32_t> &Woken) {
  const uint32_t Index = findMSHR(Line);
  uint32_t WayIndex = find(Line);
  if (WayIndex == None && Spec.Allocate == arch::AllocateOn::Fill) {
    CacheResult Ignored; // clean: such caches hold no dirty lines
    WayIndex = replace(Line, Ignored);
  }
  if (WayIndex != None) {
    Ways[WayIndex].Pending &= ~Sectors;
    Ways[WayIndex].Valid |= Sectored ? Sectors : uint16_t(1);
  }
  if (Index == None)
    return;

  MSHR &M = MSHRs[Index];
  MSHRsUsed -= std::popcount(uint16_t(M.Pending & Sectors));
  M.Pending &= ~Sectors;
  uint32_t *Link = &M.FirstWaiting;
  uint32_t Previous = None;
  while (*Link != None) {
    uint32_t At = *Link;
    Pool[At].Missing &= ~Sectors;
    if (Pool[At].Missing == 0) {
      Woken.push_back(Pool[At].Waiter);
      *Link = Pool[At].Next;
      Pool[At].Next = FreeWaiting;
      FreeWaiting = At;
      --M.NumWaiting;
    } else {
      Previous = At;
      Link = &Pool[At].Next;
    }
  }
  M.LastWaiting = Previous;
  if (M.Pending)
    return;

  // Free the entry: the last one moves here.
  MSHRMap.erase(numberOf(Line), Index);
  const uint32_t Last = uint32_t(MSHRs.size()) - 1;
  if (Index != Last) {
    MSHRMap.move(numberOf(MSHRs[Last].Line), Last, Index);
    MSHRs[Index] = MSHRs[Last];
  }
  MSHRs.pop_back();
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
