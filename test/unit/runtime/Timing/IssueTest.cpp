//===- IssueTest.cpp - Dependences, pipes and schedulers ------------------===//

#include "SyntheticLaunch.h"

#include "timing/DecodedCode.h"

#include <cstddef>

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

// All but the registers beyond the first four is in one line of the host's
// cache.
static_assert(offsetof(DecodedInst, ResultDelay) < 64 &&
              offsetof(DecodedInst, Registers) + 4 * sizeof(uint16_t) <= 64);

/// Cycles of one warp that runs \p Code once.
static uint64_t cyclesOf(const CodeBuilder &Code,
                         const arch::GPUSpec &M = smallMachine()) {
  SyntheticSource Source(Code.Table, 1, 32);
  return run(Source, M).Cycles;
}

TEST(Issue, DependentChainCostsLatencyPerLink) {
  CodeBuilder Short, Long;
  Short.chain(10);
  Long.chain(110);
  EXPECT_EQ(cyclesOf(Long) - cyclesOf(Short), 100u * 4);
}

TEST(Issue, IndependentInstructionsCostTheInitiationInterval) {
  CodeBuilder Short, Long;
  for (unsigned I = 0; I < 60; ++I) {
    if (I < 10)
      Short.add(HEDDLE_OP_SFU, {uint16_t(I + 1)}, {});
    Long.add(HEDDLE_OP_SFU, {uint16_t(I + 1)}, {});
  }
  EXPECT_EQ(cyclesOf(Long) - cyclesOf(Short), 50u * 8);
}

TEST(Issue, PipesRunSideBySide) {
  CodeBuilder Mixed;
  for (unsigned I = 0; I < 10; ++I) {
    Mixed.add(HEDDLE_OP_SFU, {uint16_t(2 * I + 1)}, {});
    for (unsigned J = 0; J < 7; ++J)
      Mixed.add(HEDDLE_OP_ADD, {uint16_t(100 + 8 * I + J)}, {});
  }
  // 80 instructions, one per cycle: the additions fill the gaps.
  EXPECT_LE(cyclesOf(Mixed), 82u);
  EXPECT_GE(cyclesOf(Mixed), 79u);
}

TEST(Issue, WarpsHideEachOthersLatency) {
  CodeBuilder Code;
  Code.chain(100);
  SyntheticSource One(Code.Table, 1, 32), Four(Code.Table, 1, 128),
      Eight(Code.Table, 1, 256);
  uint64_t Alone = run(One, smallMachine()).Cycles;
  uint64_t Hidden = run(Four, smallMachine()).Cycles;
  uint64_t Full = run(Eight, smallMachine()).Cycles;
  EXPECT_NEAR(double(Hidden), double(Alone), 8);
  EXPECT_NEAR(double(Full), 800, 8);
}

TEST(Issue, FoldedInstructionsTakeNoSlotAndPassTheirOperandsOn) {
  // Of a dependent chain every other instruction is folded: it adds neither
  // slot nor latency, and what reads it waits for what it reads.
  CodeBuilder Plain, Folded;
  for (unsigned I = 0; I < 20; ++I) {
    Plain.add(HEDDLE_OP_ADD, {uint16_t(I + 2)}, {uint16_t(I + 1)});
    Folded.add(HEDDLE_OP_ADD, {uint16_t(2 * I + 2)}, {uint16_t(2 * I + 1)});
    Folded.add(HEDDLE_OP_LOGIC, {uint16_t(2 * I + 3)}, {uint16_t(2 * I + 2)})
        .Issued = 0;
  }
  arch::GPUSpec M = smallMachine();
  M.SM.ExpandInstructions = true;
  EXPECT_EQ(cyclesOf(Folded, M), cyclesOf(Plain, M));
  SyntheticSource Source(Folded.Table, 1, 32);
  SimulationResult R = run(Source, M);
  EXPECT_EQ(R.WarpInstructions, 40u);
  EXPECT_EQ(R.IssuedInstructions, 20u);
}

TEST(Issue, EveryWarpCycleHasOneReason) {
  CodeBuilder Code;
  Code.chain(50);
  for (unsigned I = 0; I < 10; ++I)
    Code.add(HEDDLE_OP_SFU, {uint16_t(I + 2)}, {1});
  SyntheticSource Source(Code.Table, 1, 256);
  SimulationResult R = run(Source, smallMachine());
  EXPECT_EQ(stalled(R, Stall::Selected), R.WarpInstructions);
  EXPECT_GT(stalled(R, Stall::MathPipeThrottle), 0u);
  EXPECT_GT(stalled(R, Stall::Wait), 0u);
  EXPECT_GT(stalled(R, Stall::NotSelected), 0u);
  // Warps are resident from the start to their last instruction.
  uint64_t Resident = R.Occupancy.Achieved * 48 * R.SMs[0].ActiveCycles + 0.5;
  EXPECT_EQ(R.WarpCycles, Resident);
}

