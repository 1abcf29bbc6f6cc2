//===- StallView.h - What warps wait for ------------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_STALLVIEW_H
#define HEDDLE_VIEWS_STALLVIEW_H

#include "interval/CPIStack.h"
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

/// Instructions and utilisation of each kind of pipe. JSON key: pipes.
class PipeView : public View {
public:
  explicit PipeView(const timing::SimulationResult &Result) : Result(Result) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  const timing::SimulationResult &Result;
};

/// Where the warp cycles of a simulation went, in GPUMech's categories and in
/// those of later models, each scaled to the cycles of a busy SM per warp
/// instruction: the same quantities that an interval estimate gives. JSON keys:
/// core_cpi, gpumech_stack, cpi_categories.
class CPIStackView : public View {
public:
  explicit CPIStackView(const timing::SimulationResult &Result);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  double CoreCPI = 0;
  interval::CPIStack Parts{};
  interval::CategoryStack Categories{};
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_STALLVIEW_H
