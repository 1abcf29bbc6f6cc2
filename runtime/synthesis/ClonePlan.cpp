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
  for (const Loop &L : P.Loops) {
    LoopPlan Out;
    double Before = 0, After = 0;
    for (size_t Q = 0; Q < L.Trips.size(); ++Q) {
      uint64_t T = L.Trips[Q];
      uint64_t Least = std::min(T, O.MinTrips);
      Out.Trips[Q] = std::max<uint64_t>(
          Least, uint64_t(std::llround(double(T) / O.LoopFactor)));
      Before += T;
      After += Out.Trips[Q];
    }
    Out.Factor = After ? Before / After : 1;
    // Where threads hardly differ, the difference is not worth its code.
    constexpr double Alike = 0.1;
    if (double(Out.Trips.back() - Out.Trips.front()) <=
        std::max(1.0, Alike * Out.Trips.back()))
      Out.Trips.fill(Out.Trips[Out.Trips.size() / 2]);
    Plan.Loops.push_back(Out);
  }
  uint64_t Blocks = std::max(P.Grid.count() / O.GridFactor,
                             std::min(P.Grid.count(), O.MinBlocks));
  Plan.Grid = reduceGrid(P.Grid, std::max<uint64_t>(Blocks, 1));
  Plan.GridFactor = double(P.Grid.count()) / Plan.Grid.count();
  double After = 0;
  for (const Block &B : P.Blocks) {
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
