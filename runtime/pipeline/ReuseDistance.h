//===- ReuseDistance.h - LRU stack distances, near-linear -------*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_REUSEDISTANCE_H
#define HEDDLE_PIPELINE_REUSEDISTANCE_H

#include <cstdint>
#include <vector>

namespace heddle::pipeline {

/// Counts, for each access, how many distinct keys were accessed since the
/// last access to the same key: an LRU cache of C lines hits exactly when that
/// is less than C (Mattson et al., "Evaluation techniques for storage
/// hierarchies", 1970).
///
/// Every key holds one mark at the time of its last access; a Fenwick tree over
/// time counts marks, so an access costs O(log n). Time is renumbered when it
/// runs out, which costs O(n) every n accesses; n is the number of distinct
/// keys.
class ReuseDistance {
public:
  static constexpr uint64_t Cold = ~uint64_t(0); ///< first access of a key

  ReuseDistance();

  /// Distance of this access, and a word of the caller's that belongs to the
  /// key (0 at first). The reference holds until the next access.
  struct Touch {
    uint64_t Distance;
    uint64_t &Payload;
  };
  Touch access(uint64_t Key);

  uint64_t distinct() const { return Used; }

private:
  struct Entry {
    uint64_t Key = 0;
    uint64_t Payload = 0;
    uint64_t Time = 0; ///< from 1; 0: empty
  };

  Entry &find(uint64_t Key);
  void growTable();
  void renumber();
  void add(uint64_t Time, int32_t Value);
  uint64_t marksUpTo(uint64_t Time) const;

  std::vector<Entry> Table; ///< open addressing, a power of two
  uint64_t Used = 0;
  std::vector<int32_t> Tree; ///< Fenwick, Tree[0] unused
  uint64_t Now = 0;
};

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_REUSEDISTANCE_H
