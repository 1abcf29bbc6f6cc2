//===- ReuseDistanceTest.cpp - Stack distances against a list -------------===//

#include "pipeline/ReuseDistance.h"
#include "pipeline/StackCache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>

using namespace heddle::pipeline;

namespace {

/// The definition: keys in the order of their last access.
class ListStack {
public:
  uint64_t access(uint64_t Key) {
    auto At = std::find(Keys.begin(), Keys.end(), Key);
    uint64_t Distance = ReuseDistance::Cold;
    if (At != Keys.end()) {
      Distance = uint64_t(std::distance(Keys.begin(), At));
      Keys.erase(At);
    }
    Keys.push_front(Key);
    return Distance;
  }

private:
  std::list<uint64_t> Keys;
};

TEST(ReuseDistance, EqualsTheDefinition) {
  std::mt19937_64 Random(1);
  for (uint64_t Keys : {3, 50, 700}) {
    ReuseDistance Fast;
    ListStack Slow;
    // More accesses than times in the first tree, so that it is renumbered.
    for (int I = 0; I < 6000; ++I) {
      uint64_t Key = Random() % Keys * 128;
      ASSERT_EQ(Fast.access(Key).Distance, Slow.access(Key)) << I;
    }
    EXPECT_EQ(Fast.distinct(), Keys);
  }
}

TEST(ReuseDistance, KeepsThePayload) {
  ReuseDistance R;
  for (uint64_t Key = 0; Key < 5000; ++Key)
    R.access(Key).Payload = Key * 3;
  for (uint64_t Key = 0; Key < 5000; ++Key)
    ASSERT_EQ(R.access(Key).Payload, Key * 3);
}

TEST(StackCache, HitsWhatFits) {
  StackCache C(4);
  for (int Round = 0; Round < 2; ++Round)
    for (uint64_t Line = 0; Line < 4; ++Line)
      EXPECT_EQ(C.read(Line * 128, 0xf).Missing, Round ? 0 : 0xf);
  // A fifth line pushes out the one that was used least recently.
  EXPECT_EQ(C.read(4 * 128, 1).Missing, 1);
  EXPECT_EQ(C.read(0, 0xf).Missing, 0xf);
  EXPECT_EQ(C.read(3 * 128, 0xf).Missing, 0);
}

TEST(StackCache, CountsSectorsAndWriteBacks) {
  StackCache C(1);
  EXPECT_EQ(C.write(0, 0b0011, true).Dirtied, 0b0011);
  EXPECT_EQ(C.read(0, 0b0111).Missing, 0b0100); // written sectors are valid
  EXPECT_TRUE(C.read(128, 1).Cold);
  StackCache::Outcome O = C.read(0, 1);
  EXPECT_EQ(O.WrittenBack, 0b0011);
  EXPECT_EQ(O.Missing, 1);
  EXPECT_FALSE(O.Cold);
}

} // namespace
