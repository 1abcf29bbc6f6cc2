//===- SamplingResult.h - What was simulated and what it projects -*- C++
//-*-===//

#ifndef HEDDLE_SAMPLING_SAMPLINGRESULT_H
#define HEDDLE_SAMPLING_SAMPLINGRESULT_H

#include "sampling/LaunchProfile.h"
#include "sampling/StratifiedSampling.h"
#include "sampling/paper/RegionSampler.h"
#include "sampling/paper/RegionTable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::sampling {

/// A launch that was simulated, as a whole or in part.
struct SampledLaunch {
  size_t Launch = 0; ///< index in the application
  std::string Kernel;
  std::string Range;         ///< of the program; empty: none
  uint64_t Instructions = 0; ///< warp instructions of the whole launch
  uint64_t Simulated = 0;    ///< of which were simulated
  /// Of the clones that were simulated in its place; 0: none were.
  uint64_t CloneInstructions = 0;
  double Cycles = 0; ///< simulated, and predicted for what was skipped
  /// Of its cycles, a share: what lines through its clones differ by.
  double CloneError = 0;
  uint64_t StandsFor = 1;   ///< launches, itself included
  double Weight = 1;        ///< cycles that it stands for, over its own
  uint64_t EpochBlocks = 0; ///< blocks on the whole GPU at once
  std::vector<Region> Regions;
  std::vector<SkippedRegion> Skipped;
  /// Cycles that were predicted for the blocks that were left out.
  double skippedCycles() const;
};

/// What a clone of a launch took.
struct ClonePoint {
  double Instructions = 0, Cycles = 0;
};

/// Cycles of a launch of \p Instructions from its clones, which ascend, by the
/// line through the last two, and its error, a share: how far the line through
/// the two before leads from there. With two clones it is how far scaling the
/// last one up does; with one it is the whole.
std::pair<double, double> projectClones(const std::vector<ClonePoint> &Clones,
                                        double Instructions);

/// What another method would have said about the same full simulation.
struct Baseline {
  std::string Method;
  double Cycles = 0, SampleFraction = 0;
  size_t Units = 0; ///< that it chose
};

/// One of GT-Pin's combinations, judged by the full simulation.
struct Combination {
  std::string Interval, Feature;
  size_t Intervals = 0, Selected = 0;
  double Cycles = 0, SampleFraction = 0;
  bool Chosen = false;
};

/// How many projections with other seeds have the truth in their confidence
/// interval.
struct Coverage {
  unsigned Projections = 0, Contained = 0;
};

struct SamplingResult {
  std::string Method, GPU;
  std::string Level;   ///< of the code that was simulated
  bool L2Kept = false; ///< launches find L2 as the one before left it
  /// Fields of the machine that the user set and that the model does not read.
  std::vector<std::string> Ignored;
  double CoreMHz = 0;
  uint64_t Launches = 0, Blocks = 0;
  /// Warp instructions of the application, as its profile counts them.
  uint64_t Instructions = 0;
  uint64_t Simulated = 0; ///< of which were simulated
  uint64_t Checked = 0;   ///< of which to estimate the error
  double Cycles = 0;      ///< projected, the launches one after the other
  /// How many launches had been simulated when an interrupt ended it before the
  /// method was done.
  std::optional<uint64_t> StoppedAfter;
  std::vector<SampledLaunch> Sampled; ///< empty for the baselines
  size_t Units = 0, ChosenUnits = 0;  ///< of the baselines
  std::optional<uint64_t> FullCycles; ///< of a full simulation
  /// Where the cycles are with 95 % confidence, if the method tells.
  std::optional<std::pair<double, double>> Confidence;
  std::optional<Coverage> IntervalCoverage; ///< of that interval
  std::vector<StratumSummary> Strata;       ///< of stratified sampling
  /// What the launches depend on that no source says, a note each.
  std::vector<std::string> Assumptions;
  std::vector<std::string> CodeNotes; ///< those of the level of code
  std::vector<std::string> Warnings;  ///< what makes the projection uncertain
  std::vector<Baseline> Baselines;    ///< from the units of that simulation
  std::vector<Combination> Combinations; ///< of intervals and features
  double SecondsProfile = 0, SecondsModel = 0, SecondsFull = 0; ///< CPU

  double sampleFraction() const {
    return Instructions ? double(Simulated) / double(Instructions) : 0;
  }
  /// |projected - full| / full.
  std::optional<double> error() const { return errorOf(Cycles); }
  std::optional<double> errorOf(double Projected) const;
};

/// By how much each step has made what has to be simulated smaller; the product
/// is all instructions over those simulated.
struct Savings {
  double Launches = 1, Clones = 1, Blocks = 1;
  double Checks = 1; ///< below 1: what is simulated to estimate the error
  double product() const { return Launches * Clones * Blocks * Checks; }
};
Savings savingsOf(const SamplingResult &Result);

/// Cycles of all launches of \p Profile from those that were simulated, whose
/// \p Cycles are not zero: each of the others takes as many cycles per warp
/// instruction as those of its kernel, or, if there are none, as all of them.
/// Zero if none was simulated.
double projectPart(const ApplicationProfile &Profile,
                   const std::vector<double> &Cycles);

/// Sum over the simulated launches of their cycles times their weight: for a
/// cluster the representative's cycles per instruction times the cluster's
/// instructions (TBPoint, equation 1).
void project(SamplingResult &Result);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_SAMPLINGRESULT_H
