//===- AutoReduction.cpp - How far a clone may be cut ---------------------===//

#include "synthesis/AutoReduction.h"

#include <algorithm>
#include <cmath>

namespace heddle::synthesis {

using namespace behavior;

namespace {

// Estimates, not fits (docs/Clones.md): what is left of start and end of a
// launch in the line through two clones falls with what remains.
constexpr double ErrorOfOnePeriod = 0.06;
constexpr double ErrorOfOneWave = 0.03;
/// Of a kernel all of whose accesses are drawn; reduction adds nothing to it.
constexpr double ErrorOfDrawing = 0.15;
/// Loops that are worth cutting.
constexpr double LongLoop = 16;

double loopError(double Periods) { return ErrorOfOnePeriod / Periods; }

double gridError(double Blocks, uint64_t Resident) {
  return ErrorOfOneWave * Resident / std::max(Blocks, 1.0);
}

double drawnShare(const Profile &P) {
  double All = 0, Drawn = 0;
  for (const Access &A : P.Accesses) {
    All += A.Requests;
    Drawn += A.IsAffine ? 0 : A.Requests;
  }
  return All ? Drawn / All : 0;
}

} // namespace

static bool isLong(const Profile &P, const Loop &L) {
  double Instructions = 0;
  for (unsigned B : L.Blocks)
    Instructions += double(P.Blocks[B].WarpCount) * P.Blocks[B].Chain.size();
  return 2 * Instructions >= P.WarpInstructions;
}

double longestTrips(const Profile &P) {
  double Trips = 1;
  for (const Loop &L : P.Loops)
    if (isLong(P, L) && !keepsFootprint(P, L))
      Trips = std::max(Trips, L.MeanTrips);
  return Trips;
}

double nestedTrips(const Profile &P) {
  double Most = 1;
  for (const Loop &L : P.Loops) {
    if (!isLong(P, L))
      continue;
    double Trips = 1;
    for (const Loop *At = &L; At;
         At = At->Parent == None ? nullptr : &P.Loops[At->Parent])
      Trips *= keepsFootprint(P, *At) ? 1 : At->MeanTrips;
    Most = std::max(Most, Trips);
  }
  return Most;
}

/// Warp instructions of an iteration of \p L.
static double instructionsOf(const Profile &P, const Loop &L) {
  double Sum = 0;
  for (unsigned B : L.Blocks)
    Sum += double(P.Blocks[B].WarpCount) * P.Blocks[B].Chain.size() /
           std::max<uint64_t>(P.Blocks[L.Header].WarpCount, 1);
  return Sum;
}

/// Iterations of \p L, each of \p Instructions warp instructions, in which \p A
/// walks over a line of an array that is too large for every cache; 0 if it
/// does not, or if the line lasts so long that fetching it costs little.
static double iterationsPerLine(const Profile &P, const Loop &L,
                                const Access &A, double Instructions) {
  constexpr double LineBytes = 128, LineSectors = 4, SmallBytes = 16384;
  /// Where lanes have lines of their own, each costs as much.
  constexpr double MostInstructions = 256;
  // Drawn walks begin anywhere in a line.
  if (A.Array == None || P.Arrays[A.Array].Where != Space::Global ||
      !A.IsAffine || P.Arrays[A.Array].SizeBytes <= SmallBytes)
    return 0;
  const double Step = std::abs(double(A.Coefficients[Iteration0 + L.Depth])),
               Lines = std::max(A.SectorsPerRequest / LineSectors, 1.0);
  if (Step <= 0 || Step >= LineBytes ||
      LineBytes / Step * Instructions > MostInstructions * Lines)
    return 0;
  return LineBytes / Step;
}

/// Calls \p Visit with each access in \p L that walks over lines, and with the
/// iterations for which one lasts.
template <typename Function>
static void forEachWalk(const Profile &P, const Loop &L, Function Visit) {
  const double Instructions = instructionsOf(P, L);
  for (unsigned B : L.Blocks)
    for (const Instruction &I : P.Blocks[B].Chain) {
      if (I.Access == None)
        continue;
      const Access &A = P.Accesses[I.Access];
      if (const double Per = iterationsPerLine(P, L, A, Instructions); Per > 0)
        Visit(A, Per);
    }
}

/// Iterations of \p L in a period: those in which threads walk together over a
/// line; two where trip counts are drawn from a table.
static double period(const Profile &P, const Loop &L) {
  constexpr double DrawnTrips = 2;
  double Period = L.isConstant() || L.TripsAffine ? 1 : DrawnTrips;
  forEachWalk(P, L, [&](const Access &, double Iterations) {
    Period = std::max(Period, Iterations);
  });
  return Period;
}

double periodsToSettle(const Profile &P) {
  /// Half of the lanes of a warp have a sector of their own, or more.
  constexpr double OwnSectors = 16;
  double Most = 0;
  for (const Loop &L : P.Loops)
    if (isLong(P, L) && !keepsFootprint(P, L))
      forEachWalk(P, L, [&](const Access &A, double Iterations) {
        if (Iterations <= 1 || A.SectorsPerRequest <= OwnSectors)
          return;
        const double Apart = std::abs(double(A.Coefficients[ThreadX])),
                     Step =
                         std::abs(double(A.Coefficients[Iteration0 + L.Depth]));
        Most = std::max({Most, 1.0, std::round(Apart / Step / period(P, L))});
      });
  return Most;
}

/// Iterations, for each one of loop \p Outer, of a loop within that is not cut.
static double uncutWithin(const Profile &P, unsigned Outer) {
  double Most = 1;
  for (const Loop &L : P.Loops)
    if (L.Parent == Outer && keepsFootprint(P, L))
      Most = std::max(Most, L.MeanTrips);
  return Most;
}

double periodsLeft(const Profile &P, uint64_t Factor) {
  double Longest = longestTrips(P), Left = 1e30;
  for (unsigned I = 0; I < P.Loops.size(); ++I)
    if (const Loop &L = P.Loops[I];
        isLong(P, L) && !keepsFootprint(P, L) && L.MeanTrips == Longest)
      Left = std::min(Left,
                      L.MeanTrips / Factor * uncutWithin(P, I) / period(P, L));
  return Left;
}

double drawnError(const Profile &P) { return ErrorOfDrawing * drawnShare(P); }

/// Standard deviation over the mean.
template <typename Range> static double spreadOf(const Range &Trips) {
  double Sum = 0, Squares = 0;
  for (const auto T : Trips) {
    Sum += double(T);
    Squares += double(T) * double(T);
  }
  const double Mean = Sum / Trips.size();
  const double Variance = Squares / Trips.size() - Mean * Mean;
  return Mean > 0 && Variance > 0 ? std::sqrt(Variance) / Mean : 0;
}

double tripSpread(const Profile &P) {
  double Spread = 0;
  for (const Loop &L : P.Loops)
    if (isLong(P, L) && !L.isConstant() && !L.TripsAffine)
      Spread = std::max(Spread, L.BlockTrips.empty() ? spreadOf(L.Trips)
                                                     : spreadOf(L.BlockTrips));
  return Spread;
}

double expectedLoopError(const Profile &P, uint64_t Factor) {
  return Factor > 1 ? loopError(periodsLeft(P, Factor)) : 0;
}

/// Periods that a warp makes in all; without a loop, as many as it is itself.
static double periodsOfWarp(const Profile &P) {
  return periodsLeft(P, 1) * nestedTrips(P) / longestTrips(P);
}

double shareToSettle(const Profile &P) {
  return std::max(periodsToSettle(P), 1.0) / periodsOfWarp(P);
}

double expectedRateError(const Profile &P, double Share) {
  return loopError(Share * periodsOfWarp(P));
}

double workLeft(const Profile &P, uint64_t Factor) {
  ReductionOptions O;
  O.LoopFactor = Factor;
  auto Plan = planClone(P, O);
  return Plan ? 1 / Plan->ExpectedScale : 1;
}

double shareSeen(const Profile &P, double Share) {
  const double Trips = longestTrips(P),
               InLoops = Trips > 1 ? 1 - workLeft(P, uint64_t(Trips)) : 0,
               Periods = Share / shareToSettle(P);
  return InLoops * std::min(Periods, 1.0) +
         (1 - InLoops) * std::min(Share, 1.0);
}

double expectedError(const ClonePlan &Plan, uint64_t Resident) {
  double Loops = expectedLoopError(Plan.Profile, Plan.LoopFactor);
  double Grid =
      Plan.GridFactor > 1 ? gridError(Plan.Grid.count(), Resident) : 0;
  return std::hypot(Loops, Grid, drawnError(Plan.Profile));
}

ReductionOptions chooseReduction(const Profile &P, double MaxError,
                                 uint64_t Resident) {
  ReductionOptions O;
  const double Trips = longestTrips(P);
  if (Trips >= LongLoop) {
    while (2 * O.LoopFactor <= Trips &&
           loopError(periodsLeft(P, 2 * O.LoopFactor)) <= MaxError)
      O.LoopFactor *= 2;
    return O;
  }
  const uint64_t Blocks = P.Grid.count();
  for (uint64_t Waves = 1; Waves * Resident * 2 <= Blocks; ++Waves)
    if (gridError(double(Waves) * Resident, Resident) <= MaxError) {
      O.Blocks = Waves * Resident;
      break;
    }
  return O;
}

} // namespace heddle::synthesis
