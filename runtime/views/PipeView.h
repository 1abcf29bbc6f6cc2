//===- PipeView.h - How busy the pipes of the SMs are -----------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_PIPEVIEW_H
#define HEDDLE_VIEWS_PIPEVIEW_H

#include "timing/SimulationResult.h"
#include "views/View.h"

namespace heddle::views {

/// Instructions and utilisation of each kind of pipe. JSON key: pipes.
class PipeView : public View {
public:
  explicit PipeView(const timing::SimulationResult &Result) : Result(Result) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  const timing::SimulationResult &Result;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_PIPEVIEW_H
