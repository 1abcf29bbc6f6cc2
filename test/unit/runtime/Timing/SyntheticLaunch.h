//===- SyntheticLaunch.h - Launches on a small machine ----------*- C++ -*-===//

#ifndef HEDDLE_TEST_SYNTHETICLAUNCH_H
#define HEDDLE_TEST_SYNTHETICLAUNCH_H

#include "LaunchSketch.h"
#include "arch/GPUSpec.h"
#include "timing/Simulator.h"

#include <gtest/gtest.h>

namespace heddle::timing::test {

/// A machine with round numbers: one SM, one scheduler, pipes "alu" (latency
/// 4), "sfu" (latency 20, initiation 8) and "lsu"; no front end to speak of.
inline arch::GPUSpec smallMachine() {
  arch::GPUSpec M;
  M.Name = "small";
  M.Clock = {1000, 1000, 1000};
  M.SM.Count = 1;
  M.SM.Schedulers = 1;
  M.SM.MaxWarps = 48;
  M.SM.MaxBlocks = 8;
  M.SM.Registers = 65536;
  M.SM.RegisterGranularity = 256;
  M.FrontEnd.FetchWidth = 0;
  M.Pipes = {{"alu", 1, true, 1}, {"sfu", 1, true, 1}, {"lsu", 1, false, 4}};
  for (unsigned C = 0; C < HEDDLE_NUM_OP_CLASSES; ++C)
    for (unsigned T = 0; T < HEDDLE_NUM_DATA_TYPES; ++T)
      M.Ops.at(C, T) = {0, 4, 1};
  for (unsigned T = 0; T < HEDDLE_NUM_DATA_TYPES; ++T) {
    M.Ops.at(HEDDLE_OP_SFU, T) = {1, 20, 8};
    for (unsigned C : {HEDDLE_OP_LOAD, HEDDLE_OP_STORE, HEDDLE_OP_ATOMIC,
                       HEDDLE_OP_REDUCTION, HEDDLE_OP_TEXTURE})
      M.Ops.at(C, T) = {2, 1, 1};
    for (unsigned C : {HEDDLE_OP_BARRIER, HEDDLE_OP_EXIT, HEDDLE_OP_BRANCH})
      M.Ops.at(C, T) = {0, 1, 1};
  }
  M.Shared.Size = M.Shared.MaxPerBlock = 49152;
  M.Shared.Granularity = 256;
  M.Shared.Latency = 20;
  M.Shared.AtomicLatency = 1;
  M.L1.Size = 16384;
  M.L1.Ways = 4;
  M.L1.Latency = 30;
  M.L1.MSHRs = 64;
  M.L1.MSHRMerge = 8;
  M.L1.Banks = 4;
  M.Constant.Latency = 8;
  M.Icnt.Latency = 20;
  M.Icnt.RequestBytes = M.Icnt.ReplyBytes = M.Icnt.SliceBytes = 40;
  M.L2.TotalSize = 65536;
  M.L2.Size = 65536;
  M.L2.Slices = 1;
  M.L2.Ways = 8;
  M.L2.Latency = 100;
  M.L2.MSHRs = 64;
  M.L2.MSHRMerge = 8;
  M.L2.Write = arch::WritePolicy::WriteBack;
  M.DRAM.Policy = arch::DRAMPolicy::Fixed;
  M.DRAM.Channels = 1;
  M.DRAM.Bandwidth = 64;
  M.DRAM.Latency = 200;
  M.DRAM.TCL = 10;
  M.DRAM.TRCD = 10;
  M.DRAM.TRP = 10;
  M.DRAM.TRAS = 20;
  M.DRAM.TRC = 30;
  M.Launch.KernelLatency = 0;
  M.Launch.BlocksPerCycle = 0;
  return M;
}

using sketch::CodeBuilder;
using sketch::lanes;
using sketch::SyntheticSource;

inline SimulationResult run(trace::TraceSource &Source,
                            const arch::GPUSpec &Machine,
                            const SimulationOptions &Options = {}) {
  Result<SimulationResult> R = simulate(Source, Machine, Options);
  EXPECT_TRUE(R.has_value()) << (R ? "" : R.error().Message);
  return R ? *R : SimulationResult();
}

inline uint64_t stalled(const SimulationResult &R, Stall S) {
  return R.Stalls[unsigned(S)];
}

} // namespace heddle::timing::test

#endif // HEDDLE_TEST_SYNTHETICLAUNCH_H
