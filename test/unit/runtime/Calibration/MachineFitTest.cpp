//===- MachineFitTest.cpp - From measurements to a machine file -----------===//

#include "calibration/MachineFit.h"

#include "arch/SpecReader.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::calibration;

namespace {

TEST(MachineFit, LatencyAndThroughputOfACurve) {
  OperationFit Fit =
      fitOperation({"mad.f32", {{1, 4.2}, {4, 4.2}, {16, 8.0}, {64, 32.5}}});
  EXPECT_DOUBLE_EQ(Fit.Latency, 4.2);
  EXPECT_DOUBLE_EQ(Fit.PerClock, 64.0); // 16 warps; more do not help
  EXPECT_EQ(fitOperation({"add.f32", {}}).PerClock, 0);
}

Measurements measured() {
  Measurements M;
  M.Device.Name = "Some GPU";
  M.Device.SMs = 20;
  M.Device.MaxThreadsPerSM = 2048;
  M.Device.MaxThreadsPerBlock = 1024;
  M.Device.L2Bytes = 6291456;
  M.Device.ComputeMajor = 7;
  M.Device.MemoryMHz = 877;
  M.Device.MemoryBusBits = 4096;
  M.Operations = {{"mad.f32", {{1, 5}, {64, 16}}}};
  M.Shared = {21.4, "measured"};
  M.Constant = {8, "measured"};
  M.L1 = {30, "measured"};
  M.L2 = {200, "measured"};
  M.DRAM = {500, "measured"};
  M.DRAMGigabytesPerSecond = {800, "measured"};
  M.CoreMHz = {1380, "measured"};
  M.LaunchCycles = {4140, "measured"};
  return M;
}

TEST(MachineFit, FileIsAMachine) {
  auto Base = arch::loadMachine("v100");
  ASSERT_TRUE(Base);
  auto Text = machineFile(measured(), "Some GPU", "by a test.", "v100", *Base);
  ASSERT_TRUE(Text) << Text.error().Message;
  auto Spec = arch::parseMachine(Text->Text, "some.yaml");
  ASSERT_TRUE(Spec) << Spec.error().Message;
  EXPECT_EQ(Spec->SM.Count, 20u);
  const arch::OpTiming &T = Spec->Ops.at(HEDDLE_OP_MAD, HEDDLE_TYPE_F32);
  EXPECT_EQ(T.Latency, 5);
  EXPECT_EQ(T.Initiation, 1); // 4 units, 128 lanes per clock
  EXPECT_EQ(Spec->Shared.Latency, 21u);
  EXPECT_EQ(Spec->L1.Latency, 29u); // one cycle of 30 is the issue
  // Five are the ports' and the slice's: request, slice, two of its port, SM.
  EXPECT_EQ(Spec->L2.Latency, 200u - 30 - 2 * Spec->Icnt.Latency - 5);
  EXPECT_NEAR(Spec->DRAM.Efficiency, 800.0 / 898, 0.001);
  EXPECT_EQ(Spec->Launch.KernelLatency, 4140u);
  // What was not measured is the base's.
  EXPECT_EQ(Spec->L1.MSHRs, Base->L1.MSHRs);
}

TEST(MachineFit, NoMachineIsAnError) {
  auto Base = arch::loadMachine("v100");
  ASSERT_TRUE(Base);
  Measurements M = measured();
  M.Device.L2Bytes = 12345; // no multiple of slices, ways and lines
  auto Text = machineFile(M, "Some GPU", "by a test.", "v100", *Base);
  ASSERT_FALSE(Text);
  EXPECT_NE(Text.error().Message.find("start from a machine that is closer to "
                                      "Some GPU"),
            std::string::npos);
}

} // namespace
