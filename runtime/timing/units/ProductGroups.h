//===- ProductGroups.h - wgmma that a warp has under way --------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_PRODUCTGROUPS_H
#define HEDDLE_TIMING_UNITS_PRODUCTGROUPS_H

#include "base/Units.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle::timing {

/// The products (wgmma) that a warp has under way, by the group that
/// wgmma.commit_group has put them in. They end in the order of their issue, at
/// cycles that are known then. Groups are numbered as they come; one that is
/// Kept groups old counts with those after it.
class ProductGroups {
public:
  static constexpr uint32_t Kept = 16;

  /// One more product, whose sums are there at \p At.
  void issue(Cycle At) { Latest = std::max(Latest, At); }
  void commit() { Ends[Next++ % Kept] = Latest; }
  /// When all but the last \p Left committed groups have ended.
  Cycle endOfAllBut(uint32_t Left) const {
    if (Left >= Next)
      return 0;
    return Ends[(Next - 1 - std::min(Left, Kept - 1)) % Kept];
  }
  void clear() { *this = ProductGroups(); }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Ends, Next, Latest] = *this;
    A(Ends, Next, Latest);
  }

private:
  std::array<Cycle, Kept> Ends{};
  uint32_t Next = 0; ///< the group that is being filled
  Cycle Latest = 0;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_PRODUCTGROUPS_H
