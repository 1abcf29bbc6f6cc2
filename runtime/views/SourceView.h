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

/// The lines of source between the first and the last one that has
/// instructions, file by file, with the cost of each beside it. JSON key:
/// sources, text alone; the costs stand in source_lines.
class AnnotatedSource : public View {
public:
  static constexpr unsigned ContextLines = 3; ///< before and after
  /// A file is cut where it has no instructions for more lines than this.
  static constexpr unsigned MaxGap = 12;

  AnnotatedSource(const timing::SimulationResult &Result,
                  const SourceText &Source);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  struct Line {
    std::string Text;
    timing::InstSample Sample;
    uint64_t Cycles = 0;
  };
  struct Part {
    std::string File;
    uint32_t First = 1;
    std::vector<Line> Lines;
  };
  void addPart(const std::string &File,
               std::span<const timing::LineSample> Samples,
               const SourceText &Source);

  uint64_t WarpCycles;
  std::vector<Part> Parts;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_SOURCEVIEW_H
