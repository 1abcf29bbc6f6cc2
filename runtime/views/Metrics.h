//===- Metrics.h - Numbers under Nsight Compute's names ---------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_METRICS_H
#define HEDDLE_VIEWS_METRICS_H

#include "base/Result.h"
#include "views/View.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::views {

/// A number of a result that means what Nsight Compute's metric of this name
/// does. It is Scale * the sum of Keys, over the sum of Per if there is one.
struct MetricRow {
  const char *Name, *Unit;
  double Scale;
  std::string_view Keys; ///< JSON pointers, with a blank between them
  std::string_view Per;
};

struct Metric {
  const MetricRow *Row;
  double Value;
};

/// The metrics of \p Names that \p Result has, "all" for every one. Fails for a
/// name that is none, and for one that the result's model does not count.
Result<std::vector<Metric>> metricsOf(const JSON &Result,
                                      const std::vector<std::string> &Names);

/// The metrics of \p Result as a table of text, and as CSV with the columns of
/// `ncu --csv`: kernel, metric, unit, value.
std::string metricsText(const JSON &Result, const std::vector<Metric> &Metrics);
std::string metricsCSV(const JSON &Result, const std::vector<Metric> &Metrics);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_METRICS_H
