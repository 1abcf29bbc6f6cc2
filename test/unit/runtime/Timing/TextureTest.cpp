//===- TextureTest.cpp - The texture pipe ---------------------------------===//

#include "SyntheticLaunch.h"

#include "heddle/ABI/TextureOps.h"

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

/// The machine with a pipe for textures that takes a quad a cycle; its filter
/// takes 50 cycles.
static arch::GPUSpec textureMachine() {
  arch::GPUSpec M = smallMachine();
  M.Pipes.push_back({"tex", 1, false, 4});
  for (unsigned T = 0; T < HEDDLE_NUM_DATA_TYPES; ++T)
    M.Ops.at(HEDDLE_OP_TEXTURE, T) = {3, 1, 1};
  M.Texture.QuadsPerCycle = 1;
  M.Texture.FilterLatency = 50;
  return M;
}

/// Each of \p Threads / 32 warps reads \p Times texels with these footprints,
/// one after the other from its start if \p Chained.
static SyntheticSource reads(unsigned Threads, unsigned Times, uint64_t Word,
                             bool Chained, uint64_t Stride = 0) {
  CodeBuilder Code;
  HeddleInst &I = Code.memory(HEDDLE_OP_TEXTURE, HEDDLE_SPACE_TEXTURE, {1}, {});
  if (Chained)
    I.Registers[I.NumDefs + I.NumUses++] = 1;
  Code.Table.Memory.back().IsStore = 0;
  Code.Table.Memory.push_back({HEDDLE_SPACE_PARAM, 0, 8});
  ++Code.Table.Blocks.back().NumMemory;
  return SyntheticSource(
      Code.Table, 1, Threads, [=](trace::WarpEncoder &E, uint64_t, unsigned) {
        for (unsigned N = 0; N < Times; ++N) {
          E.block(0, ~0u);
          E.memory(0, HEDDLE_SPACE_TEXTURE, ~0u, lanes(4096, Stride).data());
          E.memory(1, HEDDLE_SPACE_PARAM, ~0u, lanes(Word, 0).data());
        }
      });
}

static uint64_t cycles(const arch::GPUSpec &M, unsigned Threads, unsigned Times,
                       uint64_t Word, bool Chained = false) {
  SyntheticSource S = reads(Threads, Times, Word, Chained);
  return run(S, M).Cycles;
}

TEST(Texture, HitTakesTheFilterToo) {
  const arch::GPUSpec M = textureMachine();
  // Ten more reads, each of which needs the one before: L1's 30 cycles and the
  // filter's 50 from when the last of 8 quads has passed, and a cycle from the
  // issue to the queue.
  EXPECT_EQ(cycles(M, 32, 12, 4, true) - cycles(M, 32, 2, 4, true),
            10u * (1 + 7 + 30 + 50));
}

TEST(Texture, PipeTakesAQuadPerCycle) {
  arch::GPUSpec M = textureMachine();
  // 32 warps read 16 texels each: 8 cycles an instruction.
  const uint64_t One = cycles(M, 1024, 16, 4);
  EXPECT_NEAR(double(One), 32 * 16 * 8, 500);
  M.Texture.QuadsPerCycle = 2;
  EXPECT_NEAR(double(cycles(M, 1024, 16, 4)), 32 * 16 * 4, 500);
  M = textureMachine();
  SyntheticSource S = reads(1024, 16, 4, false);
  EXPECT_GT(stalled(run(S, M), Stall::TexThrottle), One);
  EXPECT_EQ(stalled(run(S, M), Stall::LgThrottle), 0u);
}

TEST(Texture, WideTexelsAndTwoSlicesTakeLonger) {
  const arch::GPUSpec M = textureMachine();
  // Of one more instruction, when the pipe is full.
  auto more = [&](uint64_t Word) {
    return double(cycles(M, 1024, 32, Word) - cycles(M, 1024, 16, Word)) /
           (16 * 32);
  };
  EXPECT_NEAR(more(4), 8, 0.1);
  EXPECT_NEAR(more(8), 16, 0.1);
  EXPECT_NEAR(more(16), 32, 0.1);
  EXPECT_NEAR(more(4 | HEDDLE_FOOTPRINT_COLUMNS), 8, 0.1);
  EXPECT_NEAR(more(4 | HEDDLE_FOOTPRINT_SLICES), 16, 0.1);
}

TEST(Texture, FootprintsAreRead) {
  auto sectors = [](uint64_t Word) {
    SyntheticSource S = reads(32, 1, Word, false, 4);
    return run(S, textureMachine()).Texture.Transactions;
  };
  // 128 bytes; with a texel to the right one sector more; two such rows.
  const uint64_t Row = uint64_t(1024) << HEDDLE_FOOTPRINT_ROW_SHIFT;
  EXPECT_EQ(sectors(4), 4u);
  EXPECT_EQ(sectors(4 | HEDDLE_FOOTPRINT_COLUMNS), 5u);
  EXPECT_EQ(sectors(4 | HEDDLE_FOOTPRINT_COLUMNS | HEDDLE_FOOTPRINT_ROWS | Row),
            10u);
  EXPECT_EQ(sectors(0), 0u); // the border
}

TEST(Texture, WithoutThePipeTheyAreLoads) {
  arch::GPUSpec M = textureMachine();
  M.Texture.QuadsPerCycle = 0;
  // One line from L1 for each instruction and cycle.
  EXPECT_NEAR(double(cycles(M, 1024, 16, 4)), 32 * 16, 500);
  SyntheticSource S = reads(1024, 16, 4, false);
  EXPECT_EQ(run(S, M).Texture.Instructions, 32u * 16);
}
