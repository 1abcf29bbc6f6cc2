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

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace heddle::synthesis {

/// The first part of a launch while it is simulated.
class LaunchHead {
public:
  /// Share of the warp instructions of a launch of \p Waves in a head that is
  /// compared with another. Shorter ones hold hardly more than the start, but
  /// of many waves.
  static constexpr double share(double Waves) {
    return areMany(Waves) ? 1.0 / 300 : 1.0 / 200;
  }
  /// Share in a head whose second half, which has the rate, has \p Part of what
  /// a warp does, but no more than a head may have for that.
  static constexpr double shareOf(double Part, double Waves) {
    constexpr double Most = 1.0 / 64;
    return std::min(2 * Part / std::max(Waves, 1.0), Most);
  }
  /// Share that a search for clones of a launch of \p Waves may have in all:
  /// its clones, their head, and the original's, which goes on as far as clones
  /// have left of it. Of few waves, how they end is not in a head; less than a
  /// hundred are hardly one in a head.
  static constexpr double mostOfSearch(double Waves) {
    constexpr double FewWaves = 10;
    return Waves < FewWaves ? 1.0 / 44 : areMany(Waves) ? 1.0 / 80 : 1.0 / 45;
  }

  /// Cycles that a head or a clone lasts at least. Until then caches are cold
  /// and warps wait for the same lines: the rate says nothing of the launch.
  static constexpr double LeastCycles = 16000;
  /// Share of the work of a launch that a head or a clone may have to last so
  /// long. Of shorter launches there is no head, only start.
  static constexpr double MostToLast = 1.0 / 8;

  /// A head of \p Instructions warp instructions, or of \p Most where fewer
  /// last less than \p Least cycles.
  explicit LaunchHead(double Instructions, double Least = 0, double Most = 0)
      : Wanted(Instructions), Least(Least), Most(Most) {}
  /// \p Instructions were issued until \p Cycles. False when that is enough.
  bool add(double Cycles, double Instructions);

  /// Cycles per warp instruction in the second half of the first \p End ones,
  /// or of all. Nothing if the launch ended before, or had not begun.
  std::optional<double> rate(double End) const;
  std::optional<double> rate() const { return rate(Wanted); }
  /// Cycles of a launch of \p Instructions that goes on at this rate, without
  /// what its end costs; at least those of the head.
  double whole(double Instructions) const;
  /// Cycles that it takes longer to the half than at that rate.
  double start() const;
  double instructions() const { return Points.back().Instructions; }
  double cycles() const { return Points.back().Cycles; }
  double wanted() const { return Wanted; }
  /// Instructions of a head of \p Instructions that lasts as long as this one
  /// must.
  double atLeast(double Instructions) const;
  /// Whether it lasts less than it must.
  bool isShort() const { return cycles() < Least; }

private:
  static constexpr bool areMany(double Waves) { return Waves >= 100; }

  struct Point {
    double Cycles = 0, Instructions = 0;
  };
  double cyclesAt(double Instructions) const;

  double Wanted, Least, Most;
  std::vector<Point> Points = {{}};
};

/// What a clone's head says beside its original's.
struct CloneCheck {
  /// Cycles of the original for each one of its clones.
  double Correction = 1;
  /// Cycles of the original at the rate of its head, without its end.
  double RateCycles = 0;
  /// Cycles that the original's head takes longer to start.
  double Start = 0;
  double HeadShare = 0; ///< of the original's work, in its head
  /// Machines full of blocks that the original has.
  double Waves = 1;
  /// Of the rate, since it is that of so few iterations; see rateShare.
  double RateError = 0;
  /// Of what a warp does, how much is in the half of the head which has the
  /// rate; see shareSeen.
  double Seen = 1;
  /// How often clones read from DRAM what L2 holds; see readsOfData.
  double Reads = 0;
  /// Whether the original's head, or the greatest clone, is hardly more than a
  /// start.
  bool IsShort = false;

  /// Share of what a warp does that is in the half of the head which has the
  /// rate; more than one where that half has several waves.
  double rateShare() const { return HeadShare / 2 * std::max(Waves, 1.0); }
};

/// \p Clone is the head of a clone that has \p CloneInstructions uncut, \p
/// Original that of a launch of \p Instructions, perhaps a longer one. Compared
/// is what both have. Nothing if a head has no rate.
std::optional<CloneCheck> checkClone(const LaunchHead &Original,
                                     double Instructions,
                                     const LaunchHead &Clone,
                                     double CloneInstructions, double Waves);

/// Makes cycles, time and IPC of \p Metrics the mean of what the clones say,
/// corrected by \p Check, and of what the original's rate says, each weighed by
/// the inverse of its squared error. Their errors become those that hold: the
/// mean's, more where the two lie further apart than their errors explain, and
/// what is left where all agree. Without a check the clone may behave as
/// wrongly as clones do. \p Drawn: the part of the errors that drawing accesses
/// causes, which a check has measured. \p Spread: tripSpread; \p Start:
/// startShare; \p Way: wayToRate.
void applyCheck(std::map<std::string, ProjectedMetric> &Metrics,
                const std::optional<CloneCheck> &Check, double Drawn,
                double Spread = 0, double Start = 0, double Way = 0);

/// Why there is no projection of launches that are CloneCheck::IsShort.
std::string tooShort();

/// Why the cycles of \p Metrics, after applyCheck, cannot be trusted: the
/// launch is too short, clones read again what L2 holds, their error is beyond
/// MostError, or the original's own rate leads elsewhere by more than its end
/// explains. Empty if they can.
std::string doubtsOf(const std::map<std::string, ProjectedMetric> &Metrics,
                     const std::optional<CloneCheck> &Check);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_CLONECHECK_H
