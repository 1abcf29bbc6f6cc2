//===- CloneCheckTest.cpp - Clones against the original's head ------------===//

#include "synthesis/CloneCheck.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace heddle::synthesis;

namespace {
/// A head of 1000 instructions that starts in 500 cycles and then issues one
/// each \p Rate cycles, seen every 100 instructions.
LaunchHead head(double Rate) {
  LaunchHead H(1000);
  double Done = 0;
  while (H.add(500 + Rate * Done, Done))
    Done += 100;
  return H;
}

std::map<std::string, ProjectedMetric> metrics(double Cycles, double Error) {
  return {{"cycles", {Cycles, Error}},
          {"time_us", {Cycles / 1000, Error}},
          {"ipc", {1, Error}},
          {"l1.misses", {10, 0.1}}};
}
} // namespace

TEST(CloneCheckTest, RateIsThatOfTheSecondHalf) {
  LaunchHead H(1000);
  EXPECT_TRUE(H.add(500, 100));
  EXPECT_TRUE(H.add(1000, 500));
  EXPECT_FALSE(H.add(2500, 1100));
  ASSERT_TRUE(H.rate());
  EXPECT_NEAR(*H.rate(), 2.5, 1e-9);
  EXPECT_NEAR(H.whole(10100), 2500 + 9000 * 2.5, 1e-6);
}

TEST(CloneCheckTest, LaunchThatEndsBeforeHasNone) {
  LaunchHead H(1000);
  H.add(100, 100);
  H.add(200, 300);
  EXPECT_FALSE(H.rate());
  EXPECT_FALSE(checkClone(H, 300, head(1), 300, 1));
}

TEST(CloneCheckTest, ClonesThatRunAtAnotherRateAreCorrected) {
  const auto Same = checkClone(head(2), 1e5, head(2), 1e5, 10);
  ASSERT_TRUE(Same);
  EXPECT_NEAR(Same->Correction, 1, 1e-9);
  // Half as many cycles for each instruction, but a tenth more instructions.
  const auto Other = checkClone(head(2), 1e5, head(1), 1.1e5, 10);
  ASSERT_TRUE(Other);
  EXPECT_NEAR(Other->Correction, 2 / 1.1, 1e-9);
  // A rate that is known badly leaves the corrected clones alone.
  auto M = metrics(1e5, 0.01);
  CloneCheck Vague = *Other;
  Vague.RateError = 100;
  applyCheck(M, Vague, 0);
  EXPECT_NEAR(M.at("cycles").Value, 1e5 * 2 / 1.1, 10);
  EXPECT_NEAR(M.at("ipc").Value, 1.1 / 2, 1e-4);
  EXPECT_GT(M.at("cycles").Error, 0.08);
  EXPECT_EQ(M.at("l1.misses").Value, 10);
}

TEST(CloneCheckTest, HeadsAreComparedAsFarAsBothGo) {
  // Twice as slow at first, and then as the clone.
  LaunchHead Long(4000);
  for (double Done = 100; Done <= 4000; Done += 100)
    Long.add(Done <= 1000 ? 2 * Done : 1000 + Done, Done);
  const auto Check = checkClone(Long, 1e5, head(1), 1e5, 10);
  ASSERT_TRUE(Check);
  EXPECT_NEAR(Check->Correction, 2, 1e-9);
  EXPECT_NEAR(Check->RateCycles, 1000 + 1e5, 1e-6);
  EXPECT_NEAR(Check->Start, 1000, 1e-6);
  EXPECT_NEAR(Check->HeadShare, 0.04, 1e-9);
}

TEST(CloneCheckTest, TheMoreWavesTheMoreTheRateDecides) {
  auto Cycles = [](double Waves, double Error) {
    auto M = metrics(3e5, Error);
    applyCheck(M, CloneCheck{1, 2e5, 0, 0.005, Waves}, 0);
    return M.at("cycles").Value;
  };
  EXPECT_NEAR(Cycles(1.01, 0.02), 3e5, 1e3);
  EXPECT_NEAR(Cycles(1000, 0.3), 2e5, 1e3);
  EXPECT_GT(Cycles(20, 0.1), Cycles(20, 0.2));
  EXPECT_GT(Cycles(20, 0.1), Cycles(40, 0.1));
}

TEST(CloneCheckTest, RateThatHasSeenOneStartOfBlocksIsLessCertain) {
  auto Of = [](double Start, double Waves, double Cycles) {
    auto M = metrics(Cycles, 0.1);
    applyCheck(M, CloneCheck{1, 2e5, Start, 0.005, Waves}, 0);
    return M.at("cycles");
  };
  EXPECT_GT(Of(2000, 30, 3e5).Value, 1.1 * Of(0, 30, 3e5).Value);
  EXPECT_GT(Of(2000, 30, 2e5).Error, 1.5 * Of(0, 30, 2e5).Error);
  // Many waves within the head: their starts are in the rate.
  EXPECT_EQ(Of(2000, 500, 3e5).Value, Of(0, 500, 3e5).Value);
}

