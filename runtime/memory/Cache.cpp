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
      Sectored(S.Sector < S.Line), Ways(size_t(NumSets) * S.Ways) {
  uint32_t HashSize = std::bit_ceil(uint32_t(Ways.size() * 2 + 2));
  Hash.assign(HashSize, 0);
  HashMask = HashSize - 1;
  MSHRHash.assign(std::bit_ceil(S.MSHRs * 2 + 2), 0);
}

uint32_t Cache::setOf(uint64_t Line) const {
  uint64_t Number = Line >> LineShift;
  if (Spec.HashSets)
    Number = hashOf(Number >> 3) ^ Number;
  return uint32_t(std::has_single_bit(NumSets) ? Number & (NumSets - 1)
                                               : Number % NumSets);
}

uint32_t Cache::find(uint64_t Line) const {
  for (uint32_t At = hashOf(Line >> LineShift) & HashMask; Hash[At];
       At = (At + 1) & HashMask)
    if (Ways[Hash[At] - 1].Tag == Line + 1)
      return Hash[At] - 1;
  return None;
}

void Cache::hashInsert(uint64_t Line, uint32_t WayIndex) {
  uint32_t At = hashOf(Line >> LineShift) & HashMask;
  while (Hash[At])
    At = (At + 1) & HashMask;
  Hash[At] = WayIndex + 1;
}

void Cache::hashErase(uint64_t Line) {
  uint32_t At = hashOf(Line >> LineShift) & HashMask;
  while (Ways[Hash[At] - 1].Tag != Line + 1)
    At = (At + 1) & HashMask;
  // Close the gap: move back entries that would no longer be found.
  for (uint32_t Next = (At + 1) & HashMask; Hash[Next];
       Next = (Next + 1) & HashMask) {
    uint32_t Home =
        hashOf((Ways[Hash[Next] - 1].Tag - 1) >> LineShift) & HashMask;
    if (((Next - Home) & HashMask) >= ((Next - At) & HashMask)) {
      Hash[At] = Hash[Next];
      At = Next;
    }
  }
  Hash[At] = 0;
}

uint32_t Cache::replace(uint64_t Line, CacheResult &Result) {
  // A look at every way is paid on a miss only; a list in order of use would
  // cost several scattered accesses on every hit.
  const uint32_t First = setOf(Line) * Spec.Ways;
  uint32_t Index = None;
  uint64_t Oldest = ~uint64_t(0);
  for (uint32_t W = First; W != First + Spec.Ways; ++W)
    if (Ways[W].Used < Oldest && Ways[W].Pending == 0) {
      Oldest = Ways[W].Used;
      Index = W;
    }
  if (Index == None)
    return None;
  Way &W = Ways[Index];
  if (W.Tag) {
    ++Counters.Evictions;
    Result.Victim = W.Dirty;
    Result.VictimLine = W.Tag - 1;
    Counters.Writebacks += std::popcount(W.Dirty);
    hashErase(W.Tag - 1);
  }
  W = {Line + 1, ++Clock, 0, 0, 0};
  hashInsert(Line, Index);
  return Index;
}

uint32_t Cache::findMSHR(uint64_t Line) const {
  const uint32_t Mask = uint32_t(MSHRHash.size()) - 1;
  for (uint32_t At = hashOf(Line >> LineShift) & Mask; MSHRHash[At];
       At = (At + 1) & Mask)
    if (MSHRs[MSHRHash[At] - 1].Line == Line)
      return MSHRHash[At] - 1;
  return None;
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
    Ways[WayIndex].Used = ++Clock;
    Counters.Reads += Count;
    Counters.ReadHits += Count;
    return Result;
  }

  const uint16_t Missing = Sectors & ~Valid;
  const uint32_t MSHRIndex = findMSHR(Line);
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
    Ways[Target].Used = ++Clock;
  }
  uint32_t Index = MSHRIndex;
  if (Index == None) {
    Index = uint32_t(MSHRs.size());
    MSHRs.push_back({Line, None, None, 0, 0});
    const uint32_t Mask = uint32_t(MSHRHash.size()) - 1;
    uint32_t At = hashOf(Line >> LineShift) & Mask;
    while (MSHRHash[At])
      At = (At + 1) & Mask;
    MSHRHash[At] = Index + 1;
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
  Ways[WayIndex].Used = ++Clock;
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

  // Free the entry: erase it from the hash, then move the last one here.
  const uint32_t Mask = uint32_t(MSHRHash.size()) - 1;
  auto SlotOf = [&](uint32_t Entry) {
    uint32_t At = hashOf(MSHRs[Entry].Line >> LineShift) & Mask;
    while (MSHRHash[At] != Entry + 1)
      At = (At + 1) & Mask;
    return At;
  };
  uint32_t At = SlotOf(Index);
  for (uint32_t Next = (At + 1) & Mask; MSHRHash[Next];
       Next = (Next + 1) & Mask) {
    uint32_t Home = hashOf(MSHRs[MSHRHash[Next] - 1].Line >> LineShift) & Mask;
    if (((Next - Home) & Mask) >= ((Next - At) & Mask)) {
      MSHRHash[At] = MSHRHash[Next];
      At = Next;
    }
  }
  MSHRHash[At] = 0;
  uint32_t Last = uint32_t(MSHRs.size()) - 1;
  if (Index != Last) {
    MSHRHash[SlotOf(Last)] = Index + 1;
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
    Ways[WayIndex].Used = ++Clock;
  }
  if (WayIndex != None)
    Ways[WayIndex].Valid |= Sectors;
}

void Cache::invalidate() {
  for (Way &W : Ways)
    W.Valid = W.Dirty = 0;
}

} // namespace heddle::memory
