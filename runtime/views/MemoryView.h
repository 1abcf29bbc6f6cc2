//===- MemoryView.h - Caches, interconnect and DRAM -------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_MEMORYVIEW_H
#define HEDDLE_VIEWS_MEMORYVIEW_H

#include "timing/SimulationResult.h"
#include "views/View.h"

namespace heddle::views {

/// Two tables: what memory instructions ask for (by space), and what each
/// level of the hierarchy makes of it. JSON keys: spaces, l1, l2, ..., dram.
class MemoryView : public View {
public:
  explicit MemoryView(const timing::SimulationResult &Result)
      : Result(Result) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  const timing::SimulationResult &Result;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_MEMORYVIEW_H
