//===- CheckSample.h - How far off a projection is --------------*- C++ -*-===//
//
// Methods that let one launch stand for others (TBPoint, intervals) say nothing
// of their error. This simulates a few launches that others stand for, drawn in
// proportion to the cycles that they are expected to take, and compares: the
// mean relative difference is the projection's error, its spread the
// uncertainty (Hansen and Hurwitz's estimator; Cochran, Sampling Techniques,
// 3rd edition, section 9A.3).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SAMPLING_CHECKSAMPLE_H
#define HEDDLE_SAMPLING_CHECKSAMPLE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle::sampling {

/// A launch that was simulated although another stands for it.
struct CheckedLaunch {
  size_t Launch = 0;
  double Expected = 0, Cycles = 0;
  double error() const {
    return Expected > 0 ? (Cycles - Expected) / Expected : 0;
  }
};

class CheckSample {
public:
  /// Draws from the launches with \p Expected cycles, which have not been
  /// simulated; 0 for all others. A quarter of them, at least three and at most
  /// \p Most. Systematic, deterministic in \p Seed.
  CheckSample(const std::vector<double> &Expected, unsigned Most,
              uint64_t Seed);

  /// To be simulated, ascending.
  std::vector<size_t> launches() const;

  /// By how much the projection is too low, in cycles, and how certain that is:
  /// a half width at 95 % confidence. \p Cycles: by launch, of launches() at
  /// least.
  struct Error {
    double Missing = 0, HalfWidth = 0;
    /// Mean of the launches' |error|, as a share: errors do not cancel.
    double Spread = 0;
  };
  Error error(const std::vector<double> &Cycles) const;
  std::vector<CheckedLaunch> checked(const std::vector<double> &Cycles) const;

private:
  std::vector<double> Expected;
  double Total = 0;
  size_t Candidates = 0;
  std::map<size_t, unsigned> Hits; ///< by launch
};

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_CHECKSAMPLE_H
