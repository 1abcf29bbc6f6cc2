//===- IntervalModelTest.cpp - Estimates of hand-written launches ---------===//

#include "../Timing/SyntheticLaunch.h"

#include "base/Makespan.h"
#include "interval/IntervalModel.h"
#include "interval/ProfileCollector.h"

#include <cmath>

using namespace heddle;
using namespace heddle::interval;
using namespace heddle::timing::test;

static IntervalProfile collect(trace::TraceSource &Source,
                               const arch::GPUSpec &Spec,
                               const CollectOptions &Options = {}) {
  Result<IntervalProfile> P = collectProfile(Source, Spec, Options);
  EXPECT_TRUE(P.has_value()) << (P ? "" : P.error().Message);
  return P ? std::move(*P) : IntervalProfile();
}

static IntervalEstimate estimateOf(const IntervalProfile &P,
                                   const arch::GPUSpec &Spec,
                                   Model M = Model::Heddle) {
  Result<IntervalEstimate> E = estimate(P, Spec, M);
  EXPECT_TRUE(E.has_value()) << (E ? "" : E.error().Message);
  return E ? *E : IntervalEstimate();
}

/// Every warp loads its own lines, one after the other, and uses each.
static SyntheticSource streaming(unsigned Blocks, unsigned Threads,
                                 unsigned Times) {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
  Code.add(HEDDLE_OP_ADD, {2}, {1});
  return SyntheticSource(
      Code.Table, Blocks, Threads,
      [=](trace::WarpEncoder &E, uint64_t Block, unsigned Warp) {
        for (unsigned T = 0; T < Times; ++T) {
          uint64_t Line = (Block * (Threads / 32) + Warp) * Times + T;
          E.block(0, ~0u);
          E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u, lanes(Line * 128, 4).data());
        }
      });
}

TEST(IntervalModel, AChainOfOneWarpTakesItsLatencies) {
  CodeBuilder Code;
  Code.chain(1000);
  SyntheticSource S(Code.Table, 1, 32);
  const arch::GPUSpec Spec = smallMachine();
  IntervalProfile P = collect(S, Spec);
  for (Model M : {Model::Naive, Model::MT, Model::GPUMech, Model::Heddle})
    EXPECT_NEAR(estimateOf(P, Spec, M).Cycles, 4000, 10) << modelName(M);
}

TEST(IntervalModel, StacksAddUpToTheCPI) {
  SyntheticSource S = streaming(4, 256, 20);
  const arch::GPUSpec Spec = smallMachine();
  IntervalProfile P = collect(S, Spec);
  for (unsigned M = 0; M < NumModels; ++M) {
    IntervalEstimate E = estimateOf(P, Spec, Model(M));
    double Sum = 0;
    for (double Part : E.Stack) {
      EXPECT_GE(Part, 0);
      Sum += Part;
    }
    EXPECT_NEAR(Sum, E.CoreCPI, 1e-6 * E.CoreCPI) << modelName(Model(M));
  }
}

TEST(IntervalModel, FollowsTheTimingModelOnAStream) {
  SyntheticSource S = streaming(4, 256, 20);
  const arch::GPUSpec Spec = smallMachine();
  auto Truth = run(S, Spec);
  IntervalEstimate E = estimateOf(collect(S, Spec), Spec);
  EXPECT_NEAR(E.Cycles / double(Truth.Cycles), 1, 0.15);
}

TEST(IntervalModel, WithoutMemoryInstructions) {
  CodeBuilder Code;
  Code.chain(16);
  SyntheticSource S(Code.Table, 3, 64);
  const arch::GPUSpec Spec = smallMachine();
  IntervalProfile P = collect(S, Spec);
  for (unsigned M = 0; M < NumModels; ++M) {
    IntervalEstimate E = estimateOf(P, Spec, Model(M));
    EXPECT_TRUE(std::isfinite(E.Cycles));
    EXPECT_GT(E.Cycles, 0) << modelName(Model(M));
    EXPECT_EQ(E.Stack[unsigned(StackPart::DRAM)], 0);
    EXPECT_EQ(E.Stack[unsigned(StackPart::Queue)], 0);
  }
}

