//===- RegisterPortsTest.cpp - Operands read without collectors -----------===//

#include "timing/units/RegisterPorts.h"
#include "SyntheticLaunch.h"

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

/// The small machine with two banks that give an operand a cycle each.
static arch::GPUSpec portMachine(unsigned ReadCycles, bool Reuse) {
  arch::GPUSpec M = smallMachine();
  M.FrontEnd.RegisterBanks = 2;
  M.FrontEnd.RegisterPorts = 1;
  M.FrontEnd.ReadCycles = ReadCycles;
  M.FrontEnd.OperandReuse = Reuse;
  return M;
}

using Uses = std::initializer_list<uint16_t>;

/// Cycles of 64 pairs of independent instructions that read \p First and
/// \p Second, beyond those of the first pairs.
static uint64_t cyclesOf64(const arch::GPUSpec &M, Uses First, Uses Second,
                           unsigned Threads = 32, const char *ISA = "machine") {
  auto cyclesOf = [&](unsigned Pairs) {
    CodeBuilder Code;
    Code.Table.ISA = ISA;
    for (unsigned I = 0; I < Pairs; ++I) {
      Code.add(HEDDLE_OP_ADD, {uint16_t(100 + I % 16)}, First);
      Code.add(HEDDLE_OP_ADD, {uint16_t(120 + I % 16)}, Second);
    }
    SyntheticSource Source(Code.Table, 1, Threads);
    return run(Source, M).Cycles;
  };
  return cyclesOf(72) - cyclesOf(8);
}

TEST(RegisterPorts, BanksBoundTheRate) {
  const arch::GPUSpec M = portMachine(3, false);
  // Two operands in two banks: one instruction each cycle.
  EXPECT_EQ(cyclesOf64(M, {2, 3}, {4, 5}), 128u);
  // Three and one: four reads of two banks in two cycles.
  EXPECT_EQ(cyclesOf64(M, {2, 3, 5}, {4}), 128u);
  // Three each: three cycles for two, if they lie well.
  EXPECT_EQ(cyclesOf64(M, {2, 3, 5}, {4, 6, 7}), 192u);
  // All six in one bank.
  EXPECT_EQ(cyclesOf64(M, {2, 4, 6}, {8, 10, 12}), 384u);
  // One that is named twice is read once.
  EXPECT_EQ(cyclesOf64(M, {2, 2, 3}, {4, 5, 5}), 128u);
}

TEST(RegisterPorts, OneReadCycleLendsNothing) {
  // The third operand of one instruction cannot use the room of the next.
  EXPECT_EQ(cyclesOf64(portMachine(1, false), {2, 3, 5}, {4}), 192u);
}

TEST(RegisterPorts, WhatTheInstructionBeforeHasReadIsAtHand) {
  const arch::GPUSpec M = portMachine(3, true);
  EXPECT_EQ(cyclesOf64(M, {2, 3, 5}, {2, 3, 7}), 128u);
  // Two warps that take turns have nothing from each other.
  arch::GPUSpec Turns = M;
  Turns.SM.Scheduler = arch::SchedulerPolicy::LooseRoundRobin;
  EXPECT_EQ(cyclesOf64(Turns, {2, 3, 5}, {2, 3, 7}, 64), 512u);
}

TEST(RegisterPorts, VirtualRegistersLieWhereTheyServeBest) {
  const arch::GPUSpec M = portMachine(3, false);
  EXPECT_EQ(cyclesOf64(M, {2, 4}, {6, 8}, 32, "ptx"), 128u);
  EXPECT_EQ(cyclesOf64(M, {2, 4, 6}, {8}, 32, "ptx"), 128u);
}

TEST(RegisterPorts, NoBanksNoWaits) {
  arch::GPUSpec M = portMachine(1, false);
  M.FrontEnd.RegisterBanks = 0;
  EXPECT_EQ(cyclesOf64(M, {2, 4, 6}, {8, 10, 12}), 128u);
}

TEST(RegisterPorts, WhatIsReadAtOnceNeedsNoTurn) {
  // The same instructions with the short way and without it.
  RegisterPorts Long, Short;
  unsigned AtOnce = 0;
  Cycle Now = 0;
  for (uint32_t I = 0; I != 1000; ++I) {
    const uint32_t Random = (I + 1) * 2654435761u >> 8;
    Now += 1 + Random % 3;
    arch::BankCycles Wanted = 0;
    for (unsigned Bank = 0; Bank != arch::MaxBanks; ++Bank)
      Wanted |= (Random >> (4 + 3 * Bank)) % 8 / 3 << 4 * Bank;
    const bool Skips = Short.readAtOnce(Wanted, Now);
    AtOnce += Skips;
    EXPECT_EQ(Long.read(Wanted, Now, 1),
              Skips ? 0 : Short.read(Wanted, Now, 1));
  }
  EXPECT_GT(AtOnce, 50u);
  EXPECT_LT(AtOnce, 950u);
}
