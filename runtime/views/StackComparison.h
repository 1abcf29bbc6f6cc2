//===- StackComparison.h - Estimated beside measured stacks -----*- C++ -*-===//

#ifndef HEDDLE_VIEWS_STACKCOMPARISON_H
#define HEDDLE_VIEWS_STACKCOMPARISON_H

#include "base/Result.h"
#include "interval/IntervalModel.h"
#include "views/ResultFile.h"
#include "views/View.h"

#include <string>
#include <vector>

namespace heddle::views {

/// The CPI stacks of a simulation and of an estimate of the same launch on the
/// same machine. JSON key: measured.
class StackComparison : public View {
public:
  /// Fails, saying what to do, if \p Measured is of another kernel, launch or
  /// machine, or has no stacks.
  static Result<StackComparison>
  make(const interval::IntervalProfile &Profile,
       const interval::IntervalEstimate &Estimate,
       const StoredResult &Measured);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  struct Row {
    std::string Name;
    double Measured = 0,
           Estimated = 0; ///< cycles per warp instruction of an SM
  };
  struct Stack {
    std::string Key;
    std::vector<Row> Rows;
    double MeasuredSum = 0, EstimatedSum = 0;
    /// Estimated minus measured share of the whole, in points.
    double points(const Row &R) const;
  };
  double Measured = 0, Estimated = 0; ///< cycles
  std::vector<Stack> Stacks;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_STACKCOMPARISON_H
