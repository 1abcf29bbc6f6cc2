//===- TagArray.h - What a cache holds, without its time --------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_TAGARRAY_H
#define HEDDLE_INTERVAL_TAGARRAY_H

#include "arch/GPUSpec.h"
#include "memory/LineMap.h"

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
    uint64_t Tag = 0;   ///< line + 1; 0: empty
    uint64_t Ready = 0; ///< when what was asked for last is there
    uint16_t Valid = 0, Dirty = 0;
    uint16_t Older = 0, Newer = 0; ///< ways of the set by last use
  };
  struct Found {
    Way *W = nullptr;    ///< null: the line is not here
    uint16_t Victim = 0; ///< dirty sectors that were pushed out
  };

  bool present() const { return !Ways.empty(); }
  /// Looks without taking a way; counts as a use.
  Found find(uint64_t Line);
  /// The same, but takes the way that was not used for longest if the line is
  /// not here. Valid is then 0.
  Found findOrTake(uint64_t Line);

private:
  struct SetUse {
    uint16_t Oldest, Newest;
  };
  uint32_t setOf(uint64_t Line) const;
  void touch(uint32_t Set, uint16_t InSet);

  uint32_t Sets = 0, NumWays = 0, LineShift = 7;
  bool HashSets = false;
  std::vector<Way> Ways; ///< set-major
  std::vector<SetUse> Uses;
  memory::LineMap Places; ///< of the lines in Ways
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_TAGARRAY_H
