//===- Cache.h - Tags, MSHRs and write policy of one cache ------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_CACHE_H
#define HEDDLE_MEMORY_CACHE_H

#include "arch/GPUSpec.h"
#include "base/RingBuffer.h"
#include "memory/LineMap.h"
#include "memory/TagStore.h"
#include "trace/ByteCode.h"

#include <bit>
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
  uint32_t MSHR = 0;       ///< where fill() puts the sectors to fetch

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

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Reads, Writes, ReadHits, WriteHits, PendingHits, ReadMisses,
           WriteMisses, Evictions, Writebacks, MSHRStalls, MergeStalls,
           WayStalls] = *this;
    A(Reads, Writes, ReadHits, WriteHits, PendingHits, ReadMisses, WriteMisses,
      Evictions, Writebacks, MSHRStalls, MergeStalls, WayStalls);
  }
};

/// What a cache does with a write; \p Local chooses between the two halves of
/// WritePolicy::LocalWriteBack.
struct WriteRule {
  WriteRule(const arch::CacheSpec &Spec, bool Local);

  bool Back, Evict; ///< keep it; send it on and drop the line; else send it on
  bool Allocate;    ///< a line that is not here takes a way
};

/// Whether L1, if there is one, keeps what a load with \p Flags reads.
bool cachesReads(const arch::L1Spec &Spec, uint8_t Space, uint8_t Flags);

/// The bank of L1's tags that looks for a line: its number folded.
inline unsigned tagBank(uint64_t Line, const arch::L1Spec &Spec) {
  uint64_t Number = Line / Spec.Line;
  const unsigned Bits = std::bit_width(Spec.Tags) - 1;
  for (unsigned Shift = 32; Bits && Shift >= Bits; Shift /= 2)
    Number ^= Number >> Shift;
  return Number & (Spec.Tags - 1);
}

struct LineSectors {
  uint64_t Line;
  uint16_t Sectors;
};
/// Sectors of \p SectorBytes from \p Line on as those of a cache with other
/// lines or sectors.
LineSectors sectorsIn(const arch::CacheSpec &Spec, uint64_t Line,
                      uint16_t Sectors, uint32_t SectorBytes);

/// \p Spec, or the smallest cache in place of one that the machine does not
/// have: its users ask for the size first, but need an object.
arch::CacheSpec orSmallest(arch::CacheSpec Spec);

/// State of a cache without time: the caller adds latency and bandwidth. LRU.
/// Lines are given by the address of their first byte.
class Cache {
public:
  /// Of more than \p MaxDirty dirty lines the one that became so first is given
  /// back as a victim, and stays as a clean one.
  explicit Cache(const arch::CacheSpec &Spec, uint32_t MaxDirty = ~0u);

  /// Reads \p Sectors of a line for \p Waiter, which fill() reports when all
  /// of them have come, unless the outcome is Hit or a stall.
  CacheResult read(uint64_t Line, uint16_t Sectors, uint32_t Waiter);

  /// Whether all \p Sectors of a line are here.
  bool holds(uint64_t Line, uint16_t Sectors) const {
    const uint32_t Way = Tags.find(Line);
    return Way != None && (Tags[Way].Valid & Sectors) == Sectors;
  }

  // See TagStore.
  void prefetch(uint64_t Line) const { Tags.prefetch(Line); }
  void prefetchWay(uint64_t Line) const { Tags.prefetchWay(Line); }
  /// fill() will be called.
  void prefetchFill(uint32_t MSHRIndex) const {
    __builtin_prefetch(&MSHRs[MSHRIndex], 1);
  }
  /// The same a while after prefetchFill(); returns the oldest waiter, or
  /// NoWaiter.
  uint32_t prefetchFilledWay(uint32_t MSHRIndex) const {
    const MSHR &M = MSHRs[MSHRIndex];
    if (M.Way != None)
      __builtin_prefetch(&Tags[M.Way], 1);
    return M.First.Missing ? M.First.Waiter : NoWaiter;
  }
  static constexpr uint32_t NoWaiter = ~0u;

  /// Writes, by its WriteRule; never waits.
  CacheResult write(uint64_t Line, uint16_t Sectors, bool Local = false);

  /// Sectors that a read asked for (CacheResult::Send) arrive at its MSHR:
  /// appends the waiters that have all theirs.
  void fill(uint32_t MSHRIndex, uint16_t Sectors, std::vector<uint32_t> &Woken);

  /// An atomic has changed sectors that are here. The victim, if any, is what
  /// has been dirty for longest, as of a write.
  CacheResult markDirty(uint64_t Line, uint16_t Sectors);

