//===- Cache.h - Tags, MSHRs and write policy of one cache ------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_CACHE_H
#define HEDDLE_MEMORY_CACHE_H

#include "arch/GPUSpec.h"
#include "base/Divider.h"
#include "memory/LineMap.h"

#include <cstdint>
#include <vector>

namespace heddle::memory {

enum class CacheOutcome : uint8_t {
  Hit,        ///< all sectors are here
  PendingHit, ///< the rest is on its way already: wait
  Miss,       ///< Send names the sectors to ask for: wait
  MSHRFull,   ///< the rest are stalls: nothing changed, try again
  MergeFull,
  NoWay, ///< every way of the set waits for its fill
};

struct CacheResult {
  CacheOutcome Outcome = CacheOutcome::Hit;
  uint16_t Send = 0;   ///< read: sectors to fetch; write: sectors to send on
  uint16_t Victim = 0; ///< dirty sectors that the access pushed out
  uint64_t VictimLine = 0; ///< address of their line

  bool stalled() const { return Outcome >= CacheOutcome::MSHRFull; }
};

/// Counted in sectors, stalls in attempts.
struct CacheCounters {
  uint64_t Reads = 0, Writes = 0;
  uint64_t ReadHits = 0, WriteHits = 0;
  uint64_t PendingHits = 0;
  uint64_t ReadMisses = 0, WriteMisses = 0;
  uint64_t Evictions = 0; ///< lines
  uint64_t Writebacks = 0;
  uint64_t MSHRStalls = 0, MergeStalls = 0, WayStalls = 0;

  CacheCounters &operator+=(const CacheCounters &);
};

/// State of a cache without time: the caller adds latency and bandwidth. LRU.
/// Lines are given by the address of their first byte.
class Cache {
public:
  explicit Cache(const arch::CacheSpec &Spec);

  /// Reads \p Sectors of a line for \p Waiter, which fill() reports when all
  /// of them have come, unless the outcome is Hit or a stall.
  CacheResult read(uint64_t Line, uint16_t Sectors, uint32_t Waiter);

  /// A line will be looked up soon: brings its entry into the host's cache.
  void prefetch(uint64_t Line) const { WayMap.prefetch(numberOf(Line)); }

  /// Writes; never waits. \p Local chooses between the two halves of
  /// WritePolicy::LocalWriteBack.
  CacheResult write(uint64_t Line, uint16_t Sectors, bool Local = false);

  /// Fetched sectors arrive: appends the waiters that have all theirs.
  void fill(uint64_t Line, uint16_t Sectors, std::vector<uint32_t> &Woken);

  /// An atomic has changed sectors that are here.
  void markDirty(uint64_t Line, uint16_t Sectors);

  /// Makes sectors valid and clean without counting.
  void preload(uint64_t Line, uint16_t Sectors);
  /// Drops everything that is not on its way (L1 between launches).
  void invalidate();

  /// MSHRs in use (sectors of sectored caches, else lines).
  uint32_t mshrsInUse() const { return MSHRsUsed; }
  const CacheCounters &counters() const { return Counters; }

private:
  static constexpr uint32_t None = LineMap::None;
  static constexpr uint16_t NoWay = 0xffff;
  /// The ways of a set are linked in the order of their last use.
  struct Way {
    uint64_t Tag : 48 = 0; ///< line number + 1; 0: empty
    uint64_t Valid : 16 = 0;
    uint16_t Dirty = 0, Pending = 0;
    uint16_t Older = NoWay, Newer = NoWay; ///< ways of the set
  };
  struct SetUse {
    uint16_t Oldest, Newest;
  };
  struct Waiting {
    uint32_t Waiter;
    uint32_t Next;
    uint16_t Missing;
  };
  struct MSHR {
    uint64_t Line = 0;
    uint32_t FirstWaiting = None, LastWaiting = None;
    uint16_t Pending = 0;
    uint16_t NumWaiting = 0;
  };

  uint64_t numberOf(uint64_t Line) const { return Line >> LineShift; }
  uint32_t setOf(uint64_t Line) const;
  uint32_t find(uint64_t Line) const {
    const uint64_t Number = numberOf(Line);
    return WayMap.find(Number,
                       [&](uint32_t W) { return Ways[W].Tag == Number + 1; });
  }
  uint32_t findMSHR(uint64_t Line) const {
    return MSHRMap.find(numberOf(Line),
                        [&](uint32_t M) { return MSHRs[M].Line == Line; });
  }
  /// The way becomes the newest of its set.
  void touch(uint32_t WayIndex);
  /// Takes the oldest way of the set that waits for nothing, or None.
  uint32_t replace(uint64_t Line, CacheResult &Result);
  void addWaiter(MSHR &M, uint32_t Waiter, uint16_t Missing);

  arch::CacheSpec Spec;
  uint32_t NumSets, LineShift;
  Divider BySets;
  bool Sectored;
  std::vector<Way> Ways; ///< set-major
  std::vector<SetUse> Uses;
  LineMap WayMap;
  std::vector<MSHR> MSHRs; ///< those in use
  LineMap MSHRMap;
  uint32_t MSHRsUsed = 0;
  std::vector<Waiting> Pool;
  uint32_t FreeWaiting = None;
  CacheCounters Counters;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_CACHE_H
