//===- SamplingResult.cpp - What was simulated and what it projects -------===//

#include "sampling/SamplingResult.h"

#include <cmath>

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

void project(SamplingResult &Result) {
  Result.Cycles = 0;
  Result.Simulated = 0;
  for (const SampledLaunch &L : Result.Sampled) {
    Result.Simulated += L.Simulated;
    Result.Cycles += L.Cycles * L.Weight;
  }
}

} // namespace heddle::sampling
