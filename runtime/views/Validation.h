//===- Validation.h - Results against a table of truths ---------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_VALIDATION_H
#define HEDDLE_VIEWS_VALIDATION_H

#include "base/CSVTable.h"
#include "base/Result.h"
#include "views/ResultFile.h"
#include "views/View.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

struct ValidationOptions {
  std::string Metric = "cycles"; ///< or "time_us": column and key
  std::string ErrorKind;         ///< for rows without a column error_kind
  unsigned TopK = 1;
};

/// Pairs results with rows. A row belongs to a result if all of its columns
/// kernel, gpu, file (name without folder and .json), grid and block (as
/// "64x1x1") that it fills agree; each result takes exactly one row, the one
/// whose name of the kernel is closest. JSON keys:
/// docs/Results.md.
class Validation : public View {
public:
  static Result<Validation> make(const std::vector<StoredResult> &Results,
                                 const CSVTable &Table,
                                 const ValidationOptions &Options);
  std::string text() const override;
  void addTo(JSON &Out) const override;
  /// Where the results are that no row belongs to.
  const std::vector<std::string> &unmatched() const { return Unmatched; }

private:
  struct Pair {
    std::string Kernel, GPU, Model, Where, Kind;
    Estimate Values;
  };
  struct Group {
    std::string What, Name; ///< "all", "kernel" or "machine"; its name
    ErrorStatistics Statistics;
    std::string Worst; ///< where the worst is
  };
  void group();

  ValidationOptions Options;
  std::vector<Pair> Pairs;
  std::vector<Group> Groups;
  std::vector<std::string> Unmatched; ///< results without a row
  size_t UnusedRows = 0;
  std::string Kinds; ///< all kinds of error, separated by commas
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_VALIDATION_H