TEST(Issue, DualIssueTakesTwoPipesInOneCycle) {
  CodeBuilder Code;
  for (unsigned I = 0; I < 100; ++I) {
    Code.add(HEDDLE_OP_ADD, {uint16_t(2 * I + 1)}, {});
    Code.add(HEDDLE_OP_MOVE, {uint16_t(2 * I + 2)}, {});
  }
  arch::GPUSpec M = smallMachine();
  M.Pipes.push_back({"move", 1, true, 1});
  for (unsigned T = 0; T < HEDDLE_NUM_DATA_TYPES; ++T)
    M.Ops.at(HEDDLE_OP_MOVE, T) = {3, 4, 1};
  uint64_t Single = cyclesOf(Code, M);
  M.SM.MaxIssue = 2;
  uint64_t Dual = cyclesOf(Code, M);
  EXPECT_NEAR(double(Single), 200, 4);
  EXPECT_NEAR(double(Dual), 100, 4);
}

TEST(Issue, ExpandedInstructionsTakeTheirSlots) {
  CodeBuilder Code;
  for (unsigned I = 0; I < 20; ++I)
    Code.add(HEDDLE_OP_MUL, {uint16_t(I + 1)}, {}).Issued = 4;
  arch::GPUSpec M = smallMachine();
  SyntheticSource Source(Code.Table, 1, 32);
  SimulationResult R = run(Source, M);
  EXPECT_EQ(R.WarpInstructions, 20u);
  EXPECT_EQ(R.IssuedInstructions, 80u);
  EXPECT_NEAR(double(R.Cycles), 80, 4);
  M.SM.ExpandInstructions = false;
  EXPECT_NEAR(double(run(Source, M).Cycles), 20, 4);
}

TEST(Issue, FetchWidthLimitsTheWholeSM) {
  CodeBuilder Code;
  for (unsigned I = 0; I < 200; ++I)
    Code.add(HEDDLE_OP_ADD, {uint16_t(I + 1)}, {});
  arch::GPUSpec M = smallMachine();
  M.SM.Schedulers = 4;
  SyntheticSource Source(Code.Table, 1, 32 * 32);
  EXPECT_NEAR(double(run(Source, M).Cycles), 32 * 200 / 4, 40);
  M.FrontEnd.FetchWidth = 1;
  M.FrontEnd.FetchInsts = M.FrontEnd.BufferInsts = 2;
  EXPECT_NEAR(double(run(Source, M).Cycles), 32 * 200 / 2, 40);
}

namespace {
/// The order in which warps issue.
struct IssueOrder : TimingListener {
  std::vector<unsigned> Warps;
  void onEvents(std::span<const Event> Events) override {
    for (const Event &E : Events)
      if (E.Kind == EventKind::Issue)
        Warps.push_back(E.Warp);
  }
};
} // namespace

static std::vector<unsigned> issueOrder(arch::SchedulerPolicy Policy,
                                        unsigned Active = 0) {
  CodeBuilder Code;
  for (unsigned I = 0; I < 4; ++I)
    Code.add(HEDDLE_OP_ADD, {uint16_t(I + 1)}, {});
  arch::GPUSpec M = smallMachine();
  M.SM.Scheduler = Policy;
  M.SM.TwoLevelActive = Active;
  SyntheticSource Source(Code.Table, 1, 96);
  IssueOrder Order;
  SimulationOptions Options;
  Options.Listener = &Order;
  run(Source, M, Options);
  return Order.Warps;
}

TEST(Issue, RoundRobinTakesTurns) {
  EXPECT_EQ(issueOrder(arch::SchedulerPolicy::LooseRoundRobin),
            (std::vector<unsigned>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(Issue, GreedyStaysWithAWarp) {
  EXPECT_EQ(issueOrder(arch::SchedulerPolicy::GreedyThenOldest),
            (std::vector<unsigned>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(Issue, GreedyGoesToTheYoungest) {
  EXPECT_EQ(issueOrder(arch::SchedulerPolicy::GreedyThenYoungest),
            (std::vector<unsigned>{2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0}));
}

TEST(Issue, TwoLevelStaysInTheActiveSet) {
  EXPECT_EQ(issueOrder(arch::SchedulerPolicy::TwoLevel, 2),
            (std::vector<unsigned>{0, 1, 0, 1, 0, 1, 0, 1, 2, 2, 2, 2}));
}
