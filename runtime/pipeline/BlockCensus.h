//===- BlockCensus.h - How the blocks of a launch differ --------*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_BLOCKCENSUS_H
#define HEDDLE_PIPELINE_BLOCKCENSUS_H

#include "arch/GPUSpec.h"
#include "base/Result.h"
#include "timing/DecodedCode.h"
#include "trace/TraceSource.h"

#include <cstdint>
#include <vector>

namespace heddle::pipeline {

/// What a block executes, in warp instructions.
struct BlockWork {
  uint64_t Index = 0;
  uint64_t Insts = 0;   ///< of all its warps
  uint64_t Longest = 0; ///< of the warp that has most
};

/// What the whole launch does with a memory record, by the blocks counted.
struct RecordSpread {
  double Asked = 0; ///< sectors of all its accesses
  /// Sectors that it reads or writes first, at most: what the blocks touch,
  /// carried on by how much of what one half of them touches the other has too.
  double Footprint = 0;
  /// Share of its stores that one line gets beyond those of all others, such
  /// as a flag that every thread sets.
  double OneLine = 0;
  /// Share of its atomics that the busiest slice of L2 gets, by the turns that
  /// lanes on one address take; 0 without atomics.
  double HotAtomic = 0;
  double AtomicTurns = 0; ///< of the mean block
  bool Reads = false;
};

/// Blocks spread evenly over a launch: neighbours, as the L2 profile looks at,
/// say what these share, but neither how much longer the longest is nor where
/// blocks far apart, such as those of a column, read the same.
struct BlockCensus {
  std::vector<BlockWork> Blocks;     ///< ascending; none: not taken
  std::vector<RecordSpread> Records; ///< by memory record
  bool Differ = false;               ///< blocks do not all do the same

  bool taken() const { return !Blocks.empty(); }
  double meanInsts() const { return Mean; }

  double Mean = 0; ///< instructions of a block
};

/// Reads blocks of \p Source, which serves any order: as many as \p Budget
/// lines and a fourth of as many instructions allow, by what the first costs.
/// They are taken to do the same if the first, the last and eight others do,
/// and all execute as much. Otherwise the instructions of all blocks are
/// counted, if these are no more than \p CountBudget.
Result<BlockCensus> takeCensus(trace::TraceSource &Source,
                               const timing::DecodedCode &Code,
                               const arch::GPUSpec &Spec, uint64_t Budget,
                               uint64_t CountBudget);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_BLOCKCENSUS_H
