//===- CacheTest.cpp
//-------------------------------------------------------===//

#include "memory/Cache.h"

#include <gtest/gtest.h>

#include <deque>
#include <list>
#include <map>
#include <random>

using namespace heddle;
using namespace heddle::memory;

namespace {

arch::CacheSpec spec(uint64_t Size, uint32_t Ways, uint32_t Sector = 32) {
  arch::CacheSpec S;
  S.Size = Size;
  S.Ways = Ways;
  S.Sector = Sector;
  S.MSHRs = 16;
  S.MSHRMerge = 4;
  S.WriteAllocate = true;
  return S;
}

TEST(Cache, MissPendingHitAndHit) {
  Cache C(spec(4096, 4));
  std::vector<uint32_t> Woken;
  CacheResult R = C.read(0, 3, 1);
  EXPECT_EQ(R.Outcome, CacheOutcome::Miss);
  EXPECT_EQ(R.Send, 3);
  R = C.read(0, 2, 2);
  EXPECT_EQ(R.Outcome, CacheOutcome::PendingHit);
  EXPECT_EQ(R.Send, 0);
  const uint32_t MSHR = R.MSHR;
  R = C.read(0, 6, 3);
  EXPECT_EQ(R.Outcome, CacheOutcome::Miss);
  EXPECT_EQ(R.Send, 4);
  EXPECT_EQ(R.MSHR, MSHR);
  EXPECT_EQ(C.mshrsInUse(), 3u);
  C.fill(MSHR, 3, Woken);
  EXPECT_EQ(Woken, (std::vector<uint32_t>{1, 2}));
  C.fill(MSHR, 4, Woken);
  EXPECT_EQ(Woken, (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(C.mshrsInUse(), 0u);
  EXPECT_EQ(C.read(0, 7, 4).Outcome, CacheOutcome::Hit);
  EXPECT_EQ(C.counters().PendingHits, 2u);
  EXPECT_EQ(C.counters().ReadMisses, 3u);
  EXPECT_EQ(C.counters().ReadHits, 3u);
}

TEST(Cache, WholeLinesAskOnce) {
  Cache C(spec(4096, 4, 128));
  std::vector<uint32_t> Woken;
  const CacheResult R = C.read(256, 1, 1);
  EXPECT_EQ(R.Send, 1);
  EXPECT_EQ(C.read(256, 1, 2).Outcome, CacheOutcome::PendingHit);
  EXPECT_EQ(C.mshrsInUse(), 1u);
  C.fill(R.MSHR, 1, Woken);
  EXPECT_EQ(Woken.size(), 2u);
  EXPECT_EQ(C.read(256, 1, 3).Outcome, CacheOutcome::Hit);
}

TEST(Cache, StallsChangeNothing) {
  arch::CacheSpec S = spec(4096, 2);
  S.MSHRs = 2;
  S.MSHRMerge = 1;
  Cache C(S);
  std::vector<uint32_t> Woken;
  const CacheResult R = C.read(0, 1, 1);
  EXPECT_EQ(R.Outcome, CacheOutcome::Miss);
  EXPECT_EQ(C.read(0, 1, 2).Outcome, CacheOutcome::MergeFull);
  EXPECT_EQ(C.read(128, 1, 3).Outcome, CacheOutcome::Miss);
  EXPECT_EQ(C.read(256, 1, 4).Outcome, CacheOutcome::MSHRFull);
  EXPECT_EQ(C.counters().Reads, 2u);
  C.fill(R.MSHR, 1, Woken);
  EXPECT_EQ(C.read(256, 1, 4).Outcome, CacheOutcome::Miss);
}

TEST(Cache, MergesPerLineOrPerSector) {
  arch::CacheSpec S = spec(4096, 4);
  S.MSHRMerge = 2;
  Cache ByLine(S);
  S.MergePerSector = true;
  Cache BySector(S);
  for (Cache *C : {&ByLine, &BySector}) {
    EXPECT_EQ(C->read(0, 1, 1).Outcome, CacheOutcome::Miss);
    EXPECT_EQ(C->read(0, 2, 2).Outcome, CacheOutcome::Miss);
  }
  EXPECT_EQ(ByLine.read(0, 1, 3).Outcome, CacheOutcome::MergeFull);
  EXPECT_EQ(BySector.read(0, 1, 3).Outcome, CacheOutcome::PendingHit);
  EXPECT_EQ(BySector.read(0, 5, 4).Outcome, CacheOutcome::MergeFull);
  EXPECT_EQ(BySector.read(0, 6, 4).Outcome, CacheOutcome::Miss);
}

TEST(Cache, WaysThatWaitAreNotReplaced) {
  arch::CacheSpec S = spec(256, 2); // one set of two ways
  Cache C(S);
  std::vector<uint32_t> Woken;
  const CacheResult First = C.read(0, 1, 1), Second = C.read(128, 1, 2);
  EXPECT_EQ(First.Outcome, CacheOutcome::Miss);
  EXPECT_EQ(Second.Outcome, CacheOutcome::Miss);
  EXPECT_EQ(C.read(256, 1, 3).Outcome, CacheOutcome::NoWay);
  C.fill(Second.MSHR, 1, Woken);
  EXPECT_EQ(C.read(256, 1, 3).Outcome, CacheOutcome::Miss);
  C.fill(First.MSHR, 1, Woken);
  EXPECT_EQ(C.read(0, 1, 4).Outcome, CacheOutcome::Hit);
  EXPECT_EQ(C.read(128, 1, 5).Outcome, CacheOutcome::Miss);
}

TEST(Cache, WriteBackReturnsTheDirtySectorsOfItsVictim) {
  arch::CacheSpec S = spec(256, 2);
  S.Write = arch::WritePolicy::WriteBack;
  Cache C(S);
  EXPECT_EQ(C.write(0, 5).Send, 0);
  EXPECT_EQ(C.write(128, 1).Send, 0);
  CacheResult R = C.write(256, 1);
  EXPECT_EQ(R.Victim, 5);
  EXPECT_EQ(R.VictimLine, 0u);
  EXPECT_EQ(C.counters().Writebacks, 2u);
}

TEST(Cache, LimitsDirtyLines) {
  arch::CacheSpec S = spec(1024, 8);
  S.Write = arch::WritePolicy::WriteBack;
  Cache C(S, 2);
  C.write(0, 5);
  C.write(128, 1);
  EXPECT_EQ(C.write(0, 2).Victim, 0) << "dirty already";
  CacheResult R = C.write(256, 1);
  EXPECT_EQ(R.Victim, 7) << "dirty for longest";
  EXPECT_EQ(R.VictimLine, 0u);
  EXPECT_TRUE(C.holds(0, 7)) << "and stays";
  EXPECT_EQ(C.write(0, 1).VictimLine, 128u);
}

TEST(Cache, LimitsDirtyLinesOfAtomics) {
  arch::CacheSpec S = spec(1024, 8);
  S.Write = arch::WritePolicy::WriteBack;
  Cache C(S, 1);
  C.preload(0, 3);
  C.preload(128, 3);
  EXPECT_EQ(C.markDirty(0, 2).Victim, 0);
  CacheResult R = C.markDirty(128, 1);
  EXPECT_EQ(R.Victim, 2) << "dirty for longest";
  EXPECT_EQ(R.VictimLine, 0u);
  EXPECT_EQ(C.markDirty(1024, 1).Victim, 0) << "is not here";
}

TEST(Cache, FindsTheBankOfATag) {
  arch::L1Spec S;
  S.Line = 128;
  S.Tags = 4;
  EXPECT_EQ(tagBank(0, S), 0u);
  EXPECT_EQ(tagBank(3 * 128, S), 3u);
  EXPECT_EQ(tagBank(4 * 128, S), 1u);
  EXPECT_EQ(tagBank((4 * 3 + 3) * 128, S), 0u);
  EXPECT_EQ(tagBank(uint64_t(2) << 45, S), 2u);
  S.Tags = 1;
  EXPECT_EQ(tagBank(7 * 128, S), 0u);
}

TEST(Cache, WriteThroughWithAndWithoutAllocation) {
  arch::CacheSpec S = spec(4096, 4);
  Cache Allocating(S);
  EXPECT_EQ(Allocating.write(0, 1).Send, 1);
  EXPECT_EQ(Allocating.write(0, 1).Outcome, CacheOutcome::Hit);
  EXPECT_EQ(Allocating.read(0, 1, 1).Outcome, CacheOutcome::Hit);
  S.WriteAllocate = false;
  Cache Passing(S);
  EXPECT_EQ(Passing.write(0, 1).Send, 1);
  EXPECT_EQ(Passing.read(0, 1, 1).Outcome, CacheOutcome::Miss);
}

TEST(Cache, LocalWriteBackEvictsGlobalWrites) {
  arch::CacheSpec S = spec(4096, 4, 128);
  S.Write = arch::WritePolicy::LocalWriteBack;
  S.WriteAllocate = false;
  Cache C(S);
  std::vector<uint32_t> Woken;
  C.fill(C.read(0, 1, 1).MSHR, 1, Woken);
  EXPECT_EQ(C.write(0, 1).Send, 1);
  EXPECT_EQ(C.read(0, 1, 2).Outcome, CacheOutcome::Miss);
  EXPECT_EQ(C.write(128, 1, true).Send, 0);
  EXPECT_EQ(C.write(128, 1, true).Outcome, CacheOutcome::Hit);
}

/// Against a plain LRU list per set.
TEST(Cache, AgreesWithPlainLRU) {
  std::mt19937 Random(11);
  for (uint32_t Ways : {1u, 2u, 5u, 16u, 17u, 100u}) {
    arch::CacheSpec S = spec(128 * 4 * Ways, Ways, 128);
    Cache C(S);
    std::vector<std::list<uint64_t>> Sets(4);
    std::vector<uint32_t> Woken;
    for (unsigned I = 0; I != 20000; ++I) {
      uint64_t Line = Random() % (8 * Ways) * 128;
      auto &Set = Sets[Line / 128 % 4];
      auto It = std::find(Set.begin(), Set.end(), Line);
      bool Hit = It != Set.end();
      if (Hit)
        Set.erase(It);
      else if (Set.size() == Ways)
        Set.pop_front();
      Set.push_back(Line);
      CacheResult R = C.read(Line, 1, I);
      ASSERT_EQ(R.Outcome, Hit ? CacheOutcome::Hit : CacheOutcome::Miss);
      if (!Hit) {
        Woken.clear();
        C.fill(R.MSHR, 1, Woken);
        ASSERT_EQ(Woken, std::vector<uint32_t>{I});
      }
    }
  }
}

/// The hits in \p Rounds through \p Lines lines of a cache that has 80, which
/// keeps what was recently used; \p Alone: each miss waits for its fill before
/// the next, and nothing else is on its way.
static unsigned hitsOfRounds(unsigned Rounds, unsigned Lines, bool Alone) {
  arch::CacheSpec S = spec(128 * 80, 20, 128);
  S.Replace = arch::Replacement::NotRecent;
  Cache C(S);
  std::vector<uint32_t> Woken;
  if (!Alone)
    C.read(uint64_t(1) << 30, 1, ~0u);
  unsigned Hits = 0;
  for (unsigned I = 0; I != Lines * Rounds; ++I) {
    const CacheResult R = C.read(I % Lines * 128, 1, I);
    if (R.Outcome == CacheOutcome::Hit)
      ++Hits;
    else
      C.fill(R.MSHR, 1, Woken);
  }
  return Hits;
}

TEST(Cache, NotRecentKeepsMostOfALittleMoreThanItHolds) {
  // Of F lines in sets for C, F / C - 1 miss.
  EXPECT_NEAR(hitsOfRounds(100, 96, false), 0.8 * 9600, 0.05 * 9600);
  EXPECT_NEAR(hitsOfRounds(100, 120, false), 0.5 * 12000, 0.05 * 12000);
  EXPECT_LT(hitsOfRounds(100, 160, false), 0.02 * 16000);
}

/// As in one thread's chase.
TEST(Cache, NotRecentTakesTheOldestForALoneMiss) {
  EXPECT_EQ(hitsOfRounds(20, 96, true), 0u);
}

class CacheAllocation : public testing::TestWithParam<arch::AllocateOn> {};
INSTANTIATE_TEST_SUITE_P(Cache, CacheAllocation,
                         testing::Values(arch::AllocateOn::Miss,
                                         arch::AllocateOn::Fill));

/// Many reads on the way at once, fills in random order: each waiter comes
/// back exactly once.
TEST_P(CacheAllocation, EveryWaiterComesBackOnce) {
  std::mt19937 Random(5);
  arch::CacheSpec S = spec(8192, 4);
  S.Allocate = GetParam();
  Cache C(S);
  std::deque<std::pair<uint32_t, uint16_t>> Fetches; // MSHR, sectors
  std::vector<unsigned> Expected(20000), Came(20000);
  std::vector<uint32_t> Woken;
  for (uint32_t I = 0; I != 20000; ++I) {
    uint64_t Line = Random() % 256 * 128;
    uint16_t Sectors = uint16_t(1 + Random() % 15);
    CacheResult R = C.read(Line, Sectors, I);
    if (R.Send)
      Fetches.push_back({R.MSHR, R.Send});
    Expected[I] = !R.stalled() && R.Outcome != CacheOutcome::Hit;
    if (R.stalled() || Random() % 3 == 0) {
      if (!Fetches.empty()) {
        size_t Which = Random() % Fetches.size();
        C.fill(Fetches[Which].first, Fetches[Which].second, Woken);
        Fetches.erase(Fetches.begin() + ptrdiff_t(Which));
      }
    }
  }
  for (auto [MSHR, Sectors] : Fetches)
    C.fill(MSHR, Sectors, Woken);
  for (uint32_t W : Woken)
    ++Came[W];
  EXPECT_EQ(Came, Expected);
  EXPECT_EQ(C.mshrsInUse(), 0u);
}

} // namespace
