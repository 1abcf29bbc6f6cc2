//===- CommonLinesTest.cpp - Lines that all SMs ask for at once -----------===//

#include "memory/CommonLines.h"

#include "arch/SpecReader.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

/// Each SM asks L2 by itself, unless \p OfGPCs leaves the GPCs their caches.
arch::GPUSpec machine(const char *Name, bool OfGPCs = false) {
  std::vector<std::string> Sets;
  if (!OfGPCs)
    Sets.push_back("gpc_cache.size=0");
  auto Spec = arch::loadMachine(Name, Sets);
  EXPECT_TRUE(Spec);
  return Spec ? *Spec : arch::GPUSpec{};
}

TEST(CommonLines, TheLastSMWaitsForTheOthers) {
  const arch::GPUSpec Spec = machine("v100");
  memory::CommonLines Common(Spec);
  EXPECT_DOUBLE_EQ(Common.wait(100, 200, 0, 80, 5), 79 * 5);
}

TEST(CommonLines, TheLastGPCWaitsForTheOthers) {
  const arch::GPUSpec Spec = machine("v100", true);
  memory::CommonLines Common(Spec);
  EXPECT_DOUBLE_EQ(Common.wait(100, 200, 0, 80, 5),
                   (Spec.Cluster.GPCs - 1) * 5);
  EXPECT_DOUBLE_EQ(Common.askers(80), Spec.Cluster.GPCs);
  EXPECT_DOUBLE_EQ(Common.askers(3), 3);
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

TEST(CommonLines, WhoStartsLaterIsBehind) {
  memory::CommonLines Common(machine("v100"), 300);
  EXPECT_DOUBLE_EQ(Common.lag(0), 300);
  EXPECT_DOUBLE_EQ(Common.wait(400, 200, 0, 80, 5), 79 * 5 - 300);
}

TEST(CommonLines, TheFirstSMWaitsForThoseThatGetTheLineBefore) {
  memory::CommonLines Common(machine("v100"));
  Common.wait(100, 200, 0, 60, 5);
  const double Second = Common.wait(100, 200, 0, 60, 5);
  EXPECT_DOUBLE_EQ(Second, 119 * 5);
  EXPECT_DOUBLE_EQ(Common.lag(100 + 200 + Second), 59 * 5);
}

TEST(CommonLines, TheOtherHalfOfL2IsFarOnce) {
  const arch::GPUSpec Spec = machine("a100");
  memory::CommonLines Common(Spec);
  const double First = Common.wait(0, 200, 0, 108, 5, 200);
  EXPECT_DOUBLE_EQ(First, 53 * 5 + 200);
  EXPECT_DOUBLE_EQ(
      Common.wait(200 + First, 200, Spec.L2.Interleave, 108, 5, 200), 0);
}

TEST(CommonLines, SMsBesideOneHalfHaveTheOtherFar) {
  const arch::GPUSpec Spec = machine("a100");
  memory::CommonLines Common(Spec);
  const memory::AddressMap Map(Spec);
  uint64_t Line = 0;
  while (Map.place(Line).Slice < Spec.L2.Slices / 2)
    Line += Spec.L2.Interleave;
  EXPECT_TRUE(Common.farFromAll(Line, 54));
  EXPECT_FALSE(Common.farFromAll(Line, 108));
  EXPECT_FALSE(Common.besideBoth(54));
}

TEST(HeadStart, CountsOnce) {
  memory::HeadStart Before;
  Before.reach(100);
  EXPECT_DOUBLE_EQ(Before.begin(0, 1000, 60), 900);
  EXPECT_DOUBLE_EQ(Before.begin(0, 2000, 60), 1960);
  EXPECT_DOUBLE_EQ(Before.begin(0, 3000, 60), 3000);
  Before.reach(100);
  EXPECT_DOUBLE_EQ(Before.begin(0, 4000, 60), 4000);
  Before.reach(110);
  EXPECT_DOUBLE_EQ(Before.begin(0, 5000, 60), 4990);
}

} // namespace
