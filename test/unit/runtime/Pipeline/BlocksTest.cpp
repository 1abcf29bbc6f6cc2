//===- BlocksTest.cpp - What some blocks say of a launch ------------------===//

#include "../Timing/SyntheticLaunch.h"

#include "pipeline/BlockCensus.h"
#include "pipeline/L2Profile.h"

#include <set>

using namespace heddle;
using namespace heddle::pipeline;
using namespace heddle::timing::test;

/// Block 0 computes, block 1 loads a line.
static CodeBuilder workAndLoad() {
  CodeBuilder Code;
  Code.chain(10);
  Code.newBlock();
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {2}, {});
  return Code;
}

static BlockCensus censusOf(SyntheticSource &Source,
                            const arch::GPUSpec &Machine, uint64_t Budget,
                            uint64_t CountBudget = 0) {
  const timing::DecodedCode Code(Source.code(), Machine);
  auto Taken = takeCensus(Source, Code, Machine, Budget, CountBudget);
  EXPECT_TRUE(Taken.has_value());
  return Taken ? *Taken : BlockCensus();
}

TEST(BlockCensus, DoesNotFallInWithTheRowsOfAGrid) {
  // Rows of 16 blocks, of which every fourth column is four times as long.
  constexpr unsigned Blocks = 4096;
  const arch::GPUSpec Machine = smallMachine();
  SyntheticSource Source(workAndLoad().Table, Blocks, 32,
                         [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
                           for (int N = 0; N < (Block % 4 ? 1 : 4); ++N)
                             E.block(0, ~0u);
                         });
  const BlockCensus C = censusOf(Source, Machine, 400);
  ASSERT_TRUE(C.taken());
  EXPECT_LT(C.Blocks.size(), 512u);
  // Equal distances of a power of two would have seen long ones alone.
  EXPECT_NEAR(C.meanInsts(), 0.75 * 10 + 0.25 * 40, 2);
}

TEST(BlockCensus, CountsAllBlocksThatDifferWhereThatCostsLittle) {
  constexpr unsigned Blocks = 4096;
  const arch::GPUSpec Machine = smallMachine();
  SyntheticSource Source(workAndLoad().Table, Blocks, 32,
                         [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
                           for (int N = 0; N < (Block == 1777 ? 500 : 1); ++N)
                             E.block(0, ~0u);
                         });
  EXPECT_LT(censusOf(Source, Machine, 400).Blocks.size(), 512u);
  // One that is longer has to be met first.
  SyntheticSource Rising(workAndLoad().Table, Blocks, 32,
                         [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
                           for (uint64_t N = 0; N <= Block / 1024; ++N)
                             E.block(0, ~0u);
                         });
  const BlockCensus C = censusOf(Rising, Machine, 400, 1000 * Blocks);
  EXPECT_TRUE(C.Differ);
  ASSERT_EQ(C.Blocks.size(), Blocks);
  EXPECT_DOUBLE_EQ(C.meanInsts(), 25);
  EXPECT_LT(censusOf(Rising, Machine, 400, 10 * Blocks).Blocks.size(), 512u);
}

TEST(BlockCensus, StreamsOfBlocksThatDifferGoOn) {
  // Each reads lines of its own, the later ones fewer.
  constexpr unsigned Blocks = 1024;
  const arch::GPUSpec Machine = smallMachine();
  SyntheticSource Source(
      workAndLoad().Table, Blocks, 32,
      [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
        for (uint64_t N = 0; N < (Block < 600 ? 5 : 4); ++N) {
          E.block(1, ~0u);
          E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u,
                   lanes(0x10000 + (Block * 8 + N) * 128, 4).data());
        }
      });
  const BlockCensus C = censusOf(Source, Machine, 400);
  ASSERT_TRUE(C.taken());
  ASSERT_LT(C.Blocks.size(), 512u);
  const double Sectors = (600 * 5 + 424 * 4) * 4;
  EXPECT_NEAR(C.Records[0].Footprint, Sectors, 0.05 * Sectors);
  EXPECT_DOUBLE_EQ(C.Records[0].Asked, C.Records[0].Footprint);
  EXPECT_TRUE(C.Records[0].Reads);
}

