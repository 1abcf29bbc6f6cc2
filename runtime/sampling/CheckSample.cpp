//===- CheckSample.cpp - How far off a projection is ----------------------===//

#include "sampling/CheckSample.h"

#include "sampling/RandomNumbers.h"
#include "sampling/StratifiedSampling.h"

#include <algorithm>
#include <cmath>

namespace heddle::sampling {

CheckSample::CheckSample(const std::vector<double> &Expected, unsigned Most,
                         uint64_t Seed)
    : Expected(Expected) {
  for (double E : Expected) {
    Total += E;
    Candidates += E > 0;
  }
  const size_t Count =
      std::min<size_t>(Most, std::max<size_t>(3, Candidates / 4));
  if (Candidates <= Count) {
    for (size_t I = 0; I < Expected.size(); ++I)
      if (Expected[I] > 0)
        Hits[I] = 1;
    return;
  }
  if (Count == 0)
    return;
  const double Step = Total / double(Count);
  double Next = RandomNumbers(Seed).uniform() * Step, Until = 0;
  for (size_t I = 0; I < Expected.size(); ++I) {
    Until += Expected[I];
    for (; Next < Until; Next += Step)
      ++Hits[I];
  }
}

std::vector<size_t> CheckSample::launches() const {
  std::vector<size_t> Out;
  for (const auto &[Launch, Count] : Hits)
    Out.push_back(Launch);
  return Out;
}

std::vector<CheckedLaunch>
CheckSample::checked(const std::vector<double> &Cycles) const {
  std::vector<CheckedLaunch> Out;
  for (const auto &[Launch, Count] : Hits)
    Out.push_back({Launch, Expected[Launch], Cycles[Launch]});
  return Out;
}

CheckSample::Error CheckSample::error(const std::vector<double> &Cycles) const {
  const std::vector<CheckedLaunch> Checked = checked(Cycles);
  Error E;
  if (Hits.size() == Candidates) { // all of them: nothing is left to estimate
    for (const CheckedLaunch &C : Checked) {
      E.Missing += C.Cycles - C.Expected;
      E.Spread += Total > 0 ? std::abs(C.Cycles - C.Expected) / Total : 0;
    }
    return E;
  }
  double Count = 0, Mean = 0, Squares = 0;
  for (const CheckedLaunch &C : Checked) {
    Count += Hits.at(C.Launch);
    Mean += Hits.at(C.Launch) * C.error();
    E.Spread += Hits.at(C.Launch) * std::abs(C.error());
  }
  Mean /= Count;
  E.Spread /= Count;
  for (const CheckedLaunch &C : Checked)
    Squares += Hits.at(C.Launch) * std::pow(C.error() - Mean, 2);
  // As in StratifiedSample, one more observation: launches that happen to take
  // what was expected do not make the projection certain.
  const double Prior = StratifiedSample::Options().PriorDeviation;
  const double Variance = (Squares + Prior * Prior) / Count;
  E.Missing = Mean * Total;
  E.HalfWidth = studentQuantile(0.95, std::max(1.0, Count - 1)) *
                std::sqrt(Variance / Count) * Total;
  return E;
}

} // namespace heddle::sampling
