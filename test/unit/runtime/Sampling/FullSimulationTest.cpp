//===- FullSimulationTest.cpp - Full simulations are read as written ------===//

#include "sampling/FullSimulation.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::sampling;

static ApplicationProfile profile() {
  ApplicationProfile A;
  for (uint64_t Work : {100, 250}) {
    LaunchProfile L;
    L.Blocks.push_back({Work, 32 * Work, 0, 0});
    L.BasicBlocks = {1, 1, 1};
    A.Launches.push_back(L);
  }
  return A;
}

static FullSimulation example() {
  FullSimulation F;
  F.Machine = "v100 sm.count=4";
  F.UnitInstructions = 200;
  F.Cycles = {1000, 2000};
  F.Instructions = {100, 250};
  F.Units = {{0, 100, 1000, {1, 0, 0}}, {1, 250, 2000, {0, 0.1, 0.9}}};
  return F;
}

static Result<FullSimulation> parse(const std::string &Text) {
  return parseFullSimulation(Text, "f.json", profile(), "v100 sm.count=4", 200);
}

TEST(FullSimulation, UnitsOfALaunch) {
  const std::vector<TimeUnit> Units = example().Units;
  const auto Read = parseUnits(writeUnits(Units));
  ASSERT_TRUE(Read) << Read.error().Message;
  ASSERT_EQ(Read->size(), 2u);
  EXPECT_EQ((*Read)[1].Cycles, 2000u);
  EXPECT_EQ((*Read)[1].BasicBlocks, Units[1].BasicBlocks);
  EXPECT_FALSE(parseUnits("[[0, 0, 1, 1, []]]"));
  EXPECT_FALSE(parseUnits("[[0"));
}

TEST(FullSimulation, RoundTrip) {
  const std::string Text = writeFullSimulation(example(), "1");
  Result<FullSimulation> F = parse(Text);
  ASSERT_TRUE(F) << F.error().Message;
  EXPECT_EQ(F->totalCycles(), 3000u);
  EXPECT_EQ(F->cyclesOfLaunch(), (std::vector<double>{1000, 2000}));
  ASSERT_EQ(F->Units.size(), 2u);
  EXPECT_EQ(F->Units[1].BasicBlocks, example().Units[1].BasicBlocks);
  EXPECT_EQ(writeFullSimulation(*F, "1"), Text);
}

TEST(FullSimulation, EveryCutIsNoticed) {
  const std::string Text = writeFullSimulation(example(), "1");
  for (size_t Length = 0; Length + 2 < Text.size(); ++Length) {
    Result<FullSimulation> F = parse(Text.substr(0, Length));
    ASSERT_FALSE(F) << Length;
    EXPECT_EQ(F.error().Message.find("f.json: "), 0u);
  }
}

static std::string messageFor(const std::string &From, const std::string &To) {
  std::string Text = writeFullSimulation(example(), "1");
  const size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From;
  Text.replace(At, From.size(), To);
  Result<FullSimulation> F = parse(Text);
  return F ? "" : F.error().Message;
}

TEST(FullSimulation, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(messageFor("v100 sm.count=4", "v100"),
            "f.json: was simulated on 'v100', not on 'v100 sm.count=4'");
  EXPECT_EQ(messageFor("\"unit\":200", "\"unit\":300"),
            "f.json: has units of 300 warp instructions, not 200");
  EXPECT_EQ(messageFor("[100,250]", "[100,251]"),
            "f.json: is of another application: launches or their "
            "instructions differ from the profile");
  EXPECT_EQ(messageFor("[1000,2000]", "[1000,-1]"),
            "f.json: holds -1 instead of a count");
  EXPECT_EQ(messageFor("[1,250,2000", "[7,250,2000"),
            "f.json: has a unit of launch 7");
  // Far more basic blocks than the kernels have: each would take memory.
  EXPECT_EQ(messageFor("[0,100,1000,3,", "[0,100,1000,200,"),
            "f.json: holds the unit [0,100,1000,200,[[0,1.0]]]");
  EXPECT_EQ(messageFor("[2,0.9]", "[5,0.9]"),
            "f.json: holds a share of the basic block 5");
  EXPECT_EQ(messageFor("format\":1", "format\":9"),
            "f.json: has format 9, this program reads 1; delete it");
}
