//===- AnnotatedSource.h - The kernel's source with its costs ---*- C++ -*-===//

#ifndef HEDDLE_VIEWS_ANNOTATEDSOURCE_H
#define HEDDLE_VIEWS_ANNOTATEDSOURCE_H

#include "views/SourceView.h"

namespace heddle::views {

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

#endif // HEDDLE_VIEWS_ANNOTATEDSOURCE_H
