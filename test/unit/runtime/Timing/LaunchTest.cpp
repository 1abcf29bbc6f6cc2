//===- LaunchTest.cpp - Occupancy, dispatch, threads ----------------------===//

#include "SyntheticLaunch.h"
#include "arch/Occupancy.h"

using namespace heddle;
using arch::Occupancy;
using namespace heddle::timing;
using namespace heddle::timing::test;

static BlockResources block(unsigned Threads, unsigned Registers,
                            uint64_t Shared) {
  return {"k", Threads, Registers, Shared};
}

TEST(Launch, EachResourceCanLimitOccupancy) {
  arch::GPUSpec M = smallMachine();
  Occupancy Warps = *computeOccupancy(block(512, 16, 0), M);
  EXPECT_EQ(Warps.BlocksPerSM, 3u);
  EXPECT_EQ(Warps.Limiter, "warps");
  Occupancy Slots = *computeOccupancy(block(64, 16, 0), M);
  EXPECT_EQ(Slots.BlocksPerSM, 8u);
  EXPECT_EQ(Slots.Limiter, "blocks");
  // 130 registers x 32 lanes round up to 4352 per warp, 8 warps.
  Occupancy Registers = *computeOccupancy(block(256, 130, 0), M);
  EXPECT_EQ(Registers.BlocksPerSM, 1u);
  EXPECT_EQ(Registers.Limiter, "registers");
  // 10,000 bytes round up to 10,240.
  Occupancy Shared = *computeOccupancy(block(64, 16, 10000), M);
  EXPECT_EQ(Shared.BlocksPerSM, 4u);
  EXPECT_EQ(Shared.Limiter, "shared memory");
}

/// CUDA's rules: what an SM's parts share out by whole warps are registers, not
/// warp slots.
TEST(Launch, PartsOfAnSMRoundRegistersOnly) {
  arch::GPUSpec M = smallMachine();
  M.SM.WarpGranularity = 4;
  M.SM.MaxBlocks = 32;
  M.SM.MaxWarps = 64;
  M.SM.Registers = 65536;
  Occupancy OneWarp = *computeOccupancy(block(32, 32, 0), M);
  EXPECT_EQ(OneWarp.WarpsPerSM, 32u);
  EXPECT_EQ(OneWarp.Limiter, "blocks");
  // 4352 registers per warp: 15 warps in all, but 3 in each part.
  Occupancy Parts = *computeOccupancy(block(32, 130, 0), M);
  EXPECT_EQ(Parts.WarpsPerSM, 12u);
  EXPECT_EQ(Parts.Limiter, "registers");
  EXPECT_FALSE(computeOccupancy(block(448, 130, 0), M));
}

TEST(Launch, BlockThatDoesNotFitIsRefused) {
  arch::GPUSpec M = smallMachine();
  auto message = [&](const BlockResources &H) {
    Result<Occupancy> O = computeOccupancy(H, M);
    return O ? std::string() : O.error().Message;
  };
  EXPECT_NE(message(block(32, 16, 60000)).find("60000 bytes of shared memory"),
            std::string::npos);
  EXPECT_NE(message(block(32, 16, 60000)).find("49152"), std::string::npos);
  EXPECT_NE(message(block(2048, 16, 0)).find("2048 threads"),
            std::string::npos);
  EXPECT_NE(message(block(1024, 128, 0)).find("131072 registers"),
            std::string::npos);
}

TEST(Launch, BlocksWaitForAPlace) {
  CodeBuilder Code;
  Code.chain(100);
  SyntheticSource Eight(Code.Table, 8, 32), Nine(Code.Table, 9, 32);
  uint64_t OneWave = run(Eight, smallMachine()).Cycles;
  uint64_t TwoWaves = run(Nine, smallMachine()).Cycles;
  EXPECT_NEAR(double(TwoWaves - OneWave), 400, 8);
}

TEST(Launch, BlocksGoToIdleSMs) {
  CodeBuilder Code;
  Code.chain(1000);
  arch::GPUSpec M = smallMachine();
  M.SM.Count = 4;
  M.SM.MaxBlocks = 1;
  // Block 0 is empty: its SM takes the fifth block.
  SyntheticSource Source(Code.Table, 5, 32,
                         [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
                           if (Block)
                             E.block(0, ~0u);
                         });
  SimulationResult R = run(Source, M);
  EXPECT_EQ(R.BlocksDone, 5u);
  EXPECT_EQ(R.SMs[0].Blocks, 2u);
  EXPECT_LT(R.Cycles, 4300u);
}

TEST(Launch, OverheadIsCountedOnDemand) {
  CodeBuilder Code;
  Code.chain(10);
  arch::GPUSpec M = smallMachine();
  SyntheticSource Source(Code.Table, 1, 32);
  uint64_t Plain = run(Source, M).Cycles;
  M.Launch.KernelLatency = 5000;
  M.Launch.BlockLatency = 70;
  SimulationResult R = run(Source, M);
  EXPECT_EQ(R.Cycles, Plain + 70);
  EXPECT_EQ(R.LaunchCycles, 5000u);
  EXPECT_EQ(stalled(R, Stall::Sleeping), 70u);
  M.Launch.InCycles = true;
  EXPECT_EQ(run(Source, M).Cycles, Plain + 5070);
}

