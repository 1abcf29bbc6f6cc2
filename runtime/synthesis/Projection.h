//===- Projection.h - The whole from its clones -----------------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_PROJECTION_H
#define HEDDLE_SYNTHESIS_PROJECTION_H

#include "base/Result.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace heddle::synthesis {

/// What the simulation of one clone gave.
struct CloneRun {
  double Share = 1;                ///< of the original's work, by its plan
  double Blocks = 1;               ///< share of the original's thread blocks
  double OriginalInstructions = 0; ///< warp instructions
  double ExpectedError = 0;        ///< of its plan
  double DrawnError = 0;           ///< the part that reduction has not caused
  std::string Machine;
  std::string MachineFields; ///< "machine" of its result, JSON; or empty
  std::string Level;         ///< of the code that was simulated
  /// What the original's launch depends on, a note each, as far as the plan
  /// says it.
  std::vector<std::string> Assumptions;
  std::map<std::string, double> Totals; ///< cycles, accesses, stalls, ...
};

/// Metrics of how long the whole takes.
inline constexpr const char *TimeMetrics[] = {"cycles", "time_us", "ipc"};

struct ProjectedMetric {
  double Value = 0;
  double Error = 0; ///< relative, expected
  /// The part of Error that the clones' plans expect, without that of drawing:
  /// there is no clone to spare that would show it.
  double Planned = 0;
};

/// Reads clone.json and result.json (`heddle simulate --json`) of \p Folder.
/// Errors name the file: missing, not such JSON, a result of something else.
Result<CloneRun> readCloneRun(const std::string &Folder);

/// Metrics of the original. One clone is scaled up. Through several a line is
/// fitted by least squares, so that the cost of starting and ending a launch is
/// not scaled. Where clones differ in both blocks and trips there is a cost per
/// launch, per block, per iteration of a block, and per iteration of the blocks
/// that end last. Cycles are at least what DRAM or any pipeline needs for its
/// own projected work.
///
/// Through three clones not all of these can be told apart. Then the launch
/// costs nothing beside its waves.
///
/// Expected errors: for each metric half of what the fits without one of the
/// clones differ by. With too few clones for that, what the plans expect; for
/// cycles, time and IPC through three clones that differ in blocks and trips,
/// half of the difference to the fit in which the last wave costs no more than
/// its work.
/// Errors: clones of different originals, machines or levels, or all alike.
Result<std::map<std::string, ProjectedMetric>>
project(std::span<const CloneRun> Runs);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_PROJECTION_H
