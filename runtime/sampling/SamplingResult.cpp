//===- SamplingResult.cpp - What was simulated and what it projects -------===//

#include "sampling/SamplingResult.h"

#include <cmath>
#include <map>

namespace heddle::sampling {

double SampledLaunch::skippedCycles() const {
  double Cycles = 0;
  for (const SkippedRegion &R : Skipped)
    if (R.IPC > 0)
      Cycles += double(R.WarpInstructions) / R.IPC;
  return Cycles;
}

std::pair<double, double> projectClones(const std::vector<ClonePoint> &Clones,
                                        double Instructions) {
  const auto Through = [&](const ClonePoint &A, const ClonePoint &B) {
    return B.Instructions > A.Instructions && B.Cycles > A.Cycles
               ? B.Cycles + (B.Cycles - A.Cycles) /
                                (B.Instructions - A.Instructions) *
                                (Instructions - B.Instructions)
               : B.Cycles * Instructions / B.Instructions;
  };
  const size_t N = Clones.size();
  if (N == 0 || Clones.back().Instructions <= 0)
    return {0, 1};
  const ClonePoint &Last = Clones.back();
  const double Scaled = Through(Last, Last);
  if (N == 1)
    return {Scaled, 1};
  const double Cycles = Through(Clones[N - 2], Last),
               Other = N == 2 ? Scaled : Through(Clones[N - 3], Clones[N - 2]);
  return {Cycles, Cycles > 0 ? std::abs(Other - Cycles) / Cycles : 1};
}

std::optional<double> SamplingResult::errorOf(double Projected) const {
  if (!FullCycles || !*FullCycles)
    return std::nullopt;
  return std::abs(Projected - double(*FullCycles)) / double(*FullCycles);
}

Savings savingsOf(const SamplingResult &Result) {
  double Whole = 0, Cloned = 0;
  for (const SampledLaunch &L : Result.Sampled) {
    Whole += double(L.Instructions);
    Cloned +=
        double(L.CloneInstructions ? L.CloneInstructions : L.Instructions);
  }
  const double Simulated = double(Result.Simulated);
  const double Projecting = Simulated - double(Result.Checked);
  if (Whole == 0 || Projecting <= 0)
    return {};
  return {double(Result.Instructions) / Whole, Whole / Cloned,
          Cloned / Projecting, Projecting / Simulated};
}

double projectPart(const ApplicationProfile &Profile,
                   const std::vector<double> &Cycles) {
  struct Sum {
    double Cycles = 0, Instructions = 0;
  } All;
  std::map<std::string, Sum> OfKernel;
  for (size_t I = 0; I < Cycles.size(); ++I) {
    if (Cycles[I] <= 0)
      continue;
    const LaunchProfile &L = Profile.Launches[I];
    for (Sum *S : {&All, &OfKernel[L.Kernel]}) {
      S->Cycles += Cycles[I];
      S->Instructions += double(L.total().WarpInstructions);
    }
  }
  if (All.Instructions <= 0)
    return 0;
  double Whole = All.Cycles;
  for (size_t I = 0; I < Profile.Launches.size(); ++I) {
    if (I < Cycles.size() && Cycles[I] > 0)
      continue;
    const LaunchProfile &L = Profile.Launches[I];
    const auto Its = OfKernel.find(L.Kernel);
    const Sum &Like = Its == OfKernel.end() || Its->second.Instructions <= 0
                          ? All
                          : Its->second;
    Whole +=
        double(L.total().WarpInstructions) * Like.Cycles / Like.Instructions;
  }
  return Whole;
}

void project(SamplingResult &Result) {
  Result.Cycles = 0;
  Result.Simulated = 0;
  for (const SampledLaunch &L : Result.Sampled) {
    Result.Simulated += L.Simulated;
    Result.Cycles += L.Cycles * L.Weight;
  }
}

} // namespace heddle::sampling