TEST(CloneCheckTest, HeadsLastAWhile) {
  // 100 cycles for each 10 instructions, of which 100 would be enough.
  auto Until = [](double Least, double Most) {
    LaunchHead H(100, Least, Most);
    double Done = 0;
    while (H.add(10 * Done, Done))
      Done += 10;
    return H;
  };
  EXPECT_EQ(Until(0, 0).instructions(), 100);
  const LaunchHead Long = Until(5000, 1000);
  EXPECT_EQ(Long.instructions(), 500);
  EXPECT_EQ(Long.wanted(), 500); // its rate is that of the second half of these
  EXPECT_FALSE(Long.isShort());
  EXPECT_EQ(Long.atLeast(100), 500);
  EXPECT_EQ(Long.atLeast(600), 600);
  // As long as it may be, and still too short.
  const LaunchHead Short = Until(5000, 300);
  EXPECT_EQ(Short.instructions(), 300);
  EXPECT_TRUE(Short.isShort());
  EXPECT_EQ(Short.atLeast(100), 300);
  const auto Check = checkClone(Short, 2400, Until(0, 0), 2400, 0.5);
  ASSERT_TRUE(Check);
  EXPECT_TRUE(Check->IsShort);
  EXPECT_NE(doubtsOf(metrics(2.4e4, 0.02), Check).find("start"),
            std::string::npos);
}

TEST(CloneCheckTest, LaunchOfLessThanAWaveGoesOnAtItsRate) {
  auto Of = [](double Waves, double Spread) {
    auto M = metrics(4e5, 0.5);
    applyCheck(M, CloneCheck{1, 2e5, 0, 0.05, Waves}, 0, Spread);
    return M.at("cycles");
  };
  // The smaller part of a wave is not the less certain.
  EXPECT_EQ(Of(0.1, 0).Value, Of(0.9, 0).Value);
  EXPECT_LT(Of(0.1, 0).Value, 2.2e5);
  EXPECT_GT(Of(0.1, 0.5).Value, 2.5e5); // ends apart
}

TEST(CloneCheckTest, WhatTheHeadHasNotSeenIsLessCertain) {
  auto Of = [](double Seen, double Correction, double Cycles) {
    auto M = metrics(Cycles, 0.01);
    CloneCheck C{Correction, 2e5, 0, 0.005, 100};
    C.Seen = Seen;
    applyCheck(M, C, 0);
    return M.at("cycles");
  };
  EXPECT_GT(Of(0.2, 1, 2e5).Error, 2 * Of(1, 1, 2e5).Error);
  EXPECT_GT(Of(0.2, 1.5, 2e5).Error, 1.5 * Of(0.2, 1, 2e5).Error);
  EXPECT_GT(Of(0.2, 1, 3e5).Value, 2.9e5); // the rate no longer decides
}

TEST(CloneCheckTest, RateOfFewIterationsIsLessCertain) {
  auto Cycles = [](double RateError) {
    auto M = metrics(3e5, 0.1);
    applyCheck(M, CloneCheck{1, 2e5, 0, 0.005, 100, RateError}, 0);
    return M.at("cycles").Value;
  };
  EXPECT_NEAR(Cycles(10), 3e5, 1e3);
  EXPECT_LT(Cycles(0), 2.3e5);
}

TEST(CloneCheckTest, CorrectionsCostNothingWhereBothGoOnAtTheirRate) {
  auto Error = [](double Cycles) {
    auto M = metrics(Cycles, 0.01);
    applyCheck(M, CloneCheck{0.5, 2e5, 0, 0.005, 1}, 0);
    return M.at("cycles").Error;
  };
  EXPECT_LT(Error(4e5), 0.2);
  EXPECT_GT(Error(6e5), 0.2);
}

TEST(CloneCheckTest, ErrorHasWhatDrawingCausesOnlyWithoutACheck) {
  auto Checked = metrics(2e5, 0.15), Unchecked = metrics(2e5, 0.15);
  applyCheck(Checked, checkClone(head(2), 1e5, head(2), 1e5, 10), 0.15);
  applyCheck(Unchecked, std::nullopt, 0.15);
  EXPECT_LT(Checked.at("cycles").Error, 0.055);
  EXPECT_GT(Unchecked.at("cycles").Error, 0.15);
}

