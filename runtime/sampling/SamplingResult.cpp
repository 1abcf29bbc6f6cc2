//===- SamplingResult.cpp - What was simulated and what it projects -------===//

#include "sampling/SamplingResult.h"

#include <cmath>

namespace heddle::sampling {

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
  if (Whole == 0 || Result.Simulated == 0)
    return {};
  return {double(Result.Instructions) / Whole, Whole / Cloned,
          Cloned / double(Result.Simulated)};
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
