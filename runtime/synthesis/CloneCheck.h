//===- CloneCheck.h - Clones against the original's head --------*- C++ -*-===//
//
// Lines through clones agree as well where every clone does the same thing
// wrong. So the first part of the original is simulated, and as much of a clone
// of which nothing is cut: both start alike, and where the clone behaves as the
// original does, both run at the same rate.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_CLONECHECK_H
#define HEDDLE_SYNTHESIS_CLONECHECK_H

#include "synthesis/Projection.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::synthesis {

/// The first part of a launch while it is simulated.
class LaunchHead {
public:
  /// Share of the original's warp instructions in a head. Two heads leave a
  /// search its hundredth; shorter ones hold hardly more than the start.
  static constexpr double Share = 1.0 / 200;

  /// A head of \p Instructions warp instructions.
  explicit LaunchHead(double Instructions) : Wanted(Instructions) {}
  /// \p Instructions were issued until \p Cycles. False when that is enough.
  bool add(double Cycles, double Instructions);

  /// Cycles per warp instruction in the second half. Nothing if the launch
  /// ended before, or had not begun.
  std::optional<double> rate() const;
  /// Cycles of a launch of \p Instructions that goes on at this rate, without
  /// what its end costs; at least those of the head.
  double whole(double Instructions) const;
  double instructions() const { return Points.back().Instructions; }

private:
  struct Point {
    double Cycles = 0, Instructions = 0;
  };
  double cyclesAt(double Instructions) const;

  double Wanted;
  std::vector<Point> Points = {{}};
};

/// What a clone's head says beside its original's.
struct CloneCheck {
  /// Cycles of the original for each one of its clones.
  double Correction = 1;
  /// Cycles of the original at the rate of its head, without its end.
  double RateCycles = 0;
  /// Machines full of blocks that the original has.
  double Waves = 1;
};

/// \p Clone is the head of a clone that has \p CloneInstructions uncut, \p
/// Original that of a launch of \p Instructions. Nothing if a head has no rate.
std::optional<CloneCheck> checkClone(const LaunchHead &Original,
                                     double Instructions,
                                     const LaunchHead &Clone,
                                     double CloneInstructions, double Waves);

/// Corrects cycles, time and IPC of \p Metrics by \p Check, and makes their
/// errors those that hold: the distance of the lines, a third of the
/// correction, and what is left where all agree. Without a check the clone may
/// behave as wrongly as clones do. \p Drawn: the part of the errors that
/// drawing accesses causes, which a check has measured. \p Spread: tripSpread;
/// \p Start: startShare.
void applyCheck(std::map<std::string, ProjectedMetric> &Metrics,
                const std::optional<CloneCheck> &Check, double Drawn,
                double Spread = 0, double Start = 0);

/// Why the cycles of \p Metrics, after applyCheck, cannot be trusted: their
/// error is beyond MostError, or the original's own rate leads elsewhere by
/// more than its end explains. Empty if they can.
std::string doubtsOf(const std::map<std::string, ProjectedMetric> &Metrics,
                     const std::optional<CloneCheck> &Check);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_CLONECHECK_H
