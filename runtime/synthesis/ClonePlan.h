//===- ClonePlan.h - What a clone keeps and what it cuts --------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_CLONEPLAN_H
#define HEDDLE_SYNTHESIS_CLONEPLAN_H

#include "base/Result.h"
#include "behavior/BehaviorProfile.h"

namespace heddle::synthesis {

struct ReductionOptions {
  /// Trip counts are divided by this, rounded to at least MinTrips.
  uint64_t LoopFactor = 1;
  /// Thread blocks are divided by this, at least MinBlocks remain.
  uint64_t GridFactor = 1;
  uint64_t MinTrips = 1;
  uint64_t MinBlocks = 1;
  /// Unless 0: keep this many thread blocks, whatever GridFactor says.
  uint64_t Blocks = 0;
};

/// What is left after the reduction of each loop and of the grid.
struct Reduction {
  struct OfLoop {
    uint64_t Factor = 1, MinTrips = 1;
  };
  std::vector<OfLoop> Loops; ///< as the profile's
  Dim3 Grid;
};

struct LoopPlan {
  Reduction::OfLoop Reduced;
  /// One number for all; a sum of keys; one of the table for each entry.
  enum { Constant, Affine, Drawn } How = Constant;
  /// Reduced trip counts, equally frequent, from the least to the most.
  std::array<uint64_t, 64> Table = {};
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

/// Whether a loop around \p L comes back to the global data that \p L walks
/// over: to cut it would leave less to keep in caches, so it is not cut.
bool keepsFootprint(const behavior::Profile &P, const behavior::Loop &L);

/// Errors: a factor that leaves nothing, that is, exceeds every trip count (or
/// the number of blocks).
Result<ClonePlan> planClone(behavior::Profile P, const ReductionOptions &O);

/// The same with the reduction given.
ClonePlan planReduced(behavior::Profile P, const Reduction &R);

/// A plan from what the synth dialect exports: a behaviour and its reduction,
/// {"Grid": {X, Y, Z}, "Loops": [{"Factor", "MinTrips"}, ...]}, as JSON.
Result<ClonePlan> planExported(const std::string &Behavior,
                               const std::string &Reduction);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_CLONEPLAN_H
