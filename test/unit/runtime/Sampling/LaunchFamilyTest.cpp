//===- LaunchFamilyTest.cpp - Launches told apart and interpolated --------===//

#include "sampling/LaunchFamilies.h"
#include "sampling/paper/LaunchClusters.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace heddle;
using namespace heddle::sampling;

static LaunchProfile launch(uint64_t Blocks, std::string Arguments) {
  LaunchProfile L;
  L.Kernel = "k";
  L.Grid = {uint32_t(Blocks), 1, 1};
  L.Block = {32, 1, 1};
  L.Blocks.assign(Blocks, {100, 3200, 20, 640});
  L.Arguments = std::move(Arguments);
  return L;
}

/// Steps of eight sorts: the stride returns, the rest varies.
static ApplicationProfile sorts() {
  ApplicationProfile A;
  for (unsigned I = 0; I < 128; ++I)
    A.Launches.push_back(launch(4, "keys" + std::to_string(I / 16) + ", " +
                                       std::to_string(I % 4) + ", " +
                                       std::to_string(1000 + I)));
  return A;
}

TEST(LaunchFamilies, SplitsByWhatReturns) {
  const ApplicationProfile A = sorts();
  std::vector<size_t> All;
  for (size_t I = 0; I < A.Launches.size(); ++I)
    All.push_back(I);
  // Eight parts at most: by the buffer; the stride as well would make 32.
  EXPECT_EQ(splitByArguments(A, All, 1.0 / 16).size(), 8u);
  auto Parts = splitByArguments(A, All, 1.0 / 32);
  ASSERT_EQ(Parts.size(), 4u);
  EXPECT_EQ(Parts[1][0], 1u);
  EXPECT_EQ(Parts[1][1], 5u);
  EXPECT_EQ(splitByArguments(A, All, 1.0 / 64).size(), 1u);
  EXPECT_EQ(splitByArguments(A, {3}, 1.0 / 64).size(), 1u);
}

TEST(LaunchFamilies, SplitsByGrid) {
  ApplicationProfile A;
  std::vector<size_t> All(90);
  std::iota(All.begin(), All.end(), size_t(0));
  for (size_t I : All)
    A.Launches.push_back(launch(40 << I % 3, "x, " + std::to_string(I)));
  EXPECT_EQ(splitByArguments(A, All, 1.0 / 16).size(), 1u);
  const auto Parts = splitByArguments(A, All, 1.0 / 16, /*ByGrid=*/true);
  ASSERT_EQ(Parts.size(), 3u);
  EXPECT_EQ(Parts[0].size(), 30u);
}

TEST(LaunchFamilies, TakesWhatHasASizeInCommon) {
  ApplicationProfile A;
  for (unsigned I = 0; I < 100; ++I)
    A.Launches.push_back(launch(4, "in, " + std::to_string(I % 4 ? 64 : I) +
                                       ", " + std::to_string(I % 2)));
  std::vector<size_t> All(100);
  std::iota(All.begin(), All.end(), size_t(0));
  // The size has more values than what takes turns.
  std::vector<size_t> Others = All;
  EXPECT_EQ(takeCommon(A, Others, 20).size(), 76u); // the 64th has it too
  ASSERT_EQ(Others.size(), 24u);
  EXPECT_EQ(Others[1], 4u);
  // Too few others are left by the size; half by what takes turns.
  Others = All;
  EXPECT_EQ(takeCommon(A, Others, 25).size(), 50u);
  EXPECT_EQ(Others.size(), 50u);
  Others = All;
  EXPECT_TRUE(takeCommon(A, Others, 51).empty());
  EXPECT_EQ(Others, All);
}

TEST(LaunchFamilies, SizesAtMostAStepApart) {
  std::vector<SizeClass> Classes;
  for (unsigned Size = 1; Size <= 16; ++Size)
    Classes.push_back({double(Size), 0.5, 1});
  std::vector<size_t> Sizes;
  const std::vector<bool> Chosen = chooseSizes(Classes, 2);
  for (size_t I = 0; I < Chosen.size(); ++I)
    if (Chosen[I])
      Sizes.push_back(I + 1);
  EXPECT_EQ(Sizes, (std::vector<size_t>{1, 2, 4, 8, 16}));
}

TEST(LaunchFamilies, NoInterpolationWhereRequestsDiffer) {
  const std::vector<SizeClass> Classes = {
      {10, 0.5, 1}, {11, 0.5, 1},  {12, 0.5, 1}, {13, 0.9, 1}, {14, 0.9, 1},
      {15, 0.9, 1}, {16, 0.9, 40}, {17, 0.9, 1}, {18, 0.9, 1}};
  EXPECT_EQ(chooseSizes(Classes, 2),
            (std::vector<bool>{true, false, true, true, false, false, true,
                               false, true}));
}

TEST(LaunchClusters, SizesInBetweenAreInterpolated) {
  ApplicationProfile A;
  for (unsigned Size = 40; Size > 0; --Size)
    A.Launches.push_back(launch(4 * Size, std::to_string(Size)));
  EXPECT_GT(clusterLaunches(A).size(), 15u);
  LaunchClusterOptions O;
  O.SizeStep = 2;
  const auto Clusters = clusterLaunches(A, O);
  EXPECT_LT(Clusters.size(), 10u);
  // Exact where cycles are a linear function of instructions.
  double Projected = 0, Launches = 0, Truth = 0;
  auto Cycles = [&](size_t L) {
    return 700 + 0.3 * double(A.Launches[L].total().WarpInstructions);
  };
  for (const LaunchCluster &C : Clusters) {
    Projected += C.weight() * Cycles(C.Representative);
    for (const LaunchCluster::Share &S : C.Shares)
      Launches += S.Part;
  }
  for (size_t L = 0; L < A.Launches.size(); ++L)
    Truth += Cycles(L);
  EXPECT_NEAR(Launches, 40, 1e-9);
  EXPECT_NEAR(Projected / Truth, 1, 0.01);
}

TEST(LaunchClusters, ArgumentsTellLaunchesApart) {
  LaunchClusterOptions O;
  O.ArgumentShare = 1.0 / 16;
  EXPECT_EQ(clusterLaunches(sorts()).size(), 1u);
  const auto Clusters = clusterLaunches(sorts(), O);
  ASSERT_EQ(Clusters.size(), 8u);
  EXPECT_EQ(Clusters[1].Shares.front().Launch, 16u);
  EXPECT_DOUBLE_EQ(Clusters[1].weight(), 16);
}
