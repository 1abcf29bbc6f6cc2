//===- PaperPipeline.h - The hybrid estimator's own pipeline ----*- C++ -*-===//

#ifndef HEDDLE_PIPELINE_PAPERPIPELINE_H
#define HEDDLE_PIPELINE_PAPERPIPELINE_H

#include "pipeline/BlockSample.h"
#include "pipeline/RoundSimulator.h"
#include "pipeline/StackCache.h"
#include "timing/DecodedCode.h"

#include <span>

namespace heddle::pipeline {

/// Simulates one round of active work groups as the paper does (section IV.A,
/// figure 2), on the entries of the warps' traces:
///
///  - computation locks the SM's unit of its kind for the time that the
///    machine's throughput gives it at this number of warps;
///  - a memory access takes pre-wait, a fixed delay in which it locks the
///    load/store unit, and post-wait; the latency is that of a hit or a miss
///    by reuse distance, times most warps / active warps (as the paper prints
///    it);
///  - a barrier waits for the other warps of the group;
///  - a timer advances by the smallest announced wait.
///
/// The constant cache and the L2 are looked up, an L1 is not, and a warp takes
/// one entry after the other.
RoundResult simulatePaperRound(const BlockSample &Sample,
                               std::span<const RoundBlock> Blocks,
                               const timing::DecodedCode &Code,
                               const arch::GPUSpec &Spec);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_PAPERPIPELINE_H