TEST(IntervalModel, UtilisationAboveOneStaysFinite) {
  SyntheticSource S = streaming(8, 256, 20);
  arch::GPUSpec Spec = smallMachine();
  Spec.DRAM.Bandwidth = 0.1; // a line takes more than a thousand cycles
  IntervalProfile P = collect(S, Spec);
  for (unsigned M = 0; M < NumModels; ++M) {
    IntervalEstimate E = estimateOf(P, Spec, Model(M));
    EXPECT_TRUE(std::isfinite(E.Cycles)) << modelName(Model(M));
    EXPECT_GT(E.Cycles, 0);
  }
  // All lines have to come through: 8 * 8 * 20 lines of 128 bytes.
  EXPECT_GT(estimateOf(P, Spec).Cycles, 8 * 8 * 20 * 128 / 0.1 * 0.7);
}

TEST(IntervalModel, RefusesMachinesThatMakeNoSense) {
  SyntheticSource S = streaming(1, 32, 4);
  const arch::GPUSpec Spec = smallMachine();
  IntervalProfile P = collect(S, Spec);
  auto message = [&](auto &&Change) {
    arch::GPUSpec Other = Spec;
    Change(Other);
    Result<IntervalEstimate> E = estimate(P, Other, Model::Heddle);
    return E ? std::string() : E.error().Message;
  };
  EXPECT_NE(message([](auto &M) { M.L1.MSHRs = 0; }).find("l1.mshrs"),
            std::string::npos);
  EXPECT_NE(message([](auto &M) { M.DRAM.Bandwidth = 0; }).find("bandwidth"),
            std::string::npos);
  // Another cache needs another profile.
  EXPECT_NE(message([](auto &M) { M.L1.Size *= 2; }).find("collect"),
            std::string::npos);
  // Latencies do not.
  EXPECT_EQ(message([](auto &M) { M.L2.Latency *= 2; }), "");
}

TEST(IntervalModel, TakesNoMoreWarpsThanTheSMOfTheTimingModel) {
  SyntheticSource S = streaming(1, 32, 4);
  arch::GPUSpec Spec = smallMachine();
  Spec.SM.MaxWarps = 96;
  Result<IntervalEstimate> E = estimate(collect(S, Spec), Spec, Model::Heddle);
  ASSERT_FALSE(E.has_value());
  EXPECT_NE(E.error().Message.find("sm.max_warps is 96"), std::string::npos);
}

TEST(IntervalModel, RefusesPoliciesThatThePaperDoesNotKnow) {
  SyntheticSource S = streaming(1, 32, 4);
  arch::GPUSpec Spec = smallMachine();
  Spec.SM.Scheduler = arch::SchedulerPolicy::TwoLevel;
  const IntervalProfile P = collect(S, Spec);
  EXPECT_TRUE(estimate(P, Spec, Model::Heddle).has_value());
  const auto E = estimate(P, Spec, Model::GPUMech);
  ASSERT_FALSE(E.has_value());
  EXPECT_NE(E.error().Message.find("sm.scheduler is two-level"),
            std::string::npos);
}

/// What the timing model's SM can do, the replay can: every policy differs from
/// the others as it does there.
TEST(IntervalModel, HasThePoliciesOfTheTimingModel) {
  CodeBuilder Code;
  Code.chain(12);
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_SHARED, {2}, {1});
  Code.add(HEDDLE_OP_ADD, {1}, {2});
  SyntheticSource S(
      Code.Table, 2, 512, [](trace::WarpEncoder &E, uint64_t, unsigned) {
        for (unsigned T = 0; T < 20; ++T) {
          E.block(0, ~0u);
          E.memory(0, HEDDLE_SPACE_SHARED, ~0u, lanes(0, 4).data());
        }
      });
  using arch::SchedulerPolicy;
  for (SchedulerPolicy P :
       {SchedulerPolicy::LooseRoundRobin, SchedulerPolicy::GreedyThenOldest,
        SchedulerPolicy::GreedyThenYoungest, SchedulerPolicy::TwoLevel}) {
    arch::GPUSpec Spec = smallMachine();
    Spec.SM.Scheduler = P;
    Spec.SM.TwoLevelActive = 2;
    const auto Truth = run(S, Spec);
    EXPECT_EQ(estimateOf(collect(S, Spec), Spec).Cycles, double(Truth.Cycles));
  }
}

