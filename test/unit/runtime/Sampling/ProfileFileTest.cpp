//===- ProfileFileTest.cpp - Profiles are read as they were written -------===//

#include "sampling/ProfileFile.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::sampling;

static ApplicationProfile example() {
  ApplicationProfile A;
  for (unsigned Launch = 0; Launch < 2; ++Launch) {
    LaunchProfile L;
    L.Kernel = "k\"1";
    L.Grid = {3, 2, 1};
    L.Block = {64, 1, 1};
    L.RegistersPerThread = 20;
    L.SharedBytesPerBlock = 4096;
    for (uint64_t B = 0; B < 6; ++B)
      L.Blocks.push_back({10 + B / 2, 320, B + Launch, 7});
    L.BasicBlocks = {60, 0, 6};
    L.BytesRead = {1, 2, 3};
    L.BytesWritten = {0, 0, 4};
    L.Arguments = "a=1, b";
    L.AfterSync = Launch == 1;
    A.Launches.push_back(L);
  }
  return A;
}

TEST(ProfileFile, RoundTrip) {
  const ApplicationProfile A = example();
  std::string Text = writeProfile(A, "1");
  Result<ApplicationProfile> B = parseProfile(Text, "p.json");
  ASSERT_TRUE(B) << B.error().Message;
  ASSERT_EQ(B->Launches.size(), 2u);
  EXPECT_EQ(B->Launches[1].Blocks, A.Launches[1].Blocks);
  EXPECT_EQ(B->Launches[0].BasicBlocks, A.Launches[0].BasicBlocks);
  EXPECT_EQ(B->Launches[0].BytesRead, A.Launches[0].BytesRead);
  EXPECT_TRUE(B->Launches[1].AfterSync);
  EXPECT_EQ(writeProfile(*B, "1"), Text);
}

TEST(ProfileFile, EveryCutIsNoticed) {
  std::string Text = writeProfile(example(), "1");
  for (size_t Length = 0; Length + 2 < Text.size(); ++Length) {
    Result<ApplicationProfile> A =
        parseProfile(Text.substr(0, Length), "p.json");
    ASSERT_FALSE(A) << Length;
    EXPECT_EQ(A.error().Message.find("p.json: "), 0u);
  }
}

static std::string messageFor(const std::string &From, const std::string &To) {
  std::string Text = writeProfile(example(), "1");
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos);
  Text.replace(At, From.size(), To);
  Result<ApplicationProfile> A = parseProfile(Text, "p.json");
  return A ? "" : A.error().Message;
}

TEST(ProfileFile, EditedFilesAreRefused) {
  EXPECT_NE(messageFor("\"profile_format\":2", "\"profile_format\":9")
                .find("profile format 9"),
            std::string::npos);
  EXPECT_NE(messageFor("[3,2,1]", "[4,2,1]").find("8 thread blocks"),
            std::string::npos);
  // The second is 2^64 thread blocks.
  for (const char *Grid : {"[134217728,2,1]", "[2147483648,2147483648,4]"})
    EXPECT_NE(messageFor("[3,2,1]", Grid).find("more than 134217728 thread"),
              std::string::npos);
  EXPECT_NE(messageFor("[3,2,1]", "[0,2,1]").find("out of range"),
            std::string::npos);
  EXPECT_NE(messageFor("[320,6]", "[-320,6]").find("instead of a count"),
            std::string::npos);
  EXPECT_NE(messageFor("\"bytes\"", "\"bites\"").find("lacks 'bytes'"),
            std::string::npos);
  EXPECT_NE(messageFor("[1,2,3]", "[1,2]").find("3 basic blocks"),
            std::string::npos);
  EXPECT_NE(messageFor("[320,6]", "[320,600]").find("'thread_instructions'"),
            std::string::npos);
}
