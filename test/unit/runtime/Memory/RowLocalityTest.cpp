//===- RowLocalityTest.cpp - How often a channel opens a row --------------===//

#include "memory/RowLocality.h"

#include "arch/SpecReader.h"

#include <gtest/gtest.h>

using namespace heddle;
using memory::RowLocality;

namespace {

class RowLocalityTest : public testing::Test {
protected:
  void SetUp() override {
    auto Loaded = arch::loadMachine("v100");
    ASSERT_TRUE(Loaded);
    Spec = *Loaded;
    Spec.DRAM.Banks = 4;
    Row = std::max(Spec.DRAM.RowBytes, Spec.L2.Interleave);
  }
  /// Rows opened for requests to \p Rows in order, each in \p Turn of its
  /// place.
  double opened(std::vector<uint64_t> Rows, uint32_t Queue,
                uint64_t PerTurn = 1000) {
    RowLocality L(Spec.DRAM, Spec.L2.Interleave, Queue);
    for (size_t N = 0; N < Rows.size(); ++N)
      L.add(Rows[N] * Row, 2, N / PerTurn);
    EXPECT_EQ(L.sectors(), 2.0 * double(Rows.size()));
    return L.activates();
  }
  arch::GPUSpec Spec;
  uint64_t Row = 0;
};

TEST_F(RowLocalityTest, ARowStaysOpenUntilItsBankOpensAnother) {
  EXPECT_EQ(opened({0, 0, 0, 0}, 1), 1);
  EXPECT_EQ(opened({0, 1, 2, 3, 0, 1, 2, 3}, 1), 4); // four banks
  EXPECT_EQ(opened({0, 4, 0, 4}, 1), 4);             // one bank
}

TEST_F(RowLocalityTest, RequestsInTheQueueAreServedTogether) {
  EXPECT_EQ(opened({0, 4, 0, 4}, 8), 2);
  // As many as the queue holds later, the first has been served.
  std::vector<uint64_t> Rows = {0};
  for (uint64_t N = 1; N <= 8; ++N)
    Rows.push_back(4 * N);
  Rows.push_back(0);
  EXPECT_EQ(opened(Rows, 8), 10);
  EXPECT_EQ(opened(Rows, 16), 9);
}

TEST_F(RowLocalityTest, TurnsThatAreNotOverCountAsWhole) {
  RowLocality L(Spec.DRAM, Spec.L2.Interleave, 4);
  // Two sources take four turns each, one source after the other.
  for (uint64_t Source = 0; Source < 2; ++Source)
    for (uint64_t Turn = 0; Turn < 4; ++Turn)
      L.add(Turn * 4 * Row, 1, Turn);
  EXPECT_EQ(L.activates(), 4);
}

TEST_F(RowLocalityTest, DataHidesWhatRowsTake) {
  // One sector takes a command clock, a row tRRD.
  EXPECT_DOUBLE_EQ(memory::rowFactor(Spec, 0), 1);
  EXPECT_DOUBLE_EQ(memory::rowFactor(Spec, 0.05), 1);
  auto V100 = arch::loadMachine("v100");
  ASSERT_TRUE(V100);
  EXPECT_NEAR(memory::rowFactor(*V100, 1), 3 * 0.97, 0.01);
  V100->DRAM.Policy = arch::DRAMPolicy::Fixed;
  EXPECT_DOUBLE_EQ(memory::rowFactor(*V100, 1), 1);
}

} // namespace
