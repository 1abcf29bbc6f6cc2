//===- SourceView.h - The costliest source lines ----------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_SOURCEVIEW_H
#define HEDDLE_VIEWS_SOURCEVIEW_H

#include "timing/SimulationResult.h"
#include "views/View.h"

#include <functional>

namespace heddle::views {

/// The text of a line of a source file, empty where it is not to be had.
using SourceText =
    std::function<std::string(const std::string &File, uint32_t Line)>;

/// Source lines by the warp cycles that were spent waiting to issue their
/// instructions, with the state that dominates. JSON key: source_lines, all
/// lines in the order of the file.
class SourceView : public View {
public:
  static constexpr unsigned LinesInText = 10;

  SourceView(const timing::SimulationResult &Result, const SourceText &Source);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  struct Line {
    std::string File;
    uint32_t Number = 0;
    std::string Text;
    uint64_t Issued = 0, Threads = 0, Cycles = 0;
    timing::StallCycles States{};
    double Share = 0; ///< of all warp cycles
  };
  std::vector<Line> Lines;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_SOURCEVIEW_H
