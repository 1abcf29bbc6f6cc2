//===- TraceSummary.h - What a trace file holds -----------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_TRACESUMMARY_H
#define HEDDLE_VIEWS_TRACESUMMARY_H

#include "trace/TraceFile.h"
#include "views/View.h"

namespace heddle::views {

/// Launch, code and size of a trace. JSON keys: docs/Commands/trace.md.
class TraceSummary : public View {
public:
  /// The three must outlive the view.
  TraceSummary(const trace::TraceHeader &Header, const trace::CodeTable &Code,
               const trace::file::FileSummary &File)
      : Header(Header), Code(Code), File(File) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  uint64_t numWarps() const {
    return Header.Grid.count() * Header.warpsPerBlock();
  }
  double bytesPerWarpInstruction() const;

  const trace::TraceHeader &Header;
  const trace::CodeTable &Code;
  const trace::file::FileSummary &File;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_TRACESUMMARY_H
