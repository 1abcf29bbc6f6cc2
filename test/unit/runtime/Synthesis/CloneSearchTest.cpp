//===- CloneSearchTest.cpp - The ladder of clones and its end -------------===//

#include "synthesis/CloneSearch.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::synthesis;

namespace {
/// One loop of \p Trips iterations of ten instructions in \p Blocks blocks of a
/// warp each.
behavior::Profile profile(uint64_t Trips, uint32_t Blocks) {
  behavior::Profile P;
  P.Grid = {Blocks, 1, 1};
  P.Threads = {32, 1, 1};
  P.Blocks.resize(2);
  P.Blocks[0].WarpCount = Blocks;
  P.Blocks[0].ECount = 32 * P.Blocks[0].WarpCount;
  P.Blocks[0].Chain.resize(1);
  P.Blocks[1].WarpCount = Blocks * Trips;
  P.Blocks[1].ECount = 32 * P.Blocks[1].WarpCount;
  P.Blocks[1].Chain.resize(10);
  P.Blocks[1].Loop = 0;
  behavior::Loop L;
  L.Header = 1;
  L.Blocks = {1};
  L.Trips.fill(Trips);
  L.ThreadTrips.fill(Trips);
  L.MeanTrips = Trips;
  P.Loops = {L};
  P.WarpInstructions = Blocks * (1 + 10 * Trips);
  P.ThreadInstructions = 32 * P.WarpInstructions;
  return P;
}

std::vector<ReductionOptions> rungs(const behavior::Profile &P,
                                    uint64_t Resident) {
  CloneLadder Ladder(P, Resident);
  std::vector<ReductionOptions> Out;
  while (auto R = Ladder.next())
    Out.push_back(*R);
  return Out;
}
} // namespace

TEST(CloneSearchTest, LongLoopsAreCutAlone) {
  const auto R = rungs(profile(4096, 1000), 10);
  ASSERT_GE(R.size(), 3u);
  double Work = 0;
  for (size_t I = 0; I < R.size(); ++I) {
    EXPECT_EQ(R[I].Blocks, 0u);
    if (I)
      EXPECT_NEAR(double(R[I - 1].LoopFactor) / R[I].LoopFactor, 1.6, 0.2);
    Work += 1.0 / R[I].LoopFactor;
  }
  EXPECT_LE(Work, 1.1 * CloneLadder::MostWork);
}

TEST(CloneSearchTest, GridIsCutToFullMachines) {
  const auto R = rungs(profile(2, 6400), 100);
  ASSERT_EQ(R.size(), 3u);
  EXPECT_EQ(R[0].LoopFactor, 1u);
  EXPECT_EQ(R[0].Blocks, 100u);
  EXPECT_EQ(R[1].Blocks, 200u);
  EXPECT_EQ(R[2].Blocks, 400u);
}

TEST(CloneSearchTest, LastWaveStaysAsFull) {
  const behavior::Profile P = profile(2, 6430);
  const auto R = rungs(P, 100);
  ASSERT_EQ(R.size(), 3u);
  EXPECT_TRUE(CloneLadder(P, 100).keepsLastWave());
  EXPECT_EQ(R[0].Blocks, 130u);
  EXPECT_EQ(R[1].Blocks, 230u);
  EXPECT_EQ(R[2].Blocks, 430u);
}

TEST(CloneSearchTest, LargeGridsKeepMoreOfThem) {
  EXPECT_EQ(rungs(profile(2, 25600), 100)[0].Blocks, 700u);
  EXPECT_EQ(rungs(profile(2, 2560000), 100)[0].Blocks, 800u);
}

TEST(CloneSearchTest, ShortLoopsOfManyWavesAreCutBothWays) {
  const behavior::Profile P = profile(32, 6400);
  const auto R = rungs(P, 100);
  ASSERT_GE(R.size(), 4u);
  EXPECT_EQ(CloneLadder(P, 100).window(), 5u);
  EXPECT_FALSE(CloneLadder(P, 100).keepsLastWave());
  EXPECT_EQ(R[0].LoopFactor, R[1].LoopFactor);
  EXPECT_EQ(2 * R[0].Blocks, R[1].Blocks);
  EXPECT_GT(R[1].LoopFactor, R[2].LoopFactor);
}

TEST(CloneSearchTest, LoopsWithinLoopsAreNotCutTwiceAtOnce) {
  // 64 iterations of a loop of 64: halving the factor would leave four times.
  behavior::Profile P = profile(64, 1000);
  P.Loops.push_back(P.Loops[0]);
  P.Loops[1].Parent = 0;
  P.Loops[1].Depth = 1;
  P.Blocks[1].Loop = 1;
  P.Blocks[1].WarpCount *= 64;
  P.Blocks[1].ECount *= 64;
  P.WarpInstructions = 1000 * (1 + 10 * 64 * 64);
  const auto R = rungs(P, 1000);
  ASSERT_GE(R.size(), 3u);
  EXPECT_LT(double(R[0].LoopFactor) / R[2].LoopFactor, 2.5);
}

TEST(CloneSearchTest, SettledWhenLinesAgreeAndTheLaunchDoesNotWeigh) {
  auto Run = [](double Share, double Cycles) {
    CloneRun R;
    R.Share = Share;
    R.OriginalInstructions = 1000;
    R.Machine = "m";
    R.Totals = {{"cycles", Cycles},
                {"time_us", Cycles},
                {"warp_instructions", 1000 * Share}};
    return R;
  };
  double Drain = 0;
  auto Settled = [&](std::vector<CloneRun> Runs) {
    return haveSettled(Runs, *project(Runs), 0.03, Drain);
  };
  EXPECT_TRUE(Settled({Run(.01, 110), Run(.02, 210), Run(.04, 410)}));
  EXPECT_FALSE(Settled({Run(.01, 110), Run(.02, 210), Run(.04, 510)}));
  EXPECT_FALSE(Settled({Run(.01, 1010), Run(.02, 1020), Run(.04, 1040)}));
  // Unless their end is a wave of blocks.
  const std::vector<CloneRun> Ending = {Run(.01, 1110), Run(.02, 1210),
                                        Run(.04, 1410)};
  EXPECT_FALSE(Settled(Ending));
  EXPECT_TRUE(haveSettled(Ending, *project(Ending), 0.03, Drain, true));
  // Memory's queues are not full yet.
  std::vector<CloneRun> Busy = {Run(.01, 110), Run(.02, 210), Run(.04, 410)};
  for (CloneRun &R : Busy)
    R.Totals["busy.dram"] = 0.9 * R.Totals["cycles"];
  Drain = 100;
  EXPECT_TRUE(Settled(Busy));
  Drain = 200;
  EXPECT_FALSE(Settled(Busy));
}
