//===- ErrorStatisticsTest.cpp - Known values -----------------------------===//

#include "views/Validation.h"

#include <gtest/gtest.h>

#include <vector>

using namespace heddle::views;

namespace {

TEST(ErrorStatistics, MeanMedianWorst) {
  std::vector<Estimate> E = {{110, 100}, {80, 100}, {100, 100}, {150, 100}};
  ErrorStatistics S = errorStatistics(E, 1);
  EXPECT_EQ(S.Count, 4u);
  EXPECT_NEAR(S.Mean, 0.2, 1e-12);
  EXPECT_NEAR(S.Median, 0.15, 1e-12); // of 0, 0.1, 0.2, 0.5
  EXPECT_NEAR(S.Worst, 0.5, 1e-12);
  EXPECT_EQ(S.WorstIndex, 3u);
  E.pop_back();
  EXPECT_NEAR(errorStatistics(E, 1).Median, 0.1, 1e-12);
}

TEST(ErrorStatistics, TauOfOrders) {
  std::vector<Estimate> Same = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
  EXPECT_DOUBLE_EQ(*errorStatistics(Same, 1).Tau, 1.0);
  std::vector<Estimate> Opposite = {{1, 40}, {2, 30}, {3, 20}, {4, 10}};
  EXPECT_DOUBLE_EQ(*errorStatistics(Opposite, 1).Tau, -1.0);
  // One pair of six exchanged: (5 - 1) / 6.
  std::vector<Estimate> One = {{1, 10}, {3, 20}, {2, 30}, {4, 40}};
  EXPECT_NEAR(*errorStatistics(One, 1).Tau, 4.0 / 6, 1e-12);
}

TEST(ErrorStatistics, TauBWithTies) {
  // Predictions 1 2 2 3, truths 1 2 3 4: five pairs agree, one is tied in the
  // predictions: 5 / sqrt(5 * 6).
  std::vector<Estimate> E = {{1, 1}, {2, 2}, {2, 3}, {3, 4}};
  EXPECT_NEAR(*errorStatistics(E, 1).Tau, 0.9128709291752769, 1e-12);
}

TEST(ErrorStatistics, NothingToOrder) {
  std::vector<Estimate> One = {{5, 4}};
  EXPECT_FALSE(errorStatistics(One, 1).Tau);
  EXPECT_FALSE(errorStatistics(One, 1).Regret);
  EXPECT_NEAR(errorStatistics(One, 1).Mean, 0.25, 1e-12);
  std::vector<Estimate> Constant = {{5, 4}, {5, 6}};
  EXPECT_FALSE(errorStatistics(Constant, 1).Tau);
  EXPECT_EQ(errorStatistics({}, 1).Count, 0u);
}

TEST(ErrorStatistics, RegretOfTheBestK) {
  // Predicted best is truly second; the truly best is predicted third.
  std::vector<Estimate> E = {{1, 12}, {2, 20}, {3, 10}, {4, 40}};
  EXPECT_NEAR(*errorStatistics(E, 1).Regret, 0.2, 1e-12);
  EXPECT_NEAR(*errorStatistics(E, 2).Regret, 0.2, 1e-12);
  EXPECT_NEAR(*errorStatistics(E, 3).Regret, 0.0, 1e-12);
  EXPECT_NEAR(*errorStatistics(E, 9).Regret, 0.0, 1e-12);
}

} // namespace
