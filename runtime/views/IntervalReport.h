//===- IntervalReport.h - What the interval model has to tell ---*- C++ -*-===//

#ifndef HEDDLE_VIEWS_INTERVALREPORT_H
#define HEDDLE_VIEWS_INTERVALREPORT_H

#include "interval/IntervalModel.h"
#include "views/View.h"

#include <vector>

namespace heddle::views {

/// One estimate in full.
class IntervalView : public View {
public:
  IntervalView(const interval::IntervalProfile &Profile,
               const interval::IntervalEstimate &Estimate)
      : P(Profile), E(Estimate) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  const interval::IntervalProfile &P;
  const interval::IntervalEstimate &E;
};

/// What each model says of one launch on one machine. JSON key: models.
class ModelsView : public View {
public:
  explicit ModelsView(std::vector<interval::IntervalEstimate> Estimates)
      : Estimates(std::move(Estimates)) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  std::vector<interval::IntervalEstimate> Estimates;
};

/// Estimates side by side: what was changed, time, speed-up over the first, CPI
/// stack. JSON key: what_if.
class WhatIfView : public View {
public:
  struct Row {
    std::string Change;
    interval::IntervalEstimate Estimate;
    std::vector<interval::IntervalEstimate> Models; ///< if asked for
    double Seconds = 0; ///< CPU time of this estimate
    std::string Failed; ///< why there is no estimate, if there is none
  };
  explicit WhatIfView(std::vector<Row> Rows) : Rows(std::move(Rows)) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  std::vector<Row> Rows;
};

/// Machine fields by the elasticity of time: the relative change of time over
/// the relative change of the field. JSON key: sensitivity.
class SensitivityView : public View {
public:
  struct Row {
    std::string Field;
    double Value = 0, Elasticity = 0;
  };
  explicit SensitivityView(std::vector<Row> Rows);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  std::vector<Row> Rows; ///< greatest effect first
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_INTERVALREPORT_H
