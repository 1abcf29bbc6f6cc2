//===- GPCCache.cpp - Code and constants for the SMs of a GPC -------------===//

#include "memory/GPCCache.h"

#include "arch/Occupancy.h"

#include <bit>

using namespace heddle;
using namespace heddle::memory;

/// A cache of whole lines of L2 that takes all misses of \p SMs.
static arch::CacheSpec cacheFor(const arch::GPUSpec &Spec, unsigned SMs) {
  arch::CacheSpec C;
  C.Size = Spec.GPCCache.Size;
  C.Ways = Spec.GPCCache.Ways;
  C.Line = C.Sector = Spec.L2.Line;
  C.Allocate = arch::AllocateOn::Fill;
  C.MSHRs = SMs * (Spec.ICache.MSHRs + Spec.Constant.MSHRs);
  C.MSHRMerge = C.MSHRs;
  return C;
}

GPCCaches::GPCCaches(const arch::GPUSpec &Spec)
    : GPCOf(Spec.SM.Count), Cost(Spec),
      SectorsPerLine(Spec.L2.Line / Spec.L2.Sector), Slices(Spec.L2.Slices) {
  if (Spec.GPCCache.Size == 0)
    return;
  for (unsigned GPC = 0; GPC != Spec.Cluster.GPCs; ++GPC) {
    const auto [First, End] = arch::smsOfGPC(Spec, GPC);
    std::fill(GPCOf.begin() + First, GPCOf.begin() + End, uint16_t(GPC));
    Caches.emplace_back(cacheFor(Spec, std::max(1u, End - First)));
  }
}

std::optional<MemoryRequest> GPCCaches::ask(const MemoryRequest &R,
                                            Cycle HitExit) {
  const unsigned GPC = GPCOf[R.SM];
  SliceReply Its;
  Its.Token = R.Token;
  Its.Exit = HitExit;
  Its.Bytes = Cost.bytes(unsigned(std::popcount(R.SectorMask)), true);
  Its.SM = R.SM;
  Its.Slice = uint16_t(Slices + GPC);
  Its.Kind = R.Kind;
  Its.FromDRAM = false;
  if (Free.empty()) {
    Free.push_back(uint32_t(Waiting.size()));
    Waiting.emplace_back();
  }
  const CacheResult Found = Caches[GPC].read(R.Line, 1, Free.back());
  if (Found.Outcome == CacheOutcome::Hit) {
    Hits.push_back(Its);
    return std::nullopt;
  }
  if (Found.stalled())
    return R; // more than all SMs can ask for: past the cache
  Waiting[Free.back()] = Its;
  Free.pop_back();
  if (!Found.Send)
    return std::nullopt;
  MemoryRequest Whole = R;
  Whole.SectorMask = uint16_t((1u << SectorsPerLine) - 1);
  Whole.Token = Mark | uint64_t(GPC) << 32 | Found.MSHR;
  return Whole;
}

void GPCCaches::fill(const SliceReply &R) {
  Woken.clear();
  Caches[size_t((R.Token & ~Mark) >> 32)].fill(uint32_t(R.Token), 1, Woken);
}

CacheCounters GPCCaches::counters() const {
  CacheCounters Sum;
  for (const Cache &Each : Caches)
    Sum += Each.counters();
  return Sum;
}
