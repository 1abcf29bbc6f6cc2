//===- TagArray.h - What a cache holds, without its time --------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_TAGARRAY_H
#define HEDDLE_INTERVAL_TAGARRAY_H

#include "arch/GPUSpec.h"

#include <cstdint>
#include <vector>

namespace heddle::interval {

/// Tags of a set-associative LRU cache with lines of sectors. It says what is
/// there; the callers decide what an access costs. Lines are given by the
/// address of their first byte.
class TagArray {
public:
  TagArray(uint64_t SizeBytes, const arch::CacheSpec &Spec);

  struct Way {
    uint64_t Used = 0;  ///< clock of the last use
    uint64_t Ready = 0; ///< when what was asked for last is there
    uint16_t Valid = 0, Dirty = 0;
    uint16_t Far = 0;  ///< of Valid, those that DRAM delivered
    uint32_t Fill = 0; ///< number of what brought Valid last
  };
  struct Found {
    Way *W = nullptr;    ///< null: the line is not here
    uint16_t Victim = 0; ///< dirty sectors that were pushed out
  };

  bool present() const { return !Tags.empty(); }
  /// Looks without taking a way; counts as a use.
  Found find(uint64_t Line);
  /// The same, but takes the way that was not used for longest if the line is
  /// not here. Valid is then 0.
  Found findOrTake(uint64_t Line);

private:
  uint32_t setOf(uint64_t Line) const;

  uint32_t Sets = 0, NumWays = 0, LineShift = 7;
  bool HashSets = false;
  uint64_t Clock = 0;
  std::vector<uint64_t> Tags; ///< line + 1; 0: empty; set-major
  std::vector<Way> Ways;
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_TAGARRAY_H
