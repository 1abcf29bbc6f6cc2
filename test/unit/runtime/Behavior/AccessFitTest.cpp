//===- AccessFitTest.cpp --------------------------------------------------===//

#include "behavior/AccessFit.h"
#include "behavior/LoopForest.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace heddle::behavior {
namespace {

TEST(AccessFitTest, findsExactCoefficients) {
  std::vector<AddressSample> Samples;
  for (int B = 0; B < 8; ++B)
    for (int T = 0; T < 32; T += 3)
      for (int I = 0; I < 5; ++I) {
        Keys K = {};
        K[ThreadX] = T;
        K[BlockX] = B;
        K[Iteration0] = I;
        Samples.push_back({K, 4096 + 4 * T + 128 * B - 1024 * I});
      }
  AffineFit Fit = fitAffine(Samples);
  EXPECT_DOUBLE_EQ(Fit.Explained, 1);
  EXPECT_EQ(Fit.Constant, 4096);
  EXPECT_EQ(Fit.Coefficients[ThreadX], 4);
  EXPECT_EQ(Fit.Coefficients[BlockX], 128);
  EXPECT_EQ(Fit.Coefficients[Iteration0], -1024);
  EXPECT_EQ(Fit.Coefficients[ThreadY], 0);
}

TEST(AccessFitTest, leavesOutClampedBorders) {
  std::vector<AddressSample> Samples;
  for (int B = 0; B < 40; ++B)
    for (int T = 0; T < 32; ++T) {
      Keys K = {};
      K[ThreadX] = T;
      K[BlockX] = B;
      Samples.push_back({K, 4 * std::max(32 * B + T - 1, 40)});
    }
  AffineFit Fit = fitAffine(Samples);
  EXPECT_GT(Fit.Explained, 0.95);
  EXPECT_EQ(Fit.Constant, -4);
  EXPECT_EQ(Fit.Coefficients[ThreadX], 4);
  EXPECT_EQ(Fit.Coefficients[BlockX], 128);
}

TEST(AccessFitTest, doesNotExplainRandomAddresses) {
  std::vector<AddressSample> Samples;
  uint32_t State = 1;
  for (int T = 0; T < 500; ++T) {
    Keys K = {};
    K[ThreadX] = T % 32;
    State = State * 1664525u + 1013904223u;
    Samples.push_back({K, int64_t(State >> 8)});
  }
  EXPECT_LT(fitAffine(Samples).Explained, 0.1);
}

TEST(LoopForestTest, nestsLoops) {
  // 0 -> 1 -> 2 -> 2 -> 3 -> 1, 3 -> 4
  std::vector<Loop> Loops =
      findLoops(5, {{0, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 1}, {3, 4}});
  ASSERT_EQ(Loops.size(), 2u);
  EXPECT_EQ(Loops[0].Header, 1u);
  EXPECT_EQ(Loops[0].Blocks, (std::vector<unsigned>{1, 2, 3}));
  EXPECT_EQ(Loops[0].Parent, None);
  EXPECT_EQ(Loops[1].Header, 2u);
  EXPECT_EQ(Loops[1].Parent, 0u);
  EXPECT_EQ(Loops[1].Depth, 1u);
}

} // namespace
} // namespace heddle::behavior
