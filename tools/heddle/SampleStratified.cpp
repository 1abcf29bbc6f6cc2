//===- SampleStratified.cpp - Projections with a known error --------------===//

#include "SampleMethods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::tool {

sampling::StratifiedSample SampleRun::stratify(uint64_t Seed) const {
  sampling::StratifiedSample::Options Given;
  Given.L2Kept = Result.L2Kept;
  Given.Seed = Seed;
  return sampling::StratifiedSample(Profile, Spec, Given);
}

/// The cycles of one launch: of a large one, by simulating each region of its
/// thread blocks in part.
sampling::MeasuredLaunch SampleRun::measure(size_t Index, Session &S) {
  // One that is small beside the application is not worth the error.
  constexpr double LargeShare = 0.02;
  const uint64_t Instructions = instructionsOf(Index);
  const bool InPart =
      Options.Method != SamplingMethod::Intervals && !Options.NoIntraLaunch &&
      double(Instructions) > LargeShare * double(Result.Instructions);
  noteLevel(S);
  if (!InPart) {
    Result.Simulated += Instructions;
    return {double(take(Simulator->simulate(S)).Cycles), 0};
  }
  sampling::SampledLaunch L;
  sampleBlocks(S, Profile.Launches[Index],
               *take(S.makeTraceSource(Simulator->level())), L);
  Result.Simulated += L.Simulated;
  return {L.Cycles, L.skippedCycles() * Options.Region.StandardError};
}

void SampleRun::runStratified() {
  if (Options.Compare)
    runFull();
  // Blocks that are left out may take up half of the error.
  Options.Region.StandardError =
      std::min(Options.Region.StandardError, Options.TargetError / 4);
  sampling::StratifiedSample Sample = stratify(Options.Seed);
  simulateLaunches(Sample.launches());
  while (Sample.extend(Measured, Options.TargetError))
    simulateLaunches(Sample.launches());
  const sampling::ConfidentProjection P = Sample.project(Measured);
  Result.Method = fmt::format("stratified, {:g} %", 100 * Options.TargetError);
  Result.Cycles = P.Cycles;
  Result.Confidence = {P.Low, P.High};
  Result.Units = Profile.Launches.size();
  Result.ChosenUnits = Sample.launches().size();
  Result.Strata = Sample.summary(Measured);
  warnOfWideInterval();
  if (Options.Compare)
    countCoverage();
}

/// Projections with other seeds, judged by the full simulation.
void SampleRun::countCoverage() {
  std::vector<sampling::MeasuredLaunch> Whole;
  for (double Cycles : FullCycles)
    Whole.push_back({Cycles, 0});
  sampling::Coverage C;
  C.Projections = Options.Trials;
  for (uint64_t Seed = 1; Seed <= Options.Trials; ++Seed) {
    sampling::StratifiedSample Trial = stratify(Seed);
    while (Trial.extend(Whole, Options.TargetError))
      ;
    C.Contained += Trial.project(Whole).contains(double(*Result.FullCycles));
  }
  Result.IntervalCoverage = C;
}

void SampleRun::simulateChecks(const std::vector<size_t> &Wanted) {
  const uint64_t Before = Result.Simulated;
  simulateLaunches(Wanted);
  Result.Checked = Result.Simulated - Before;
}

/// From the projection to what was missing in the launches that were checked.
/// \p InLaunches: standard deviation by the blocks that were left out.
void SampleRun::setConfidence(const sampling::CheckSample::Error &Error,
                              double InLaunches) {
  const double Half = std::hypot(Error.HalfWidth, 1.96 * InLaunches) + 0.5;
  Result.Confidence = {Result.Cycles + std::min(0.0, Error.Missing) - Half,
                       Result.Cycles + std::max(0.0, Error.Missing) + Half};
  warnOfWideInterval();
}

void SampleRun::warnOfWideInterval() {
  const auto [Low, High] = *Result.Confidence;
  const double Width =
      std::max(High - Result.Cycles, Result.Cycles - Low) / Result.Cycles;
  if (Width > Options.TargetError * 1.01 + 1 / Result.Cycles)
    Result.Warnings.push_back(fmt::format(
        "the projection may be {:.1f} % off, more than --target-error {:g}{}",
        100 * Width, Options.TargetError,
        Options.Method == SamplingMethod::Stratified
            ? ""
            : "; --method stratified simulates until it is known"));
}

} // namespace heddle::tool
