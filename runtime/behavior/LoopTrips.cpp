//===- LoopTrips.cpp - What is recorded of loops' trip counts -------------===//

#include "behavior/LoopTrips.h"

#include <algorithm>

namespace heddle::behavior {

void setQuantiles(const TripCounts &Counts, std::span<uint64_t> Out) {
  uint64_t Entries = 0;
  for (auto [T, N] : Counts)
    Entries += N;
  for (unsigned Q = 0; Q < Out.size() && Entries; ++Q) {
    uint64_t Rank = (Entries - 1) * Q / (Out.size() - 1), Seen = 0;
    for (auto [T, N] : Counts) {
      Seen += N;
      if (Rank < Seen) {
        Out[Q] = T;
        break;
      }
    }
  }
}

void setMeans(const TripCounts &Counts, std::span<double> Out) {
  double Entries = 0, Seen = 0;
  for (auto [T, N] : Counts)
    Entries += N;
  const double Share = Entries / Out.size();
  for (auto [T, N] : Counts) {
    double End = Seen + N;
    for (size_t I = size_t(Seen / Share); I < Out.size() && I * Share < End;
         ++I)
      Out[I] += T *
                (std::min(End, (I + 1) * Share) - std::max(Seen, I * Share)) /
                Share;
    Seen = End;
  }
}

void fitTrips(const SampleSet &Samples, Loop &L) {
  constexpr double MinExplained = 0.98;
  if (L.isConstant() && !L.TripsVaryInWarp)
    return;
  AffineFit Fit = fitAffine(Samples.samples());
  if (Fit.Explained < MinExplained || Fit.Coefficients == Keys{})
    return;
  L.TripsAffine = true;
  L.TripConstant = Fit.Constant;
  L.TripCoefficients = Fit.Coefficients;
}

void BlockTrips::add(uint64_t Block, uint32_t Least, uint32_t Most) {
  if (Block == Trips.size() && Block < MostBlocks)
    Trips.push_back(Most);
  AreAlike &=
      Least == Most && Block + 1 == Trips.size() && Trips.back() == Most;
}

std::vector<uint32_t> BlockTrips::of(Dim3 Grid) const {
  if (!AreAlike || Trips.size() != Grid.count() || Grid.X != Grid.count() ||
      std::ranges::all_of(Trips, [&](auto T) { return T == Trips.front(); }))
    return {};
  return Trips;
}

} // namespace heddle::behavior
