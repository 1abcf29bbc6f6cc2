//===- CollectorTest.cpp - Operand collectors between issue and pipes -----===//

#include "SyntheticLaunch.h"

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

/// The small machine with \p Collectors for all pipes, register banks that give
/// one operand a cycle, and 3 cycles from issue to an idle pipe.
static arch::GPUSpec collectorMachine(unsigned Collectors) {
  arch::GPUSpec M = smallMachine();
  M.FrontEnd.OperandCollectors = Collectors;
  M.FrontEnd.RegisterBanks = 4;
  M.FrontEnd.RegisterPorts = 1;
  M.FrontEnd.IssueToPipe = 3;
  for (arch::PipeSpec &Pipe : M.Pipes)
    Pipe.QueueInsts = std::max(Pipe.QueueInsts, 2u);
  return M;
}

static uint64_t cyclesOf(const CodeBuilder &Code, const arch::GPUSpec &M,
                         unsigned Threads = 32) {
  SyntheticSource Source(Code.Table, 1, Threads);
  return run(Source, M).Cycles;
}

/// Cycles from one link of a chain to the next; each link reads \p Others too.
static uint64_t linkOf(const arch::GPUSpec &M,
                       std::initializer_list<uint16_t> Uses) {
  CodeBuilder Short, Long;
  for (unsigned I = 0; I < 110; ++I) {
    if (I < 10)
      Short.add(HEDDLE_OP_ADD, {1}, Uses);
    Long.add(HEDDLE_OP_ADD, {1}, Uses);
  }
  return (cyclesOf(Long, M) - cyclesOf(Short, M)) / 100;
}

TEST(Collectors, OperandsAreReadOneBankEachStep) {
  arch::GPUSpec M = collectorMachine(2);
  // Into the register, collector, read, pipe: 4, then the latency of 4.
  EXPECT_EQ(linkOf(M, {1}), 8u);
  // Three operands in three banks cost no more than one, in one bank two more.
  EXPECT_EQ(linkOf(M, {1, 2, 3}), 8u);
  EXPECT_EQ(linkOf(M, {1, 5, 9}), 10u);
  // One that is named twice is read once.
  EXPECT_EQ(linkOf(M, {1, 1, 2}), 8u);
  // Two steps a cycle: the read is over when the next cycle begins.
  M.FrontEnd.RegisterPorts = 2;
  EXPECT_EQ(linkOf(M, {1}), 7u);
  EXPECT_EQ(linkOf(M, {1, 5}), 7u);
  EXPECT_EQ(linkOf(M, {1, 5, 9}), 8u);
}

/// One slow instruction, then fast ones, in each of eight warps.
static CodeBuilder slowThenFast() {
  CodeBuilder Code;
  Code.add(HEDDLE_OP_SFU, {1}, {});
  for (uint16_t I = 0; I < 8; ++I)
    Code.add(HEDDLE_OP_ADD, {uint16_t(I + 2)}, {});
  return Code;
}

TEST(Collectors, ATakenPipeHoldsUpTheOthers) {
  const CodeBuilder Code = slowThenFast();
  const uint64_t Few = cyclesOf(Code, collectorMachine(2), 256);
  const uint64_t Many = cyclesOf(Code, collectorMachine(16), 256);
  // 8 warps keep the slow pipe for 8 x 8 cycles; with many collectors the 64
  // additions pass meanwhile.
  EXPECT_NEAR(double(Many), 64 + 8, 8);
  EXPECT_GT(Few, Many + 8);
}

TEST(Collectors, APipeWithItsOwnHoldsUpNone) {
  const CodeBuilder Code = slowThenFast();
  arch::GPUSpec M = collectorMachine(2);
  M.Pipes[1].Collectors = 2;
  EXPECT_LE(cyclesOf(Code, M, 256),
            cyclesOf(Code, collectorMachine(16), 256) + 2);
}

TEST(Collectors, PipesAreServedInTheirOrder) {
  // Both pipes are as slow as the other and want the one collector. What comes
  // first in the machine file starves the other, which ends last.
  CodeBuilder Code;
  for (uint16_t I = 0; I < 8; ++I)
    Code.add(I % 2 ? HEDDLE_OP_SFU : HEDDLE_OP_ADD, {uint16_t(I + 1)}, {});
  auto waits = [&](unsigned First) {
    arch::GPUSpec M = collectorMachine(1);
    for (unsigned T = 0; T < HEDDLE_NUM_DATA_TYPES; ++T) {
      M.Ops.at(HEDDLE_OP_ADD, T) = {uint8_t(First), 4, 4};
      M.Ops.at(HEDDLE_OP_SFU, T) = {uint8_t(1 - First), 4, 4};
    }
    SyntheticSource Source(Code.Table, 1, 512);
    SimulationResult R = run(Source, M);
    uint64_t Adds = 0, Others = 0;
    for (size_t I = 0; I != 8; ++I)
      (I % 2 ? Others : Adds) +=
          R.Insts[I].Cycles[unsigned(Stall::MathPipeThrottle)];
    return std::pair(Adds, Others);
  };
  const auto AddsFirst = waits(0), AddsLast = waits(1);
  EXPECT_LT(AddsFirst.first, AddsLast.first);
  EXPECT_GT(AddsFirst.second, AddsLast.second);
}

TEST(Collectors, EveryWarpCycleHasOneReason) {
  CodeBuilder Code;
  Code.chain(50);
  Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_GLOBAL, {}, {1});
  for (uint16_t I = 0; I < 10; ++I)
    Code.add(HEDDLE_OP_SFU, {uint16_t(I + 2)}, {1});
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {2});
  Code.chain(5);
  SyntheticSource Source(Code.Table, 3, 256,
                         [](trace::WarpEncoder &E, uint64_t B, unsigned W) {
                           E.block(0, ~0u);
                           for (unsigned M = 0; M != 2; ++M)
                             E.memory(M, HEDDLE_SPACE_GLOBAL, ~0u,
                                      lanes(4096 * (8 * B + W), 4).data());
                         });
  for (unsigned Schedulers : {1u, 2u}) {
    arch::GPUSpec M = collectorMachine(2);
    M.SM.Schedulers = Schedulers;
    SimulationResult R = run(Source, M);
    EXPECT_EQ(R.WarpInstructions, 3u * 8 * 67);
    EXPECT_EQ(stalled(R, Stall::Selected), R.WarpInstructions);
    uint64_t Resident = R.Occupancy.Achieved * 48 * R.SMs[0].ActiveCycles + 0.5;
    EXPECT_EQ(R.WarpCycles, Resident);
    EXPECT_GT(stalled(R, Stall::MathPipeThrottle), 0u);
    EXPECT_GT(stalled(R, Stall::LongScoreboard), 0u);
  }
}

TEST(Collectors, ExpandedInstructionsTakeTheirSlots) {
  CodeBuilder Code;
  for (uint16_t I = 0; I < 20; ++I)
    Code.add(HEDDLE_OP_MUL, {uint16_t(I + 1)}, {}).Issued = 4;
  arch::GPUSpec M = collectorMachine(4);
  M.SM.ExpandInstructions = true;
  SyntheticSource Source(Code.Table, 1, 32);
  SimulationResult R = run(Source, M);
  EXPECT_EQ(R.WarpInstructions, 20u);
  EXPECT_EQ(R.IssuedInstructions, 80u);
  EXPECT_NEAR(double(R.Cycles), 80, 10);
}
