//===- RowLocalityTest.cpp - How often a channel opens a row --------------===//

#include "memory/RowLocality.h"

#include "arch/SpecReader.h"

#include <gtest/gtest.h>

#include <random>

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
  /// Rows opened for requests to \p Rows in order.
  double opened(const std::vector<uint64_t> &Rows, uint32_t Queue) {
    RowLocality L(Spec.DRAM, Spec.L2.Interleave, Queue, Queue);
    for (uint64_t R : Rows)
      L.add(R * Row, 2, 0);
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

TEST_F(RowLocalityTest, OfOneSourceTheQueueHoldsFewer) {
  auto openedBy = [&](uint64_t Second) {
    RowLocality L(Spec.DRAM, Spec.L2.Interleave, 8, 2);
    for (uint64_t N = 0; N != 4; ++N)
      L.add(4 * N * Row, 1, 0);
    L.add(0, 1, Second);
    return L.activates();
  };
  EXPECT_EQ(openedBy(0), 5);
  EXPECT_EQ(openedBy(1), 4);
}

TEST_F(RowLocalityTest, DataHidesWhatRowsTake) {
  // One sector takes a command clock, a row tRRD.
  EXPECT_DOUBLE_EQ(memory::rowFactor(Spec, 0, 128), 1);
  EXPECT_DOUBLE_EQ(memory::rowFactor(Spec, 0.05, 128), 1);
  auto V100 = arch::loadMachine("v100");
  ASSERT_TRUE(V100);
  V100->DRAM.TREFI = 0;
  EXPECT_NEAR(memory::rowFactor(*V100, 1, 128), 3 * 0.97, 0.01);
  V100->DRAM.Policy = arch::DRAMPolicy::Fixed;
  EXPECT_DOUBLE_EQ(memory::rowFactor(*V100, 1, 128), 1);
}

/// DRAM cycles for each of many reads of rows at random.
double cyclesPerRandomRow(const arch::GPUSpec &Spec) {
  std::mt19937_64 Random(5);
  memory::DRAMChannel C(Spec);
  constexpr unsigned Reads = 20000;
  for (unsigned I = 0; I != Reads; ++I)
    C.push({.Address = Random() >> 34 << 5});
  memory::DRAMChannel::Completion Done;
  while (C.nextEvent() != NeverCycle)
    C.step(Done);
  return double(C.counters().End) / Reads;
}

TEST(RowFactor, CountsWhatARefreshedBankHoldsUp) {
  for (const char *Name : {"v100", "a100", "h100", "t4"}) {
    auto Spec = arch::loadMachine(Name);
    ASSERT_TRUE(Spec);
    const double Measured = cyclesPerRandomRow(*Spec);
    EXPECT_NEAR(memory::cyclesPerRow(Spec->DRAM, Spec->DRAM.Queue), Measured,
                0.1 * Measured)
        << Name;
  }
}

} // namespace
