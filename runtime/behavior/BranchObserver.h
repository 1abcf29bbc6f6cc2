//===- BranchObserver.h - How lanes divide at a branch ----------*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_BRANCHOBSERVER_H
#define HEDDLE_BEHAVIOR_BRANCHOBSERVER_H

#include "behavior/SampleSet.h"

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
  void finish(const Dim3 &Threads, const Dim3 &Grid, Branch &Out) const;

private:
  void settle();

  static constexpr size_t MaxSamples = 4000;
  uint32_t Pending = 0, Taken = 0;
  bool Wanted[2] = {}; ///< whether the pending execution is sampled
  std::array<Keys, 32> Where;
  SampleSet Lanes[2] = {SampleSet(MaxSamples),
                        SampleSet(MaxSamples)}; ///< [took the first successor]
  uint64_t Executions = 0, All = 0, Mixed = 0, MixedLanes = 0, MixedTaken = 0;
};

/// Looks for a sum of thread index, block index and iteration numbers, or its
/// remainder by a power of two, whose values on one side of the branch form an
/// interval that those of the other side stay out of. Fills in IsFixed and what
/// belongs to it, and swaps Taken and Other where the interval is Other's. If
/// no sum alone does, two are looked for whose intervals hold at once.
/// \p Went and \p Stayed are lanes that took Taken and Other.
void fitBranch(std::span<const AddressSample> Went,
               std::span<const AddressSample> Stayed, const Dim3 &Threads,
               const Dim3 &Grid, Branch &Out);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_BRANCHOBSERVER_H
