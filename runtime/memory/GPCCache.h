//===- GPCCache.h - Code and constants for the SMs of a GPC -----*- C++ -*-===//

#ifndef HEDDLE_MEMORY_GPCCACHE_H
#define HEDDLE_MEMORY_GPCCACHE_H

#include "memory/Partition.h"

#include <optional>
#include <vector>

namespace heddle::memory {

/// The caches between SMs and L2 that hold code and constants, one in each
/// GPC, and none on machines whose gpc_cache.size is 0. L2 is asked for a line
/// once, however many SMs of the GPC wait for it; all of them have it when it
/// comes. NVIDIA's Kernel Profiling Guide names it (gcc, "GPC constant cache"):
/// an L1.5 cache of constants and instructions for all SMs of a GPC, which has
/// what it lacks from L2. What it passes per cycle is not public: here the
/// links of the SMs limit it. A hit takes as long as one in L2, the shortest
/// time in which anything behind an SM answers.
class GPCCaches {
public:
  explicit GPCCaches(const arch::GPUSpec &Spec);

  /// Whether \p R goes through such a cache.
  bool take(const MemoryRequest &R) const {
    return R.Common && !R.BySector && !Caches.empty();
  }
  /// What L2 is asked for in place of \p R, if anything: the whole line. If the
  /// cache has it, a reply that leaves at \p HitExit is in hits().
  std::optional<MemoryRequest> ask(const MemoryRequest &R, Cycle HitExit);

  /// Whether \p R is L2's answer to what ask() made.
  static bool owns(const SliceReply &R) {
    return R.Token != Partition::NoToken && (R.Token & Mark) != 0;
  }
  /// Calls \p Do with the reply for each request that waited for the line.
  template <typename CallbackT>
  void answer(const SliceReply &R, CallbackT &&Do) {
    fill(R);
    for (const uint32_t Id : Woken) {
      SliceReply Its = Waiting[Id];
      Its.Exit = R.Exit;
      Its.FromDRAM = R.FromDRAM;
      Free.push_back(Id);
      Do(Its);
    }
  }

  /// Replies of hits that were not taken yet, in the order in which they leave.
  std::vector<SliceReply> &hits() { return Hits; }

  /// Of all these caches together.
  CacheCounters counters() const;

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Caches, GPCOf, Cost, SectorsPerLine, Slices, Waiting, Free, Woken,
           Hits] = *this;
    for (Cache &Each : Caches)
      A(Each);
    A(Waiting, Free, Hits);
  }

private:
  /// Of a token: below it the MSHR, and in front of that the GPC.
  static constexpr uint64_t Mark = uint64_t(1) << 62;

  void fill(const SliceReply &R);

  std::vector<Cache> Caches;
  std::vector<uint16_t> GPCOf; ///< by SM
  LinkCost Cost;
  unsigned SectorsPerLine;
  unsigned Slices; ///< of L2: the links of the GPCs come after theirs
  std::vector<SliceReply> Waiting;
  std::vector<uint32_t> Free;  ///< of Waiting
  std::vector<uint32_t> Woken; ///< scratch of fill()
  std::vector<SliceReply> Hits;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_GPCCACHE_H
