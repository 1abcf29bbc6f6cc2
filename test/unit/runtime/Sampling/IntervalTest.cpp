//===- IntervalTest.cpp - Cutting applications, comparing intervals -------===//

#include "sampling/paper/IntervalFeatures.h"
#include "sampling/paper/IntervalSelection.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace heddle::sampling;

/// A launch of \p Kernel with two basic blocks.
static LaunchProfile launch(const char *Kernel, const char *Arguments,
                            uint64_t First, uint64_t Second, bool Sync) {
  LaunchProfile L;
  L.Kernel = Kernel;
  L.Arguments = Arguments;
  L.Grid = {4, 1, 1};
  L.Block = {32, 1, 1};
  L.Blocks = {{First + Second, 32 * (First + Second), 0, 0}};
  L.BasicBlocks = {First, Second};
  L.BytesRead = {8, 0};
  L.BytesWritten = {0, 24};
  L.AfterSync = Sync;
  return L;
}

static ApplicationProfile example() {
  return {{launch("a", "1", 60, 40, false), launch("a", "2", 60, 40, false),
           launch("b", "1", 10, 90, true), launch("a", "1", 60, 40, true)}};
}

static std::vector<size_t> sizes(IntervalKind Kind, uint64_t Target) {
  std::vector<size_t> Sizes;
  for (const LaunchInterval &I : cutIntervals(example(), Kind, Target))
    Sizes.push_back(I.End - I.First);
  return Sizes;
}

TEST(Intervals, CoverTheApplication) {
  EXPECT_EQ(sizes(IntervalKind::Sync, 0), (std::vector<size_t>{2, 1, 1}));
  EXPECT_EQ(sizes(IntervalKind::Kernel, 0), (std::vector<size_t>{1, 1, 1, 1}));
  // 3,200 thread instructions a launch: never split, closed once full.
  EXPECT_EQ(sizes(IntervalKind::Instructions, 3201),
            (std::vector<size_t>{2, 2}));
  EXPECT_EQ(sizes(IntervalKind::Instructions, 1 << 30),
            (std::vector<size_t>{4}));
}

TEST(Features, Dimensions) {
  const ApplicationProfile A = example();
  auto Intervals = cutIntervals(A, IntervalKind::Kernel, 0);
  auto vectors = [&](Feature F) { return featureVectors(A, Intervals, F); };
  const std::pair<Feature, size_t> Expected[] = {
      {Feature::KN, 2},       {Feature::KNArgs, 3}, {Feature::KNGws, 2},
      {Feature::KNRW, 6},     {Feature::BB, 4},     {Feature::BBR, 6},
      {Feature::BBW, 6},      {Feature::BBRW, 8},   {Feature::BBRPlusW, 8},
      {Feature::KNArgsGws, 3}};
  for (auto [F, Dimensions] : Expected) {
    Points P = vectors(F);
    EXPECT_EQ(P.front().size(), Dimensions) << nameOf(F);
    for (const std::vector<double> &V : P)
      EXPECT_NEAR(std::accumulate(V.begin(), V.end(), 0.0), 1, 1e-12);
  }
  EXPECT_EQ(vectors(Feature::KN)[0], vectors(Feature::KN)[1]);
  EXPECT_NE(vectors(Feature::KNArgs)[0], vectors(Feature::KNArgs)[1]);
  EXPECT_NEAR(vectors(Feature::BB)[2][2], 0.1, 1e-12);
}

TEST(Selection, ProjectsByInstructions) {
  IntervalSelection S =
      selectIntervals(example(), IntervalKind::Kernel, Feature::BB, 0);
  ASSERT_EQ(S.Selected.size(), 2u);
  EXPECT_DOUBLE_EQ(S.Selected[0].Ratio, 0.75);
  EXPECT_DOUBLE_EQ(S.SampleFraction, 0.5);
  // Launches of `a` at 2 cycles per instruction, `b` at 5.
  EXPECT_NEAR(S.project({200, 200, 500, 200}), 1100, 1e-9);
  EXPECT_TRUE(S.selects(2));
  EXPECT_EQ(selectAll(example(), 1000).size(), 30u);
}

TEST(Selection, NothingExecuted) {
  ApplicationProfile A = {{launch("a", "", 0, 0, false)}};
  IntervalSelection S =
      selectIntervals(A, IntervalKind::Sync, Feature::KN, 100);
  EXPECT_TRUE(S.Selected.empty());
  EXPECT_EQ(S.project({100}), 0);
}
