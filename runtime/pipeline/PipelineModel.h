//===- PipelineModel.h - Time of a kernel from a round of blocks -*- C++
//-*-===//

#ifndef HEDDLE_PIPELINE_PIPELINEMODEL_H
#define HEDDLE_PIPELINE_PIPELINEMODEL_H

#include "arch/ModelContract.h"
#include "arch/Occupancy.h"
#include "arch/Roofline.h"
#include "base/Result.h"
#include "pipeline/RoundSimulator.h"
#include "trace/TraceSource.h"

#include <cstdint>
#include <string>

namespace heddle::pipeline {

enum class Variant {
  Heddle, ///< this project's extensions (docs/Estimator.md)
  Paper   ///< the hybrid estimator as published
};

struct PipelineOptions {
  Variant Model = Variant::Heddle;
  /// The launch runs again and again: data that fit stay in the L2.
  bool Warm = false;
  /// Blocks may be read in any order without running those before them.
  bool RandomAccess = false;
  /// Work to spend, in warp instructions of the round and lines of the L2. How
  /// much is an assumption: some tenths of a second.
  uint64_t RoundBudget = 600'000;
  uint64_t L2Budget = 100'000;
  uint64_t CensusBudget = 1'000'000; ///< lines of blocks that data makes differ
  /// Warp instructions of all blocks, where they can only be read in order.
  uint64_t HeldBudget = 5'000'000;
};

/// What a launch takes and what it is limited by.
struct PipelineEstimate {
  std::string Kernel, GPU, Producer, Model;
  /// Fields of the machine that the user set and that the model does not read.
  std::vector<std::string> Ignored;
  std::vector<std::string> Assumptions; ///< that this launch does not meet
  Dim3 Grid, Block;
  double CoreMHz = 0;
  arch::Occupancy Occupancy;
  uint64_t ActiveSMs = 0;
  double Rounds = 0; ///< blocks of the busiest SM / blocks at once

  double Cycles = 0;           ///< of the kernel, and CountedLaunch
  double LaunchCycles = 0;     ///< launch overhead
  double CountedLaunch = 0;    ///< of it, in Cycles (launch.in_cycles)
  double TimeUs = 0;           ///< Cycles at the core clock
  double HostUs = 0;           ///< what a host's timer adds beyond a launch
  double WarpInstructions = 0; ///< of the launch, scaled from the round
  double IPC = 0;
  arch::Roofline Roof;

  uint64_t BlocksSimulated = 0; ///< in the round
  uint64_t BlocksProfiled = 0;  ///< in the L2
  uint64_t BlocksCounted = 0;   ///< whose work was compared; 0: all do the same
  double MeanInsts = 0;         ///< warp instructions of one of those
  uint64_t LongestWarp = 0;     ///< most instructions of one of their warps
  double RoundCycles = 0;       ///< of the simulated blocks
  double BlockInterval = 0;     ///< cycles per further block on an SM
  RoundResult Round;
  std::string Bound; ///< what is busiest, or "latency"
  double BoundShare = 0;
  double L1HitRate = 0;
  double L2Sectors = 0, DRAMReadBytes = 0,
         DRAMWriteBytes = 0; ///< of the launch
  double Footprint = 0;      ///< bytes
  double LatencyL2 = 0, LatencyDRAM = 0;

  /// What a host measures: with the launch overhead and what its timer adds.
  double hostTimeUs() const {
    return TimeUs + HostUs + (LaunchCycles - CountedLaunch) / CoreMHz;
  }
};

/// What the two read of a machine.
extern const arch::ModelContract Contract, PaperContract;

/// Estimates the launch that \p Source holds. Reads few blocks of it.
Result<PipelineEstimate> estimate(trace::TraceSource &Source,
                                  const arch::GPUSpec &Spec,
                                  const PipelineOptions &Options);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_PIPELINEMODEL_H
