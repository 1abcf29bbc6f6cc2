//===- ClonePlan.h - What a clone keeps and what it cuts --------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_CLONEPLAN_H
#define HEDDLE_SYNTHESIS_CLONEPLAN_H

#include "base/Result.h"
#include "behavior/BehaviorProfile.h"
#include "synthesis/Reduction.h"

namespace heddle::synthesis {

struct LoopPlan {
  Reduction::OfLoop Reduced;
  /// One number for all; a sum of keys; one of the table for each entry.
  enum { Constant, Affine, Drawn } How = Constant;
  /// Reduced trip counts, equally frequent, from the least to the most.
  std::array<uint64_t, 64> Table = {};
  /// Drawn: instead of that, the trips of each of the clone's blocks.
  std::vector<uint64_t> OfBlocks;
  unsigned GroupLanes = 32; ///< lanes that draw together
  double Factor = 1;        ///< mean trips before over after
  uint64_t maxTrips() const { return Table.back(); }
};

/// A profile with the numbers of the clone.
struct ClonePlan {
  behavior::Profile Profile;
  std::vector<LoopPlan> Loops; ///< as Profile.Loops
  uint64_t LoopFactor = 1;     ///< the greatest of the loops
  Dim3 Grid;
  double GridFactor = 1;
  /// Warp instructions that the clone should execute, before over after.
  double ExpectedScale = 1;
};

/// How often warps of the clone run block \p B.
double executions(const ClonePlan &Plan, unsigned B);

/// Whether a loop around \p L comes back to the global data that \p L walks
/// over: to cut it would leave less to keep in caches, so it is not cut.
bool keepsFootprint(const behavior::Profile &P, const behavior::Loop &L);

/// Errors: a factor that leaves nothing, that is, exceeds every trip count (or
/// the number of blocks).
Result<ClonePlan> planClone(behavior::Profile P, const ReductionOptions &O);

/// The same with the reduction given, as the synth dialect holds it.
ClonePlan planReduced(behavior::Profile P, const Reduction &R);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_CLONEPLAN_H
