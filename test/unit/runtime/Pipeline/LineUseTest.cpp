//===- LineUseTest.cpp - Sectors of the lines that blocks share -----------===//

#include "pipeline/LineUse.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace heddle::pipeline;

namespace {

// Of N things, so many are drawn at least once in Draws.
double drawn(double N, double Draws) { return N * (1 - std::exp(-Draws / N)); }

LineUse randomUse(double Lines, double Draws) {
  LineUse U;
  U.Half = {drawn(Lines, Draws / 2), drawn(4 * Lines, Draws / 2)};
  U.All = {drawn(Lines, Draws), drawn(4 * Lines, Draws)};
  return U;
}

TEST(LineUse, CarriesRandomDrawsOn) {
  const LineUse U = randomUse(1000, 300);
  EXPECT_NEAR(U.sectorsPerLine(1), drawn(4000, 300) / drawn(1000, 300), 1e-9);
  EXPECT_NEAR(U.sectorsPerLine(8), drawn(4000, 2400) / drawn(1000, 2400), 1e-9);
  EXPECT_NEAR(U.until(drawn(1000, 900)), 3, 1e-9);
  EXPECT_TRUE(std::isinf(U.until(1000)));
}

TEST(LineUse, StreamsGoOn) {
  LineUse U;
  U.Half = {10, 40};
  U.All = {20, 80};
  EXPECT_EQ(U.sectorsPerLine(100), 4);
  EXPECT_EQ(U.until(60), 3);
}

// Columns: each block has other sectors of the same lines.
TEST(LineUse, FillsLinesThatAllHave) {
  LineUse U;
  U.Half = {10, 10};
  U.All = {10, 20};
  EXPECT_EQ(U.sectorsPerLine(2), 4);
  EXPECT_TRUE(std::isinf(U.until(11)));
}

TEST(LineUse, NothingIsOneSector) { EXPECT_EQ(LineUse().sectorsPerLine(5), 1); }

} // namespace
