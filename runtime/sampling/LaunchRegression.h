//===- LaunchRegression.h - Cycles of launches from their work --*- C++ -*-===//
//
// Weighted least squares of the cycles of a few simulated launches over what
// the profile knows of them. The variance of a launch's cycles grows with its
// instructions (the ratio estimator's assumption; Cochran, Sampling Techniques,
// 3rd edition, section 6.7), so that is what weighs an observation.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SAMPLING_LAUNCHREGRESSION_H
#define HEDDLE_SAMPLING_LAUNCHREGRESSION_H

#include "sampling/LaunchProfile.h"

#include <array>
#include <span>

namespace heddle::sampling {

/// What cycles depend on: a part that does not grow with the work, the
/// throughput of instructions and memory, and the slowest thread block.
struct LaunchWork {
  double Instructions = 1; ///< warp instructions, at least 1
  double LargestBlock = 0; ///< warp instructions of the largest thread block
  double MemoryRequests = 0;
  double BusiestSM = 0; ///< warp instructions of the blocks that it gets
  double Blocks = 0;
  /// Of the busiest SM: its instructions times those over the largest block's.
  /// A few blocks run side by side in the time of one; many take turns.
  double Crowding = 0;
  /// Warp instructions of the blocks that follow each other in one place of an
  /// SM, at most: where blocks come in waves, a last small one lasts as long.
  double BusiestSlot = 0;

  /// On a GPU of \p SMs that hold \p BlocksPerSM of the launch's blocks each.
  static LaunchWork of(const LaunchProfile &Launch, unsigned SMs,
                       unsigned BlocksPerSM);
  LaunchWork &operator+=(const LaunchWork &Other);
};

/// Least squares with one to three terms: a constant and the members of
/// LaunchWork. Of all choices of as many terms it is the one with which the
/// error is least when each launch is left out in turn. One term is
/// instructions. No term but the constant makes a launch faster. A model with
/// more terms needs two more observations than terms and has to be better by a
/// fifth for each.
class LaunchRegression {
public:
  /// \p Work and \p Cycles: of the simulated launches, at least one.
  LaunchRegression(std::span<const LaunchWork> Work,
                   std::span<const double> Cycles);

  /// Expected cycles of \p Count launches whose work is \p Sum together.
  double cycles(const LaunchWork &Sum, double Count) const;
  /// Mean square of the errors when each launch is left out in turn, over the
  /// square of the mean cycles: for a launch of mean size.
  double relativeDeviation() const { return Deviation; }
  double meanCycles() const { return MeanCycles; }
  double meanInstructions() const { return MeanInstructions; }
  /// How much the uncertainty of the coefficients adds to cycles(Sum, Count):
  /// its variance over that of a launch of mean size.
  double leverage(const LaunchWork &Sum, double Count) const;
  unsigned numTerms() const { return Terms; }

private:
  static constexpr unsigned MaxTerms = 3;
  using Row = std::array<double, MaxTerms>;
  using AllTerms = std::array<double, 8>;

  static AllTerms terms(const LaunchWork &Work, double Count);
  Row row(const LaunchWork &Work, double Count) const;
  LaunchRegression with(unsigned Term, std::span<const LaunchWork> Work,
                        std::span<const double> Cycles) const;
  bool isPlausible() const;

  unsigned Terms = 0;
  std::array<unsigned, MaxTerms> Chosen{}; ///< the first \p Terms
  Row Scale{}, Coefficients{};
  std::array<Row, MaxTerms> Inverse{}; ///< of the normal equations' matrix
  double Deviation = 0, MeanCycles = 0, MeanInstructions = 0;
};

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_LAUNCHREGRESSION_H
