//===- ResultCheckTest.cpp - A result that breaks a condition is none -----===//

#include "timing/ResultCheck.h"

#include "SyntheticLaunch.h"

#include <functional>
#include <stdexcept>

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

namespace {

struct Finished {
  SimulationResult R;
  CheckedCounters C;
  arch::GPUSpec Spec = smallMachine();
};

/// What checkResult says of a sound result after \p Damage.
std::string complaint(const std::function<void(Finished &)> &Damage) {
  CodeBuilder Code;
  Code.chain(100);
  Finished F;
  SyntheticSource Source(Code.Table, 4, 64);
  F.R = run(Source, F.Spec);
  F.C.TraceInstructions = F.R.WarpInstructions;
  F.C.ResidentWarpCycles = F.R.WarpCycles;
  F.C.IssuedBySM = {F.R.IssuedInstructions};
  Damage(F);
  try {
    checkResult(F.R, F.C, F.Spec);
  } catch (const std::logic_error &E) {
    return E.what();
  }
  return "";
}

bool names(const std::string &Complaint, const char *What) {
  return Complaint.find(What) != std::string::npos;
}

} // namespace

TEST(ResultCheck, ASoundResultPasses) {
  EXPECT_EQ(complaint([](Finished &) {}), "");
}

TEST(ResultCheck, InstructionsAreTheTraces) {
  EXPECT_TRUE(names(complaint([](Finished &F) { --F.R.WarpInstructions; }),
                    "but the trace holds 800"));
  // A part of them, where the simulation was cut short; never more.
  EXPECT_EQ(complaint([](Finished &F) {
              F.R.Truncated = true;
              F.R.WarpInstructions = 7;
            }),
            "");
  EXPECT_TRUE(names(complaint([](Finished &F) {
                      F.R.Truncated = true;
                      ++F.R.WarpInstructions;
                    }),
                    "warp instructions"));
}

TEST(ResultCheck, EachCycleOfAWarpIsBookedOnce) {
  EXPECT_TRUE(names(complaint([](Finished &F) { ++F.R.WarpCycles; }),
                    "warp-cycles are booked"));
}

TEST(ResultCheck, SchedulersIssueNoMoreThanTheyCan) {
  EXPECT_TRUE(names(complaint([](Finished &F) {
                      F.C.IssuedBySM[0] = F.Spec.SM.Schedulers *
                                              F.Spec.SM.MaxIssue *
                                              F.R.SMs[0].IssueCycles +
                                          1;
                    }),
                    "instructions issued by an SM"));
}

TEST(ResultCheck, NoLevelMovesMoreThanItCan) {
  EXPECT_TRUE(names(complaint([](Finished &F) { F.R.L1.Accesses = 1u << 30; }),
                    "accesses to L1"));
  EXPECT_TRUE(
      names(complaint([](Finished &F) { F.C.Memory.L2BusyCycles = 1u << 30; }),
            "busy cycles of L2 slices"));
  EXPECT_TRUE(names(complaint([](Finished &F) {
                      F.C.Memory.DRAMEnd = 1000;
                      F.C.Memory.DRAMWriteBytes = 1u << 30;
                    }),
                    "bytes to and from DRAM"));
}

TEST(ResultCheck, BlocksStartNoFasterThanTheDispatcherCan) {
  auto Complaint = [](double Longer) {
    return complaint([Longer](Finished &F) {
      F.Spec.Launch.BlocksPerCycle = 3 / (double(F.R.Cycles) + Longer);
    });
  };
  EXPECT_EQ(Complaint(0), "");
  EXPECT_TRUE(names(Complaint(1), "to the last one's"));
}

TEST(ResultCheck, EstimatesKeepToTheDispatcher) {
  const arch::GPUSpec Spec = smallMachine();
  EstimateFigures E{"interval", "k", 1, 1, 0, 1, 0, 100, 100};
  EXPECT_NO_THROW(checkEstimate(E, Spec));
  E.DispatchCycles = 102;
  EXPECT_THROW(checkEstimate(E, Spec), std::logic_error);
}

namespace {
/// Sums of events, as the samples of the result hold them.
struct EventSums : TimingListener {
  explicit EventSums(size_t Insts) : Samples(Insts) {}
  std::vector<InstSample> Samples;

  void onEvents(std::span<const Event> Events) override {
    for (const Event &E : Events) {
      StallCycles &Cycles = Samples[E.Inst].Cycles;
      if (E.Kind == EventKind::Issue)
        ++Cycles[unsigned(Stall::Selected)];
      else if (E.Kind == EventKind::StallInterval)
        Cycles[unsigned(E.Reason)] += E.Duration;
    }
  }
};
} // namespace

/// docs/Rationale/SamplesAndEvents.md
TEST(ResultCheck, SamplesAreSumsOfEvents) {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
  Code.add(HEDDLE_OP_SFU, {2}, {1});
  Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_SHARED, {}, {2});
  Code.add(HEDDLE_OP_BARRIER, {}, {});
  Code.chain(5).memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_SHARED, {3}, {1});
  Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_GLOBAL, {}, {3});
  SyntheticSource Source(
      Code.Table, 12, 128,
      [](trace::WarpEncoder &E, uint64_t Block, unsigned Warp) {
        E.block(0, ~0u);
        const uint64_t Own = Block * 4 + Warp;
        E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u, lanes(Own * 128, 4).data());
        E.memory(1, HEDDLE_SPACE_SHARED, ~0u, lanes(Warp * 128, 8).data());
        E.memory(2, HEDDLE_SPACE_SHARED, ~0u, lanes(Warp * 128, 4).data());
        E.memory(3, HEDDLE_SPACE_GLOBAL, ~0u,
                 lanes(65536 + Own * 4096, 128).data());
      });
  EventSums Sums(Code.Table.Insts.size());
  SimulationOptions Options;
  Options.Listener = &Sums;
  const SimulationResult R = run(Source, smallMachine(), Options);
  ASSERT_EQ(R.Insts.size(), Sums.Samples.size());
  EXPECT_GT(stalled(R, Stall::LongScoreboard), 0u);
  EXPECT_GT(stalled(R, Stall::Barrier), 0u);
  for (size_t I = 0; I != R.Insts.size(); ++I)
    EXPECT_EQ(R.Insts[I].Cycles, Sums.Samples[I].Cycles) << "instruction " << I;
}
