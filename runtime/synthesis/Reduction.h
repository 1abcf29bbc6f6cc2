//===- Reduction.h - How far a clone is cut ---------------------*- C++ -*-===//
//
// C++17, as MLIR's headers are: the synth dialect's conversion includes this.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_REDUCTION_H
#define HEDDLE_SYNTHESIS_REDUCTION_H

#include "base/Dim3.h"

#include <vector>

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

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_REDUCTION_H
