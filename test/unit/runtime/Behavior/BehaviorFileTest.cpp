//===- BehaviorFileTest.cpp - What a behaviour profile may not hold -------===//

#include "behavior/BehaviorFile.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::behavior;

namespace {

/// One block in a loop, a branch and an access.
Profile small() {
  Profile P;
  P.Grid = {1u << 20, 1, 1};
  P.Threads = {128, 1, 1};
  P.WarpInstructions = P.ThreadInstructions = 100;
  P.Blocks.resize(1);
  P.Arrays.push_back({Space::Global, 4096});
  P.Loops.resize(1);
  P.Loops[0].Trips.fill(1000);
  P.Branches.resize(1);
  P.Accesses.resize(1);
  P.Accesses[0].Array = 0;
  P.Accesses[0].IsAffine = true;
  P.Accesses[0].Coefficients[BlockX] = 512;
  return P;
}

std::string faultOf(const Profile &P) {
  const auto Read = parseBehavior(writeBehavior(P, "1"), "p.json");
  return Read ? "" : Read.error().Message;
}

TEST(BehaviorFile, KeepsWhatItWrote) {
  Profile P = small();
  P.Assumptions = {"N is guessed"};
  const std::string Text = writeBehavior(P, "1");
  const auto Read = parseBehavior(Text, "p.json");
  ASSERT_TRUE(Read) << Read.error().Message;
  EXPECT_EQ(Read->Assumptions, P.Assumptions);
  EXPECT_EQ(writeBehavior(*Read, "1"), Text);
}

TEST(BehaviorFile, RefusesOffsetsBeyondAnyMemory) {
  Profile P = small();
  // 2^28 bytes for each of 2^20 blocks are 2^48; one more is too many.
  P.Accesses[0].Coefficients[BlockX] = int64_t(1) << 28;
  EXPECT_EQ(faultOf(P), "");
  ++P.Accesses[0].Coefficients[BlockX];
  EXPECT_EQ(faultOf(P), "p.json: malformed profile: the offsets of an access");
  P = small();
  P.Accesses[0].Step = -(int64_t(1) << 39); // in each of 1,000 iterations
  EXPECT_NE(faultOf(P), "");
  P = small();
  P.Arrays[0].SizeBytes = uint64_t(1) << 49;
  EXPECT_EQ(faultOf(P), "p.json: malformed profile: the size of an array");
}

TEST(BehaviorFile, TakesRangesThatAreOpen) {
  Profile P = small();
  P.Branches[0].Lower = INT64_MIN;
  P.Branches[0].Upper = INT64_MAX;
  EXPECT_EQ(faultOf(P), "");
  P.Branches[0].Upper = INT64_MAX - 1;
  EXPECT_EQ(faultOf(P), "p.json: malformed profile: the numbers of a branch");
}

TEST(BehaviorFile, RefusesFractionsThatAreNone) {
  Profile P = small();
  P.Loops[0].MeanTrips = 1e300;
  EXPECT_EQ(faultOf(P),
            "p.json: malformed profile: a fraction is out of range");
}

TEST(BehaviorFile, RefusesDeepLists) {
  EXPECT_EQ(parseContent(std::string(300, '['), "p.json").error().Message,
            "p.json: lists stand in each other more than 256 deep");
  // Brackets within strings are none.
  EXPECT_NE(parseContent('"' + std::string(300, '['), "p.json").error().Message,
            "p.json: lists stand in each other more than 256 deep");
}

} // namespace
