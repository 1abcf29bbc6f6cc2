//===- StratifiedTest.cpp - Projections with confidence -------------------===//

#include "arch/SpecReader.h"
#include "sampling/CheckSample.h"
#include "sampling/RandomNumbers.h"
#include "sampling/SamplingResult.h"
#include "sampling/StratifiedSampling.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace heddle;
using namespace heddle::sampling;

namespace {

const arch::GPUSpec &machine() {
  static const arch::GPUSpec V100 = *arch::loadMachine("v100");
  return V100;
}

/// Launches of two kernels, whose cycles vary around their instructions.
struct Population {
  ApplicationProfile Profile;
  std::vector<MeasuredLaunch> Cycles;
  double Total = 0;

  Population(size_t Count, double Spread) {
    RandomNumbers Random(5);
    for (size_t I = 0; I < Count; ++I) {
      LaunchProfile L;
      L.Kernel = I % 3 ? "a" : "b";
      L.Block = {128, 1, 1};
      L.Blocks.push_back({1000 + 500 * (I % 7), 32000, 10, 100});
      Profile.Launches.push_back(L);
      const double PerInstruction = I % 3 ? 2 : 7;
      Cycles.push_back({PerInstruction * double(L.Blocks[0].WarpInstructions) *
                        (1 + Spread * Random.normal())});
      Total += Cycles.back().Cycles;
    }
  }
};

TEST(StratifiedTest, QuantilesOfStudentsDistribution) {
  EXPECT_NEAR(studentQuantile(0.95, 1e9), 1.960, 0.001);
  EXPECT_NEAR(studentQuantile(0.95, 10), 2.228, 0.003);
  EXPECT_NEAR(studentQuantile(0.95, 4), 2.776, 0.02);
  EXPECT_NEAR(studentQuantile(0.90, 20), 1.725, 0.002);
}

TEST(StratifiedTest, TheTruthIsInTheIntervalAsOftenAsItSays) {
  const Population P(600, 0.05);
  int Contained = 0;
  for (uint64_t Seed = 1; Seed <= 200; ++Seed) {
    StratifiedSample::Options O;
    O.Seed = Seed;
    StratifiedSample S(P.Profile, machine(), O);
    while (S.extend(P.Cycles, 0.01))
      ;
    const ConfidentProjection C = S.project(P.Cycles);
    Contained += C.contains(P.Total);
    EXPECT_LT(C.High - C.Cycles, 0.0101 * C.Cycles);
    EXPECT_LT(S.launches().size(), 400u);
  }
  EXPECT_GE(Contained, 180);
}

/// How many of 100 projections hold where `small` runs four times in turn, and
/// takes longer behind `large`.
int containedBehindOthers(bool L2Kept) {
  ApplicationProfile Profile;
  std::vector<MeasuredLaunch> Cycles;
  double Total = 0;
  for (size_t I = 0; I < 300; ++I) {
    LaunchProfile L;
    L.Kernel = I % 5 ? "small" : "large";
    L.Block = {128, 1, 1};
    L.Blocks.push_back({I % 5 ? 1000u : 4000u, 32000, 10, 100});
    Profile.Launches.push_back(L);
    Cycles.push_back({I % 5 == 0 ? 6000.0 : I % 5 == 1 ? 3000.0 : 2000.0});
    Total += Cycles.back().Cycles;
  }
  int Contained = 0;
  for (uint64_t Seed = 1; Seed <= 100; ++Seed) {
    StratifiedSample S(Profile, machine(), {.L2Kept = L2Kept, .Seed = Seed});
    while (S.extend(Cycles, 0.02))
      ;
    Contained += S.project(Cycles).contains(Total);
  }
  return Contained;
}

TEST(StratifiedTest, WhatRanBeforeTellsLaunchesApart) {
  EXPECT_EQ(containedBehindOthers(/*L2Kept=*/true), 100);
  EXPECT_LT(containedBehindOthers(/*L2Kept=*/false), 60);
}

TEST(StratifiedTest, LessErrorCostsMoreLaunches) {
  const Population P(600, 0.1);
  size_t Before = 0;
  for (double Target : {0.1, 0.02, 0.01, 0.005}) {
    StratifiedSample S(P.Profile, machine(), {});
    while (S.extend(P.Cycles, Target))
      ;
    EXPECT_GE(S.launches().size(), Before);
    Before = S.launches().size();
  }
  EXPECT_GT(Before, 100u);
}

TEST(StratifiedTest, EqualLaunchesAndSingleOnes) {
  const Population Equal(300, 0);
  StratifiedSample S(Equal.Profile, machine(), {});
  const size_t Pilot = S.launches().size();
  EXPECT_FALSE(S.extend(Equal.Cycles, 0.02));
  EXPECT_EQ(S.launches().size(), Pilot);
  const ConfidentProjection C = S.project(Equal.Cycles);
  EXPECT_NEAR(C.Cycles, Equal.Total, 1e-6 * Equal.Total);
  EXPECT_TRUE(C.contains(Equal.Total));

  const Population One(1, 0);
  StratifiedSample Whole(One.Profile, machine(), {});
  EXPECT_EQ(Whole.launches(), std::vector<size_t>{0});
  EXPECT_NEAR(Whole.project(One.Cycles).Cycles, One.Total, 1e-6);
}

TEST(StratifiedTest, BlocksLeftOutWidenTheInterval) {
  Population One(1, 0);
  StratifiedSample S(One.Profile, machine(), {});
  One.Cycles[0].Deviation = 0.01 * One.Total;
  const ConfidentProjection C = S.project(One.Cycles);
  EXPECT_NEAR(C.High - C.Cycles, 1.96 * 0.01 * One.Total + 0.5,
              1e-3 * One.Total);
}

/// Cycles of launches with \p Instructions and a largest block of a tenth.
std::vector<LaunchWork> workOf(std::initializer_list<double> Instructions) {
  std::vector<LaunchWork> Work;
  for (double I : Instructions)
    Work.push_back({I, I / 10, 3});
  return Work;
}

TEST(LaunchRegressionTest, OneLaunchGivesARatio) {
  const LaunchRegression R(workOf({100}), std::vector<double>{500});
  EXPECT_EQ(R.numTerms(), 1u);
  EXPECT_NEAR(R.cycles({300, 30, 3}, 1), 1500, 1e-3);
  EXPECT_EQ(R.relativeDeviation(), 0);
}

TEST(LaunchRegressionTest, AConstantPartNeedsFourLaunches) {
  // 1000 cycles and 5 per instruction.
  const std::vector<double> Cycles = {1500, 2000, 3000, 5000, 9000};
  const LaunchRegression Few(workOf({100, 200, 400}),
                             std::span(Cycles).first(3));
  EXPECT_EQ(Few.numTerms(), 1u);
  EXPECT_GT(Few.relativeDeviation(), 0.01);
  const LaunchRegression Four(workOf({100, 200, 400, 800}),
                              std::span(Cycles).first(4));
  EXPECT_EQ(Four.numTerms(), 2u);
  const LaunchRegression R(workOf({100, 200, 400, 800, 1600}), Cycles);
  EXPECT_EQ(R.numTerms(), 2u);
  EXPECT_NEAR(R.cycles({300, 30, 3}, 1), 2500, 0.01);
  // Of three launches together.
  EXPECT_NEAR(R.cycles({900, 90, 9}, 3), 7500, 0.03);
  EXPECT_LT(R.relativeDeviation(), 1e-9);
}

TEST(LaunchRegressionTest, FarFromWhatWasSeenIsUncertain) {
  const LaunchRegression R(workOf({100, 110, 120, 130, 140}),
                           std::vector<double>{1500, 1551, 1600, 1649, 1700});
  ASSERT_EQ(R.numTerms(), 2u);
  EXPECT_GT(R.leverage({1000, 100, 3}, 1), 100 * R.leverage({120, 12, 3}, 1));
}

TEST(LaunchRegressionTest, KnowsTheBlocksOfTheBusiestSM) {
  LaunchProfile L;
  for (uint64_t Size : {10, 20, 30, 40, 50})
    L.Blocks.push_back({Size, 32 * Size, 1, 4});
  // Two SMs get a block each, then two the next pair; the fifth goes to the one
  // that has less to do: 10 + 30 + 50.
  const LaunchWork W = LaunchWork::of(L, 2, 2);
  EXPECT_EQ(W.Blocks, 5);
  EXPECT_EQ(W.LargestBlock, 50);
  EXPECT_EQ(W.BusiestSM, 90);
  EXPECT_EQ(W.Crowding, 90.0 * 90 / 50);
  // All at once, in turn.
  EXPECT_EQ(LaunchWork::of(L, 2, 8).BusiestSM, 90);
  EXPECT_EQ(LaunchWork::of(L, 80, 1).BusiestSM, 50);
}

TEST(LaunchRegressionTest, KnowsTheBlocksThatFollowEachOther) {
  LaunchProfile L;
  for (uint64_t Size : {10, 20, 30, 40, 50})
    L.Blocks.push_back({Size, 32 * Size, 1, 4});
  // Of two places one is free after 10, the other after 20, then after 40.
  EXPECT_EQ(LaunchWork::of(L, 2, 1).BusiestSlot, 90);
  EXPECT_EQ(LaunchWork::of(L, 2, 2).BusiestSlot, 60);
  EXPECT_EQ(LaunchWork::of(L, 1, 5).BusiestSlot, 50);
}

TEST(LaunchRegressionTest, WorkCostsTime) {
  // Less cycles where there are more requests: by chance.
  std::vector<LaunchWork> Work;
  for (double Requests : {90, 70, 50, 30, 10, 5})
    Work.push_back({1000, 100, Requests});
  const LaunchRegression R(
      Work, std::vector<double>{2000, 2100, 2200, 2300, 2400, 2425});
  EXPECT_EQ(R.numTerms(), 1u);
}

TEST(StratifiedTest, WhatIsRepeatedStandsApart) {
  // 150 launches alike, 50 of other sizes that take three times as long.
  ApplicationProfile P;
  std::vector<MeasuredLaunch> Cycles;
  for (unsigned I = 0; I < 200; ++I) {
    LaunchProfile L;
    L.Kernel = "k";
    L.Block = {128, 1, 1};
    const uint64_t Size = I % 4 ? 2000 + I % 3 : 5000 + 20 * I;
    L.Blocks.push_back({Size, 32 * Size, 10, 100});
    P.Launches.push_back(L);
    Cycles.push_back({double(I % 4 ? Size : 3 * Size), 0});
  }
  const StratifiedSample S(P, machine(), {});
  const std::vector<StratumSummary> Strata = S.summary(Cycles);
  ASSERT_EQ(Strata.size(), 2u);
  EXPECT_EQ(Strata[0].Launches, 150u);
  EXPECT_EQ(Strata[0].Sampled, 2u);
  EXPECT_EQ(Strata[1].Launches, 50u);
  EXPECT_EQ(Strata[1].Sampled, 4u); // five times the root of its share
}

TEST(StratifiedTest, EqualLaunchesOfASizeNeedOneEach) {
  // Six sizes, three grids: the largest kind shows that they do not vary.
  ApplicationProfile P;
  std::vector<MeasuredLaunch> Cycles;
  double Total = 0;
  for (unsigned I = 0; I < 360; ++I) {
    LaunchProfile L;
    L.Kernel = "k";
    L.Block = {128, 1, 1};
    L.Grid = {1 + I % 3, 1, 1};
    const unsigned Size = 1000 * (1 + I / 3 % 6);
    L.Arguments = "out, " + std::to_string(Size);
    L.Blocks.assign(L.Grid.X, {Size, 32 * Size, 10, 100});
    P.Launches.push_back(L);
    Cycles.push_back({double(17 * Size % 5000 + 100 * L.Grid.X), 0});
    Total += Cycles.back().Cycles;
  }
  StratifiedSample S(P, machine(), {});
  EXPECT_EQ(S.summary(Cycles).size(), 18u);
  EXPECT_EQ(S.launches().size(), 19u);
  while (S.extend(Cycles, 0.02))
    ;
  EXPECT_EQ(S.launches().size(), 19u);
  EXPECT_NEAR(S.project(Cycles).Cycles, Total, 1e-6 * Total);
}

TEST(StratifiedTest, WhatVariesSaysNothingOfEqualLaunches) {
  // Of four launches three are equal, the others vary by a fifth.
  RandomNumbers Random(3);
  ApplicationProfile P;
  std::vector<MeasuredLaunch> Cycles;
  for (unsigned I = 0; I < 400; ++I) {
    LaunchProfile L;
    L.Kernel = "k";
    L.Block = {128, 1, 1};
    const uint64_t Size = I % 4 ? 4000 : 4200 + 10 * I;
    L.Arguments = std::to_string(Size);
    L.Blocks.push_back({Size, 32 * Size, 10, 100});
    P.Launches.push_back(L);
    Cycles.push_back(
        {I % 4 ? 9000.0 : double(Size) * (2 + 0.4 * Random.normal()), 0});
  }
  StratifiedSample S(P, machine(), {});
  while (S.extend(Cycles, 0.02))
    ;
  const std::vector<StratumSummary> Strata = S.summary(Cycles);
  ASSERT_EQ(Strata.size(), 2u);
  EXPECT_LT(Strata[0].Sampled, 6u);
  EXPECT_LE(Strata[0].Deviation, 0.01);
  EXPECT_GT(Strata[1].Sampled, 20u);
}

TEST(StratifiedTest, SmallSamplesLieFarApart) {
  // Of 200 sizes.
  ApplicationProfile P;
  for (unsigned I = 0; I < 200; ++I) {
    LaunchProfile L;
    L.Kernel = "k";
    L.Block = {128, 1, 1};
    L.Blocks.push_back({1000 + 10 * I, 32000, 10, 100});
    P.Launches.push_back(L);
  }
  for (uint64_t Seed = 1; Seed <= 20; ++Seed) {
    StratifiedSample::Options O;
    O.Seed = Seed;
    const std::vector<size_t> First =
        StratifiedSample(P, machine(), O).launches();
    ASSERT_EQ(First.size(), 5u);
    EXPECT_LE(First.front(), 4u);
    EXPECT_GE(First.back(), 195u);
    for (size_t I = 1; I < First.size(); ++I)
      EXPECT_LT(First[I] - First[I - 1], 101u);
  }
}

TEST(CheckSampleTest, FindsHowMuchIsMissing) {
  RandomNumbers Random(9);
  std::vector<double> Expected, Cycles;
  double Missing = 0;
  for (int I = 0; I < 500; ++I) {
    Expected.push_back(I % 5 ? 1000 + 10 * (I % 50) : 0);
    Cycles.push_back(Expected.back() * (1.1 + 0.02 * Random.normal()));
    Missing += Cycles.back() - Expected.back();
  }
  int Contained = 0;
  for (uint64_t Seed = 1; Seed <= 200; ++Seed) {
    const CheckSample Check(Expected, 8, Seed);
    EXPECT_LE(Check.launches().size(), 8u);
    const CheckSample::Error E = Check.error(Cycles);
    Contained += std::abs(E.Missing - Missing) <= E.HalfWidth;
    EXPECT_LT(E.HalfWidth, 0.5 * Missing);
  }
  EXPECT_GE(Contained, 184);
}

TEST(CheckSampleTest, AllCheckedIsCertain) {
  const CheckSample Check({0, 100, 200}, 8, 1); // fewer than three
  EXPECT_EQ(Check.launches(), (std::vector<size_t>{1, 2}));
  const CheckSample::Error E = Check.error({7, 110, 190});
  EXPECT_NEAR(E.Missing, 0, 1e-9);
  EXPECT_EQ(E.HalfWidth, 0);
}

TEST(SamplingResultTest, WhatWasSimulatedStandsForTheRest) {
  Population P(30, 0); // every third takes 7 cycles an instruction, others 2
  std::vector<double> Cycles(30);
  EXPECT_EQ(projectPart(P.Profile, Cycles), 0);
  // One launch of one kernel: the other kernel is taken to be like it.
  Cycles[0] = P.Cycles[0].Cycles;
  double Instructions = 0;
  for (const LaunchProfile &L : P.Profile.Launches)
    Instructions += double(L.total().WarpInstructions);
  EXPECT_NEAR(projectPart(P.Profile, Cycles), 7 * Instructions, 1e-6);
  // One of each: all are known.
  Cycles[1] = P.Cycles[1].Cycles;
  EXPECT_NEAR(projectPart(P.Profile, Cycles), P.Total, 1e-6);
}

} // namespace

TEST(CloneProjectionTest, ThirdCloneSaysHowFarCyclesAreFromALine) {
  const auto [Line, None] = projectClones({{10, 30}, {20, 50}, {40, 90}}, 100);
  EXPECT_NEAR(Line, 210, 1e-9);
  EXPECT_NEAR(None, 0, 1e-9);
  // Without the last one it would have been 20 more for each ten.
  const auto [Bent, Error] = projectClones({{10, 30}, {20, 50}, {40, 70}}, 100);
  EXPECT_NEAR(Bent, 130, 1e-9);
  EXPECT_NEAR(Error, 80.0 / 130, 1e-9);
}

TEST(CloneProjectionTest, FewClonesAreLessCertain) {
  const auto [Two, OfTwo] = projectClones({{20, 50}, {40, 90}}, 100);
  EXPECT_NEAR(Two, 210, 1e-9);
  EXPECT_NEAR(OfTwo, 15.0 / 210, 1e-9); // scaled up it is 225
  EXPECT_EQ(projectClones({{40, 90}}, 100).second, 1);
  EXPECT_EQ(projectClones({}, 100).second, 1);
}
