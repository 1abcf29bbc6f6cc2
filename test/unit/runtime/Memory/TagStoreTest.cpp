//===- TagStoreTest.cpp ---------------------------------------------------===//

#include "memory/TagStore.h"

#include <gtest/gtest.h>

#include <list>
#include <random>
#include <set>

using namespace heddle;
using namespace heddle::memory;

namespace {

constexpr unsigned Sets = 8, LineBytes = 128;

struct Way {
  uint64_t Tag = 0;
  bool Stays = false;
};

TagStore<Way> makeStore(unsigned Ways, arch::Replacement Replace = {}) {
  arch::CacheSpec Spec;
  Spec.Line = LineBytes;
  Spec.Ways = Ways;
  Spec.Replace = Replace;
  return {Spec, uint64_t(Sets) * Ways * LineBytes};
}

/// A set as a list of line numbers, the one that was used longest ago first.
struct PlainSet {
  std::list<uint64_t> Lines;

  bool use(uint64_t Number) {
    const auto At = std::ranges::find(Lines, Number);
    if (At == Lines.end())
      return false;
    Lines.splice(Lines.end(), Lines, At);
    return true;
  }
};

/// The same with the lines that were used since all of it were.
struct RecentSet : PlainSet {
  std::set<uint64_t> Recent;

  bool use(uint64_t Number) {
    const bool Found = PlainSet::use(Number);
    if (Found)
      Recent.insert(Number);
    return Found;
  }
  uint64_t victim() {
    if (Recent.size() == Lines.size())
      Recent.clear();
    return *std::find_if(Lines.rbegin(), Lines.rend(),
                         [&](uint64_t L) { return !Recent.contains(L); });
  }
};

class TagStoreTest : public testing::TestWithParam<unsigned> {};

} // namespace

TEST_P(TagStoreTest, HoldsWhatAPlainListHolds) {
  TagStore<Way> Store = makeStore(GetParam());
  std::vector<PlainSet> Plain(Sets);
  std::mt19937 Random(1);
  const unsigned Lines = Sets * GetParam() * 3 / 2 + 1;
  for (unsigned Step = 0; Step != 20000; ++Step) {
    const uint64_t Number = Random() % Lines, Line = Number * LineBytes;
    PlainSet &Its = Plain[Number % Sets];
    const uint32_t Found = Store.find(Line);
    ASSERT_EQ(Found != Store.None, Its.use(Number));
    if (Found != Store.None) {
      ASSERT_EQ(Store.lineOf(Store[Found]), Line);
      Store.touch(Found);
      continue;
    }
    uint64_t Left = ~uint64_t(0);
    ASSERT_NE(Store.replace(
                  Line, [](const Way &) { return true; },
                  [&](const Way &W) { Left = W.Tag - 1; }),
              Store.None);
    if (Its.Lines.size() == GetParam()) {
      ASSERT_EQ(Left, Its.Lines.front());
      Its.Lines.pop_front();
    }
    Its.Lines.push_back(Number);
  }
}

TEST_P(TagStoreTest, KeepsWhatWasRecentlyUsed) {
  TagStore<Way> Store = makeStore(GetParam(), arch::Replacement::NotRecent);
  std::vector<RecentSet> Plain(Sets);
  std::mt19937 Random(1);
  const unsigned Lines = Sets * GetParam() * 3 / 2 + 1;
  for (unsigned Step = 0; Step != 20000; ++Step) {
    const uint64_t Number = Random() % Lines, Line = Number * LineBytes;
    RecentSet &Its = Plain[Number % Sets];
    const uint32_t Found = Store.find(Line);
    ASSERT_EQ(Found != Store.None, Its.use(Number));
    if (Found != Store.None) {
      Store.touch(Found);
      continue;
    }
    uint64_t Left = ~uint64_t(0);
    const uint32_t Taken = Store.replace(
        Line, [](const Way &) { return true; },
        [&](const Way &W) { Left = W.Tag - 1; });
    ASSERT_TRUE(Store.isRecent(Taken));
    if (Its.Lines.size() == GetParam()) {
      ASSERT_EQ(Left, Its.victim());
      Its.Lines.remove(Left);
    }
    Its.Lines.push_back(Number);
    Its.Recent.insert(Number);
  }
}

TEST_P(TagStoreTest, PassesByWaysThatStay) {
  const unsigned Ways = GetParam();
  TagStore<Way> Store = makeStore(Ways);
  auto Take = [&](uint64_t Number) {
    return Store.replace(
        Number * Sets * LineBytes, [](const Way &W) { return !W.Stays; },
        [](const Way &) {});
  };
  std::vector<uint32_t> Taken;
  for (unsigned I = 0; I != Ways; ++I)
    Taken.push_back(Take(I));
  for (unsigned I = 0; I + 1 < Ways; ++I)
    Store[Taken[I]].Stays = true;
  EXPECT_EQ(Take(Ways), Taken.back());
  Store[Taken.back()].Stays = true;
  EXPECT_EQ(Take(Ways + 1), Store.None);
  EXPECT_NE(Store.find(uint64_t(Ways) * Sets * LineBytes), Store.None);
}

TEST_P(TagStoreTest, TellsTheOrderOfUse) {
  const unsigned Ways = GetParam();
  TagStore<Way> Store = makeStore(Ways);
  for (unsigned Way = 0; Way < Ways; Way += 2)
    Store.touch(Way);
  std::vector<uint32_t> Order;
  Store.forEachByAge([&](uint32_t Way) {
    if (Way < Ways)
      Order.push_back(Way);
  });
  std::vector<uint32_t> Expected;
  for (unsigned First : {1u, 0u})
    for (unsigned Way = First; Way < Ways; Way += 2)
      Expected.push_back(Way);
  EXPECT_EQ(Order, Expected);
}

INSTANTIATE_TEST_SUITE_P(Ways, TagStoreTest,
                         testing::Values(1, 2, 4, 8, 15, 16, 17, 24, 56, 64,
                                         256));
