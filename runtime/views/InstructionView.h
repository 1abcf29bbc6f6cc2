//===- InstructionView.h - Samples per instruction --------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_INSTRUCTIONVIEW_H
#define HEDDLE_VIEWS_INSTRUCTIONVIEW_H

#include "timing/SimulationResult.h"
#include "views/View.h"

namespace heddle::views {

/// Every instruction of the code table in order, with how often it issued and
/// what its warps waited for. JSON key: instructions.
class InstructionView : public View {
public:
  explicit InstructionView(const timing::SimulationResult &Result)
      : Result(Result) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  const timing::SimulationResult &Result;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_INSTRUCTIONVIEW_H
