//===- MemoryTest.cpp - Loads, shared memory, barriers, fences ------------===//

#include "SyntheticLaunch.h"

#include "timing/units/MemoryPort.h"

#include <numeric>

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

/// Every warp runs block 0, whose one memory record accesses \p Addresses.
static SyntheticSource withAccess(const CodeBuilder &Code, unsigned Threads,
                                  HeddleMemorySpace Space,
                                  std::array<uint64_t, 32> Addresses) {
  return SyntheticSource(Code.Table, 1, Threads,
                         [=](trace::WarpEncoder &E, uint64_t, unsigned) {
                           E.block(0, ~0u);
                           E.memory(0, Space, ~0u, Addresses.data());
                         });
}

TEST(Memory, SharedBankConflictsSerialise) {
  auto cycles = [](unsigned Stride) {
    CodeBuilder Code;
    Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_SHARED, {1}, {});
    Code.add(HEDDLE_OP_ADD, {2}, {1});
    SyntheticSource S =
        withAccess(Code, 32, HEDDLE_SPACE_SHARED, lanes(0, Stride));
    return run(S, smallMachine());
  };
  SimulationResult Free = cycles(4), Two = cycles(8), All = cycles(128),
                   Broadcast = cycles(0);
  EXPECT_EQ(Free.SharedConflictCycles, 0u);
  EXPECT_EQ(Broadcast.Cycles, Free.Cycles);
  EXPECT_EQ(Two.Cycles, Free.Cycles + 1);
  EXPECT_EQ(All.Cycles, Free.Cycles + 31);
  EXPECT_EQ(All.Shared.Transactions, 32u);
  EXPECT_GT(stalled(Free, Stall::ShortScoreboard), 10u);
}

TEST(Memory, GlobalLoadMissesOnceThenHits) {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
  Code.add(HEDDLE_OP_ADD, {2}, {1});
  auto Program = [](unsigned Times) {
    return [=](trace::WarpEncoder &E, uint64_t, unsigned) {
      for (unsigned I = 0; I < Times; ++I) {
        E.block(0, ~0u);
        E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u, lanes(4096, 4).data());
      }
    };
  };
  SyntheticSource Once(Code.Table, 1, 32, Program(1));
  SyntheticSource Often(Code.Table, 1, 32, Program(11));
  SimulationResult A = run(Once, smallMachine()),
                   B = run(Often, smallMachine());
  EXPECT_EQ(A.L1.Misses, 4u);
  EXPECT_EQ(B.L1.Misses, 4u);
  EXPECT_EQ(B.L1.Hits, 40u);
  // A hit costs the L1 latency from issue to the dependent instruction, and
  // the loop has a jump between it and the next load.
  EXPECT_NEAR(double(B.Cycles - A.Cycles), 10 * (30 + 1), 30);
  // A miss passes L1, the interconnect twice, L2 and DRAM.
  EXPECT_GT(A.Cycles, 30u + 2 * 20 + 100 + 200);
  EXPECT_GT(stalled(A, Stall::LongScoreboard), 300u);
  EXPECT_EQ(A.DRAM.ReadBytes, 128u);
}

TEST(Memory, SectorsTravelTogetherOrApart) {
  for (bool Apart : {false, true}) {
    arch::GPUSpec Spec = smallMachine();
    Spec.Icnt.SectorRequests = Apart;
    MemoryPort Port(Spec, 0);
    Port.send(memory::RequestKind::Read, 4096, 0b1011, 0, 32, 0, ReplyTo::Load,
              7);
    std::vector<uint32_t> Places(1001);
    Port.countSent(0, 1000, std::span(Places).subspan(1));
    std::partial_sum(Places.begin(), Places.end(), Places.begin());
    std::vector<memory::MemoryRequest> Sent(Places.back());
    Port.takeSent(0, 1000, Places, Sent);
    ASSERT_EQ(Sent.size(), Apart ? 3u : 1u);
    uint16_t Sectors = 0;
    Flight Done;
    for (const memory::MemoryRequest &R : Sent) {
      EXPECT_EQ(R.Line, 4096u);
      EXPECT_EQ(Sectors & R.SectorMask, 0);
      Sectors |= R.SectorMask;
      EXPECT_EQ(Port.receive(R.Token, false, Done), &R == &Sent.back());
    }
    EXPECT_EQ(Sectors, 0b1011);
    EXPECT_EQ(Done.Owner, 7u);
  }
}

TEST(Memory, ScatteredLoadTakesASectorPerLane) {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
  SyntheticSource S = withAccess(Code, 32, HEDDLE_SPACE_GLOBAL, lanes(0, 128));
  SimulationResult R = run(S, smallMachine());
  EXPECT_EQ(R.Global.Transactions, 32u);
  EXPECT_EQ(R.L1.Misses, 32u);
}

TEST(Memory, BarrierWaitsForTheSlowest) {
  // Warp 0 runs a long chain before the barrier, the others nothing.
  CodeBuilder Code;
  Code.chain(100);
  Code.newBlock();
  Code.add(HEDDLE_OP_BARRIER, {}, {});
  Code.add(HEDDLE_OP_ADD, {2}, {});
  SyntheticSource Source(Code.Table, 1, 128,
                         [](trace::WarpEncoder &E, uint64_t, unsigned Warp) {
                           if (Warp == 0)
                             E.block(0, ~0u);
                           E.block(1, ~0u);
                         });
  SimulationResult R = run(Source, smallMachine());
  EXPECT_GE(R.Cycles, 400u);
  EXPECT_LE(R.Cycles, 410u);
  EXPECT_EQ(R.BarrierWaits, 4u);
  EXPECT_NEAR(double(stalled(R, Stall::Barrier)), 3 * 400, 30);
}

TEST(Memory, WarpsThatEndedDoNotHoldABarrier) {
  CodeBuilder Code;
  Code.add(HEDDLE_OP_BARRIER, {}, {});
  Code.newBlock();
  Code.chain(10);
  SyntheticSource Source(Code.Table, 1, 64,
                         [](trace::WarpEncoder &E, uint64_t, unsigned Warp) {
                           E.block(Warp == 0 ? 0 : 1, ~0u);
                         });
  EXPECT_EQ(run(Source, smallMachine()).BlocksDone, 1u);
}

TEST(Memory, FenceWaitsForStores) {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_GLOBAL, {}, {1});
  Code.add(HEDDLE_OP_FENCE, {}, {});
  Code.add(HEDDLE_OP_ADD, {2}, {});
  SyntheticSource S = withAccess(Code, 32, HEDDLE_SPACE_GLOBAL, lanes(0, 4));
  SimulationResult R = run(S, smallMachine());
  EXPECT_GT(stalled(R, Stall::Membar), 100u);
}

TEST(Memory, ConflictingAtomicsTakeLonger) {
  auto cycles = [](uint64_t Stride) {
    CodeBuilder Code;
    Code.memory(HEDDLE_OP_ATOMIC, HEDDLE_SPACE_GLOBAL, {1}, {});
    Code.add(HEDDLE_OP_ADD, {2}, {1});
    SyntheticSource S =
        withAccess(Code, 32, HEDDLE_SPACE_GLOBAL, lanes(0, Stride));
    return run(S, smallMachine()).Cycles;
  };
  EXPECT_GT(cycles(0), cycles(4));
}
