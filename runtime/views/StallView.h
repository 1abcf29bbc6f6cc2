//===- StallView.h - What warps wait for ------------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_STALLVIEW_H
#define HEDDLE_VIEWS_STALLVIEW_H

#include "timing/SimulationResult.h"
#include "views/View.h"

namespace heddle::views {

/// The warp states of a launch in cycles per warp instruction, as Nsight
/// Compute's "warp state statistics": what the average warp spends between two
/// of its instructions, and in which state. JSON key: cpi_stack.
class StallView : public View {
public:
  explicit StallView(const timing::SimulationResult &Result);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  struct State {
    std::string Name;
    double CyclesPerInstruction = 0;
    double Share = 0; ///< of all warp cycles
  };
  std::vector<State> States; ///< costliest first, then by name
  double Total = 0;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_STALLVIEW_H
