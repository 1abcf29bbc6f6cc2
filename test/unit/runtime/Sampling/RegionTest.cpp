//===- RegionTest.cpp - Homogeneous regions and their sampling ------------===//

#include "sampling/paper/LaunchClusters.h"
#include "sampling/paper/RegionSampler.h"
#include "sampling/paper/RegionTable.h"
#include "sampling/paper/WarpMarkovModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace heddle;
using namespace heddle::sampling;

/// Blocks of 100 warp instructions with the given numbers of requests.
static LaunchProfile launchOf(const std::vector<uint64_t> &Requests) {
  LaunchProfile L;
  L.Kernel = "k";
  L.Grid = {uint32_t(Requests.size()), 1, 1};
  L.Block = {32, 1, 1};
  for (uint64_t R : Requests)
    L.Blocks.push_back({100, 3200, R, 0});
  return L;
}

TEST(RegionTable, RunsOfEpochsOfOneCluster) {
  // TBPoint's figure 6: epochs of two, the third and fourth with outliers.
  LaunchProfile L = launchOf({20, 20, 20, 20, 2, 38, 38, 2, //
                              80, 80, 80, 80});
  auto T = RegionTable::identify(L, 2);
  ASSERT_EQ(T.regions().size(), 4u);
  EXPECT_EQ(T.regions()[0].End, 4u);
  EXPECT_EQ(T.regions()[1].End, 6u);
  EXPECT_EQ(T.regions()[2].End, 8u);
  EXPECT_NE(T.regions()[1].Cluster, T.regions()[2].Cluster);
  EXPECT_EQ(T.regions()[3].First, 8u);
  EXPECT_EQ(&T.of(11), &T.regions()[3]);
  EXPECT_EQ(&T.of(4), &T.regions()[1]);
}

TEST(RegionTable, BlocksWithoutInstructions) {
  LaunchProfile L = launchOf({0, 0, 0});
  for (BlockWork &B : L.Blocks)
    B = {};
  auto T = RegionTable::identify(L, 100);
  ASSERT_EQ(T.regions().size(), 1u);
  EXPECT_EQ(T.regions()[0].End, 3u);
}

TEST(RegionSampler, SkipsOnceTwoUnitsAgree) {
  LaunchProfile L = launchOf(std::vector<uint64_t>(100, 20));
  auto T = RegionTable::identify(L, 2);
  RegionSampler S(T, L);
  using timing::BlockFate;
  // One block at a time, 50 cycles each: IPC 2, after a cold first one.
  uint64_t Ended[1] = {0};
  ASSERT_EQ(S.next(0), BlockFate::Simulate);
  S.onWindow({200, 100, Ended});
  ASSERT_EQ(S.next(1), BlockFate::Simulate);
  Ended[0] = 1;
  S.onWindow({250, 200, Ended});
  ASSERT_EQ(S.next(2), BlockFate::Simulate);
  Ended[0] = 2;
  S.onWindow({300, 300, Ended});
  for (uint64_t B = 3; B < 100; ++B)
    ASSERT_EQ(S.next(B), BlockFate::Skip);
  EXPECT_EQ(S.skippedInstructions(), 9700u);
  EXPECT_DOUBLE_EQ(S.skippedCycles(), 4850);
}

TEST(RegionSampler, LeavesAtTheNextRegion) {
  std::vector<uint64_t> Requests(50, 20);
  Requests.resize(60, 90);
  LaunchProfile L = launchOf(Requests);
  auto T = RegionTable::identify(L, 2);
  RegionSampler S(T, L);
  using timing::BlockFate;
  uint64_t Now = 0;
  unsigned Simulated = 0;
  for (uint64_t B = 0; B < 60; ++B)
    if (S.next(B) == BlockFate::Simulate) {
      ++Simulated;
      Now += B < 50 ? 50 : 200;
      S.onWindow({Now, 100 * Simulated, std::span(&B, 1)});
    }
  EXPECT_EQ(Simulated, 4u);
  ASSERT_EQ(S.skipped().size(), 2u);
  EXPECT_DOUBLE_EQ(S.skipped()[0].IPC, 2);
  EXPECT_DOUBLE_EQ(S.skipped()[1].IPC, 0.5);
}

TEST(RegionSampler, CountsCodeOfAnotherLevel) {
  // Blocks of the second region take half as many instructions as profiled,
  // those of the first one as many.
  std::vector<uint64_t> Requests(50, 20);
  Requests.resize(100, 90);
  LaunchProfile L = launchOf(Requests);
  std::vector<uint64_t> Counts(50, 100);
  Counts.resize(100, 50);
  auto T = RegionTable::identify(L, 2);
  RegionSampler S(T, L, {}, &Counts);
  uint64_t Now = 0, Issued = 0;
  for (uint64_t B = 0; B < 100; ++B)
    if (S.next(B) == timing::BlockFate::Simulate) {
      Now += 50;
      Issued += Counts[B];
      S.onWindow({Now, Issued, std::span(&B, 1)});
    }
  ASSERT_EQ(S.skipped().size(), 2u);
  // A block takes 50 cycles, and 100 instructions of the profile.
  EXPECT_DOUBLE_EQ(S.skipped()[0].IPC, 2);
  EXPECT_DOUBLE_EQ(S.skipped()[1].IPC, 2);
  EXPECT_DOUBLE_EQ(double(Now) + S.skippedCycles(), 100 * 50);
}

