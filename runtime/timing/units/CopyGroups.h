//===- CopyGroups.h - Asynchronous copies of a warp -------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_COPYGROUPS_H
#define HEDDLE_TIMING_UNITS_COPYGROUPS_H

#include "base/Units.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

namespace heddle::timing {

/// Copies (cp.async) that a warp has under way, by the group that
/// cp.async.commit_group has put them in. Groups are numbered as they come;
/// one that is Kept groups old counts with those after it, which a wait for it
/// makes no earlier.
class CopyGroups {
public:
  static constexpr uint32_t Kept = 16;

  /// A copy of the group that is not committed yet; its number for done().
  uint8_t issue() {
    ++UnderWay[Next % Kept];
    return uint8_t(Next % Kept);
  }
  /// One of \p Group is in shared memory at \p At.
  void done(uint8_t Group, Cycle At) {
    --UnderWay[Group];
    Latest = std::max(Latest, At);
  }
  /// When the last of those that are done is in shared memory.
  Cycle latest() const { return Latest; }
  void commit() { ++Next; }
  /// Whether all but the last \p Left committed groups are complete.
  bool waitsFor(uint32_t Left) const {
    for (uint32_t Age = Left + 1; Age <= Kept && Age <= Next; ++Age)
      if (UnderWay[(Next - Age) % Kept])
        return true;
    return false;
  }
  /// Whether any copy, committed or not, is under way.
  bool any() const { return count(); }
  /// How many copies, committed or not, are under way.
  uint32_t count() const {
    return std::accumulate(UnderWay.begin(), UnderWay.end(), 0u);
  }
  void clear() { *this = CopyGroups(); }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[UnderWay, Next, Latest] = *this;
    A(UnderWay, Next, Latest);
  }

private:
  std::array<uint32_t, Kept> UnderWay{};
  uint32_t Next = 0; ///< the group that is being filled
  Cycle Latest = 0;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_COPYGROUPS_H
