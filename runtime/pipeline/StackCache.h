//===- StackCache.h - Hits of an LRU cache by reuse distance ----*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_STACKCACHE_H
#define HEDDLE_PIPELINE_STACKCACHE_H

#include "arch/GPUSpec.h"
#include "pipeline/ReuseDistance.h"

#include <bit>
#include <cstdint>

namespace heddle::pipeline {

/// A sectored cache with least recently used replacement. Full associativity
/// is assumed, as in the hybrid estimator (section III.A.3).
class StackCache {
public:
  /// \p Lines: capacity; 0 lets nothing hit.
  explicit StackCache(uint64_t Lines) : Capacity(Lines) {}
  explicit StackCache(const arch::CacheSpec &Spec)
      : StackCache(Spec.Size / Spec.Line) {}

  struct Outcome {
    uint16_t Missing = 0;     ///< sectors that have to be fetched
    bool Cold = false;        ///< the line was never accessed before
    uint16_t Dirtied = 0;     ///< sectors that became dirty
    uint16_t Dirty = 0;       ///< those of the line that are now
    bool FirstDirty = false;  ///< the line had no dirty one
    uint16_t WrittenBack = 0; ///< dirty sectors evicted since the last access
  };
  /// Reads \p Sectors (a mask) of \p Line; missing ones are filled.
  Outcome read(uint64_t Line, uint16_t Sectors) {
    return access(Line, Sectors, false, true);
  }
  /// Writes; \p Allocate says whether a miss takes a line (without a fetch).
  Outcome write(uint64_t Line, uint16_t Sectors, bool Allocate) {
    return access(Line, Sectors, true, Allocate);
  }

private:
  // Payload: valid sectors in bits 0-15, dirty ones in bits 16-31.
  Outcome access(uint64_t Line, uint16_t Sectors, bool Write, bool Fill) {
    ReuseDistance::Touch T = Reuse.access(Line);
    Outcome O;
    O.Cold = T.Distance == ReuseDistance::Cold;
    uint16_t Valid = uint16_t(T.Payload), Dirty = uint16_t(T.Payload >> 16);
    if (T.Distance >= Capacity) {
      O.WrittenBack = Dirty;
      Valid = Dirty = 0;
    }
    O.Missing = Sectors & ~Valid;
    if (Fill)
      Valid |= Sectors;
    if (Write) {
      O.Dirtied = Sectors & ~Dirty;
      O.FirstDirty = !Dirty && Sectors;
      Dirty |= Sectors;
    }
    O.Dirty = Dirty;
    T.Payload = uint64_t(Dirty) << 16 | Valid;
    return O;
  }

  ReuseDistance Reuse;
  uint64_t Capacity;
};

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_STACKCACHE_H