TEST(BlockCensus, GathersFromOneSetFindItRead) {
  // Each reads 8 of the same 16 lines.
  const arch::GPUSpec Machine = smallMachine();
  SyntheticSource Source(
      workAndLoad().Table, 1024, 32,
      [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
        E.block(0, Block % 3 ? ~0u : 1u);
        for (uint64_t N = 0; N < 8; ++N) {
          E.block(1, ~0u);
          E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u,
                   lanes(0x10000 + (Block * 7 + N * N) % 16 * 128, 4).data());
        }
      });
  const BlockCensus C = censusOf(Source, Machine, 1000);
  ASSERT_TRUE(C.taken());
  EXPECT_NEAR(C.Records[0].Footprint, 16 * 4, 4);
}

/// What \p Blocks blocks of \p Source ask of L2, of which as many run at once.
static L2Profile profileOf(SyntheticSource &Source, uint64_t Blocks,
                           uint64_t AtOnce, uint64_t Grid, uint64_t PerSM = 1) {
  const arch::GPUSpec Machine = smallMachine();
  const timing::DecodedCode Code(Source.code(), Machine);
  std::set<uint64_t> Wanted;
  for (uint64_t B = 0; B < Blocks; ++B)
    Wanted.insert(B);
  auto Sample = BlockSample::read(Source, Wanted);
  EXPECT_TRUE(Sample.has_value());
  L2Question Q;
  const std::vector<uint64_t> Looked(Wanted.begin(), Wanted.end());
  Q.Blocks = Looked;
  Q.BlocksAtOnce = AtOnce;
  Q.BlocksPerSM = PerSM;
  Q.Grid = Grid;
  Q.L1Lines = 16;
  return profileL2(*Sample, Code, Machine, Q);
}

static RecordTraffic trafficOf(SyntheticSource &Source, uint64_t Blocks,
                               uint64_t AtOnce, uint64_t Grid) {
  return profileOf(Source, Blocks, AtOnce, Grid).Records[0];
}

TEST(L2Profile, BlocksSideBySideAllWaitForWhatOneFetches) {
  SyntheticSource Source(workAndLoad().Table, 64, 32,
                         [](trace::WarpEncoder &E, uint64_t, unsigned) {
                           for (uint64_t N = 0; N < 4; ++N) {
                             E.block(1, ~0u);
                             E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u,
                                      lanes(0x10000 + N * 128, 4).data());
                           }
                         });
  const RecordTraffic OneWave = trafficOf(Source, 16, 64, 64);
  EXPECT_NEAR(OneWave.DRAMReads, 1.0 / 64, 1e-6);
  EXPECT_DOUBLE_EQ(OneWave.Waits, 1);
  // Three of four waves find in L2 what the first has read.
  EXPECT_NEAR(trafficOf(Source, 16, 16, 64).Waits, 0.25, 1e-6);
}

TEST(L2Profile, StreamsWaitForTheirOwnReadsAlone) {
  SyntheticSource Source(workAndLoad().Table, 64, 32,
                         [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
                           E.block(1, ~0u);
                           E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u,
                                    lanes(0x10000 + Block * 128, 4).data());
                         });
  const RecordTraffic T = trafficOf(Source, 16, 16, 64);
  EXPECT_DOUBLE_EQ(T.DRAMReads, 1);
  EXPECT_DOUBLE_EQ(T.Waits, 1);
}

TEST(L2Profile, FewRequestsInFewSlicesAreNotHot) {
  SyntheticSource Source(workAndLoad().Table, 4, 32,
                         [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
                           E.block(1, ~0u);
                           E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u,
                                    lanes(0x10000 + Block * 128, 4).data());
                         });
  EXPECT_NEAR(profileOf(Source, 4, 4, 4).SliceShare,
              1.0 / smallMachine().L2.Slices, 1e-9);
}

TEST(L2Profile, BlocksOfAnSMAskOnceForWhatAllRead) {
  // One line that all blocks read, then one of their own.
  SyntheticSource Source(workAndLoad().Table, 64, 32,
                         [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
                           for (uint64_t Line : {uint64_t(0), 1 + Block}) {
                             E.block(1, ~0u);
                             E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u,
                                      lanes(0x10000 + Line * 128, 4).data());
                           }
                         });
  const double Even = 1.0 / smallMachine().L2.Slices;
  // The shared line keeps one slice busy by as much as goes to all of them for
  // the others, or by a 16th of it.
  EXPECT_NEAR(profileOf(Source, 16, 64, 64, 1).SliceShare, (1 + Even) / 2,
              0.02);
  EXPECT_NEAR(profileOf(Source, 16, 64, 64, 16).SliceShare,
              (1.0 / 16 + Even) / (1 + 1.0 / 16), 0.02);
}
