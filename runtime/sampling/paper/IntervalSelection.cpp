//===- IntervalSelection.cpp - Which intervals stand for all --------------===//

#include "sampling/paper/IntervalSelection.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace heddle::sampling {

std::map<size_t, double> IntervalSelection::launchWeights() const {
  double Instructions = 0;
  for (const LaunchInterval &I : Intervals)
    Instructions += double(I.Instructions);
  std::map<size_t, double> Weights;
  for (const SelectedInterval &S : Selected) {
    const LaunchInterval &I = Intervals[S.Index];
    for (size_t L = I.First; L < I.End; ++L)
      Weights[L] =
          I.Instructions ? S.Ratio * Instructions / double(I.Instructions) : 0;
  }
  return Weights;
}

double
IntervalSelection::project(const std::vector<double> &CyclesOfLaunch) const {
  double Cycles = 0;
  for (auto [Launch, Weight] : launchWeights())
    Cycles += Weight * CyclesOfLaunch[Launch];
  return Cycles;
}

std::vector<double> IntervalSelection::cyclesOfIntervals(
    const std::vector<double> &CyclesOfLaunch) const {
  std::vector<double> Cycles;
  for (const LaunchInterval &I : Intervals)
    Cycles.push_back(std::accumulate(CyclesOfLaunch.begin() + I.First,
                                     CyclesOfLaunch.begin() + I.End, 0.0));
  return Cycles;
}

std::vector<double> IntervalSelection::expectedCycles(
    const std::vector<double> &CyclesOfLaunch) const {
  const std::vector<double> Cycles = cyclesOfIntervals(CyclesOfLaunch);
  std::vector<double> Expected;
  for (size_t I = 0; I < Intervals.size(); ++I) {
    const size_t By = StandIn[I];
    const double Work = double(Intervals[By].Instructions);
    Expected.push_back(By != I && Work > 0
                           ? Cycles[By] * double(Intervals[I].Instructions) /
                                 Work
                           : 0);
  }
  return Expected;
}

bool IntervalSelection::selects(size_t Launch) const {
  return std::ranges::any_of(Selected, [&](const SelectedInterval &S) {
    return Launch >= Intervals[S.Index].First &&
           Launch < Intervals[S.Index].End;
  });
}

IntervalSelection selectIntervals(const ApplicationProfile &Profile,
                                  IntervalKind Kind, Feature F, uint64_t Target,
                                  const SelectionOptions &Options) {
  IntervalSelection S;
  S.Kind = Kind;
  S.Feature = F;
  S.Intervals = cutIntervals(Profile, Kind, Target);
  const Points Vectors = featureVectors(Profile, S.Intervals, F);
  std::vector<double> Weights;
  double Total = 0;
  for (const LaunchInterval &I : S.Intervals) {
    // An empty interval has no weight, but k-means needs a positive one.
    Weights.push_back(std::max<double>(1, double(I.Instructions)));
    Total += double(I.Instructions);
  }
  if (S.Intervals.empty() || Total == 0)
    return S;
  const Clustering C = clusterByBIC(Vectors, Weights, Options);
  std::vector<double> Ratio(C.Centres.size(), 0);
  for (size_t I = 0; I < S.Intervals.size(); ++I)
    Ratio[C.Of[I]] += double(S.Intervals[I].Instructions) / Total;
  const std::vector<size_t> Chosen = representatives(Vectors, C);
  for (size_t K = 0; K < Chosen.size(); ++K) {
    S.Selected.push_back({Chosen[K], Ratio[K]});
    S.SampleFraction += double(S.Intervals[Chosen[K]].Instructions) / Total;
  }
  for (size_t I = 0; I < S.Intervals.size(); ++I)
    S.StandIn.push_back(Chosen[C.Of[I]]);
  std::ranges::sort(S.Selected, {}, &SelectedInterval::Index);
  return S;
}

std::vector<IntervalSelection> selectAll(const ApplicationProfile &Profile,
                                         uint64_t Target,
                                         const SelectionOptions &Options) {
  std::vector<IntervalSelection> All;
  for (IntervalKind Kind : AllIntervalKinds)
    for (Feature F : AllFeatures)
      All.push_back(selectIntervals(Profile, Kind, F, Target, Options));
  return All;
}

SimPointFiles exportSimPoint(const ApplicationProfile &Profile,
                             const IntervalSelection &Selection) {
  SimPointFiles Files;
  const Points Vectors =
      featureVectors(Profile, Selection.Intervals, Selection.Feature);
  for (size_t I = 0; I < Vectors.size(); ++I) {
    Files.Vectors += "T";
    for (size_t D = 0; D < Vectors[I].size(); ++D)
      if (double Count =
              Vectors[I][D] * double(Selection.Intervals[I].Instructions);
          Count >= 0.5)
        Files.Vectors += fmt::format(":{}:{} ", D + 1, std::llround(Count));
    Files.Vectors += "\n";
  }
  for (size_t K = 0; K < Selection.Selected.size(); ++K) {
    const SelectedInterval &S = Selection.Selected[K];
    Files.SimPoints += fmt::format("{} {}\n", S.Index, K);
    Files.Weights += fmt::format("{:.6f} {}\n", S.Ratio, K);
  }
  return Files;
}

} // namespace heddle::sampling
