//===- ResultDiff.h - Is it slower than before? -----------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_RESULTDIFF_H
#define HEDDLE_VIEWS_RESULTDIFF_H

#include "base/Result.h"
#include "views/ResultFile.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::views {

struct DiffOptions {
  std::string Metric = "cycles"; ///< or "time_us"
  /// Largest tolerated growth of the metric, 0.03 is 3 %. None: nothing fails.
  std::optional<double> FailOver;
};

/// Two results of one kernel.
struct ResultDiff {
  struct Number {
    std::string Name;
    double Before = 0, After = 0;
  };
  /// A line of source; the metric is divided among lines by their share of warp
  /// cycles.
  struct Line {
    std::string File;
    unsigned Number = 0;       ///< after, or before if it is gone
    unsigned NumberBefore = 0; ///< 0: a new line
    bool IsGone = false;
    std::string Function, Text;
    double Before = 0, After = 0;
    bool Regressed = false; ///< grew by more than is tolerated of the whole
  };

  std::string Kernel, Before, After; ///< where they come from
  std::string GPU;                   ///< "v100", or "v100 -> a100"
  double MetricBefore = 0, MetricAfter = 0;
  bool Regressed = false;
  std::vector<Number> Numbers; ///< metric first
  std::vector<Number> States;  ///< cycles per instruction, those that changed
  std::vector<Line> Lines;     ///< by how much they changed
  /// What else differs between the two: "launch.args: ... -> ...".
  std::vector<std::string> Differs;
  /// What was left out, and why.
  std::vector<std::string> NotCompared;

  double change() const { return MetricAfter / MetricBefore - 1; }
};

struct ResultDiffs {
  std::vector<ResultDiff> Pairs;
  /// Results that were left out, and why.
  std::vector<std::string> NotCompared;
  bool LostResults = false; ///< some of them are of before
};

/// Compares the results of the same kernel and model, those of the same launch
/// and machine first. Fails if there is no such pair, and for results without
/// the metric.
Result<ResultDiffs> diffResults(const std::vector<StoredResult> &Before,
                                const std::vector<StoredResult> &After,
                                const DiffOptions &Options);

std::string diffText(const ResultDiffs &Diffs, const DiffOptions &Options);
JSON diffJSON(const ResultDiffs &Diffs, const DiffOptions &Options,
              const std::string &Version);
/// One test case per pair, failed where it regressed, and a skipped one for
/// each result that was left out.
std::string diffJUnit(const ResultDiffs &Diffs, const DiffOptions &Options);
/// SARIF 2.1.0: a result per kernel and per line that regressed.
JSON diffSARIF(const ResultDiffs &Diffs, const DiffOptions &Options,
               const std::string &Version);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_RESULTDIFF_H
