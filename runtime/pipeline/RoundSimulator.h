//===- RoundSimulator.h - Some blocks on one SM -----------------*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_ROUNDSIMULATOR_H
#define HEDDLE_PIPELINE_ROUNDSIMULATOR_H

#include "pipeline/BlockSample.h"
#include "pipeline/SMMemory.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
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
  double Drain = 0; ///< from then until memory has taken what was written
  uint64_t WarpInsts = 0, IssuedInsts = 0;
  uint64_t TraceInsts = 0;            ///< that the trace of the blocks holds
  uint64_t L1Sectors = 0, L1Hits = 0; ///< read
  double L2Sectors = 0, DRAMReads = 0, DRAMWrites = 0; ///< sectors
  /// Cycles of the atomics in L2, and when the first may be back.
  double AtomicCycles = 0, FirstAtomic = 0;
  /// Busy share of what an SM has: issue slots, each pipe, ways of memory.
  struct Use {
    std::string Name;
    double Share = 0;
  };
  std::vector<Use> Uses;
  /// Of what has \p Name; 0 where there is none.
  double use(std::string_view Name) const {
    const auto It = std::ranges::find(Uses, Name, &Use::Name);
    return It == Uses.end() ? 0 : It->Share;
  }
};

/// Warp instructions of a block, of one of its warps.
uint64_t countInsts(const trace::BlockTrace &Block,
                    const trace::CodeTable &Code);
uint64_t countInsts(const trace::WarpTrace &Warp, const trace::CodeTable &Code);

/// Runs \p Blocks on the timing model's SM with \p Memory behind its port, as
/// many at a time as fit; a block that ends is replaced by the next. Of a
/// launch in clusters they are whole clusters by rank, and run on one SM for
/// each rank. This is figure 2 of the hybrid estimator with an SM in place of
/// locked units. Fails where warps wait for what never comes.
Result<RoundResult> simulateRound(const BlockSample &Sample,
                                  std::span<const RoundBlock> Blocks,
                                  const timing::Machine &M, SMMemory &Memory);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_ROUNDSIMULATOR_H