TEST(Launch, DispatcherKeepsItsRate) {
  CodeBuilder Code;
  Code.chain(10);
  arch::GPUSpec M = smallMachine();
  M.SM.Count = 4;
  SyntheticSource Source(Code.Table, 1000, 32);
  EXPECT_LT(run(Source, M).Cycles, 5000u);
  // All through the launch, not only in the first wave.
  M.Launch.BlocksPerCycle = 0.1;
  EXPECT_NEAR(double(run(Source, M).Cycles), 10000, 300);
}

TEST(Launch, StopsAtMaxCycles) {
  CodeBuilder Code;
  Code.chain(10000);
  SyntheticSource Source(Code.Table, 1, 32);
  SimulationOptions Options;
  Options.MaxCycles = 1000;
  SimulationResult R = run(Source, smallMachine(), Options);
  EXPECT_TRUE(R.Truncated);
  EXPECT_EQ(R.Cycles, 1000u);
  EXPECT_NEAR(double(R.WarpInstructions), 250, 2);
}

TEST(Launch, StopsWhileTheFirstBlocksAreMade) {
  CodeBuilder Code;
  Code.chain(10);
  unsigned Made = 0, Most = 3;
  SyntheticSource Source(Code.Table, 100, 32,
                         [&](trace::WarpEncoder &E, uint64_t, unsigned) {
                           ++Made;
                           E.block(0, ~0u);
                         });
  SimulationOptions Options;
  Options.OnProgress = [&](const SimulationProgress &) { return Made < Most; };
  EXPECT_TRUE(run(Source, smallMachine(), Options).Truncated);
  EXPECT_EQ(Made, 3u);
  Made = Most = 0;
  EXPECT_TRUE(run(Source, smallMachine(), Options).Truncated);
  EXPECT_EQ(Made, 0u);
}

namespace {
/// Serves as many blocks as it is told to.
class EndingSource : public SyntheticSource {
public:
  EndingSource(trace::CodeTable Code, uint64_t Served)
      : SyntheticSource(std::move(Code), 100, 32), Served(Served) {}
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    if (Index >= Served) {
      if (OnEnd)
        OnEnd();
      return fail("interrupted");
    }
    return SyntheticSource::read(Index, Out);
  }

  std::function<void()> OnEnd;

private:
  const uint64_t Served;
};
} // namespace

TEST(Launch, AnInterruptedBlockEndsTheSimulationWithWhatThereIs) {
  CodeBuilder Code;
  Code.chain(1000);
  EndingSource Source(Code.Table, 40);
  SimulationOptions Options;
  EXPECT_FALSE(simulate(Source, smallMachine(), Options).has_value())
      << "no one wanted it to end";
  // As the source fails while it is read, and not between blocks.
  bool Asked = false;
  Source.OnEnd = [&] { Asked = true; };
  Options.OnProgress = [&](const SimulationProgress &) { return !Asked; };
  const SimulationResult R = run(Source, smallMachine(), Options);
  EXPECT_TRUE(R.Truncated);
  EXPECT_GE(R.BlocksDone, 24u);
}

/// Loads, stores and barriers at addresses that depend on block and warp.
static SyntheticSource mixedLaunch() {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
  Code.add(HEDDLE_OP_MAD, {2}, {1, 2});
  Code.add(HEDDLE_OP_BARRIER, {}, {});
  Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_GLOBAL, {}, {2});
  return SyntheticSource(
      Code.Table, 100, 128, [](trace::WarpEncoder &E, uint64_t B, unsigned W) {
        for (unsigned I = 0; I < 8; ++I) {
          E.block(0, ~0u);
          uint64_t At = (B * 7919 + W * 104729 + I * 1299709) % 65536 * 128;
          E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u, lanes(At, 4).data());
          E.memory(1, HEDDLE_SPACE_GLOBAL, ~0u, lanes(At + 64, 32).data());
        }
      });
}

TEST(Launch, ThreadsDoNotChangeTheResult) {
  arch::GPUSpec M = smallMachine();
  M.SM.Count = 6;
  M.SM.Schedulers = 2;
  SyntheticSource Source = mixedLaunch();
  SimulationOptions One, Three;
  Three.Threads = 3;
  SimulationResult A = run(Source, M, One), B = run(Source, M, Three);
  EXPECT_EQ(A.WarpInstructions, 100u * 4 * 8 * 4);
  EXPECT_EQ(A.Cycles, B.Cycles);
  EXPECT_EQ(A.Stalls, B.Stalls);
  EXPECT_EQ(A.L1.Hits, B.L1.Hits);
  EXPECT_EQ(A.L2.Misses, B.L2.Misses);
  EXPECT_EQ(A.DRAM.Activates, B.DRAM.Activates);
  for (size_t I = 0; I < A.Insts.size(); ++I)
    EXPECT_EQ(A.Insts[I].Cycles, B.Insts[I].Cycles);
}
