//===- RoundSimulator.h - Warps of one SM, step by step ---------*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_ROUNDSIMULATOR_H
#define HEDDLE_PIPELINE_ROUNDSIMULATOR_H

#include "pipeline/BlockSample.h"
#include "pipeline/SMMemory.h"
#include "pipeline/StepTable.h"

#include <span>
#include <string>
#include <vector>

namespace heddle::pipeline {

/// A thread block that the SM runs.
struct RoundBlock {
  uint64_t Index = 0;
  double ActiveSMs = 1; ///< that run at the same time and share the memory
};

struct RoundResult {
  std::vector<double> BlockEnds;    ///< ascending, cycles from the first start
  std::vector<uint64_t> BlockInsts; ///< warp instructions, in the same order
  double Cycles = 0;                ///< until everything has ended
  uint64_t WarpInsts = 0, IssuedInsts = 0;
  MemoryCounters Memory;
  /// Busy share of what an SM has: issue slots, each pipe, ways of memory.
  struct Use {
    std::string Name;
    double Share = 0;
  };
  std::vector<Use> Uses;
};

/// Runs \p Blocks on one SM, \p AtOnce at a time; a block that ends is
/// replaced by the next. Figure 2 of the hybrid estimator with these changes:
/// a warp does not stop at a load but where its result is needed; schedulers
/// and pipes serve the steps of all warps at their rate, instead of being
/// locked for a whole operation; memory latency follows from what waits in
/// front of the caches and the DRAM, instead of a factor.
RoundResult simulateRound(const BlockSample &Sample,
                          std::span<const RoundBlock> Blocks, unsigned AtOnce,
                          const StepTable &Steps, const arch::GPUSpec &Spec,
                          SMMemory &Memory);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_ROUNDSIMULATOR_H
