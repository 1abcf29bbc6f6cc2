//===- ClonePlan.cpp - What a clone keeps and what it cuts ----------------===//

#include "synthesis/ClonePlan.h"

#include "base/Fail.h"
#include "heddle/ABI/GridReduction.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace heddle::synthesis {

using namespace behavior;

bool keepsFootprint(const Profile &P, const Loop &L) {
  for (unsigned B : L.Blocks)
    for (const Instruction &I : P.Blocks[B].Chain) {
      if (L.Parent == None || I.Access == None ||
          P.Accesses[I.Access].Array == None)
        continue;
      const Access &A = P.Accesses[I.Access];
      const unsigned Outer = Iteration0 + P.Loops[L.Parent].Depth;
      if (P.Arrays[A.Array].Where == Space::Global && A.IsAffine &&
          A.Coefficients[Iteration0 + L.Depth] && !A.Coefficients[Outer])
        return true;
    }
  return false;
}

/// Mean of the longest of \p Draws entries of threads.
static double meanLongest(const std::array<double, 64> &Trips, double Draws) {
  double Sum = 0;
  for (size_t I = 0; I < Trips.size(); ++I)
    Sum += Trips[I] * (std::pow((I + 1.0) / Trips.size(), Draws) -
                       std::pow(double(I) / Trips.size(), Draws));
  return Sum;
}

/// \p Lanes lanes enter the loop together on average.
static LoopPlan planLoop(const Loop &L, double Lanes,
                         const Reduction::OfLoop &O) {
  auto Reduce = [&](double T) {
    return std::max<uint64_t>(std::min<uint64_t>(std::llround(T), O.MinTrips),
                              std::llround(T / O.Factor));
  };
  LoopPlan Out;
  Out.Reduced = O;
  double WarpMean = 0;
  std::array<double, 64> OfWarps, Trips = L.ThreadTrips;
  for (size_t I = 0; I < OfWarps.size(); ++I) {
    size_t Q = I / 4;
    double Part = (I % 4 + 0.5) / 4;
    OfWarps[I] = L.Trips[Q] * (1 - Part) + L.Trips[Q + 1] * Part;
    WarpMean += OfWarps[I] / OfWarps.size();
  }
  double Closest = std::abs(meanLongest(Trips, 1) - WarpMean);
  for (unsigned G = 16; G >= 1 && L.TripsVaryInWarp; G /= 2)
    if (double Distance =
            std::abs(meanLongest(Trips, std::max(Lanes / G, 1.0)) - WarpMean);
        Distance < Closest) {
      Closest = Distance;
      Out.GroupLanes = G;
    }
  // Whole warps draw what whole warps did.
  if (Out.GroupLanes == 32)
    Trips = OfWarps;
  const double Draws = std::max(Lanes / Out.GroupLanes, 1.0);
  double Before = meanLongest(Trips, Draws);
  auto Round = [&] {
    std::array<double, 64> Rounded;
    std::copy(Out.Table.begin(), Out.Table.end(), Rounded.begin());
    return meanLongest(Rounded, Draws);
  };
  // The rounding error of one is carried to the next.
  double Owed = 0;
  for (size_t I = 0; I < Trips.size(); ++I) {
    double Wanted = Trips[I] / O.Factor + Owed;
    Out.Table[I] = std::max<uint64_t>(
        std::max<int64_t>(std::llround(Wanted), 0),
        std::max<uint64_t>(
            Reduce(Trips[I]) ? 1 : 0,
            std::min<uint64_t>(std::llround(Trips[I]), O.MinTrips)));
    Owed = std::min(Wanted - double(Out.Table[I]), 0.5);
    Owed = std::max(Owed, -0.5);
  }
  std::sort(Out.Table.begin(), Out.Table.end());
  Out.How = L.TripsAffine ? LoopPlan::Affine : LoopPlan::Drawn;
  // Where threads hardly differ, the difference is not worth its code.
  constexpr double Alike = 0.05;
  if (!L.TripsAffine &&
      double(Out.Table.back() - Out.Table.front()) <=
          std::max(Alike * Out.Table.back(), L.isConstant() ? 1.0 : 0.0)) {
    Out.How = LoopPlan::Constant;
    Out.Table.fill(std::max<uint64_t>(std::llround(Round()), 1));
  }
  double After = Round();
  if (L.TripsAffine) // may be reached
    Out.Table.back() =
        Reduce(std::max(double(L.Trips.back()), L.ThreadTrips.back())) + 1;
  Out.Factor = After > 0 && Before > 0 ? Before / After : 1;
  return Out;
}