std::vector<size_t> launchesOf(const LaunchCluster &C) {
  std::vector<size_t> Launches;
  for (const LaunchCluster::Share &S : C.Shares)
    Launches.push_back(S.Launch);
  return Launches;
}

TEST(LaunchClusters, KernelsStayApart) {
  ApplicationProfile A;
  for (const char *Kernel : {"a", "b", "a", "a", "b"}) {
    A.Launches.push_back(launchOf({20, 20}));
    A.Launches.back().Kernel = Kernel;
  }
  A.Launches.push_back(launchOf({20, 20, 20, 20}));
  A.Launches.back().Kernel = "a";
  auto C = clusterLaunches(A);
  ASSERT_EQ(C.size(), 3u);
  EXPECT_EQ(launchesOf(C[0]), (std::vector<size_t>{0, 2, 3}));
  EXPECT_EQ(C[0].Representative, 0u);
  EXPECT_EQ(launchesOf(C[1]), (std::vector<size_t>{1, 4}));
  EXPECT_EQ(launchesOf(C[2]), (std::vector<size_t>{5}));
}

TEST(LaunchClusters, MiddleOfEquals) {
  ApplicationProfile A;
  for (int I = 0; I < 5; ++I)
    A.Launches.push_back(launchOf({20, 20}));
  LaunchClusterOptions Options;
  EXPECT_EQ(clusterLaunches(A, Options)[0].Representative, 0u);
  Options.MiddleOfEquals = true;
  EXPECT_EQ(clusterLaunches(A, Options)[0].Representative, 2u);
}

TEST(LaunchClusters, FeaturesAreRelativeToTheMean) {
  ApplicationProfile A;
  A.Launches = {launchOf({10, 10}), launchOf({30, 30})};
  Points F = interLaunchFeatures(A);
  EXPECT_DOUBLE_EQ(F[0][0], 1);
  EXPECT_DOUBLE_EQ(F[0][2], 0.5);
  EXPECT_DOUBLE_EQ(F[1][2], 1.5);
  EXPECT_DOUBLE_EQ(F[0][3], 0);
}

/// Probability that warp state \p From (1: runnable) becomes \p To.
static double transition(bool From, bool To, double StallProbability,
                         double Cycles) {
  double Leaves = From ? StallProbability : 1 / Cycles;
  return From == To ? 1 - Leaves : Leaves;
}

/// steadyIPC by iterating the 2^N x 2^N transition matrix from the state in
/// which all warps are runnable: what the paper does.
static double iteratedIPC(double StallProbability,
                          const std::vector<double> &M) {
  const size_t States = size_t(1) << M.size();
  std::vector<double> Now(States, 0), Next(States);
  Now[States - 1] = 1;
  for (unsigned Round = 0; Round < 1000000; ++Round) {
    std::ranges::fill(Next, 0);
    for (size_t From = 0; From < States; ++From) {
      if (Now[From] < 1e-18)
        continue;
      for (size_t To = 0; To < States; ++To) {
        double P = Now[From];
        for (size_t W = 0; W < M.size() && P > 0; ++W)
          P *= transition(From >> W & 1, To >> W & 1, StallProbability, M[W]);
        Next[To] += P;
      }
    }
    double Change = 0;
    for (size_t S = 0; S < States; ++S)
      Change += std::abs(Next[S] - Now[S]);
    std::swap(Now, Next);
    if (Change < 1e-12)
      break;
  }
  return 1 - Now[0];
}

TEST(WarpMarkovModel, ClosedFormIsTheLimitOfTheChain) {
  for (double P : {0.05, 0.3})
    for (const auto &M : {std::vector<double>{10}, std::vector<double>{20, 20},
                          std::vector<double>{5, 40, 12, 80}}) {
      EXPECT_NEAR(steadyIPC(P, M), iteratedIPC(P, M), 1e-6);
    }
}

TEST(WarpMarkovModel, IPCStaysWithinTenPercent) {
  // TBPoint's lemma 4.1 for its smallest case, p = 0.05, M = 100, N = 4.
  IPCVariation V = monteCarloIPC(0.05, 100, 4);
  EXPECT_GT(V.WithinTenPercent, 0.95);
  EXPECT_NEAR(V.Mean, 1 - std::pow(5.0 / 6, 4), 0.01);
  EXPECT_LT(V.Least, V.Most);
}
