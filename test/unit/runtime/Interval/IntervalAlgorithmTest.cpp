//===- IntervalAlgorithmTest.cpp - Intervals of hand-written warps --------===//

#include "../Timing/SyntheticLaunch.h"

#include "interval/IntervalAlgorithm.h"

using namespace heddle;
using namespace heddle::interval;
using namespace heddle::timing::test;

/// A profile of one class of warps that run block 0 once.
static IntervalProfile profileOf(const CodeBuilder &Code) {
  IntervalProfile P;
  P.Code = Code.Table;
  P.Sites.resize(P.Code.Insts.size());
  P.Classes.push_back({{0}, P.Code.Insts.size(), 1});
  return P;
}

static WarpIntervals intervals(const IntervalProfile &P) {
  arch::GPUSpec Spec = smallMachine();
  Spec.SM.ExpandInstructions = true;
  DecodedCode Code(P.Code, Spec);
  return intervalsOf(P.Classes[0], P, Code, latencies(P, Code, Spec));
}

TEST(IntervalAlgorithm, AGapClosesAnInterval) {
  // Latency 4: issue at 1, 2, and at 6, when the second result is there.
  CodeBuilder Code;
  Code.add(HEDDLE_OP_ADD, {1}, {});
  Code.add(HEDDLE_OP_ADD, {2}, {});
  Code.add(HEDDLE_OP_ADD, {3}, {2});
  WarpIntervals W = intervals(profileOf(Code));
  ASSERT_EQ(W.Intervals.size(), 2u);
  EXPECT_EQ(W.Intervals[0].Insts, 2);
  EXPECT_EQ(W.Intervals[0].Stall, 3);
  EXPECT_EQ(W.Intervals[0].Cause, 1);
  EXPECT_EQ(W.Intervals[1].Insts, 1);
  EXPECT_EQ(W.Intervals[1].Stall, 0);
  EXPECT_DOUBLE_EQ(W.perf(), 3.0 / 6);
}

TEST(IntervalAlgorithm, IndependentInstructionsAreOneInterval) {
  CodeBuilder Code;
  for (uint16_t R = 1; R < 9; ++R)
    Code.add(HEDDLE_OP_ADD, {R}, {});
  WarpIntervals W = intervals(profileOf(Code));
  ASSERT_EQ(W.Intervals.size(), 1u);
  EXPECT_EQ(W.Insts, 8);
  EXPECT_EQ(W.Stall, 0);
}

TEST(IntervalAlgorithm, FoldedInstructionsTakeNoSlotAndPassTheirWaitOn) {
  CodeBuilder Code;
  Code.add(HEDDLE_OP_ADD, {1}, {});
  Code.add(HEDDLE_OP_ADD, {2}, {1}).Issued = 0; // part of the next
  Code.add(HEDDLE_OP_ADD, {3}, {2});
  WarpIntervals W = intervals(profileOf(Code));
  EXPECT_EQ(W.Insts, 2);
  EXPECT_EQ(W.Executed, 3);
  EXPECT_EQ(W.Stall, 3); // one latency, not two
  ASSERT_EQ(W.Intervals.size(), 2u);
  EXPECT_EQ(W.Intervals[0].Cause, 0);
}

TEST(IntervalAlgorithm, LatencyOfALoadIsTheMeanOverLevels) {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
  IntervalProfile P = profileOf(Code);
  P.Sites[0].Executions = 4;
  P.Sites[0].ByLevel[0] = 2;
  P.Sites[0].ByLevel[1] = 1;
  P.Sites[0].ByLevel[2] = 1;
  const arch::GPUSpec Spec = smallMachine();
  // L1 30; L2 30 + 2 * 20 + 100; DRAM 200 more.
  EXPECT_DOUBLE_EQ(latencies(P, DecodedCode(P.Code, Spec), Spec)[0],
                   0.5 * 30 + 0.25 * 170 + 0.25 * 370);
}

TEST(IntervalAlgorithm, AWarpOfTheLargerClusterRepresents) {
  // Performance and length relative to the mean: three alike, one far off.
  std::vector<WarpIntervals> Warps(3);
  std::vector<WarpClass> Classes(3);
  double Insts[] = {100, 104, 1000}, Stalls[] = {100, 108, 9000};
  uint64_t Counts[] = {5, 20, 3};
  for (int I = 0; I < 3; ++I) {
    Warps[I].Insts = Insts[I];
    Warps[I].Stall = Stalls[I];
    Classes[I].Insts = uint64_t(Insts[I]);
    Classes[I].Count = Counts[I];
  }
  EXPECT_EQ(representative(Warps, Classes), 1u);
  EXPECT_EQ(representative({}, {}), 0u);
}
