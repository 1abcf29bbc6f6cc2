//===- WarpCodingTest.cpp - WarpEncoder and WarpCursor --------------------===//

#include "RoundTrip.h"

#include <random>

using namespace heddle;
using namespace heddle::trace;
using namespace heddle::trace::test;

namespace {

constexpr uint32_t Full = ~0u;

TEST(WarpCoding, EmptyTrace) { expectRoundTrip(makeCode({{}}), {}); }

TEST(WarpCoding, StraightLine) {
  CodeTable Code = makeCode({{4, 4, 4}, {}});
  expectRoundTrip(Code,
                  {{0,
                    Full,
                    {affine(0, Full, 0x1000, 4), affine(1, Full, 0x2000, 0),
                     affine(2, Full, ~uint64_t(0) - 8, -4)}},
                   {1, Full, {}}});
}

TEST(WarpCoding, EqualBodiesAtOtherAddresses) {
  CodeTable Code = makeCode({{4}, {4}});
  auto Warp = [&](uint64_t Base) {
    std::vector<BlockEvent> Events;
    for (int I = 0; I < 10; ++I)
      Events.push_back(
          {I % 2u, Full, {affine(I % 2, Full, Base + I * 128, 4)}});
    return encode(Code, Events);
  };
  WarpTrace A = Warp(0x1000), B = Warp(0x7f0000000000);
  EXPECT_EQ(A.Body, B.Body);
  EXPECT_EQ(A.Bases, (std::vector<uint64_t>{0x1000, 0x1080}));
  EXPECT_NE(A.Bases, B.Bases);
}

/// Three nested loops; the innermost has two blocks and a divergent branch.
std::vector<BlockEvent> nestedLoops(unsigned Outer, unsigned Middle,
                                    unsigned Inner) {
  std::vector<BlockEvent> Events;
  for (unsigned I = 0; I < Outer; ++I) {
    Events.push_back({0, Full, {affine(0, Full, 0x1000 + I * 4096, 4)}});
    for (unsigned J = 0; J < Middle; ++J) {
      Events.push_back({1, Full, {}});
      for (unsigned K = 0; K < Inner; ++K) {
        Events.push_back(
            {2, Full, {affine(1, Full, 0x100000 + J * 64 + K * 4, 128)}});
        Events.push_back(
            {3, 0xffff, {affine(2, 0xffff, 0x200000 + I * 8 + K * 256, 8)}});
      }
      Events.push_back({4, Full, {}});
    }
  }
  return Events;
}

TEST(WarpCoding, NestedLoopsFold) {
  CodeTable Code = makeCode({{4}, {}, {4}, {8}, {}});
  for (unsigned Trips : {1u, 2u, 3u, 4u, 5u, 9u})
    expectRoundTrip(Code, nestedLoops(Trips, Trips + 1, Trips + 2));
  std::vector<BlockEvent> Events = nestedLoops(20, 30, 40);
  WarpTrace Trace = encode(Code, Events);
  EXPECT_LT(Trace.Body.size(), 300u) << "for " << Events.size() << " events";
  expectRoundTrip(Code, Events);
}

TEST(WarpCoding, LoopsThatShareAHeaderFold) {
  CodeTable Code = makeCode({{}, {}, {}});
  std::vector<BlockEvent> Events;
  for (int I = 0; I < 100; ++I)
    for (uint32_t B : {0, 1, 0, 1, 0, 2})
      Events.push_back({B, Full, {}});
  EXPECT_LT(encode(Code, Events).Body.size(), 30u);
  expectRoundTrip(Code, Events);
}

TEST(WarpCoding, HugeTripCountTakesConstantMemory) {
  CodeTable Code = makeCode({{4}, {4, 4}});
  WarpEncoder E(Code);
  constexpr unsigned Trips = 2'000'000;
  for (unsigned I = 0; I < Trips; ++I) {
    encode(E, {0, Full, {affine(0, Full, 0x1000 + I * uint64_t(4), 4)}});
    encode(E, {1,
               Full,
               {affine(1, Full, 0x2000, 0),
                affine(2, Full, I * uint64_t(8), 16)}});
  }
  WarpTrace Trace = E.finish();
  EXPECT_LT(Trace.Body.capacity(), 128u);
  WarpCursor C(Code, Trace);
  for (unsigned I = 0; I < Trips; ++I) {
    ASSERT_TRUE(C.next());
    ASSERT_EQ(C.block(), 0u);
    ASSERT_EQ(C.access(0).address(31), 0x1000 + I * uint64_t(4) + 124);
    ASSERT_TRUE(C.next());
    ASSERT_EQ(C.block(), 1u);
    ASSERT_EQ(C.access(2).address(1), I * uint64_t(8) + 16);
  }
  EXPECT_FALSE(C.next());
}

TEST(WarpCoding, AnEncoderServesManyWarps) {
  CodeTable Code = makeCode({{4}, {}, {4}, {8}, {}});
  WarpEncoder E(Code);
  std::vector<BlockEvent> Events = nestedLoops(3, 4, 5);
  auto Run = [&] {
    for (const BlockEvent &Event : Events)
      encode(E, Event);
    return E.finish();
  };
  WarpTrace First = Run();
  EXPECT_EQ(First, Run());
  EXPECT_EQ(First, encode(Code, Events));
}

TEST(WarpCoding, MaskSequences) {
  CodeTable Code = makeCode({{4}, {4}});
  std::mt19937_64 Random(7);
  for (uint32_t Live : {Full, 1u, 0x80000000u, 0x00ffff00u, 0x55555555u}) {
    std::vector<BlockEvent> Events;
    uint32_t Mask = Live;
    for (int I = 0; I < 2000; ++I) {
      uint32_t Old = Mask;
      switch (Random() % 8) {
      case 0:
        Mask = Live;
        break;
      case 1:
        Mask = Old & uint32_t(Random());
        break;
      case 2:
        Mask = Live & ~Old;
        break;
      case 3:
        Mask = Live & (1u << Random() % 32);
        break;
      case 4:
        Mask = Old & (Old - 1);
        break;
      case 5:
        Mask = Live & uint32_t(Random());
        break;
      case 6:
        Mask = Live & (Old | 1u << Random() % 32);
        break;
      case 7:
        Mask = Old;
        break;
      }
      if (!Mask)
        Mask = Live;
      uint32_t Block = Random() % 2;
      Events.push_back({Block, Mask, {affine(Block, Mask, 0x100 * I, 4)}});
    }
    expectRoundTrip(Code, Events);
  }
}

TEST(WarpCoding, AbsentRecordsAndRecordsOfFewerLanes) {
  CodeTable Code = makeCode({{4, 4, 4}});
  std::vector<BlockEvent> Events;
  for (int I = 0; I < 50; ++I) {
    BlockEvent E{0, 0xff00ffff, {}};
    if (I % 3 != 0)
      E.Accesses.push_back(affine(0, 0xff00ffff, I * 4, 4));
    if (I % 5 != 0)
      E.Accesses.push_back(affine(1, 0x0f00000f, I * 8, 4));
    if (I % 2 != 0)
      E.Accesses.push_back(affine(2, 1, I * 12, 4));
    Events.push_back(E);
  }
  expectRoundTrip(Code, Events);
}

TEST(WarpCoding, GenericRecordsSayTheirSpace) {
  CodeTable Code = makeCode({{4}});
  Code.Memory[0].Space = HEDDLE_SPACE_GENERIC;
  std::vector<BlockEvent> Events;
  for (int I = 0; I < 20; ++I) {
    AccessEvent A = affine(0, Full, I * 4, 4);
    A.Space = I / 4 % 2 ? HEDDLE_SPACE_SHARED : HEDDLE_SPACE_GLOBAL;
    Events.push_back({0, Full, {A}});
  }
  expectRoundTrip(Code, Events);
}

TEST(WarpCoding, TilesAreRuns) {
  CodeTable Code = makeCode({{4}});
  AccessEvent A{0, HEDDLE_SPACE_GLOBAL, Full, {}};
  for (unsigned L = 0; L < 32; ++L)
    A.Addresses[L] = 0x10000 + L % 16 * 4 + L / 16 * 4096;
  WarpTrace Trace = encode(Code, {{0, Full, {A}}});
  EXPECT_LT(bytecode::splitBody(Trace.Body).Control.size(), 12u);
  expectRoundTrip(Code, {{0, Full, {A}}});
}

TEST(WarpCoding, GathersByTheSameIndexAreCopies) {
  CodeTable Code = makeCode({{8, 4, 1, 12}});
  std::mt19937_64 Random(3);
  std::vector<BlockEvent> Events;
  for (int I = 0; I < 20; ++I) {
    BlockEvent E{0, I % 3 ? Full : 0x0ff0, {}};
    uint64_t Index[32];
    for (uint64_t &V : Index)
      V = Random() % 100000;
    const uint64_t Sizes[] = {8, 4, 1, 12};
    for (uint32_t R = 0; R < 4; ++R) {
      AccessEvent A{R, HEDDLE_SPACE_GLOBAL, E.Mask, {}};
      for (unsigned L = 0; L < 32; ++L)
        A.Addresses[L] = 0x1000000 * (R + 1) + Index[L] * Sizes[R];
      E.Accesses.push_back(A);
    }
    Events.push_back(E);
  }
  // 17 bits per lane and index, a few bytes for each of the three copies.
  EXPECT_LT(encode(Code, Events).Body.size(), 20u * (17 * 32 / 8 + 40));
  expectRoundTrip(Code, Events);
}

/// Loads of a loop at addresses that data decide, of \p Bytes each.
std::vector<BlockEvent> gathers(unsigned Count, HeddleMemorySpace Space,
                                uint64_t Bins, uint64_t Bytes) {
  std::mt19937_64 Random(5);
  std::vector<BlockEvent> Events;
  for (unsigned I = 0; I < Count; ++I) {
    AccessEvent A{0, Space, Full, {}};
    for (uint64_t &Address : A.Addresses)
      Address = 0x1200 + Random() % Bins * Bytes;
    Events.push_back({0, Full, {A}});
    Events.push_back({1, Full, {affine(1, Full, 0x100000 + I * 128, 4)}});
  }
  return Events;
}

/// Numbers stand beside the bytes that repeat.
TEST(WarpCoding, LoopsOfGathersFold) {
  CodeTable Code = makeCode({{4}, {4}});
  const auto Events = gathers(1000, HEDDLE_SPACE_GLOBAL, 50000, 4);
  const WarpTrace Trace = encode(Code, Events);
  const bytecode::BodyStreams Streams = bytecode::splitBody(Trace.Body);
  EXPECT_LT(Streams.Control.size(), 1000u);
  EXPECT_LT(Streams.Numbers.size(), 1000u * (32 * 2 + 3));
  expectRoundTrip(Code, Events);
}

TEST(WarpCoding, MasksOfDataStandApart) {
  CodeTable Code = makeCode({{}, {}});
  std::mt19937_64 Random(5);
  std::vector<BlockEvent> Events;
  for (unsigned I = 0; I < 1000; ++I) {
    Events.push_back({0, Full, {}});
    Events.push_back({1, uint32_t(Random()) | 1, {}});
  }
  const WarpTrace Trace = encode(Code, Events);
  EXPECT_GE(bytecode::splitBody(Trace.Body).Numbers.size(), 990u * 4);
  expectRoundTrip(Code, Events);
}

TEST(WarpCoding, MasksThatComeAgainFold) {
  CodeTable Code = makeCode({{}, {}, {}});
  std::vector<BlockEvent> Events;
  for (unsigned I = 0; I < 1000; ++I) {
    Events.push_back({0, Full, {}});
    Events.push_back({1, 0x12345678, {}});
    Events.push_back({2, 0x00f0000f, {}});
  }
  EXPECT_LT(encode(Code, Events).Body.size(), 100u);
  expectRoundTrip(Code, Events);
}

/// 32 of 256 bins: 17.6 bytes of entropy without the order, 32 with it.
TEST(WarpCoding, SharedMemoryMayLeaveTheOrderOfLanesFree) {
  CodeTable Code = makeCode({{4}, {4}});
  const auto Events = gathers(200, HEDDLE_SPACE_SHARED, 256, 4);
  const WarpTrace Free = encode(Code, Events, LaneOrder::Free);
  EXPECT_NE(Free, encode(Code, Events));
  WarpCursor C(Code, Free);
  while (C.next()) {
    const MemoryAccess &A = C.access(0);
    if (C.block() == 0)
      for (unsigned L = 1; L < 32; ++L)
        ASSERT_LE(A.address(L - 1), A.address(L));
  }
  const bytecode::BodyStreams Streams = bytecode::splitBody(Free.Body);
  EXPECT_LT(Streams.Control.size(), 300u);
  EXPECT_LT(Streams.Numbers.size(), 200u * 33);
  expectRoundTrip(Code, Events);
}

/// Lanes in a pattern cost nothing, and wide accesses take them in parts.
TEST(WarpCoding, OrderStaysWhereItIsFreeOrCounts) {
  CodeTable Code = makeCode({{4}, {4}});
  AccessEvent Mirrored = affine(0, Full, 0x400, -4);
  Mirrored.Space = HEDDLE_SPACE_SHARED;
  AccessEvent Tile{0, HEDDLE_SPACE_SHARED, Full, {}};
  for (unsigned L = 0; L < 32; ++L)
    Tile.Addresses[L] = 0x800 + (L + 16) % 32 * 4;
  for (const AccessEvent &A : {Mirrored, Tile})
    EXPECT_EQ(encode(Code, {{0, Full, {A}}}, LaneOrder::Free),
              encode(Code, {{0, Full, {A}}}));

  CodeTable Wide = makeCode({{8}, {4}});
  const auto Events = gathers(20, HEDDLE_SPACE_SHARED, 256, 8);
  EXPECT_EQ(encode(Wide, Events, LaneOrder::Free), encode(Wide, Events));
}

/// Random walks over blocks with all kinds of address patterns, some wild.
TEST(WarpCoding, RandomSequences) {
  for (unsigned Seed = 0; Seed < 60; ++Seed) {
    std::mt19937_64 Random(Seed);
    const uint16_t Sizes[] = {0, 1, 2, 4, 8, 12, 16};
    std::vector<std::vector<uint16_t>> Blocks(2 + Random() % 60);
    for (auto &B : Blocks)
      for (unsigned N = Random() % 4; N; --N)
        B.push_back(Sizes[Random() % 7]);
    CodeTable Code = makeCode(Blocks);
    std::vector<std::array<uint64_t, 32>> Last(Code.Memory.size());
    std::vector<BlockEvent> Events;
    const uint32_t Live = Seed % 4 ? Full : uint32_t(Random()) | 1;
    uint32_t Block = 0;
    for (unsigned I = 0; I < 1500; ++I) {
      if (Random() % 4 == 0 && Events.size() > 8) {
        // What loops do: a stretch once more, at the same addresses.
        size_t Length = 1 + Random() % 6, Begin = Events.size() - Length;
        for (unsigned Times = Random() % 6; Times; --Times)
          for (size_t K = 0; K < Length; ++K)
            Events.push_back(BlockEvent(Events[Begin + K]));
      }
      Block =
          Random() % 2 ? Random() % Blocks.size() : (Block + 1) % Blocks.size();
      BlockEvent E{Block, Random() % 3 ? Live : Live & uint32_t(Random()), {}};
      if (!E.Mask)
        E.Mask = Live;
      const HeddleBlock &B = Code.Blocks[Block];
      for (uint32_t R = B.FirstMemory; R < B.FirstMemory + B.NumMemory; ++R) {
        uint64_t Scale = Code.Memory[R].AccessBytes;
        AccessEvent A{R, HeddleMemorySpace(HEDDLE_SPACE_GLOBAL + Random() % 3),
                      E.Mask, Last[R]};
        auto Each = [&](auto F) {
          for (unsigned L = 0; L < 32; ++L)
            A.Addresses[L] = F(L);
        };
        uint64_t X = Random();
        switch (Random() % 10) {
        case 0:
          Each([&](unsigned) { return Random(); });
          break;
        case 1:
          Each([&](unsigned) { return X % 1000000 + Random() % 4096 * Scale; });
          break;
        case 2:
          Each([&](unsigned L) { return X % 1000000 + L * Scale; });
          break;
        case 3:
          Each([&](unsigned L) { return Last[R][L] + Scale; });
          break;
        case 4:
          Each([&](unsigned L) { return Last[R][L] + Random() % 64 * Scale; });
          break;
        case 5:
          Each([&](unsigned L) { return X + L % 8 * Scale + L / 8 * 4096; });
          break;
        case 6:
          Each([&](unsigned L) { return X + L * L * Scale; });
          break;
        case 7:
          Each([&](unsigned) { return X; });
          break;
        case 8:
          Each([&](unsigned L) { return Last[0][L] * 3 + X; });
          break;
        case 9:
          break; // the same as before
        }
        Last[R] = A.Addresses;
        E.Accesses.push_back(A);
      }
      Events.push_back(E);
    }
    SCOPED_TRACE(Seed);
    ASSERT_NO_FATAL_FAILURE(expectRoundTrip(Code, Events));
  }
}

} // namespace
