//===- BranchObserver.h - How lanes divide at a branch ----------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_BRANCHOBSERVER_H
#define HEDDLE_BEHAVIOR_BRANCHOBSERVER_H

#include "behavior/BehaviorProfile.h"

#include <functional>

namespace heddle::behavior {

/// What one branch did, execution by execution. An execution is complete when
/// the warp runs the block again or ends.
class BranchObserver {
public:
  /// The warp executes the block with \p Mask.
  void begin(uint32_t Mask, const std::function<Keys(unsigned)> &Where);
  /// Lanes \p Mask went to the first successor.
  void taken(uint32_t Mask) { Taken |= Mask; }
  /// The warp has ended.
  void end() { settle(); }
  void finish(Branch &Out) const;

private:
  void settle();

  struct Range {
    int64_t Least = INT64_MAX, Most = INT64_MIN;
    void add(int64_t V) {
      Least = V < Least ? V : Least;
      Most = V > Most ? V : Most;
    }
  };
  uint32_t Pending = 0, Taken = 0;
  std::array<Keys, 32> Where;
  Range Ranges[2][NumKeys]; ///< [went to the first successor][key]
  uint64_t Executions = 0, All = 0, Mixed = 0, MixedLanes = 0, MixedTaken = 0;
};

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_BRANCHOBSERVER_H
