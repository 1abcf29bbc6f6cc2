//===- StratifiedTest.cpp - Projections with confidence -------------------===//

#include "sampling/RandomNumbers.h"
#include "sampling/StratifiedSampling.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace heddle;
using namespace heddle::sampling;

namespace {

/// Launches of two kernels, whose cycles vary around their instructions.
struct Population {
  ApplicationProfile Profile;
  std::vector<double> Cycles;
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
      Cycles.push_back(PerInstruction * double(L.Blocks[0].WarpInstructions) *
                       (1 + Spread * Random.normal()));
      Total += Cycles.back();
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
    StratifiedSample S(P.Profile, O);
    S.extend(P.Cycles, 0.01);
    const ConfidentProjection C = S.project(P.Cycles);
    Contained += C.contains(P.Total);
    EXPECT_LT(C.High - C.Cycles, 0.03 * C.Cycles);
    EXPECT_LT(S.launches().size(), 400u);
  }
  EXPECT_GE(Contained, 180);
}

TEST(StratifiedTest, LessErrorCostsMoreLaunches) {
  const Population P(600, 0.1);
  size_t Before = 0;
  for (double Target : {0.1, 0.02, 0.01, 0.005}) {
    StratifiedSample S(P.Profile, {});
    S.extend(P.Cycles, Target);
    EXPECT_GE(S.launches().size(), Before);
    Before = S.launches().size();
  }
  EXPECT_GT(Before, 100u);
}

TEST(StratifiedTest, EqualLaunchesAndSingleOnes) {
  const Population Equal(300, 0);
  StratifiedSample S(Equal.Profile, {});
  const size_t Pilot = S.launches().size();
  S.extend(Equal.Cycles, 0.001);
  EXPECT_EQ(S.launches().size(), Pilot);
  const ConfidentProjection C = S.project(Equal.Cycles);
  EXPECT_NEAR(C.Cycles, Equal.Total, 1e-6 * Equal.Total);
  EXPECT_TRUE(C.contains(Equal.Total));

  const Population One(1, 0);
  StratifiedSample Whole(One.Profile, {});
  EXPECT_EQ(Whole.launches(), std::vector<size_t>{0});
  EXPECT_NEAR(Whole.project(One.Cycles).Cycles, One.Total, 1e-6);
}

} // namespace
