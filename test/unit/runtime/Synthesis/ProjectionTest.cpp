//===- ProjectionTest.cpp - Lines and planes through clones ---------------===//

#include "synthesis/Projection.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace heddle::synthesis;

namespace {
/// A launch that costs 1000 cycles, 200 for all its blocks, 5000 for their
/// work.
CloneRun clone(double Blocks, double Trips, double Cycles = 0) {
  CloneRun R;
  R.Blocks = Blocks;
  R.Share = Blocks * Trips;
  R.OriginalInstructions = 12400;
  R.ExpectedError = 0.25;
  R.Machine = "m";
  R.Totals["cycles"] =
      Cycles > 0 ? Cycles : 1000 + 200 * Blocks + 5000 * R.Share;
  R.Totals["time_us"] = R.Totals["cycles"] / 1000;
  R.Totals["warp_instructions"] = 12400 * R.Share;
  R.Totals["l1.accesses"] = 100 * R.Share;
  R.Totals["l1.misses"] = 10 * R.Share;
  return R;
}
} // namespace

TEST(ProjectionTest, LineThroughTwo) {
  const CloneRun Runs[] = {clone(1, 0.01), clone(1, 0.02)};
  auto M = project(Runs);
  ASSERT_TRUE(M);
  EXPECT_NEAR(M->at("cycles").Value, 6200, 1e-6);
  EXPECT_NEAR(M->at("ipc").Value, 2, 1e-9);
  EXPECT_EQ(M->at("cycles").Error, 0.25); // none to spare: what was planned
}

TEST(ProjectionTest, OneIsScaledUp) {
  const CloneRun Runs[] = {clone(1, 0.01)};
  auto M = project(Runs);
  ASSERT_TRUE(M);
  EXPECT_NEAR(M->at("cycles").Value, 1250 * 100, 1e-6);
  EXPECT_EQ(M->at("cycles").Error, 0.5);
}

TEST(ProjectionTest, BlocksAndTrips) {
  const CloneRun Runs[] = {clone(0.1, 0.01), clone(0.2, 0.01), clone(0.1, 0.02),
                           clone(0.2, 0.02), clone(0.1, 0.04)};
  auto M = project(Runs);
  ASSERT_TRUE(M);
  // A line through the same would take the blocks' cost for the launch's.
  EXPECT_NEAR(M->at("cycles").Value, 6200, 1e-3);
  EXPECT_NEAR(M->at("cycles").Error, 0, 1e-6);
  // Four have none to spare.
  EXPECT_EQ(project(std::span(Runs).first(4))->at("cycles").Error, 0.25);
}

namespace {
/// Of ten waves and a half, the last of which lasts as long as any: a cost that
/// grows with the trips and not with the blocks.
CloneRun waves(double Full, double Trips, double Launch, double Wave) {
  return clone((Full + 0.5) / 10.5, Trips,
               Launch + (Full + 1) * (Wave + 1000 * Trips));
}
} // namespace

TEST(ProjectionTest, LastWaveCountsAsOne) {
  const CloneRun Runs[] = {waves(1, 0.01, 300, 50), waves(2, 0.01, 300, 50),
                           waves(1, 0.02, 300, 50), waves(2, 0.02, 300, 50),
                           waves(1, 0.04, 300, 50)};
  auto M = project(Runs);
  ASSERT_TRUE(M);
  EXPECT_NEAR(M->at("cycles").Value, 300 + 11 * 1050, 1e-3);
  EXPECT_EQ(M->at("cycles").Planned, 0);
}

TEST(ProjectionTest, ThreeCannotTellTheLaunchFromTheLastWave) {
  auto Of = [](double Launch) {
    const CloneRun Runs[] = {waves(1, 0.01, Launch, 0),
                             waves(2, 0.01, Launch, 0),
                             waves(1, 0.02, Launch, 0)};
    auto M = project(Runs);
    return M->at("cycles");
  };
  EXPECT_NEAR(Of(0).Value, 11000, 1e-3);
  EXPECT_GT(Of(0).Error, 0.05);
  EXPECT_EQ(Of(0).Planned, 0);
  EXPECT_NEAR(Of(1).Value, 11001, 2 * Of(1).Error * 11001);
}

TEST(ProjectionTest, ErrorIsWhatLinesDisagreeAbout) {
  // Lines through the first and the last two: 2000 + 10000 x, 2200 + 5000 x...
  const CloneRun Runs[] = {clone(1, 0.01, 1100), clone(1, 0.02, 1200),
                           clone(1, 0.04, 1300)};
  auto M = project(Runs);
  ASSERT_TRUE(M);
  const double Earlier = 1000 + 10000, Later = 1100 + 5000;
  EXPECT_NEAR(M->at("cycles").Error,
              (Earlier - Later) / M->at("cycles").Value / 2, 1e-9);
  // Others are as certain as their own lines.
  EXPECT_NEAR(M->at("l1.misses").Error, 0, 1e-9);
  EXPECT_NEAR(M->at("l1.miss_rate").Value, 0.1, 1e-9);
}

TEST(ProjectionTest, ResourceThatIsBusyDecides) {
  CloneRun Runs[] = {clone(1, 0.01), clone(1, 0.02), clone(1, 0.04)};
  for (CloneRun &R : Runs)
    R.Totals["busy.dram"] = 8000 * R.Share;
  auto M = project(Runs);
  ASSERT_TRUE(M);
  EXPECT_NEAR(M->at("cycles").Value, 8000, 1e-6); // the line says 6200
  EXPECT_GT(M->at("cycles").Error, 0.02);
  EXPECT_NEAR(M->at("l1.misses").Error, 0, 1e-9);
}

TEST(ProjectionTest, DrawingIsNotCausedByReduction) {
  CloneRun Runs[] = {clone(1, 0.01), clone(1, 0.02), clone(1, 0.04)};
  for (CloneRun &R : Runs)
    R.DrawnError = 0.1;
  auto M = project(Runs);
  ASSERT_TRUE(M);
  EXPECT_NEAR(M->at("cycles").Error, 0.1, 1e-9);
}

TEST(ProjectionTest, RefusesWhatDoesNotBelongTogether) {
  CloneRun Runs[] = {clone(1, 0.01), clone(1, 0.02)};
  Runs[1].Machine = "other";
  EXPECT_FALSE(project(Runs));
  const CloneRun Alike[] = {clone(1, 0.01), clone(1, 0.01)};
  EXPECT_FALSE(project(Alike));
}

/// 1e300 is no number of assumptions.
TEST(ProjectionTest, PlansWithCountsBeyondIntegersAreRefused) {
  const std::filesystem::path Folder =
      std::filesystem::path(testing::TempDir()) / "heddle-clone-counts";
  std::filesystem::create_directories(Folder);
  std::ofstream(Folder / "result.json") << "{}";
  std::ofstream(Folder / "clone.json")
      << R"({"expected_scale": 2, "expected_error": 0.1,
             "original": {"warp_instructions": 10, "assumptions": 1e300}})";
  const auto Run = readCloneRun(Folder.string());
  ASSERT_FALSE(Run);
  EXPECT_NE(Run.error().Message.find("number of assumptions"),
            std::string::npos);
  std::filesystem::remove_all(Folder);
}