  /// Makes sectors valid and clean without counting. Returns how many were not
  /// valid.
  unsigned preload(uint64_t Line, uint16_t Sectors);
  /// Drops sectors of a line, if it is here.
  void drop(uint64_t Line, uint16_t Sectors);
  /// Drops everything that is not on its way (L1 between launches).
  void invalidate();
  /// Counts from zero; what it holds stays.
  void resetCounters() { Counters = {}; }
  /// Equal for caches that hold the same and will replace it in the same order.
  uint64_t fingerprint() const;
  /// Appends what fingerprint() sees. Nothing is on its way.
  void save(std::vector<uint8_t> &Out) const;
  /// Of a new cache: takes what save() of one like it wrote. What else the
  /// bytes may be is for the caller to find, by the fingerprint.
  void restore(trace::bytecode::ByteReader &In);

  /// Of a saved state: all, whatever is on its way.
  template <class Archive> void serialize(Archive &A) {
    auto &[Spec, Sectored, MaxDirty, NumDirty, DirtyOrder, Tags, MSHRs,
           FreeMSHRs, MSHRMap, MSHRsUsed, Pool, FreeWaiting, Counters] = *this;
    A(NumDirty, DirtyOrder, Tags, MSHRs, FreeMSHRs, MSHRMap, MSHRsUsed, Pool,
      FreeWaiting, Counters);
  }

  /// MSHRs in use (sectors of sectored caches, else lines).
  uint32_t mshrsInUse() const { return MSHRsUsed; }
  const CacheCounters &counters() const { return Counters; }

private:
  static constexpr uint32_t None = LineMap::None;
  struct Way {
    uint64_t Tag : 48 = 0; ///< line number + 1; 0: empty
    uint64_t Valid : 16 = 0;
    uint16_t Dirty = 0, Pending = 0;
    uint32_t MSHR = 0; ///< valid while sectors are pending

    template <class Archive> void serialize(Archive &A) {
      auto &[Tag, Valid, Dirty, Pending, MSHR] = *this;
      uint64_t TheTag = Tag;
      uint16_t Its = Valid;
      A(TheTag, Its, Dirty, Pending, MSHR);
      Tag = TheTag;
      Valid = Its;
    }
  };
  struct Waiting {
    uint32_t Waiter = 0;
    uint16_t Missing = 0;

    template <class Archive> void serialize(Archive &A) {
      auto &[Waiter, Missing] = *this;
      A(Waiter, Missing);
    }
  };
  struct ListedWaiting {
    Waiting W;
    uint32_t Next;

    template <class Archive> void serialize(Archive &A) {
      auto &[W, Next] = *this;
      A(W, Next);
    }
  };
  /// A line of which sectors are on their way. Mostly one waits; the others are
  /// in a list, in the order in which they came.
  struct MSHR {
    uint64_t Line = 0;
    uint32_t Way = None;  ///< that the line has, unless it is given on the fill
    uint16_t Pending = 0; ///< sectors
    uint16_t NumWaiting = 0;
    Waiting First; ///< none: Missing is 0
    uint32_t RestHead = None, RestTail = None;

    template <class Archive> void serialize(Archive &A) {
      auto &[Line, Way, Pending, NumWaiting, First, RestHead, RestTail] = *this;
      A(Line, Way, Pending, NumWaiting, First, RestHead, RestTail);
    }
  };

  bool allocatesOnFill() const {
    return Spec.Allocate == arch::AllocateOn::Fill;
  }
  uint32_t findMSHR(uint64_t Line, uint32_t WayIndex) const;
  uint32_t takeMSHR(uint64_t Line, uint32_t WayIndex);
  void giveMSHR(uint32_t Index);
  /// Takes the oldest way of the set that waits for nothing, or None.
  uint32_t replace(uint64_t Line, CacheResult &Result);
  uint32_t waiting(const MSHR &M, uint16_t Sectors) const;
  void addWaiter(MSHR &M, Waiting W);
  void wakeRest(MSHR &M, uint16_t Sectors, std::vector<uint32_t> &Woken);
  void soil(uint32_t WayIndex, uint16_t Sectors);
  void limitDirty(CacheResult &Result);

  arch::CacheSpec Spec;
  bool Sectored;
  uint32_t MaxDirty;
  uint32_t NumDirty = 0; ///< lines
  struct Soiled {
    uint32_t Way;
    uint64_t Tag;

    template <class Archive> void serialize(Archive &A) {
      auto &[Way, Tag] = *this;
      A(Way, Tag);
    }
  };
  RingBuffer<Soiled> DirtyOrder; ///< where MaxDirty limits; some have gone
  TagStore<Way> Tags;
  std::vector<MSHR> MSHRs;
  std::vector<uint32_t> FreeMSHRs;
  LineMap MSHRMap; ///< of caches that give a line its way on the fill
  uint32_t MSHRsUsed = 0;
  std::vector<ListedWaiting> Pool;
  uint32_t FreeWaiting = None;
  CacheCounters Counters;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_CACHE_H
