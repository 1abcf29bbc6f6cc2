//===- PaperEquationsTest.cpp - GPUMech's equations, by hand --------------===//

#include "interval/paper/PaperModels.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace heddle::interval;

/// Two intervals: 4 instructions and a stall of 16 cycles, 6 and one of 14.
static WarpIntervals twoIntervals() {
  WarpIntervals W;
  W.Intervals = {{.Insts = 4, .Stall = 16}, {.Insts = 6, .Stall = 14}};
  W.Insts = W.Executed = 10;
  W.Stall = 30;
  return W;
}

TEST(PaperEquations, WarpPerformanceIsInstructionsPerCycle) {
  EXPECT_DOUBLE_EQ(twoIntervals().perf(), 10.0 / 40);
  EXPECT_DOUBLE_EQ(WarpIntervals().perf(), 0);
}

TEST(PaperEquations, RoundRobinWaitsForTheOthersBetweenItsInstructions) {
  // 0.25 * (5 - 1) * ((4 - 1) + (6 - 1))
  EXPECT_DOUBLE_EQ(nonoverlapped(twoIntervals(), 5, false), 8);
  EXPECT_DOUBLE_EQ(nonoverlapped(twoIntervals(), 1, false), 0);
}

TEST(PaperEquations, GreedyWaitsForWhatExceedsTheStall) {
  // Mean of 5 instructions; issue_prob * stall > 1 in both intervals, so the
  // four others issue 5 each: 20 - 16 and 20 - 14.
  EXPECT_DOUBLE_EQ(nonoverlapped(twoIntervals(), 5, true), 4 + 6);
  // Two others issue 10, less than either stall.
  EXPECT_DOUBLE_EQ(nonoverlapped(twoIntervals(), 3, true), 0);
  // A stall too short for every other warp to come by: 0.5 * 1 of 4 warps'.
  WarpIntervals Short;
  Short.Intervals = {{.Insts = 1, .Stall = 1}};
  Short.Insts = Short.Stall = 1;
  EXPECT_DOUBLE_EQ(nonoverlapped(Short, 5, true), 1 * 0.5 * 4 - 1);
}

TEST(PaperEquations, MSHRsServeRequestsInGroups) {
  Interval I{.Insts = 10, .Stall = 100, .MemoryInsts = 2, .Requests = 3};
  // 12 requests for 12 MSHRs: nobody waits.
  EXPECT_DOUBLE_EQ(mshrDelay(I, 4, 12, 400), 0);
  // 12 for 4: groups 1, 2, 3 on average 2, so one more latency for each load.
  EXPECT_DOUBLE_EQ(mshrDelay(I, 4, 4, 400), 400 * (2 - 1) * 2);
  // 12 for 8: eight at once, four in the second group: mean 4/3.
  EXPECT_NEAR(mshrDelay(I, 4, 8, 300), 300.0 / 3 * 2, 1e-9);
}

TEST(PaperEquations, BandwidthDelayIsTheQueueOfMD1UpToItsCap) {
  Interval I{.Insts = 20, .Stall = 80, .DRAMRequests = 1};
  // 10 requests in 100 cycles, 2 cycles each: utilisation 0.2.
  EXPECT_NEAR(bandwidthDelay(I, 5, 2, 2), 0.1 * 4 / (2 * 0.8), 1e-9);
  // Utilisation 1: half of the time that all of them take.
  EXPECT_DOUBLE_EQ(bandwidthDelay(I, 5, 2, 10), 10.0 * 10 / 2);
  // ... and above.
  EXPECT_DOUBLE_EQ(bandwidthDelay(I, 5, 2, 40), 40.0 * 10 / 2);
  // Close to 1 the formula of the queue exceeds the cap.
  EXPECT_DOUBLE_EQ(bandwidthDelay(I, 5, 2, 9.99), 9.99 * 10 / 2);
  EXPECT_DOUBLE_EQ(bandwidthDelay({.Insts = 5}, 5, 2, 10), 0);
}

TEST(PaperEquations, MarkovChainOfOneAndTwoWarps) {
  // One warp stalls with p = 0.5 for 4 cycles: pi(1) / pi(0) = 2.
  EXPECT_NEAR(markovIPC(1, 0.5, 4), 1 - 2.0 / 3, 1e-12);
  // Two: 1, 2, 2 * 2 / 2.
  EXPECT_NEAR(markovIPC(2, 0.5, 4), 1 - 2.0 / 5, 1e-12);
  EXPECT_DOUBLE_EQ(markovIPC(2, 0, 4), 1);
  // Many warps and long stalls do not overflow.
  double IPC = markovIPC(64, 1, 1e6);
  EXPECT_TRUE(std::isfinite(IPC));
  EXPECT_GT(IPC, 0);
  EXPECT_LT(IPC, 0.001);
}
