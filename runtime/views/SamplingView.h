//===- SamplingView.h - What was simulated and what it projects -*- C++ -*-===//

#ifndef HEDDLE_VIEWS_SAMPLINGVIEW_H
#define HEDDLE_VIEWS_SAMPLINGVIEW_H

#include "sampling/SamplingResult.h"
#include "views/View.h"

namespace heddle::views {

/// The report of `heddle sample`. JSON keys: docs/Commands/sample.md.
class SamplingView : public View {
public:
  /// \p Regions: the region table of every simulated launch in the text.
  SamplingView(const sampling::SamplingResult &Result, bool Regions)
      : Result(Result), Regions(Regions) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  std::string summary() const;
  std::string strata() const;
  std::string baselines() const;
  std::string combinations() const;
  std::string launches() const;
  std::string regions() const;

  const sampling::SamplingResult &Result;
  bool Regions;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_SAMPLINGVIEW_H