TEST(CloneCheckTest, LinesOfClonesThatStartLongAreTooSlow) {
  auto Of = [](double Way) {
    auto M = metrics(2e5, 0.01);
    applyCheck(M, CloneCheck{1, 2e5, 0, 0.005, 0.01, 100}, 0, 0, 0, Way);
    return M.at("cycles");
  };
  EXPECT_NEAR(Of(0.4).Value, 2e5 * std::exp(0.1), 100);
  EXPECT_GT(Of(0.4).Error, 0.1);
  EXPECT_LT(Of(0).Error, 0.06);
}

TEST(CloneCheckTest, LaunchesEndByHalfOfWhatTheLastWaveLacks) {
  auto Of = [](double Waves, double Spread) {
    auto M = metrics(3e5, 10);
    applyCheck(M, CloneCheck{1, 2e5, 0, 0.005, Waves}, 0, Spread);
    return M.at("cycles");
  };
  EXPECT_NEAR(Of(50, 0).Value, 2e5, 20);
  EXPECT_NEAR(Of(49.2, 0).Value, 2e5 * std::exp(0.4 / 49.2), 20);
  EXPECT_GT(Of(3.1, 0).Error, 2 * Of(4, 0).Error);
  EXPECT_GT(Of(4, 0.5).Error, 2 * Of(4, 0).Error); // blocks end apart
}

TEST(CloneCheckTest, RateOfAHeadThatSawLittleRefusesNothing) {
  CloneCheck Check{1, 2e5, 0, 0.005, 10};
  EXPECT_NE(doubtsOf(metrics(1.4e5, 0.05), Check), "");
  Check.Seen = 0.5;
  EXPECT_EQ(doubtsOf(metrics(1.4e5, 0.05), Check), "");
}

TEST(CloneCheckTest, WhatPlansExpectIsMoreThanIsLeftAfterACheck) {
  auto Error = [](double Planned) {
    auto M = metrics(2e5, 0.1);
    M.at("cycles").Planned = Planned;
    applyCheck(M, checkClone(head(2), 1e5, head(2), 1e5, 1), 0);
    return M.at("cycles").Error;
  };
  EXPECT_LT(Error(0.1), 0.7 * Error(0));
}

TEST(CloneCheckTest, ErrorGrowsWithTheLastWaveAndTheStart) {
  auto Error = [](double Waves, double Start) {
    auto M = metrics(2e5, 0.01);
    applyCheck(M, checkClone(head(2), 1e5, head(2), 1e5, Waves), 0, 0, Start);
    return M.at("cycles").Error;
  };
  EXPECT_GT(Error(1.3, 0), 0.07);
  EXPECT_LT(Error(2.3, 0), 0.065);
  EXPECT_LT(Error(0.9, 0), 0.06); // no wave begins while another ends
  EXPECT_LT(Error(2, 0), 0.06);   // all of them are full
  EXPECT_GT(Error(0.9, 1), Error(0.9, 0));
}

TEST(CloneCheckTest, ErrorGrowsWhereTheRateLeadsElsewhere) {
  auto Error = [](double Cycles, double Waves) {
    auto M = metrics(Cycles, 0.01);
    applyCheck(M, checkClone(head(2), 1e5, head(2), 1e5, Waves), 0);
    return M.at("cycles").Error;
  };
  EXPECT_GT(Error(2.4e5, 20), 2 * Error(2e5, 20));
  EXPECT_LT(Error(2e5, 20), 0.055);
  EXPECT_LT(Error(2.4e5, 2.2), 0.07); // the end may explain it
  EXPECT_GT(Error(2.4e5, 2), 0.09);   // all waves are full
}

TEST(CloneCheckTest, WhatCannotBeTrusted) {
  const auto Check = checkClone(head(2), 1e5, head(2), 1e5, 10);
  auto Doubts = [&](double Cycles, double Error) {
    return doubtsOf(metrics(Cycles, Error), Check);
  };
  EXPECT_EQ(Doubts(2e5, 0.05), "");
  EXPECT_EQ(Doubts(2.2e5, 0.05), ""); // a last wave alone
  EXPECT_NE(Doubts(2e5, 0.5).find("50 %"), std::string::npos);
  EXPECT_NE(Doubts(4e5, 0.05).find("rate"), std::string::npos);
  EXPECT_NE(Doubts(1e5, 0.05).find("rate"), std::string::npos);
  CloneCheck Cold = *Check;
  Cold.Reads = 1.2;
  EXPECT_EQ(doubtsOf(metrics(2e5, 0.05), Cold), "");
  Cold.Reads = 2;
  EXPECT_NE(doubtsOf(metrics(2e5, 0.05), Cold).find("L2"), std::string::npos);
  // Each wave may begin as slowly as the first one.
  const CloneCheck Slow = {1, 2e5, 2000, 0.005, 30};
  EXPECT_EQ(doubtsOf(metrics(2.7e5, 0.05), Slow), "");
}
