//===- IntervalSelection.h - Which intervals stand for all ------*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_INTERVALSELECTION_H
#define HEDDLE_SAMPLING_INTERVALSELECTION_H

#include "sampling/paper/IntervalFeatures.h"
#include "sampling/paper/KMeans.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::sampling {

struct SelectedInterval {
  size_t Index = 0; ///< in Intervals
  double Ratio = 0; ///< share of all instructions that it stands for
};

/// SimPoint's choice for one way to cut and one feature: at most ten intervals,
/// each the nearest to its cluster's centre, weighted by instructions
/// (intervals differ in length).
struct IntervalSelection {
  IntervalKind Kind = IntervalKind::Kernel;
  sampling::Feature Feature = sampling::Feature::BB;
  std::vector<LaunchInterval> Intervals;
  std::vector<SelectedInterval> Selected; ///< ascending
  /// By interval: the selected one that stands for it, an index of Intervals.
  std::vector<size_t> StandIn;
  double SampleFraction = 0; ///< of the warp instructions

  /// For each launch of a selected interval, the cycles of the application that
  /// one of its cycles stands for: ratio times all instructions over the
  /// interval's.
  std::map<size_t, double> launchWeights() const;
  /// Sum of the launches' cycles times their weights.
  /// \p CyclesOfLaunch: of the launches in selected intervals at least.
  double project(const std::vector<double> &CyclesOfLaunch) const;
  bool selects(size_t Launch) const;
  /// Sums over the launches of each interval.
  std::vector<double>
  cyclesOfIntervals(const std::vector<double> &CyclesOfLaunch) const;
  /// Cycles that each interval takes by the cycles per instruction of the one
  /// that stands for it; 0 for those that were selected.
  /// \p CyclesOfLaunch: of the launches in selected intervals at least.
  std::vector<double>
  expectedCycles(const std::vector<double> &CyclesOfLaunch) const;
};

IntervalSelection selectIntervals(const ApplicationProfile &Profile,
                                  IntervalKind Kind, Feature F, uint64_t Target,
                                  const SelectionOptions &Options = {});

/// All 30 combinations.
std::vector<IntervalSelection> selectAll(const ApplicationProfile &Profile,
                                         uint64_t Target,
                                         const SelectionOptions &Options = {});

/// The files of SimPoint 3.0 for one selection: frequency vectors (.bb),
/// chosen intervals (.simpoints) and their weights (.weights).
struct SimPointFiles {
  std::string Vectors, SimPoints, Weights;
};
SimPointFiles exportSimPoint(const ApplicationProfile &Profile,
                             const IntervalSelection &Selection);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_INTERVALSELECTION_H
