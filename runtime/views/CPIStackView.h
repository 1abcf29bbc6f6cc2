//===- CPIStackView.h - Measured CPI stacks ---------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_CPISTACKVIEW_H
#define HEDDLE_VIEWS_CPISTACKVIEW_H

#include "interval/CPIStack.h"
#include "timing/SimulationResult.h"
#include "views/View.h"

namespace heddle::views {

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

#endif // HEDDLE_VIEWS_CPISTACKVIEW_H
