//===- ClonePlan.cpp - What a clone keeps and what it cuts ----------------===//

#include "synthesis/ClonePlan.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace heddle::synthesis {

using namespace behavior;

/// Fewer blocks along the slowest dimension that has any: those that remain are
/// the first in dispatch order, neighbours as they were.
static Dim3 reduceGrid(Dim3 Grid, uint64_t Blocks) {
  for (uint32_t *Side : {&Grid.Z, &Grid.Y, &Grid.X}) {
    uint64_t Others = Grid.count() / *Side;
    uint64_t Wanted = (Blocks + Others - 1) / Others;
    *Side = std::clamp<uint64_t>(Wanted, 1, *Side);
  }
  return Grid;
}

/// Mean of the longest of \p Draws entries of threads.
static double meanLongest(const std::array<uint64_t, 64> &Trips,
                          unsigned Draws) {
  double Sum = 0;
  for (size_t I = 0; I < Trips.size(); ++I)
    Sum += Trips[I] * (std::pow((I + 1.0) / Trips.size(), Draws) -
                       std::pow(double(I) / Trips.size(), Draws));
  return Sum;
}

static LoopPlan planLoop(const Loop &L, const ReductionOptions &O) {
  auto Reduce = [&](uint64_t T) {
    return std::max<uint64_t>(std::min(T, O.MinTrips),
                              std::llround(double(T) / O.LoopFactor));
  };
  LoopPlan Out;
  // Of threads if they differ inside a warp, else of warps.
  double WarpMean = 0;
  for (size_t Q = 0; Q + 1 < L.Trips.size(); ++Q)
    WarpMean += (L.Trips[Q] + L.Trips[Q + 1]) / 2.0 / (L.Trips.size() - 1);
  const size_t N = Out.Table.size();
  for (size_t I = 0; I < N; ++I)
    Out.Table[I] = L.TripsVaryInWarp
                       ? (L.ThreadTrips[I] + L.ThreadTrips[I + 1] + 1) / 2
                       : (L.Trips[I / 4] * (4 - I % 4) +
                          L.Trips[I / 4 + 1] * (I % 4) + 2) /
                             4;
  double Closest = 1e30;
  for (unsigned G = 32; G >= 1 && L.TripsVaryInWarp; G /= 2)
    if (double Distance = std::abs(meanLongest(Out.Table, 32 / G) - WarpMean);
        Distance < Closest) {
      Closest = Distance;
      Out.GroupLanes = G;
    }
  double Before = meanLongest(Out.Table, 32 / Out.GroupLanes);
  for (uint64_t &T : Out.Table)
    T = Reduce(T);
  Out.How = L.TripsAffine ? LoopPlan::Affine : LoopPlan::Drawn;
  // Where threads hardly differ, the difference is not worth its code.
  constexpr double Alike = 0.05;
  if (!L.TripsAffine && double(Out.Table.back() - Out.Table.front()) <=
                            Alike * Out.Table.back()) {
    Out.How = LoopPlan::Constant;
    Out.Table.fill(std::max<uint64_t>(
        std::llround(meanLongest(Out.Table, 32 / Out.GroupLanes)), 1));
  }
  double After = meanLongest(Out.Table, 32 / Out.GroupLanes);
  if (L.TripsAffine) // may be reached
    Out.Table.back() = Reduce(L.ThreadTrips.back()) + 1;
  Out.Factor = After ? Before / After : 1;
  return Out;
}

Result<ClonePlan> planClone(Profile P, const ReductionOptions &O) {
  ClonePlan Plan;
  uint64_t MostTrips = 0;
  for (const Loop &L : P.Loops)
    MostTrips = std::max(MostTrips, L.Trips.back());
  if (O.LoopFactor > 1 && O.LoopFactor > MostTrips)
    return fail(
        fmt::format("a reduction by {} leaves nothing: no loop has more "
                    "than {} iterations",
                    O.LoopFactor, MostTrips));
  if (O.GridFactor > P.Grid.count())
    return fail(fmt::format("a reduction of the grid by {} leaves nothing: it "
                            "has {} blocks",
                            O.GridFactor, P.Grid.count()));
  Plan.LoopFactor = O.LoopFactor;
  Plan.MinTrips = O.MinTrips;
  for (const Loop &L : P.Loops)
    Plan.Loops.push_back(planLoop(L, O));
  uint64_t Blocks = std::max(P.Grid.count() / O.GridFactor,
                             std::min(P.Grid.count(), O.MinBlocks));
  Plan.Grid = reduceGrid(P.Grid, std::max<uint64_t>(Blocks, 1));
  Plan.GridFactor = double(P.Grid.count()) / Plan.Grid.count();
  double After = 0;
  for (const Block &B : P.Blocks) {
    if (!B.WarpCount)
      continue; // in a loop that never ran, which has no factor
    double Insts = double(B.WarpCount) * B.Chain.size();
    for (unsigned L = B.Loop; L != None; L = P.Loops[L].Parent)
      Insts /= Plan.Loops[L].Factor;
    After += Insts;
  }
  Plan.ExpectedScale = After ? P.WarpInstructions / After * Plan.GridFactor : 1;
  Plan.Profile = std::move(P);
  return Plan;
}

} // namespace heddle::synthesis
