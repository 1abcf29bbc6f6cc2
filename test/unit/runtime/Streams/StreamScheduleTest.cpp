//===- StreamScheduleTest.cpp - Which operations overlap, and how long ----===//

#include "streams/StreamSchedule.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::streams;
using launch::Operation;
using launch::OperationKind;

namespace {

class StreamScheduleTest : public testing::Test {
protected:
  StreamScheduleTest() {
    Spec.SM.Count = 10;
    Spec.Clock.Core = 1000;
    Spec.DRAM.Bandwidth = 1000;
    Spec.DRAM.Efficiency = 1;
    Spec.Host.Bandwidth = 10; // 10,000 bytes in a microsecond
    Program.Streams = {{"host", 0}, {"a", 0}, {"b", 0}, {"high", 1}};
  }

  /// A launch of \p Blocks blocks, of which an SM holds 4.
  size_t launch(size_t Stream, double TimeUs, uint64_t Blocks,
                std::vector<size_t> Waits = {}, BusyShares Busy = {}) {
    LaunchUse Use;
    Use.TimeUs = TimeUs;
    Use.Blocks = Blocks;
    Use.Busy = std::move(Busy);
    Use.Occupancy.BlocksPerSM = Use.Occupancy.BlocksByWarps = 4;
    Use.Occupancy.BlocksBySlots = Use.Occupancy.BlocksByRegisters =
        Use.Occupancy.BlocksByShared = 16;
    Program.All.push_back(
        {OperationKind::Launch, Stream, 0, std::move(Waits), Launches.size()});
    Launches.push_back(Use);
    return Program.All.size() - 1;
  }
  size_t copy(OperationKind Kind, size_t Stream, uint64_t Bytes,
              std::vector<size_t> Waits = {}) {
    Program.All.push_back({Kind, Stream, Bytes, std::move(Waits), 0});
    return Program.All.size() - 1;
  }
  StreamSchedule schedule() { return scheduleStreams(Program, Launches, Spec); }

  arch::GPUSpec Spec;
  launch::Operations Program;
  std::vector<LaunchUse> Launches;
};

TEST_F(StreamScheduleTest, SmallLaunchesRunTogether) {
  launch(1, 5, 20); // half of the slots each
  launch(2, 5, 20);
  const StreamSchedule S = schedule();
  EXPECT_DOUBLE_EQ(S.EndUs, 5);
  EXPECT_DOUBLE_EQ(S.SerialUs, 10);
}

TEST_F(StreamScheduleTest, FullLaunchesDoNot) {
  launch(1, 5, 40);
  launch(2, 5, 40);
  const StreamSchedule S = schedule();
  EXPECT_DOUBLE_EQ(S.EndUs, 10);
  EXPECT_DOUBLE_EQ(S.Operations[1].BeginUs, 5);
}

TEST_F(StreamScheduleTest, TheLastWaveLeavesRoom) {
  launch(1, 8, 60); // a full wave and half of one, 4 us each
  launch(2, 4, 20);
  const StreamSchedule S = schedule();
  EXPECT_DOUBLE_EQ(S.Operations[1].BeginUs, 4);
  EXPECT_DOUBLE_EQ(S.EndUs, 8);
}

TEST_F(StreamScheduleTest, PartOfTheBlocksBegins) {
  launch(1, 4, 30);
  launch(2, 4, 20); // 10 of the 20 fit at first
  const StreamSchedule S = schedule();
  EXPECT_DOUBLE_EQ(S.Operations[1].BeginUs, 0);
  EXPECT_DOUBLE_EQ(S.EndUs,
                   6); // half of the work by 4 us, the rest at full speed
}

TEST_F(StreamScheduleTest, BlocksThatWaitHoldLaterLaunchesUp) {
  launch(1, 4, 30);
  launch(2, 4, 40);
  launch(1, 1, 4); // would fit beside the first two
  const StreamSchedule S = schedule();
  EXPECT_GE(S.Operations[2].BeginUs, 4);
}

TEST_F(StreamScheduleTest, ResourcesAreShared) {
  launch(1, 6, 4, {}, {{"dram", 0.8}});
  launch(2, 6, 4, {}, {{"dram", 0.8}});
  launch(2, 6, 4, {}, {{"issue", 0.5}}); // has no part in it
  const StreamSchedule S = schedule();
  EXPECT_DOUBLE_EQ(S.Operations[0].EndUs, 9.6); // 1.6 times as long
  EXPECT_DOUBLE_EQ(S.Operations[1].EndUs, 9.6);
  EXPECT_DOUBLE_EQ(S.Operations[2].EndUs, 6);
}

TEST_F(StreamScheduleTest, CopiesOverlapLaunchesAndTheOtherDirection) {
  copy(OperationKind::ToDevice, 1, 50000);
  copy(OperationKind::ToDevice, 2, 50000);
  copy(OperationKind::ToHost, 1, 50000);
  launch(2, 5, 40);
  const StreamSchedule S = schedule();
  EXPECT_DOUBLE_EQ(S.Operations[0].EndUs, 5);
  EXPECT_DOUBLE_EQ(S.Operations[1].BeginUs, 5); // one way, one at a time
  EXPECT_DOUBLE_EQ(S.Operations[2].BeginUs, 0);
  EXPECT_DOUBLE_EQ(S.Operations[3].BeginUs, 0);
  EXPECT_DOUBLE_EQ(S.EndUs, 10);
  EXPECT_DOUBLE_EQ(S.SerialUs, 20);
}

TEST_F(StreamScheduleTest, WaitsAndPriorities) {
  const size_t First = launch(1, 2, 40);
  const size_t Host = copy(OperationKind::Host, 0, 0, {First});
  launch(1, 2, 40, {Host});
  launch(3, 2, 40, {Host});
  const StreamSchedule S = schedule();
  EXPECT_DOUBLE_EQ(S.Operations[Host].EndUs, 2);
  EXPECT_DOUBLE_EQ(S.Operations[3].BeginUs, 2); // of higher priority
  EXPECT_DOUBLE_EQ(S.Operations[2].BeginUs, 4);
}

TEST_F(StreamScheduleTest, CopiesTakeNoTimeOnMachinesThatDoNotSay) {
  Spec.Host.Bandwidth = 0;
  copy(OperationKind::ToDevice, 1, 50000);
  launch(1, 5, 40, {0});
  EXPECT_DOUBLE_EQ(schedule().EndUs, 5);
}

} // namespace
