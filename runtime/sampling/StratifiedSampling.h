//===- StratifiedSampling.h - A projection with a confidence interval -*- C++
//-*-===//
//
// Two-phase stratified sampling of an application's launches (Cochran, Sampling
// Techniques, 3rd edition, sections 5.5, 5A.9 and 6.10): launches that are
// expected to have the same cycles per instruction form a stratum. A few of
// each are simulated. Their deviations say how many more each stratum needs, so
// that the whole is known to the requested error.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SAMPLING_STRATIFIEDSAMPLING_H
#define HEDDLE_SAMPLING_STRATIFIEDSAMPLING_H

#include "sampling/LaunchProfile.h"

#include <cstdint>
#include <vector>

namespace heddle::sampling {

/// Cycles that all launches together take: most likely and between.
struct ConfidentProjection {
  double Cycles = 0, Low = 0, High = 0;
  bool contains(double Truth) const { return Low <= Truth && Truth <= High; }
};

class StratifiedSample {
public:
  struct Options {
    double Confidence = 0.95;
    unsigned Pilot = 6; ///< launches of each stratum in the first phase
    /// Width of a stratum: binary logarithm of 1 + requests per instruction.
    double RequestsStep = 0.05;
    uint64_t Seed = 1;
  };

  StratifiedSample(const ApplicationProfile &Profile, const Options &Given);

  /// Launches whose cycles are needed by now, ascending.
  std::vector<size_t> launches() const;
  bool contains(size_t Launch) const { return Chosen[Launch]; }

  /// The second phase: enlarges the sample until the half width of the interval
  /// ought to be at most \p TargetError of the projection. Of what reduces the
  /// variance most per instruction that has to be simulated, first. Returns
  /// whether it has grown: what it ought to be is known better then.
  bool extend(const std::vector<double> &CyclesOfLaunch, double TargetError);

  /// \p CyclesOfLaunch: of launches() at least.
  ConfidentProjection project(const std::vector<double> &CyclesOfLaunch) const;

  size_t numStrata() const { return Strata.size(); }
  uint64_t sampledInstructions() const;

private:
  struct Stratum {
    std::vector<size_t> Order; ///< its launches in random order
    size_t Sampled = 0;        ///< number of the first
    uint64_t Instructions = 0; ///< of all its launches
  };
  struct Estimate {
    double Ratio = 0;     ///< cycles per instruction
    double Deviation = 0; ///< variance of a launch's cycles around it
  };

  void choose(Stratum &S, size_t Count);
  std::vector<Estimate> estimate(const std::vector<double> &Cycles) const;
  static double varianceOf(const Stratum &S, const Estimate &E, size_t Sampled);
  double degreesOfFreedom(const std::vector<Estimate> &Estimates) const;
  double quantile(const std::vector<Estimate> &Estimates) const;

  const Options Given;
  std::vector<uint64_t> Instructions; ///< warp instructions by launch
  std::vector<Stratum> Strata;
  std::vector<bool> Chosen;
};

/// The two-sided quantile of Student's distribution: |t| is below it with
/// probability \p Confidence.
double studentQuantile(double Confidence, double DegreesOfFreedom);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_STRATIFIEDSAMPLING_H
