//===- StratifiedSampling.h - A projection with a confidence interval -----===//
//
// Two-phase stratified sampling of an application's launches (Cochran, Sampling
// Techniques, 3rd edition, sections 5.5, 5A.9, 6.10 and 7.1): launches that
// are expected to have the same cycles per instruction form a stratum. A few of
// each are simulated; a regression over their work (LaunchRegression.h) expects
// the cycles of the others. What it errs by says how many more each stratum
// needs so that the whole is known to the error asked for.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SAMPLING_STRATIFIEDSAMPLING_H
#define HEDDLE_SAMPLING_STRATIFIEDSAMPLING_H

#include "arch/GPUSpec.h"
#include "sampling/LaunchProfile.h"
#include "sampling/LaunchRegression.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::sampling {

/// Cycles that all launches together take: most likely and between.
struct ConfidentProjection {
  double Cycles = 0, Low = 0, High = 0;
  bool contains(double Truth) const { return Low <= Truth && Truth <= High; }
};

/// A launch that was simulated. Cycles that were projected from a part of its
/// thread blocks are known to \p Deviation, a standard deviation. Launches may
/// err together: their deviations add up.
struct MeasuredLaunch {
  double Cycles = 0;
  double Deviation = 0;
};

/// A stratum as reports show it.
struct StratumSummary {
  std::string Kernel;
  size_t Launches = 0, Sampled = 0;
  uint64_t Instructions = 0; ///< warp instructions of all its launches
  double Cycles = 0;         ///< projected
  /// Standard deviation of a launch's cycles from what is expected, as a share.
  double Deviation = 0;
};

class StratifiedSample {
public:
  struct Options {
    double Confidence = 0.95;
    /// Launches of the first phase: of an application that is one stratum, and
    /// at least of a smaller one. Where the profile sees no difference between
    /// launches one is enough, and a pair in one such stratum of a kernel.
    unsigned Pilot = 5, LeastPilot = 3, TightPilot = 2;
    /// A stratum with fewer launches, or a smaller share of its kernel's where
    /// its launches are not equal, joins its neighbour.
    unsigned LeastLaunches = 8;
    double LeastShare = 0.2;
    /// A launch's relative deviation from what is expected, as one observation
    /// that each stratum counts beside its own: a few launches that happen to
    /// be equal do not make a stratum certain.
    double PriorDeviation = 0.01;
    /// Whether a launch finds in L2 what the one before it left there.
    bool L2Kept = false;
    uint64_t Seed = 1;
  };

  StratifiedSample(const ApplicationProfile &Profile,
                   const arch::GPUSpec &Machine, const Options &Given);

  /// Launches whose cycles are needed by now, ascending.
  std::vector<size_t> launches() const;
  bool contains(size_t Launch) const { return Chosen[Launch]; }

  /// The second phase: enlarges the sample until the half width of the interval
  /// ought to be at most \p TargetError of the projection. Of what reduces the
  /// variance most per instruction that has to be simulated, first. Returns
  /// whether it has grown: what it ought to be is known better then.
  bool extend(const std::vector<MeasuredLaunch> &Measured, double TargetError);

  /// \p Measured: by launch, of launches() at least.
  ConfidentProjection
  project(const std::vector<MeasuredLaunch> &Measured) const;

  std::vector<StratumSummary>
  summary(const std::vector<MeasuredLaunch> &Measured) const;

private:
  struct Stratum {
    std::string Kernel;
    std::vector<size_t> Order; ///< the pilot, then the others in random order
    size_t Sampled = 0;        ///< number of the first
    bool Tight = false;        ///< the profile sees no difference between them
    uint64_t Instructions = 0; ///< of all its launches
  };
  struct Estimate {
    double Cycles = 0;     ///< of the whole stratum
    double Variance = 0;   ///< of Cycles, by the choice of launches
    double InLaunches = 0; ///< deviation of Cycles by the choice of blocks
    double Deviation = 0;  ///< of one launch, squared and relative
    double Freedom = 1;    ///< degrees of freedom of the variance
  };
  struct Sum {
    double Cycles = 0, Variance = 0, InLaunches = 0, Quantile = 0;
    double halfWidth() const;
  };

  std::vector<size_t> takeRepeated(const ApplicationProfile &Profile,
                                   std::vector<size_t> &Launches) const;
  void addStrata(const ApplicationProfile &Profile,
                 const std::vector<size_t> &Launches,
                 class RandomNumbers &Random);
  void addStratum(const std::string &Kernel, std::vector<size_t> Launches,
                  class RandomNumbers &Random);
  bool isTight(const std::vector<size_t> &Launches) const;
  size_t pilotOf(const Stratum &S) const;
  void choosePair(size_t First);
  void choose(Stratum &S, size_t Count);
  std::vector<Estimate>
  estimate(const std::vector<MeasuredLaunch> &Measured) const;
  Sum sum(const std::vector<Estimate> &Estimates) const;
  std::vector<Estimate> expect(std::vector<Estimate> Estimates,
                               const std::vector<size_t> &Counts) const;
  static double varianceWith(const Stratum &S, const Estimate &E,
                             size_t Sampled);

  const Options Given;
  std::vector<LaunchWork> Work; ///< by launch
  double Instructions = 0;      ///< of all launches
  std::vector<Stratum> Strata;
  std::vector<bool> Chosen;
};

/// The two-sided quantile of Student's distribution: |t| is below it with
/// probability \p Confidence.
double studentQuantile(double Confidence, double DegreesOfFreedom);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_STRATIFIEDSAMPLING_H
