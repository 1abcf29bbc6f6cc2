//===- L2Profile.h - What the L2 serves, from some of the blocks -*- C++
//-*-===//

#ifndef HEDDLE_PIPELINE_L2PROFILE_H
#define HEDDLE_PIPELINE_L2PROFILE_H

#include "arch/GPUSpec.h"
#include "pipeline/BlockSample.h"
#include "timing/DecodedCode.h"

#include <cstdint>
#include <vector>

namespace heddle::pipeline {

/// What a memory record asks of the L2 and what the L2 asks of DRAM for it,
/// as shares of the sectors that it sends there.
struct RecordTraffic {
  double Sectors = 0;     ///< of all blocks looked at
  double DRAMReads = 0;   ///< share that DRAM has to deliver
  double DRAMWrites = 0;  ///< share that ends as a write of DRAM
  double AtomicLines = 0; ///< distinct lines with atomics, whole launch
};

struct L2Profile {
  std::vector<RecordTraffic> Records; ///< by memory record
  double ReadFootprint = 0; ///< bytes read at least once, whole launch
  double WriteFootprint = 0;
  uint64_t Blocks = 0; ///< that were looked at
};

struct L2Question {
  uint64_t Blocks = 0;       ///< look at blocks [0, Blocks)
  uint64_t BlocksAtOnce = 0; ///< resident on the whole GPU
  uint64_t Grid = 0;         ///< blocks of the launch
  uint64_t L1Lines = 0;      ///< share of one block; 0: nothing stays in L1
  bool Warm = false;         ///< an earlier run left its data in the L2
};

/// Feeds the accesses of the first blocks, interleaved as they would run, to
/// an L2 by reuse distance. The blocks are a part of what runs at once: the
/// capacity is their share of it, and lines that blocks have in common are
/// found by how the footprint grows from half of the blocks to all of them,
/// carried on to as many blocks as the L2 can hold.
L2Profile profileL2(const BlockSample &Sample, const timing::DecodedCode &Code,
                    const arch::GPUSpec &Spec, const L2Question &Question);

/// Lines that one block asks the memory for: what profiling it costs.
uint64_t countLines(const trace::BlockTrace &Block,
                    const timing::DecodedCode &Code, const arch::GPUSpec &Spec);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_L2PROFILE_H
