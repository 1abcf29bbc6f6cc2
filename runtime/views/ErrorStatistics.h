//===- ErrorStatistics.h - How far estimates are from the truth -*- C++ -*-===//

#ifndef HEDDLE_VIEWS_ERRORSTATISTICS_H
#define HEDDLE_VIEWS_ERRORSTATISTICS_H

#include <cstddef>
#include <optional>
#include <span>

namespace heddle::views {

/// An estimate and what it estimates; both positive, in the same unit.
struct Estimate {
  double Predicted = 0, Actual = 0;

  /// |predicted - actual| / actual.
  double error() const;
};

struct ErrorStatistics {
  size_t Count = 0;
  double Mean = 0;   ///< MAPE / 100
  double Median = 0; ///< mean of the two in the middle for an even count
  double Worst = 0;
  size_t WorstIndex = 0; ///< the first of the worst
  /// Kendall's tau-b: 1 if both put all in the same order, -1 in the opposite,
  /// ties counted as neither. Nothing below two values or if one side has but
  /// one value.
  std::optional<double> Tau;
  /// What trusting the estimates costs: the least actual value among the k that
  /// are predicted least, over the least of all, minus 1. Nothing below two.
  std::optional<double> Regret;
};

/// \p K is that of the regret, at least 1.
ErrorStatistics errorStatistics(std::span<const Estimate> Estimates,
                                unsigned K);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_ERRORSTATISTICS_H
