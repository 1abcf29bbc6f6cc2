//===- SampleIntervals.cpp - Intervals and features -----------------------===//

#include "SampleMethods.h"
#include "TextOutput.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace heddle::tool {

/// Sorts the combination that the options ask for to the front.
void SampleRun::chooseCombination(
    std::vector<sampling::IntervalSelection> &All) {
  auto Error = [&](const sampling::IntervalSelection &S) {
    return *Result.errorOf(S.project(FullCycles));
  };
  // Among errors that differ by less than 0.1 % the smallest selection; one of
  // everything, which is always right, only if there is no other.
  auto Best = std::ranges::min_element(
      All, {}, [&](const sampling::IntervalSelection &S) {
        return std::tuple(S.Selected.size() == S.Intervals.size(),
                          std::llround(Error(S) * 1e3), S.SampleFraction);
      });
  for (auto S = All.begin(); Options.Threshold > 0 && S != All.end(); ++S)
    if (Error(*S) < Options.Threshold &&
        (Error(*Best) >= Options.Threshold ||
         S->SampleFraction < Best->SampleFraction))
      Best = S;
  for (auto S = All.begin(); S != All.end(); ++S)
    Result.Combinations.push_back(
        {std::string(nameOf(S->Kind)), std::string(nameOf(S->Feature)),
         S->Intervals.size(), S->Selected.size(), S->project(FullCycles),
         S->SampleFraction, S == Best});
  std::swap(All.front(), *Best);
}

void SampleRun::exportSelection(
    const sampling::IntervalSelection &Selection) const {
  if (Options.ExportPrefix.empty())
    return;
  const sampling::SimPointFiles Files =
      sampling::exportSimPoint(Profile, Selection);
  for (auto [Extension, Text] : {std::pair(".bb", &Files.Vectors),
                                 std::pair(".simpoints", &Files.SimPoints),
                                 std::pair(".weights", &Files.Weights)}) {
    TextOutput Out = take(TextOutput::create(Options.ExportPrefix + Extension));
    take(Out.write(*Text));
    take(Out.finish());
  }
}

void SampleRun::judgeCombinations(
    std::vector<sampling::IntervalSelection> &All) {
  runFull();
  sampling::SelectionOptions Selection;
  Selection.Seed = Options.Seed;
  All = sampling::selectAll(Profile, Options.IntervalInstructions, Selection);
  chooseCombination(All);
  for (size_t I = 0; I < Measured.size(); ++I)
    Measured[I].Cycles = FullCycles[I];
  Result.Simulated = uint64_t(
      std::llround(All.front().SampleFraction * double(Result.Instructions)));
}

/// As the options say, or by the coarsest kind of interval that saves anything:
/// of an application with two synchronisation calls both intervals would be
/// selected.
sampling::IntervalSelection SampleRun::selectIntervals() const {
  constexpr double Worthwhile = 0.5;
  sampling::SelectionOptions Selection;
  Selection.Seed = Options.Seed;
  for (sampling::IntervalKind Kind : sampling::AllIntervalKinds) {
    if (Options.Interval && Kind != *Options.Interval)
      continue;
    sampling::IntervalSelection S =
        sampling::selectIntervals(Profile, Kind, Options.Feature,
                                  Options.IntervalInstructions, Selection);
    if (S.SampleFraction <= Worthwhile || Options.Interval ||
        Kind == sampling::AllIntervalKinds.back())
      return S;
  }
  return {};
}

void SampleRun::runIntervals() {
  if (Result.Instructions == 0)
    throw CommandError{"the application executes no instruction"};
  std::vector<sampling::IntervalSelection> All;
  if (Options.Compare) {
    judgeCombinations(All);
  } else {
    All = {selectIntervals()};
    std::vector<size_t> Selected;
    for (size_t I = 0; I < Profile.Launches.size(); ++I)
      if (All.front().selects(I))
        Selected.push_back(I);
    simulateLaunches(Selected);
  }
  const sampling::IntervalSelection &Chosen = All.front();
  exportSelection(Chosen);
  exportLaunches(Chosen.launchWeights());
  Result.Method = fmt::format("intervals, {}, {}", nameOf(Chosen.Kind),
                              nameOf(Chosen.Feature));
  Result.Cycles = Chosen.project(measuredCycles());
  Result.Units = Chosen.Intervals.size();
  Result.ChosenUnits = Chosen.Selected.size();
  if (!Options.Compare && Options.CheckLaunches)
    checkIntervals(Chosen);
}

/// Simulates some of the intervals that others stand for.
void SampleRun::checkIntervals(const sampling::IntervalSelection &Selection) {
  const sampling::CheckSample Check(Selection.expectedCycles(measuredCycles()),
                                    Options.CheckLaunches, Options.Seed);
  std::vector<size_t> Launches;
  for (size_t Index : Check.launches())
    for (size_t L = Selection.Intervals[Index].First;
         L < Selection.Intervals[Index].End; ++L)
      Launches.push_back(L);
  simulateChecks(Launches);
  const std::vector<double> Cycles =
      Selection.cyclesOfIntervals(measuredCycles());
  setConfidence(Check.error(Cycles), 0);
  for (const sampling::CheckedLaunch &I : Check.checked(Cycles))
    if (std::abs(I.error()) > LooseError)
      Result.Warnings.push_back(fmt::format(
          "interval {} (from launch {} on) takes {:.0f} % {} cycles than "
          "expected from the interval that stands for it",
          I.Launch, Selection.Intervals[I.Launch].First,
          100 * std::abs(I.error()), I.error() > 0 ? "more" : "fewer"));
}

} // namespace heddle::tool
