//===- SummaryView.h - Cycles, rates and occupancy --------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_SUMMARYVIEW_H
#define HEDDLE_VIEWS_SUMMARYVIEW_H

#include "timing/SimulationResult.h"
#include "views/View.h"

namespace heddle::views {

/// The first paragraph of a report: how long, how much, how full.
class SummaryView : public View {
public:
  explicit SummaryView(const timing::SimulationResult &Result);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  const timing::SimulationResult &Result;
  unsigned BusySMs = 0;
  /// Warp instructions per cycle of an SM that has work.
  double IPCOfBusySM = 0;
  /// Cycles of the SM that worked longest over the mean: 1 is balanced.
  double Imbalance = 0;
  double LanesPerInstruction = 0;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_SUMMARYVIEW_H
