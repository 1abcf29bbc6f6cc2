//===- ZeroedVectorTest.cpp -----------------------------------------------===//

#include "base/ZeroedVector.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace heddle;

TEST(ZeroedVector, BeginsWithZerosWhateverTheMemoryHeld) {
  for (int Round = 0; Round != 3; ++Round) {
    ZeroedVector<uint64_t> Table;
    Table.resize(1000);
    EXPECT_TRUE(std::ranges::all_of(Table, [](uint64_t N) { return N == 0; }));
    std::ranges::fill(Table, ~uint64_t(0));
  }
}

TEST(ZeroedVector, BeginsOnALineOfTheHostsCache) {
  for (size_t Size = 1; Size < 5000; Size = Size * 3 + 1) {
    ZeroedVector<uint16_t> Table;
    Table.resize(Size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(Table.data()) % 64, 0u);
  }
}

TEST(ZeroedVector, IsCopiedAndMovedLikeAnyOther) {
  ZeroedVector<int> Table;
  Table.resize(100);
  Table[7] = 1;
  ZeroedVector<int> Copy = Table;
  EXPECT_EQ(Copy, Table);
  Copy[7] = 2;
  EXPECT_EQ(Table[7], 1);
  const ZeroedVector<int> Moved = std::move(Copy);
  EXPECT_EQ(Moved[7], 2);
}
