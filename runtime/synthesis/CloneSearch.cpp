//===- CloneSearch.cpp - Clones of growing size until lines agree ---------===//

#include "synthesis/CloneSearch.h"

#include "synthesis/AutoReduction.h"

#include <algorithm>
#include <cmath>

namespace heddle::synthesis {

using namespace behavior;

namespace {
/// From clone to clone.
constexpr double Growth = 1.6;
/// A third one that has hardly more work than the second tells nothing new.
constexpr double MostAlike = 1.1;
/// The smallest clone: iterations of the longest loop, periods of it, and share
/// of mostWork(). Two clones, the second Growth times the first, leave two
/// thirds of it to a third: from far apart clones a line leads on more surely.
constexpr double LeastTrips = 1, LeastPeriods = 0.125, LeastWork = 1.0 / 8;
/// More in the smallest clone than leaves work for a second one.
constexpr double MostOfFirst = 1 / (1 + Growth);
/// Where cut loops leave more than this in the smallest clone, blocks go too.
constexpr double SmallWork = 1.0 / 128;
/// Work of clones that keep whole periods where lanes walk over lines of their
/// own, as a share of the original's. If it is more, they are cut within one.
constexpr double MostOfPeriods = 1.0 / 16;
/// Waves of the smallest clone of a grid.
constexpr double MostWaves = 8;
} // namespace

/// The largest factor between \p Least and \p Most that \p Leaves enough, as
/// each smaller one does; \p Least if none.
template <typename Predicate>
static uint64_t largestFactor(uint64_t Least, uint64_t Most, Predicate Leaves) {
  while (Most > Least) {
    const uint64_t Middle = Least + (Most - Least + 1) / 2;
    if (Leaves(Middle))
      Least = Middle;
    else
      Most = Middle - 1;
  }
  return Least;
}

CloneLadder::CloneLadder(const Profile &P, uint64_t Resident)
    : P(P), Resident(Resident), FirstPeriods(periodsToSettle(P)) {
  if (nestedTrips(P) >= LongLoop)
    cutLoops();
  LoopWork = workLeft(P, LoopFactor);
  CutsGrid = cutsGrid(LoopWork, CutsLoops);
  // Clones of one, two and four times as many fit.
  const double Waves = double(P.Grid.count()) / Resident;
  if (!CutsLoops)
    FirstWaves = uint64_t(std::clamp(Waves * mostWork() / 7, 1.0, MostWaves));
}

void CloneLadder::cutLoops() {
  LoopFactor = wholePeriods(firstFactor(), FirstPeriods);
  if (keepsPeriods() && workOfPeriods() > MostOfPeriods) {
    FirstPeriods = 0;
    LoopFactor = firstFactor();
  }
  CutsLoops = LoopFactor > 1;
}

/// Of the clones that are made in any case, as a share of the original's: two,
/// and one more of twice as many blocks where these are cut.
double CloneLadder::workOfPeriods() const {
  const double One = workLeft(P, LoopFactor), Next = Growth * One;
  return cutsGrid(One, true) ? (3 * One + Next) * Resident / P.Grid.count()
                             : One + Next;
}

/// The smallest clone's factor, whatever a period is of.
uint64_t CloneLadder::firstFactor() const {
  const double Trips = longestTrips(P);
  return largestFactor(1, uint64_t(Trips / LeastTrips), [&](uint64_t Factor) {
    const double Left = workLeft(P, Factor) / mostWork();
    return Left >= LeastWork &&
           (periodsLeft(P, Factor) >= LeastPeriods || Left > MostOfFirst);
  });
}

/// The smallest factor that leaves as many whole periods as \p Factor does, and
/// no fewer than \p Least. Lines that lanes have of their own are all fetched
/// in the first iteration of a period, so that a part of one is not a part of
/// its time.
uint64_t CloneLadder::wholePeriods(uint64_t Factor, double Least) const {
  if (!keepsPeriods())
    return Factor;
  const double All = periodsLeft(P, 1),
               Left = std::max(std::floor(All / Factor), Least);
  return std::max<uint64_t>(std::llround(All / Left), 1);
}

/// Whether blocks are cut where loops leave \p Left of the work.
bool CloneLadder::cutsGrid(double Left, bool AfterLoops) const {
  return Left > SmallWork && P.Grid.count() >= (AfterLoops ? 4 : 2) * Resident;
}

/// The largest factor that leaves \p Factor times as much. Loops within cut
/// loops are cut as well, and what is outside of them is not, so that half the
/// factor may leave much more or hardly more.
void CloneLadder::grow(double Factor) {
  const double Wanted = Factor * LoopWork;
  const uint64_t Grown = largestFactor(
      1, LoopFactor, [&](uint64_t By) { return workLeft(P, By) >= Wanted; });
  LoopFactor = wholePeriods(Grown, std::round(periodsLeft(P, LoopFactor)) + 1);
  LoopWork = workLeft(P, LoopFactor);
}

/// The smallest factor whose clone has no more than the rest of mostWork().
/// False if that is hardly more than the last one has.
bool CloneLadder::growToRest() {
  const double Rest = mostWork() - Work;
  const uint64_t TooMuch = largestFactor(1, LoopFactor, [&](uint64_t Factor) {
    return workLeft(P, Factor) > Rest;
  });
  const uint64_t Rested = wholePeriods(TooMuch + 1, 1);
  if (TooMuch >= LoopFactor || workLeft(P, Rested) <= MostAlike * LoopWork)
    return false;
  LoopFactor = Rested;
  LoopWork = workLeft(P, LoopFactor);
  return true;
}

/// Of a clone whose waves are those of the first, \p Doubled times doubled. The
/// last wave is as full as the original's, so that it costs as much.
uint64_t CloneLadder::blocks(unsigned Doubled) const {
  return std::min(((FirstWaves * Resident) << Doubled) +
                      P.Grid.count() % Resident,
                  P.Grid.count());
}

double CloneLadder::firstWork() const {
  return LoopWork * (CutsGrid ? double(blocks(0)) / P.Grid.count() : 1);
}

std::optional<ReductionOptions> CloneLadder::next() {
  // One machine full and two, then more trips, where both are cut.
  const bool Both = CutsLoops && CutsGrid;
  if (CutsLoops && !Both && Rung == 2) {
    if (!growToRest())
      return std::nullopt;
  } else if (CutsLoops && Rung > 0 && (!Both || Rung % 2 == 0)) {
    grow(Growth);
  }
  ReductionOptions O;
  O.LoopFactor = LoopFactor;
  double Share = LoopWork;
  if (CutsGrid) {
    O.Blocks = blocks(Both ? Rung % 2 : Rung);
    Share *= double(O.Blocks) / P.Grid.count();
  }
  if (Rung >= (Both ? 3 : 2) && Work + Share > mostWork())
    return std::nullopt;
  ++Rung;
  Work += Share;
  return O;
}

std::optional<ReductionOptions> CloneLadder::longer(double Factor) {
  ReductionOptions O;
  double Share = 1;
  if (CutsLoops) {
    grow(Factor);
  } else {
    for (double By = 1; By < Factor; By *= 2)
      ++Rung;
  }
  O.LoopFactor = LoopFactor;
  if (CutsGrid) {
    O.Blocks = blocks(CutsLoops ? 1 : Rung - 1);
    Share = double(O.Blocks) / P.Grid.count();
  }
  Share *= LoopWork;
  if (Share > LaunchHead::MostToLast)
    return std::nullopt;
  Work += Share;
  return O;
}

static const CloneRun &largest(std::span<const CloneRun> Runs) {
  return *std::max_element(
      Runs.begin(), Runs.end(),
      [](const CloneRun &A, const CloneRun &B) { return A.Share < B.Share; });
}

double startShare(std::span<const CloneRun> Runs,
                  const std::map<std::string, ProjectedMetric> &Metrics) {
  const CloneRun &Run = largest(Runs);
  return std::max(0.0, 1 - Run.Share * Metrics.at("cycles").Value /
                               Run.Totals.at("cycles"));
}

double workToLast(std::span<const CloneRun> Runs, double Cycles) {
  const CloneRun &Run = largest(Runs);
  const double Last = Run.Totals.at("cycles");
  // By the line from the smallest one; start is longer than what follows.
  const CloneRun &First = *std::min_element(
      Runs.begin(), Runs.end(),
      [](const CloneRun &A, const CloneRun &B) { return A.Share < B.Share; });
  const double Slope =
      (Last - First.Totals.at("cycles")) / (Run.Share - First.Share);
  return 1 + (Cycles - Last) / (Slope > 0 ? Slope * Run.Share : Last);
}

/// Bytes of global memory that loads of \p P touch, at most.
static double bytesLoaded(const Profile &P) {
  double Sum = 0;
  for (unsigned I = 0; I < P.Arrays.size(); ++I) {
    if (P.Arrays[I].Where != Space::Global)
      continue;
    const double Size = double(P.Arrays[I].SizeBytes);
    double Touched = 0;
    for (const Access &A : P.Accesses)
      if (A.Array == I && !A.IsStore)
        Touched += A.FootprintSectors ? 32.0 * A.FootprintSectors : Size;
    Sum += std::min(Touched, Size);
  }
  return Sum;
}

double readsOfData(const Profile &P,
                   const std::map<std::string, ProjectedMetric> &Metrics,
                   double L2) {
  const double Data = bytesLoaded(P);
  return Data > 0 && Data <= L2 ? Metrics.at("dram.read_bytes").Value / Data
                                : 0;
}

double wayToRate(std::span<const CloneRun> Runs,
                 const std::map<std::string, ProjectedMetric> &Metrics) {
  const CloneRun &Run = largest(Runs);
  if (Runs.size() < 2 || std::ranges::any_of(Runs, [&](const CloneRun &R) {
        return R.Blocks != Run.Blocks || Run.Blocks < 1;
      }))
    return 0;
  return std::max(0.0, std::log(Run.Totals.at("cycles") /
                                (Run.Share * Metrics.at("cycles").Value)));
}

bool haveSettled(std::span<const CloneRun> Runs,
                 const std::map<std::string, ProjectedMetric> &Metrics,
                 double MaxError, double Drain, bool LastWave) {
  constexpr double MostStart = 0.25, LeastDrains = 4, BusyShare = 0.5;
  const CloneRun &Run = largest(Runs);
  const ProjectedMetric &Whole = Metrics.at("cycles");
  const double Cycles = Run.Totals.at("cycles"), Drawn = Run.DrawnError,
               OfReduction = std::sqrt(
                   std::max(Whole.Error * Whole.Error - Drawn * Drawn, 0.0));
  if (OfReduction > MaxError ||
      (!LastWave && startShare(Runs, Metrics) > MostStart))
    return false;
  auto Busy = Run.Totals.find("busy.dram");
  return Busy == Run.Totals.end() || Busy->second < BusyShare * Cycles ||
         Cycles >= LeastDrains * Drain;
}

} // namespace heddle::synthesis