/// Trips of the clone's \p Blocks. Where the grid is cut, those that it keeps
/// differ as all of the original's do, in the order of the first ones.
static std::vector<double> tripsOfBlocks(const Loop &L, size_t Blocks) {
  std::vector<double> Out(L.BlockTrips.begin(), L.BlockTrips.end());
  if (Blocks >= Out.size())
    return Out;
  std::vector<double> All = Out;
  std::sort(All.begin(), All.end());
  std::vector<size_t> Order(Blocks);
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::stable_sort(Order.begin(), Order.end(),
                   [&](size_t A, size_t B) { return Out[A] < Out[B]; });
  Out.resize(Blocks);
  for (size_t I = 0; I < Blocks; ++I)
    Out[Order[I]] = All[(2 * I + 1) * All.size() / (2 * Blocks)];
  return Out;
}

/// Gives each block of the clone its own trips, reduced.
static void planBlocks(const Loop &L, LoopPlan &Plan, size_t Blocks) {
  const uint64_t Least = Plan.Reduced.MinTrips;
  double Owed = 0, Before = 0, After = 0;
  for (const double Trips : tripsOfBlocks(L, Blocks)) {
    const double Wanted = Trips / Plan.Reduced.Factor + Owed;
    Plan.OfBlocks.push_back(
        std::max(uint64_t(std::llround(std::max(Wanted, 0.0))),
                 std::min(Least, uint64_t(std::llround(Trips)))));
    Owed = std::clamp(Wanted - double(Plan.OfBlocks.back()), -0.5, 0.5);
    Before += Trips;
    After += double(Plan.OfBlocks.back());
  }
  Plan.How = LoopPlan::Drawn;
  Plan.Table.back() =
      *std::max_element(Plan.OfBlocks.begin(), Plan.OfBlocks.end());
  Plan.Factor = After > 0 ? Before / After : 1;
}

Result<ClonePlan> planClone(Profile P, const ReductionOptions &O) {
  uint64_t MostTrips = 0;
  for (const Loop &L : P.Loops)
    MostTrips = std::max(MostTrips, L.Trips.back());
  if (O.LoopFactor > 1 && O.LoopFactor > MostTrips)
    return fail(
        "a reduction by {} leaves nothing: no loop has more than {} iterations",
        O.LoopFactor, MostTrips);
  if (O.GridFactor > P.Grid.count())
    return fail(
        "a reduction of the grid by {} leaves nothing: it has {} blocks",
        O.GridFactor, P.Grid.count());
  Reduction R;
  for (const Loop &L : P.Loops)
    R.Loops.push_back({keepsFootprint(P, L) ? 1 : O.LoopFactor, O.MinTrips});
  uint64_t Grid[] = {P.Grid.X, P.Grid.Y, P.Grid.Z};
  heddleReduceGrid(
      Grid, O.Blocks
                ? O.Blocks
                : heddleKeptBlocks(P.Grid.count(), O.GridFactor, O.MinBlocks));
  R.Grid = {uint32_t(Grid[0]), uint32_t(Grid[1]), uint32_t(Grid[2])};
  return planReduced(std::move(P), R);
}

