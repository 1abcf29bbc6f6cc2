//===- Statistics.h - Means and spreads -------------------------*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_STATISTICS_H
#define HEDDLE_SAMPLING_STATISTICS_H

#include <cmath>
#include <span>

namespace heddle::sampling {

inline double mean(std::span<const double> Values) {
  double Sum = 0;
  for (double V : Values)
    Sum += V;
  return Values.empty() ? 0 : Sum / double(Values.size());
}

/// Standard deviation of the whole population.
inline double standardDeviation(std::span<const double> Values) {
  double Mean = mean(Values), Sum = 0;
  for (double V : Values)
    Sum += (V - Mean) * (V - Mean);
  return Values.empty() ? 0 : std::sqrt(Sum / double(Values.size()));
}

/// Standard deviation over mean; 0 where the mean is.
inline double coefficientOfVariation(std::span<const double> Values) {
  double Mean = mean(Values);
  return Mean == 0 ? 0 : standardDeviation(Values) / std::abs(Mean);
}

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_STATISTICS_H
