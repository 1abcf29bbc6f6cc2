//===- IntervalFeatures.cpp - Intervals of an application -----------------===//

#include "sampling/paper/IntervalFeatures.h"

#include <fmt/format.h>

#include <map>
#include <string>

namespace heddle::sampling {

std::string_view nameOf(IntervalKind Kind) {
  static constexpr std::array<std::string_view, 3> Names = {
      "sync", "instructions", "kernel"};
  return Names[size_t(Kind)];
}

std::string_view nameOf(Feature F) {
  static constexpr std::array<std::string_view, 10> Names = {
      "KN", "KN-ARGS", "KN-GWS", "KN-ARGS-GWS", "KN-RW",
      "BB", "BB-R",    "BB-W",   "BB-R-W",      "BB-(R+W)"};
  return Names[size_t(F)];
}

std::vector<LaunchInterval> cutIntervals(const ApplicationProfile &Profile,
                                         IntervalKind Kind, uint64_t Target) {
  std::vector<LaunchInterval> Intervals;
  uint64_t Instructions = 0; // thread instructions of the last interval
  for (size_t L = 0; L < Profile.Launches.size(); ++L) {
    const LaunchProfile &Launch = Profile.Launches[L];
    bool Cut = Kind == IntervalKind::Kernel ||
               (Kind == IntervalKind::Sync && Launch.AfterSync) ||
               (Kind == IntervalKind::Instructions && Instructions >= Target);
    if (Intervals.empty() || Cut) {
      Intervals.push_back({L, L, 0});
      Instructions = 0;
    }
    const BlockWork Work = Launch.total();
    Intervals.back().End = L + 1;
    Intervals.back().Instructions += Work.WarpInstructions;
    Instructions += Work.ThreadInstructions;
  }
  return Intervals;
}

namespace {
/// Numbers the dimensions of a feature and sums up one launch after the other.
class FeatureCounter {
public:
  explicit FeatureCounter(Feature F) : F(F) {}

  using Vector = std::map<size_t, double>;
  void add(const LaunchProfile &L, Vector &Out) {
    if (F <= Feature::KNRW)
      addKernel(L, Out);
    else
      addBlocks(L, Out);
  }
  size_t size() const { return Dimensions.size(); }

private:
  void count(const std::string &Key, double Count, Vector &Out) {
    if (Count > 0)
      Out[Dimensions.try_emplace(Key, Dimensions.size()).first->second] +=
          Count;
  }

  void addKernel(const LaunchProfile &L, Vector &Out) {
    std::string Key = L.Kernel;
    if (F == Feature::KNArgs || F == Feature::KNArgsGws)
      Key += "(" + L.Arguments + ")";
    if (F == Feature::KNGws || F == Feature::KNArgsGws)
      Key += fmt::format("[{}, {}, {}]", uint64_t(L.Grid.X) * L.Block.X,
                         uint64_t(L.Grid.Y) * L.Block.Y,
                         uint64_t(L.Grid.Z) * L.Block.Z);
    count(Key, double(L.total().WarpInstructions), Out);
    if (F != Feature::KNRW)
      return;
    for (size_t B = 0; B < L.BasicBlocks.size(); ++B) {
      count(L.Kernel + " R", double(L.BytesRead[B]), Out);
      count(L.Kernel + " W", double(L.BytesWritten[B]), Out);
    }
  }

  void addBlocks(const LaunchProfile &L, Vector &Out) {
    const bool Reads = F == Feature::BBR || F == Feature::BBRW;
    const bool Writes = F == Feature::BBW || F == Feature::BBRW;
    for (size_t B = 0; B < L.BasicBlocks.size(); ++B) {
      const std::string Key = fmt::format("{} {}", L.Kernel, B);
      const double Read = double(L.BytesRead[B]);
      const double Written = double(L.BytesWritten[B]);
      count(Key, double(L.BasicBlocks[B]), Out);
      if (Reads)
        count(Key + " R", Read, Out);
      if (Writes)
        count(Key + " W", Written, Out);
      if (F == Feature::BBRPlusW)
        count(Key + " RW", Read + Written, Out);
    }
  }

  Feature F;
  std::map<std::string, size_t> Dimensions;
};
} // namespace

Points featureVectors(const ApplicationProfile &Profile,
                      const std::vector<LaunchInterval> &Intervals, Feature F) {
  FeatureCounter Counter(F);
  std::vector<FeatureCounter::Vector> Sparse(Intervals.size());
  for (size_t I = 0; I < Intervals.size(); ++I)
    for (size_t L = Intervals[I].First; L < Intervals[I].End; ++L)
      Counter.add(Profile.Launches[L], Sparse[I]);
  Points Result;
  for (const FeatureCounter::Vector &V : Sparse) {
    double Sum = 0;
    for (auto [Dimension, Count] : V)
      Sum += Count;
    std::vector<double> Dense(Counter.size(), 0);
    for (auto [Dimension, Count] : V)
      Dense[Dimension] = Count / Sum;
    Result.push_back(std::move(Dense));
  }
  return Result;
}

} // namespace heddle::sampling
