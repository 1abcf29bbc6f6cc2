//===- CommonLinesTest.cpp - Lines that all SMs ask for at once -----------===//

#include "memory/CommonLines.h"

#include "arch/SpecReader.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

arch::GPUSpec machine(const char *Name) {
  auto Spec = arch::loadMachine(Name);
  EXPECT_TRUE(Spec);
  return Spec ? *Spec : arch::GPUSpec{};
}

TEST(CommonLines, TheLastSMWaitsForTheOthers) {
  const arch::GPUSpec Spec = machine("v100");
  memory::CommonLines Common(Spec);
  EXPECT_DOUBLE_EQ(Common.wait(100, 200, 0, 80, 5), 79 * 5);
}

TEST(CommonLines, OneSMWaitsForNone) {
  memory::CommonLines Common(machine("v100"));
  EXPECT_DOUBLE_EQ(Common.wait(100, 200, 0, 1, 5), 0);
  EXPECT_DOUBLE_EQ(Common.wait(1000, 200, 128, 1, 5), 0);
}

TEST(CommonLines, WhoIsBehindWaitsNoMore) {
  const arch::GPUSpec Spec = machine("v100");
  memory::CommonLines Common(Spec);
  const double First = Common.wait(100, 200, 0, 80, 5);
  // The others have been at the next line while this SM waited for the first.
  const uint64_t Next = Spec.L2.Interleave;
  EXPECT_DOUBLE_EQ(Common.wait(100 + 200 + First, 200, Next, 80, 5), 0);
}

TEST(CommonLines, LinesOfOneSliceFollowEachOther) {
  memory::CommonLines Common(machine("v100"));
  Common.wait(100, 200, 0, 80, 5);
  EXPECT_DOUBLE_EQ(Common.wait(100, 200, 0, 80, 5), 159 * 5);
}

TEST(CommonLines, EachHalfServesItsOwnSMs) {
  memory::CommonLines Common(machine("a100"));
  EXPECT_DOUBLE_EQ(Common.wait(0, 200, 0, 108, 5), 53 * 5);
}

} // namespace
