//===- ControlFlowView.h - Basic blocks and the ways between them -*- C++
//-*-===//

#ifndef HEDDLE_VIEWS_CONTROLFLOWVIEW_H
#define HEDDLE_VIEWS_CONTROLFLOWVIEW_H

#include "trace/FlowSource.h"
#include "views/View.h"

namespace heddle::views {

/// How warps went from block to block. JSON key: control_flow; what the blocks
/// cost stands under instructions. No text: the page draws it.
class ControlFlowView : public View {
public:
  explicit ControlFlowView(const trace::BlockFlow &Flow) : Flow(Flow) {}
  std::string text() const override { return ""; }
  void addTo(JSON &Out) const override;

private:
  const trace::BlockFlow &Flow;
};

/// The control flow of \p Result, which has the keys control_flow and
/// instructions, in Graphviz' language: a node for each basic block that ran,
/// its class heat0 to heat5 by its share of the warp cycles; edges with their
/// share of what leaves the block. Empty without these keys or with fewer than
/// two blocks.
std::string controlFlowGraph(const JSON &Result);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_CONTROLFLOWVIEW_H