TEST(FetchTable, GivesEachSectorItsFetchesInOrder) {
  using Kind = FetchTable::Kind;
  FetchTable T;
  T.add(Kind::Read, 256, 0b0011, {.DRAM = true, .Across = true});
  T.add(Kind::Read, 256, 0b0100, {});
  T.add(Kind::Read, 256, 0b0001, {}); // again
  T.add(Kind::Atomic, 256, 0b0001, {.DRAM = true});
  FetchTable::Cursor C(T);
  EXPECT_FALSE(C.take(Kind::Read, 128, 1).Known);
  const auto First = C.take(Kind::Read, 256, 0b0101);
  EXPECT_EQ(First.Far, 0b0001);
  EXPECT_EQ(First.Across, 0b0001);
  EXPECT_EQ(C.take(Kind::Read, 256, 0b0011).Far, 0b0010);
  // More often than the table knows: it is in L2 by now.
  EXPECT_TRUE(C.take(Kind::Read, 256, 0b0111).Known);
  EXPECT_EQ(C.take(Kind::Read, 256, 0b0111).Far, 0);
  EXPECT_EQ(C.take(Kind::Atomic, 256, 0b0001).Far, 1);
}

/// Some lines, chosen by their address, stand for all.
TEST(ProfileCollector, FollowedLinesStandForTheOthers) {
  const arch::GPUSpec Spec = smallMachine();
  CollectOptions Options;
  Options.SampleShift = 0;
  SyntheticSource All = streaming(400, 256, 8), Some = streaming(400, 256, 8);
  IntervalProfile P = collect(All, Spec, Options);
  Options.SampleShift = 2;
  IntervalProfile Q = collect(Some, Spec, Options);
  EXPECT_EQ(P.WarpInsts, Q.WarpInsts);
  EXPECT_EQ(P.ThreadInsts, Q.ThreadInsts);
  EXPECT_EQ(P.BlockInsts, Q.BlockInsts);
  EXPECT_NEAR(double(Q.L2.Accesses) / double(P.L2.Accesses), 1, 0.02);
  EXPECT_NEAR(double(Q.DRAMReadSectors) / double(P.DRAMReadSectors), 1, 0.02);
  EXPECT_NEAR(Q.HotSlice / P.HotSlice, 1, 0.1);
  EXPECT_NEAR(estimateOf(Q, Spec).Cycles / estimateOf(P, Spec).Cycles, 1, 0.02);
}

TEST(ProfileCollector, StopsEarlyWhereTheRestIsAlike) {
  const arch::GPUSpec Spec = smallMachine();
  CollectOptions Few;
  Few.KeepInsts = Few.KeepOfUnequal = 2000;
  SyntheticSource Early = streaming(4000, 256, 4),
                  All = streaming(4000, 256, 4);
  IntervalProfile P = collect(Early, Spec, Few);
  Few.Whole = true;
  IntervalProfile Q = collect(All, Spec, Few);
  EXPECT_LT(P.CollectedShare, 0.5);
  EXPECT_EQ(Q.CollectedShare, 1);
  // What is counted is what the whole launch has.
  EXPECT_EQ(P.WarpInsts, Q.WarpInsts);
  EXPECT_EQ(P.Warps, Q.Warps);
  EXPECT_EQ(P.BlockInsts, Q.BlockInsts);
  EXPECT_NEAR(double(P.L2.Accesses) / double(Q.L2.Accesses), 1, 0.02);
  EXPECT_NEAR(estimateOf(P, Spec).Cycles / estimateOf(Q, Spec).Cycles, 1, 0.02);
}

