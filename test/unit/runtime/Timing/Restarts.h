//===- Restarts.h - Simulations in several parts ----------------*- C++ -*-===//

#ifndef HEDDLE_TEST_RESTARTS_H
#define HEDDLE_TEST_RESTARTS_H

#include "timing/SavedState.h"
#include "timing/Simulator.h"
#include "views/SimulationReport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace heddle::timing::test {

/// Holds the last state in memory.
struct HeldState : StateKeeper {
  std::span<const uint8_t> kept() override { return State; }
  bool wants() override { return false; }
  void keep(Cycle, std::vector<uint8_t> New) override {
    State = std::move(New);
    ++Kept;
  }

  std::vector<uint8_t> State;
  unsigned Kept = 0;
};

/// Simulates until cycle \p End, from the state in \p Held, and keeps the new
/// one there.
inline Result<SimulationResult> simulateUntil(trace::TraceSource &Source,
                                              const arch::GPUSpec &Spec,
                                              Cycle End, HeldState &Held,
                                              unsigned Threads = 1) {
  SimulationOptions O;
  O.Threads = Threads;
  O.States = &Held;
  O.OnProgress = [End](const SimulationProgress &P) { return P.Now < End; };
  return simulate(Source, Spec, O);
}

/// All that is reported of \p R.
inline std::string reportOf(const SimulationResult &R,
                            const trace::TraceSource &Source) {
  views::ReportOptions Views;
  Views.Code = &Source.code();
  Views.Source = Views.Instructions = Views.Bottlenecks = true;
  const views::SourceText None = [](const std::string &, uint32_t) {
    return std::string();
  };
  return views::reportText(R, None, Views) +
         views::reportJSON(R, None, "test", Views).dump(1);
}

/// Expects that a simulation in about \p Parts parts, each of which is all new
/// and has another number of host threads, gives the result of one in one part.
inline void expectSameInParts(trace::TraceSource &Source,
                              const arch::GPUSpec &Spec, unsigned Parts) {
  const Result<SimulationResult> Whole = simulate(Source, Spec);
  ASSERT_TRUE(Whole.has_value()) << Whole.error().Message;
  const Cycle Each = std::max<Cycle>(1, Whole->Cycles / Parts);
  HeldState Held;
  for (Cycle End = Each;; End += Each) {
    const Result<SimulationResult> Part =
        simulateUntil(Source, Spec, End, Held, 1 + unsigned(End / Each % 2));
    ASSERT_TRUE(Part.has_value()) << Part.error().Message;
    if (Part->Truncated)
      continue;
    EXPECT_EQ(reportOf(*Part, Source), reportOf(*Whole, Source)) << Spec.Name;
    break;
  }
  EXPECT_GE(Held.Kept, Parts / 2) << Spec.Name;
}

} // namespace heddle::timing::test

#endif // HEDDLE_TEST_RESTARTS_H