/// The loop around block \p B, outermost last, that moves \p A and is cut.
static unsigned cutWalk(const Profile &P, const ClonePlan &Plan,
                        const Access &A, unsigned B) {
  for (unsigned L = P.Blocks[B].Loop; L != None; L = P.Loops[L].Parent)
    if (A.Coefficients[Iteration0 + P.Loops[L].Depth] &&
        Plan.Loops[L].Reduced.Factor > 1)
      return L;
  return None;
}

/// Loops that follow each other over the same data hit in L1 if the earlier one
/// touched little, as cut loops do. Where the original's loops touch more than
/// a cache holds, each loop gets a part of the data of its own.
static void partWalks(Profile &P, const ClonePlan &Plan) {
  constexpr int64_t LargestL1 = 256 << 10; // H100: 256 KiB with shared memory
  /// By array, loop around, and what threads and blocks add: the loops that
  /// walk, in the order of the text, with what they access.
  std::map<std::tuple<unsigned, unsigned, Keys>,
           std::map<unsigned, std::pair<unsigned, std::set<unsigned>>>>
      Walks;
  for (unsigned B = 0; B < P.Blocks.size(); ++B)
    for (const Instruction &I : P.Blocks[B].Chain) {
      if (I.Access == None || P.Accesses[I.Access].Array == None)
        continue;
      const Access &A = P.Accesses[I.Access];
      if (!A.IsAffine || A.Modulus || P.Arrays[A.Array].Where != Space::Global)
        continue;
      const unsigned L = cutWalk(P, Plan, A, B);
      if (L == None || !P.Loops[L].isConstant())
        continue;
      auto &[Loop, Accesses] = Walks[{A.Array, P.Loops[L].Parent,
                                      A.Coefficients}][P.Loops[L].Header];
      Loop = L;
      Accesses.insert(I.Access);
    }
  for (const auto &[Key, Loops] : Walks) {
    int64_t Part = 0;
    for (const auto &[Header, Walk] : Loops) {
      const auto &[L, Accesses] = Walk;
      const int64_t Step = std::get<Keys>(Key)[Iteration0 + P.Loops[L].Depth];
      const int64_t Trips = P.Loops[L].Trips.front(), Size = Loops.size();
      const bool Fits = std::abs(Step) * Trips <= LargestL1,
                 Overlap = int64_t(Plan.Loops[L].maxTrips()) * Size > Trips;
      if (!Fits && !Overlap)
        for (unsigned A : Accesses)
          P.Accesses[A].Constant += Part * (Trips / Size) * Step;
      ++Part;
    }
  }
}

double executions(const ClonePlan &Plan, unsigned B) {
  const Profile &P = Plan.Profile;
  if (!P.Blocks[B].WarpCount)
    return 0; // in a loop that never ran, which has no factor
  double Times = double(P.Blocks[B].WarpCount) / Plan.GridFactor;
  for (unsigned L = P.Blocks[B].Loop; L != None; L = P.Loops[L].Parent)
    Times /= Plan.Loops[L].Factor;
  return Times;
}

ClonePlan planReduced(Profile P, const Reduction &R) {
  ClonePlan Plan;
  for (size_t I = 0; I < P.Loops.size(); ++I) {
    const Loop &L = P.Loops[I];
    const Block &Header = P.Blocks[L.Header];
    double Longest = 0;
    for (uint64_t T : L.Trips)
      Longest += double(T) / L.Trips.size();
    double Lanes = Header.WarpCount && L.MeanTrips > 0
                       ? Header.ECount / L.MeanTrips /
                             (Header.WarpCount / std::max(Longest, 1.0))
                       : 32;
    Plan.Loops.push_back(planLoop(L, std::clamp(Lanes, 1.0, 32.0), R.Loops[I]));
    Plan.LoopFactor = std::max(Plan.LoopFactor, R.Loops[I].Factor);
    if (!L.BlockTrips.empty())
      planBlocks(L, Plan.Loops.back(), R.Grid.count());
  }
  partWalks(P, Plan);
  Plan.Grid = R.Grid;
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
