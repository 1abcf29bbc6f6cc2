//===- CoalescerTest.cpp --------------------------------------------------===//

#include "memory/Coalescer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>

using namespace heddle;
using namespace heddle::memory;

namespace {

trace::MemoryAccess affine(uint64_t Base, int64_t Stride, uint32_t Mask = ~0u) {
  trace::MemoryAccess A;
  A.Base = Base;
  A.Stride = Stride;
  A.Mask = Mask;
  return A;
}

TEST(Coalescer, ContiguousWordsMakeOneLine) {
  Coalescer C(128, 32);
  LineAccess Out[Coalescer::MaxLines];
  ASSERT_EQ(C.coalesce(affine(0x1000, 4), 0, 4, false, Out), 1u);
  EXPECT_EQ(Out[0].Line, 0x1000u);
  EXPECT_EQ(Out[0].Sectors, 15);
  EXPECT_EQ(Out[0].FullSectors, 15);
  EXPECT_EQ(Out[0].Lanes, 32);
}

TEST(Coalescer, ReadsTouchTheSameLinesAndSectors) {
  std::mt19937 Random(7);
  for (unsigned Trial = 0; Trial != 2000; ++Trial) {
    Coalescer C(128, 32);
    int64_t Offsets[32];
    trace::MemoryAccess A =
        affine(0x10000 + Random() % 512, int64_t(Random() % 64) - 16, Random());
    if (Trial % 2) {
      const uint32_t Spread = 1u << Random() % 14;
      for (int64_t &O : Offsets)
        O = Random() % Spread;
      A.Affine = false;
      A.Offsets = Offsets;
    }
    const uint32_t Bytes = 1u << Random() % 5;
    LineAccess All[Coalescer::MaxLines], Reads[Coalescer::MaxLines];
    const unsigned Count = C.coalesce(A, 4, Bytes, false, All);
    ASSERT_EQ(C.coalesceReads(A, 4, Bytes, Reads), Count);
    for (unsigned I = 0; I != Count; ++I) {
      EXPECT_EQ(Reads[I].Line, All[I].Line);
      EXPECT_EQ(Reads[I].Sectors, All[I].Sectors);
    }
  }
}

TEST(Coalescer, CoalescedKeepsTheSectorsThatTheBytesFill) {
  arch::CacheSpec L1;
  L1.Size = 1024;
  Coalescer C(L1, L1, true);
  LineAccess Out[Coalescer::MaxLines];
  auto sectors = [&](const trace::MemoryAccess &A, bool Atomic) {
    unsigned Sum = 0;
    const unsigned Count = C.coalesce(A, 0, 4, Atomic, Out);
    for (unsigned I = 0; I != Count; ++I)
      Sum += std::popcount(Out[I].Sectors);
    return Sum;
  };
  EXPECT_EQ(sectors(affine(0x1000, 4), false), 4u);
  EXPECT_EQ(sectors(affine(0x1000, 128), false), 4u);
  EXPECT_EQ(sectors(affine(0x1000, 0), false), 1u);
  EXPECT_EQ(sectors(affine(0x1000, 128), true), 32u);

  // A column is read line by line: whole lines, as from neighbouring addresses.
  std::set<uint64_t> Lines;
  for (unsigned Word = 0; Word != 32; ++Word) {
    ASSERT_EQ(C.coalesce(affine(0x1000 + 4 * Word, 128), 0, 4, false, Out), 1u);
    EXPECT_EQ(Out[0].Sectors, 15);
    EXPECT_TRUE(Lines.insert(Out[0].Line).second);
  }

  // The eight words of a sector keep different sectors, together all 32.
  std::set<uint64_t> Kept;
  for (unsigned Word = 0; Word != 8; ++Word) {
    const unsigned Count =
        C.coalesce(affine(0x1000 + 4 * Word, 32), 0, 4, false, Out);
    for (unsigned I = 0; I != Count; ++I)
      for (unsigned S = 0; S != 4; ++S)
        if (Out[I].Sectors >> S & 1)
          EXPECT_TRUE(Kept.insert(Out[I].Line + 32 * S).second);
  }
  EXPECT_EQ(Kept.size(), 32u);
}

TEST(Coalescer, MisalignedAccessTouchesTwoLines) {
  Coalescer C(128, 32);
  LineAccess Out[Coalescer::MaxLines];
  ASSERT_EQ(C.coalesce(affine(0x1000, 4), 16, 4, false, Out), 2u);
  EXPECT_EQ(Out[0].Sectors, 15);
  EXPECT_EQ(Out[0].FullSectors, 14);
  EXPECT_EQ(Out[1].Sectors, 1);
  EXPECT_EQ(Out[1].FullSectors, 0);
}

TEST(Coalescer, BroadcastIsOneSector) {
  Coalescer C(128, 32);
  LineAccess Out[Coalescer::MaxLines];
  ASSERT_EQ(C.coalesce(affine(0x1040, 0), 0, 4, true, Out), 1u);
  EXPECT_EQ(Out[0].Sectors, 4);
  EXPECT_EQ(Out[0].SameAddress, 32);
}

/// Byte by byte, as slowly as possible.
TEST(Coalescer, AgreesWithByteSets) {
  std::mt19937_64 Random(3);
  for (unsigned Round = 0; Round != 3000; ++Round) {
    uint32_t LineBytes = 32u << Random() % 4;
    uint32_t SectorBytes = std::min<uint32_t>(LineBytes, 32u << Random() % 2);
    Coalescer C(LineBytes, SectorBytes);
    trace::MemoryAccess A;
    int64_t Offsets[32];
    A.Base = 1 << 20 | (Random() % 64);
    A.Mask = uint32_t(Random()) | 1u << Random() % 32;
    uint32_t Bytes = 1u << Random() % 5;
    A.Affine = Random() % 2;
    A.Stride = int64_t(Random() % 5) * int64_t(Bytes) - int64_t(Bytes);
    A.Offsets = Offsets;
    for (int64_t &O : Offsets)
      O = int64_t(Random() % 2048) - 1024;
    int64_t ByteOffset = int64_t(Random() % 64) - 32;

    std::map<uint64_t, std::set<uint64_t>> Lines;
    for (unsigned Lane = 0; Lane != 32; ++Lane)
      if (A.Mask >> Lane & 1)
        for (uint32_t B = 0; B != Bytes; ++B) {
          uint64_t At = A.address(Lane) + uint64_t(ByteOffset) + B;
          Lines[At / LineBytes * LineBytes].insert(At % LineBytes);
        }
    LineAccess Out[Coalescer::MaxLines];
    unsigned Count = C.coalesce(A, ByteOffset, Bytes, false, Out);
    ASSERT_EQ(Count, Lines.size());
    for (unsigned I = 0; I != Count; ++I) {
      ASSERT_TRUE(Lines.contains(Out[I].Line));
      std::map<unsigned, unsigned> Sectors;
      for (uint64_t B : Lines[Out[I].Line])
        ++Sectors[unsigned(B / SectorBytes)];
      uint16_t Touched = 0, Full = 0;
      for (auto [Sector, Number] : Sectors) {
        Touched |= uint16_t(1u << Sector);
        Full |= uint16_t((Number == SectorBytes) << Sector);
      }
      EXPECT_EQ(Out[I].Sectors, Touched);
      EXPECT_EQ(Out[I].FullSectors, Full);
    }
  }
}

TEST(Coalescer, LocalMemoryInterleavesLanes) {
  Coalescer C(128, 32);
  LineAccess Out[Coalescer::MaxLines];
  // Every lane at frame offset 8: one line, whatever the frame size.
  ASSERT_EQ(C.coalesceLocal(affine(8, 0), 0, 4, 0x10000, Out), 1u);
  EXPECT_EQ(Out[0].Line, 0x10000u + 2 * 128);
  EXPECT_EQ(Out[0].FullSectors, 15);
  // A double takes two words, 128 bytes apart.
  EXPECT_EQ(C.coalesceLocal(affine(8, 0), 0, 8, 0x10000, Out), 2u);
  // Lane-dependent indices scatter.
  EXPECT_EQ(C.coalesceLocal(affine(0, 4), 0, 4, 0x10000, Out), 32u);
}

/// What lets traces leave the order of lanes free.
TEST(SharedBanks, SmallAccessesAreSets) {
  std::mt19937 Random(3);
  arch::SharedSpec Together, Halves;
  Halves.LanesPerPass = 16;
  EXPECT_TRUE(servesLanesTogether(Together));
  EXPECT_FALSE(servesLanesTogether(Halves));
  unsigned Differ = 0;
  for (unsigned Trial = 0; Trial != 3000; ++Trial) {
    int64_t Offsets[32], Sorted[32];
    const unsigned Range = 1 + Random() % 512;
    const uint32_t Bytes = 1u << Random() % 3;
    for (int64_t &O : Offsets)
      O = Random() % Range * Bytes;
    std::ranges::copy(Offsets, Sorted);
    std::ranges::sort(Sorted);
    trace::MemoryAccess A = affine(Random() % 64 * Bytes, 0), B = A;
    A.Affine = B.Affine = false;
    A.Offsets = Offsets;
    B.Offsets = Sorted;
    ASSERT_EQ(sharedPasses(A, 0, Bytes, Together),
              sharedPasses(B, 0, Bytes, Together));
    ASSERT_EQ(sharedAtomicPasses(A, 0, Bytes, Together),
              sharedAtomicPasses(B, 0, Bytes, Together));
    Differ += sharedAtomicPasses(A, 0, Bytes, Halves) !=
              sharedAtomicPasses(B, 0, Bytes, Halves);
  }
  EXPECT_GT(Differ, 100u);
}

TEST(SharedBanks, StridesAndBroadcast) {
  arch::SharedSpec S;
  EXPECT_EQ(sharedPasses(affine(0, 4), 0, 4, S), 1u);
  EXPECT_EQ(sharedPasses(affine(0, 8), 0, 4, S), 2u);
  EXPECT_EQ(sharedPasses(affine(0, 128), 0, 4, S), 32u);
  EXPECT_EQ(sharedPasses(affine(0, 132), 0, 4, S), 1u);
  EXPECT_EQ(sharedPasses(affine(0, 0), 0, 4, S), 1u);
  EXPECT_EQ(sharedPasses(affine(0, -4), 0, 4, S), 1u);
  // 16 lanes of a two-row tile, 17 words wide: padding avoids conflicts.
  EXPECT_EQ(sharedPasses(affine(0, 68, 0xffff), 0, 4, S), 1u);
  EXPECT_EQ(sharedPasses(affine(0, 64, 0xffff), 0, 4, S), 8u);
  // Wide accesses go in halves and quarters without conflict among them.
  EXPECT_EQ(sharedPasses(affine(0, 8), 0, 8, S), 2u);
  EXPECT_EQ(sharedPasses(affine(0, 16), 0, 16, S), 4u);
}

TEST(SharedBanks, WideReadsOfTheSameWordsShareAPass) {
  arch::SharedSpec S;
  EXPECT_EQ(sharedPasses(affine(0, 0), 0, 8, S), 2u);
  EXPECT_EQ(sharedPasses(affine(0, 0), 0, 16, S), 4u);
  S.MergeWide = true;
  EXPECT_EQ(sharedPasses(affine(0, 0), 0, 8, S), 1u);
  EXPECT_EQ(sharedPasses(affine(0, 0), 0, 16, S), 2u);
  EXPECT_EQ(sharedPasses(affine(0, 8), 0, 8, S), 2u);
  EXPECT_EQ(sharedPasses(affine(0, 16), 0, 16, S), 4u);
  EXPECT_EQ(sharedAtomicPasses(affine(0, 0), 0, 8, S), 32u);
}

TEST(Coalescer, CountsDifferentWords) {
  EXPECT_EQ(differentWords(affine(0, 0)), 1u);
  EXPECT_EQ(differentWords(affine(0, 4, 0xff)), 8u);
  int64_t Offsets[32] = {};
  Offsets[3] = Offsets[7] = 12;
  trace::MemoryAccess A = affine(0, 0);
  A.Affine = false;
  A.Offsets = Offsets;
  EXPECT_EQ(differentWords(A), 2u);
}

TEST(SharedBanks, EightByteBanks) {
  arch::SharedSpec S;
  S.BankBytes = 8;
  EXPECT_EQ(sharedPasses(affine(0, 8), 0, 8, S), 1u);
  EXPECT_EQ(sharedPasses(affine(0, 4), 0, 4, S), 1u);
  EXPECT_EQ(sharedPasses(affine(0, 8), 0, 4, S), 1u);
}

TEST(SharedBanks, AtomicsOnOneWordGoOneByOne) {
  arch::SharedSpec S;
  EXPECT_EQ(sharedAtomicPasses(affine(0, 0), 0, 4, S), 32u);
  EXPECT_EQ(sharedAtomicPasses(affine(0, 4), 0, 4, S), 1u);
}

} // namespace
