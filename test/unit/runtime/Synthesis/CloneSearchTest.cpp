//===- CloneSearchTest.cpp - The ladder of clones and its end -------------===//

#include "synthesis/CloneSearch.h"

#include "synthesis/AutoReduction.h"

#include <gtest/gtest.h>

#include <cmath>

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

/// Of four instructions, one goes by steps of four bytes along a row, so that a
/// line lasts for 32 iterations. Rows of lanes are \p Apart bytes apart.
behavior::Profile walk(uint64_t Trips, uint32_t Blocks, int64_t Apart) {
  behavior::Profile P = profile(Trips, Blocks);
  P.Blocks[1].Chain.resize(4);
  P.WarpInstructions = Blocks * (1 + 4 * Trips);
  P.Arrays.resize(1);
  P.Arrays[0].Where = behavior::Space::Global;
  P.Arrays[0].SizeBytes = 1 << 20;
  P.Accesses.resize(1);
  P.Accesses[0].Array = 0;
  P.Accesses[0].IsAffine = true;
  P.Accesses[0].Coefficients[behavior::Iteration0] = 4;
  P.Accesses[0].Coefficients[behavior::ThreadX] = Apart;
  P.Accesses[0].SectorsPerRequest = Apart >= 32 ? 32 : 1;
  P.Blocks[1].Chain[0].Access = 0;
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
  const behavior::Profile P = profile(65536, 1000);
  const auto R = rungs(P, 10);
  ASSERT_GE(R.size(), 3u);
  double Work = 0;
  for (size_t I = 0; I < R.size(); ++I) {
    EXPECT_EQ(R[I].Blocks, 0u);
    Work += 1.0 / R[I].LoopFactor;
  }
  EXPECT_NEAR(double(R[0].LoopFactor) / R[1].LoopFactor, 1.6, 0.2);
  // The last one has the rest, so that the line leads on from far apart.
  EXPECT_GT(double(R[1].LoopFactor) / R[2].LoopFactor, 1.6);
  const double Most = CloneLadder(P, 10).mostWork();
  EXPECT_LE(Work, 1.1 * Most);
  EXPECT_GE(Work, 0.9 * Most);
}

TEST(CloneSearchTest, RateOfAPartOfALineIsUncertain) {
  const double Plain = expectedRateError(profile(64, 100), 0.5);
  const behavior::Profile P = walk(64, 100, 0);
  EXPECT_NEAR(expectedRateError(P, 0.5), 32 * Plain, 1e-9);
  EXPECT_NEAR(expectedRateError(P, 1), 16 * Plain, 1e-9);
}

TEST(CloneSearchTest, LanesWithLinesOfTheirOwnWalkWholeOnes) {
  // After two lines of 32 iterations each, lanes are where the next ones began.
  const behavior::Profile P = walk(4096, 10, 256);
  EXPECT_EQ(periodsToSettle(P), 2);
  const auto R = rungs(P, 10);
  ASSERT_EQ(R.size(), 2u);
  EXPECT_EQ(R[0].LoopFactor, 64u);
  EXPECT_EQ(R[1].LoopFactor, 43u);
  EXPECT_TRUE(CloneLadder(P, 10).keepsPeriods());
  // A row for each lane, one line apart.
  EXPECT_EQ(rungs(walk(4096, 10, 128), 10)[0].LoopFactor, 128u);
  // Lanes that share their lines, and too few lines to keep whole ones.
  EXPECT_FALSE(CloneLadder(walk(4096, 10, 0), 10).keepsPeriods());
  EXPECT_FALSE(CloneLadder(walk(512, 10, 256), 10).keepsPeriods());
  // The head must have gone as far, too.
  EXPECT_NEAR(shareToSettle(P), 1.0 / 64, 1e-9);
  EXPECT_LT(shareSeen(P, 1.0 / 128), 0.6);
  EXPECT_NEAR(LaunchHead::shareOf(1.0 / 64, 10), 1.0 / 320, 1e-9);
  EXPECT_NEAR(LaunchHead::shareOf(1, 0.5), 1.0 / 64, 1e-9);
}

TEST(CloneSearchTest, WhatAHeadSeesOfABlock) {
  // Half of the iterations are all that a loop does, but only half of the rest.
  behavior::Profile P = profile(64, 100);
  EXPECT_GT(shareSeen(P, 0.5), 0.99);
  EXPECT_LT(shareSeen(P, 0.01), 0.9);
  P.Blocks[0].Chain.resize(300);
  P.WarpInstructions = 100 * (300 + 10 * 64);
  EXPECT_NEAR(shareSeen(P, 0.5), 1 - 0.5 * 300 / 940, 0.01);
  EXPECT_NEAR(shareSeen(P, 2), 1, 1e-9);
  // Without a loop, it is what the head goes through.
  EXPECT_NEAR(shareSeen(profile(1, 100), 0.3), 0.3, 1e-9);
}

