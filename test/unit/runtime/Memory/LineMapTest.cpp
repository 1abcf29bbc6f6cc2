//===- LineMapTest.cpp ----------------------------------------------------===//

#include "memory/LineMap.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace heddle::memory;

namespace {

TEST(LineMap, FindsWhatWasInsertedAndNothingElse) {
  // Numbers that share their low halves and crowd few places.
  std::mt19937 Random(3);
  std::map<uint64_t, uint32_t> Expected;
  std::vector<uint64_t> Table;
  LineMap Map(4);
  for (unsigned Step = 0; Step != 20000; ++Step) {
    uint64_t Number = Random() % 97 + (uint64_t(Random() % 3) << 32);
    auto Found = Expected.find(Number);
    auto Is = [&](uint32_t I) { return Table[I] == Number; };
    if (Found == Expected.end()) {
      ASSERT_EQ(Map.find(Number, Is), LineMap::None);
      Table.push_back(Number);
      Expected[Number] = uint32_t(Table.size() - 1);
      Map.insert(Number, uint32_t(Table.size() - 1));
    } else {
      ASSERT_EQ(Map.find(Number, Is), Found->second);
      Map.erase(Number, Found->second);
      Expected.erase(Found);
    }
  }
}

TEST(LineMap, FollowsAnEntryThatMoves) {
  LineMap Map(2);
  Map.insert(5, 0);
  Map.insert(6, 1);
  Map.erase(5, 0);
  Map.move(6, 1, 0);
  EXPECT_EQ(Map.find(6, [](uint32_t I) { return I == 0; }), 0u);
}

} // namespace