TEST(ProfileCollector, ReadsBlocksOfDifferentSizeToTheEnd) {
  CodeBuilder Code;
  Code.chain(8);
  SyntheticSource S(Code.Table, 4000, 256,
                    [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
                      for (uint64_t I = 0; I <= Block % 7; ++I)
                        E.block(0, ~0u);
                    });
  CollectOptions Few;
  Few.KeepInsts = Few.KeepOfUnequal = 2000;
  EXPECT_EQ(collect(S, smallMachine(), Few).CollectedShare, 1);
}

TEST(Makespan, BlocksStartWhereAPlaceIsFree) {
  EXPECT_EQ(makespan({}, 2), 0);
  EXPECT_EQ(makespan({5, 3, 4}, 2), 7); // 5 | 3 + 4
  EXPECT_EQ(slotEnds({5, 3, 4}, 2), (std::vector<double>{5, 7}));
  EXPECT_EQ(slotEnds({5, 3, 4}, 9), (std::vector<double>{3, 4, 5}));
  EXPECT_EQ(makespan({1, 1, 1, 10}, 2), 11);
}

TEST(Makespan, FewBlocksGoOnFaster) {
  // Two slots for 5, then one for 2: at half of the time, or at least at Alone.
  EXPECT_DOUBLE_EQ(makespan({5, 3, 4}, 2, 0), 5 + 2 * 0.5);
  EXPECT_DOUBLE_EQ(makespan({5, 3, 4}, 2, 0.75), 5 + 2 * 0.75);
  EXPECT_DOUBLE_EQ(makespan({5, 3, 4}, 2, 1), makespan({5, 3, 4}, 2));
}

TEST(Makespan, BlocksShareTheirSM) {
  const std::vector<uint32_t> Sizes = {8, 2, 8, 2, 4};
  // Where a block by itself is no faster, each slot goes on at its own pace.
  EXPECT_DOUBLE_EQ(SharedSMs(2, 2, 1, FirstServed::None).makespan(Sizes), 8);
  EXPECT_DOUBLE_EQ(SharedSMs(2, 2, 1, FirstServed::None).makespan(Sizes),
                   makespan(Sizes, 4));
  // Of the first SM both blocks are long; the second one gets the last block.
  EXPECT_DOUBLE_EQ(SharedSMs(2, 2, 0.5, FirstServed::None).makespan(Sizes), 8);
  // One long block beside short ones: 2 + 6 at twice the speed.
  EXPECT_DOUBLE_EQ(SharedSMs(1, 2, 0.5, FirstServed::None).makespan({8, 2}),
                   2 + 3);
  EXPECT_DOUBLE_EQ(SharedSMs(1, 2, 0.75, FirstServed::None).makespan({8, 2}),
                   2 + 6 * 0.75);
  // The oldest takes all that it can use.
  EXPECT_DOUBLE_EQ(SharedSMs(1, 2, 0.5, FirstServed::Oldest).makespan({8, 2}),
                   4 + 1);
  EXPECT_DOUBLE_EQ(SharedSMs(1, 2, 0.75, FirstServed::Oldest).makespan({8, 2}),
                   8 * 0.75);
  EXPECT_EQ(SharedSMs(3, 2, 0.5, FirstServed::Oldest).makespan({}), 0);
  // The short one is the younger: the long one has the SM after it.
  EXPECT_DOUBLE_EQ(SharedSMs(1, 2, 0.5, FirstServed::Youngest).makespan({8, 2}),
                   1 + 4);
  // Two slots, three blocks: the third goes before what is left of the first.
  EXPECT_DOUBLE_EQ(
      SharedSMs(1, 2, 0.5, FirstServed::Youngest).makespan({8, 2, 4}),
      1 + 2 + 4);
}
