//===- Cache.h - Tags, MSHRs and write policy of one cache ------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_CACHE_H
#define HEDDLE_MEMORY_CACHE_H

#include "arch/GPUSpec.h"

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
  static constexpr uint32_t None = ~0u;
  struct Way {
    uint64_t Tag = 0;  ///< line address + 1; 0: empty
    uint64_t Used = 0; ///< Clock of the last use
    uint16_t Valid = 0, Dirty = 0, Pending = 0;
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

  uint32_t setOf(uint64_t Line) const;
  uint32_t find(uint64_t Line) const;
  /// Takes the oldest way of the set that waits for nothing, or None.
  uint32_t replace(uint64_t Line, CacheResult &Result);
  void hashInsert(uint64_t Line, uint32_t WayIndex);
  void hashErase(uint64_t Line);
  uint32_t findMSHR(uint64_t Line) const;
  void addWaiter(MSHR &M, uint32_t Waiter, uint16_t Missing);

  arch::CacheSpec Spec;
  uint32_t NumSets, LineShift;
  bool Sectored;
  std::vector<Way> Ways; ///< set-major
  uint64_t Clock = 0;
  std::vector<uint32_t> Hash; ///< way index + 1; linear probing
  uint32_t HashMask;
  std::vector<MSHR> MSHRs;        ///< those in use
  std::vector<uint32_t> MSHRHash; ///< MSHR index + 1
  uint32_t MSHRsUsed = 0;
  std::vector<Waiting> Pool;
  uint32_t FreeWaiting = None;
  CacheCounters Counters;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_CACHE_H