TEST(CloneSearchTest, DataThatL2HoldsAreReadOnce) {
  behavior::Profile P = profile(64, 100);
  P.Arrays.resize(2);
  P.Arrays[0].SizeBytes = 1000000;
  P.Arrays[1].SizeBytes = 5000000; // only stored to
  P.Accesses.resize(2);
  P.Accesses[0].Array = 0;
  P.Accesses[1].Array = 1;
  P.Accesses[1].IsStore = true;
  auto Reads = [&](double L2) {
    return readsOfData(P, {{"dram.read_bytes", {2e6, 0}}}, L2);
  };
  EXPECT_NEAR(Reads(6e6), 2, 1e-9);
  EXPECT_EQ(Reads(5e5), 0); // read again as they do not fit
  EXPECT_EQ(Reads(0), 0);   // no L2
  P.Accesses[0].FootprintSectors = 1000;
  EXPECT_NEAR(Reads(6e6), 2e6 / 32000, 1e-9);
}

TEST(CloneSearchTest, ClonesThatOnlyStartAreFollowedByALongerOne) {
  auto Last = [](double Cycles) {
    std::vector<CloneRun> Runs(2);
    Runs[0].Share = 0.01, Runs[1].Share = 0.02;
    Runs[0].Totals["cycles"] = Cycles - 1000;
    Runs[1].Totals["cycles"] = Cycles;
    return workToLast(Runs, 16000);
  };
  EXPECT_LT(Last(20000), 1);
  EXPECT_NEAR(Last(6000), 1 + 10000.0 / 2000, 1e-9); // by the line
  const behavior::Profile P = profile(4096, 100);
  CloneLadder Ladder(P, 200);
  while (const auto R = Ladder.next())
    ;
  const double Work = Ladder.work();
  const auto More = Ladder.longer(2);
  ASSERT_TRUE(More);
  EXPECT_NEAR(Ladder.work() - Work, 1.0 / More->LoopFactor, 0.01);
  // No more than an eighth of the original.
  EXPECT_FALSE(Ladder.longer(100));
  const behavior::Profile Grid = profile(2, 16000);
  CloneLadder Wide(Grid, 100);
  uint64_t Blocks = 0;
  while (const auto R = Wide.next())
    Blocks = R->Blocks;
  EXPECT_EQ(Wide.longer(1.5)->Blocks, 2 * Blocks);
}

TEST(CloneSearchTest, FewWavesHaveMoreWork) {
  EXPECT_GT(CloneLadder(profile(4096, 50), 10).mostWork(),
            1.5 * CloneLadder(profile(4096, 1000), 10).mostWork());
}

TEST(CloneSearchTest, LastCloneMustHaveMoreWorkThanTheOneBefore) {
  // Of 100 iterations one, two, and no more than two again.
  const auto R = rungs(profile(100, 10), 10);
  ASSERT_EQ(R.size(), 2u);
}

TEST(CloneSearchTest, GridIsCutToFullMachines) {
  const auto R = rungs(profile(2, 160000), 100);
  ASSERT_EQ(R.size(), 3u);
  EXPECT_EQ(R[0].LoopFactor, 1u);
  EXPECT_EQ(R[0].Blocks, 100u);
  EXPECT_EQ(R[1].Blocks, 200u);
  EXPECT_EQ(R[2].Blocks, 400u);
  // A third one would be more work than clones may have.
  EXPECT_EQ(rungs(profile(2, 6400), 100).size(), 2u);
}

TEST(CloneSearchTest, LastWaveStaysAsFull) {
  const behavior::Profile P = profile(2, 160030);
  const auto R = rungs(P, 100);
  ASSERT_EQ(R.size(), 3u);
  EXPECT_TRUE(CloneLadder(P, 100).keepsLastWave());
  EXPECT_EQ(R[0].Blocks, 130u);
  EXPECT_EQ(R[1].Blocks, 230u);
  EXPECT_EQ(R[2].Blocks, 430u);
}

TEST(CloneSearchTest, LargeGridsKeepMoreOfThem) {
  EXPECT_EQ(rungs(profile(2, 640000), 100)[0].Blocks, 500u);
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

TEST(CloneSearchTest, ShortLoopsWithinShortLoopsAreCut) {
  // Three iterations of a loop of three.
  behavior::Profile P = profile(3, 6400);
  EXPECT_EQ(rungs(P, 100)[0].LoopFactor, 1u);
  P.Loops.push_back(P.Loops[0]);
  P.Loops[1].Parent = 0;
  P.Loops[1].Depth = 1;
  P.Blocks[1].Loop = 1;
  P.Blocks[1].WarpCount *= 3;
  P.Blocks[1].ECount *= 3;
  P.WarpInstructions = 6400 * (1 + 10 * 3 * 3);
  EXPECT_EQ(rungs(P, 100)[0].LoopFactor, 3u);
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
  EXPECT_LT(double(R[0].LoopFactor) / R[1].LoopFactor, 1.6);
  EXPECT_LT(double(R[1].LoopFactor) / R[2].LoopFactor, 2.2);
}

TEST(CloneSearchTest, RateOfTheLargestCloneWhereTripsAloneDiffer) {
  auto Way = [](double Blocks, double Start) {
    std::vector<CloneRun> Runs(2);
    for (double N = 1; CloneRun &R : Runs) {
      R.Share = 0.01 * N;
      R.Blocks = Blocks;
      R.Totals["cycles"] = Start + 1000 * R.Share;
      ++N;
    }
    return wayToRate(Runs, {{"cycles", {1000 + Start, 0}}});
  };
  EXPECT_NEAR(Way(1, 20), std::log(2000.0 / 1020), 1e-9);
  EXPECT_EQ(Way(1, -5), 0); // the line leads beyond that rate
  EXPECT_EQ(Way(0.1, 20), 0);
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
