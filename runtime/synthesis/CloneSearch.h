//===- CloneSearch.h - Clones of growing size until lines agree -*- C++ -*-===//
//
// No rule predicts how long a clone must be for its start and end not to
// matter: caches fill, warps fall out of step, queues grow. So clones are made
// from small to large and simulated, and the lines through them say when they
// have settled.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_CLONESEARCH_H
#define HEDDLE_SYNTHESIS_CLONESEARCH_H

#include "synthesis/CloneCheck.h"
#include "synthesis/ClonePlan.h"
#include "synthesis/Projection.h"

#include <optional>

namespace heddle::synthesis {

/// Clones of one launch for one machine, each with 1.6 times the work of the
/// last.
class CloneLadder {
public:
  /// \p Resident: thread blocks that the machine holds at once.
  CloneLadder(const behavior::Profile &P, uint64_t Resident);

  /// The next clone, or nothing if it would bring the work of all to more than
  /// mostWork() of the original's, or would be the original. Two are made
  /// always, and three where blocks and trips are cut: without them nothing
  /// says what is so for each block and what for each iteration.
  std::optional<ReductionOptions> next();
  /// One that has at least \p Factor times the last one's work, or nothing if
  /// that is more than LaunchHead::MostToLast of the original's.
  std::optional<ReductionOptions> longer(double Factor);
  /// False if there is nothing to cut: no long loop, and no more blocks than
  /// two machines full.
  bool cuts() const { return CutsLoops || CutsGrid; }
  /// Simulated clones that a projection takes: the last three, or, where blocks
  /// and trips are cut, the last five: one more than the fit has terms.
  size_t window() const { return CutsLoops && CutsGrid ? 5 : 3; }
  /// Whether clones of cut grids have a last wave that is not full.
  bool keepsLastWave() const { return CutsGrid && P.Grid.count() % Resident; }

  /// Whether clones have whole periods, of lines that lanes walk over: what
  /// they differ by is work alone, and their start is none.
  bool keepsPeriods() const { return FirstPeriods > 0; }

  /// Share of the original's work that all clones together may have: what is
  /// left for them of a search (LaunchHead::mostOfSearch).
  double mostWork() const {
    const double Waves = double(P.Grid.count()) / Resident;
    return LaunchHead::mostOfSearch(Waves) - 2 * LaunchHead::share(Waves);
  }
  /// Threads that iterate less often, nests of loops taken together, leave too
  /// little to cut.
  static constexpr unsigned LongLoop = 4;
  /// Work of the first clone, as a share of the original's.
  double firstWork() const;
  /// Work of the clones that there were, as a share of the original's.
  double work() const { return Work; }

private:
  void cutLoops();
  uint64_t firstFactor() const;
  uint64_t wholePeriods(uint64_t Factor, double Least) const;
  double workOfPeriods() const;
  bool cutsGrid(double Left, bool AfterLoops) const;
  void grow(double Factor);
  uint64_t blocks(unsigned Doubled) const;
  bool growToRest();

  const behavior::Profile &P;
  uint64_t Resident;
  bool CutsLoops = false, CutsGrid = false;
  /// Of the first clone, at least; clones have whole ones unless this is 0.
  double FirstPeriods = 0;
  uint64_t FirstWaves = 1; ///< machines full of blocks in the first clone
  uint64_t LoopFactor = 1;
  double LoopWork = 1; ///< share of the work that it leaves
  unsigned Rung = 0;
  double Work = 0; ///< share of the original's, so far
};

/// Of the time of the greatest of \p Runs, the share that does not grow with
/// its work, at the rate that \p Metrics say: what a launch costs to start and
/// to end.
double startShare(std::span<const CloneRun> Runs,
                  const std::map<std::string, ProjectedMetric> &Metrics);

/// How many times the work of the greatest of \p Runs a clone must have to last
/// \p Cycles; at most 1 if that one does.
double workToLast(std::span<const CloneRun> Runs, double Cycles);

/// How often \p Metrics say that DRAM reads the data that loads of \p P touch,
/// if
/// \p L2 bytes hold them all; else 0. The original reads them once, while its
/// caches are cold. More means that clones and heads are not past that.
double readsOfData(const behavior::Profile &P,
                   const std::map<std::string, ProjectedMetric> &Metrics,
                   double L2);

/// How much longer, as a logarithm, the original would take than \p Metrics say
/// at the rate of the greatest of \p Runs, its start included. Nothing unless
/// they differ in trips alone.
double wayToRate(std::span<const CloneRun> Runs,
                 const std::map<std::string, ProjectedMetric> &Metrics);

/// Whether \p Runs, a ladder's window, have settled: the expected error of
/// cycles that their reduction causes is at most \p MaxError; what a launch
/// costs to start and to end is no more than a quarter of the greatest one's
/// time, unless \p LastWave says that their end is a wave of blocks; and, if
/// DRAM is busy for half of it, that time is several times \p Drain, the cycles
/// that DRAM needs for all that the machine's SMs can wait for at once: until
/// then queues only grow.
bool haveSettled(std::span<const CloneRun> Runs,
                 const std::map<std::string, ProjectedMetric> &Metrics,
                 double MaxError, double Drain, bool LastWave = false);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_CLONESEARCH_H
