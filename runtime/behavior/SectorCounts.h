//===- SectorCounts.h - How often which sectors were touched ----*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_SECTORCOUNTS_H
#define HEDDLE_BEHAVIOR_SECTORCOUNTS_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace heddle::behavior {

/// Counts touches of sectors in bounded memory: where there are many sectors,
/// only those whose hash falls into a share of all are followed.
class SectorCounts {
public:
  void touch(uint64_t Sector);
  uint64_t distinct() const { return Counts.size() * OneIn; }
  /// Of the touches over the sectors, in bits.
  double entropy() const;

private:
  static constexpr std::size_t MaxFollowed = 1 << 16;
  std::unordered_map<uint64_t, uint32_t> Counts;
  uint64_t OneIn = 1; ///< a power of two
};

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_SECTORCOUNTS_H
