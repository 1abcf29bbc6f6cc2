//===- ControlFlowView.cpp - Basic blocks and the ways between them -------===//

#include "views/ControlFlowView.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace heddle::views {

void ControlFlowView::addTo(JSON &Out) const {
  JSON Edges = JSON::array();
  for (const auto &[Ends, Count] : Flow.Edges)
    Edges.push_back(
        {{"from", Ends.first}, {"to", Ends.second}, {"count", Count}});
  Out["control_flow"] = {{"thread_blocks", Flow.ThreadBlocks},
                         {"edges", std::move(Edges)}};
}

namespace {

struct Node {
  uint64_t Insts = 0, Issued = 0;
  double Cycles = 0;
  std::string FirstPlace, LastPlace;
};

} // namespace

/// "file.cu:12" and "file.cu:15" as "line 12-15".
static std::string linesOf(const Node &N) {
  auto number = [](const std::string &Place) {
    const size_t Colon = Place.rfind(':');
    return Colon == std::string::npos ? std::string() : Place.substr(Colon + 1);
  };
  const std::string First = number(N.FirstPlace), Last = number(N.LastPlace);
  if (First.empty())
    return "";
  return First == Last ? "line " + First
                       : fmt::format("lines {}-{}", First, Last);
}

static int lineNumber(const std::string &Place) {
  const size_t Colon = Place.rfind(':');
  return Colon == std::string::npos ? 0 : std::atoi(Place.c_str() + Colon + 1);
}

std::string controlFlowGraph(const JSON &Result) {
  constexpr unsigned Heats = 6;
  const auto Flow = Result.find("control_flow");
  const auto Insts = Result.find("instructions");
  if (Flow == Result.end() || !Flow->is_object() || Insts == Result.end() ||
      !Insts->is_array())
    return "";
  std::map<int64_t, Node> Nodes;
  double All = 0;
  for (const JSON &I : *Insts) {
    if (!I.contains("block"))
      return "";
    Node &N = Nodes[I.value("block", int64_t(0))];
    ++N.Insts;
    N.Issued = std::max(N.Issued, I.value("warp_instructions", uint64_t(0)));
    for (const JSON &Cycles : I.value("cycles", JSON::object()))
      N.Cycles += Cycles.get<double>();
    const std::string Place = I.value("place", std::string());
    if (const int Line = lineNumber(Place)) {
      if (N.FirstPlace.empty() || Line < lineNumber(N.FirstPlace))
        N.FirstPlace = Place;
      if (N.LastPlace.empty() || Line > lineNumber(N.LastPlace))
        N.LastPlace = Place;
    }
  }
  std::erase_if(Nodes, [](const auto &N) { return !N.second.Issued; });
  for (const auto &[Number, N] : Nodes)
    All += N.Cycles;
  if (Nodes.size() < 2)
    return "";
  std::map<int64_t, double> Leaving;
  const JSON Edges = Flow->value("edges", JSON::array());
  for (const JSON &E : Edges)
    Leaving[E.value("from", int64_t(0))] += E.value("count", 0.0);
  std::string Dot =
      "digraph flow {\n  bgcolor=transparent; nodesep=0.3; ranksep=0.35;\n  "
      "node [shape=box, style=rounded, fontname=\"DejaVu Sans Mono\", "
      "fontsize=10, height=0.3, margin=\"0.12,0.05\"];\n  edge "
      "[arrowsize=0.6, fontname=\"DejaVu Sans Mono\", fontsize=9];\n";
  for (const auto &[Number, N] : Nodes) {
    const double Share = All > 0 ? N.Cycles / All : 0;
    // Steps by the square root: a tenth of the time should be seen.
    const auto Heat = unsigned(
        std::min(double(Heats - 1), std::floor(std::sqrt(Share) * Heats)));
    std::string Lines = linesOf(N);
    Dot +=
        fmt::format("  b{} [label=\"block {}{}{}\\n{} inst, {} of cycles\", "
                    "class=heat{}];\n",
                    Number, Number, Lines.empty() ? "" : ", ", Lines, N.Insts,
                    percent(uint64_t(N.Cycles), uint64_t(All)), Heat);
  }
  for (const JSON &E : Edges) {
    const int64_t From = E.value("from", int64_t(0)),
                  To = E.value("to", int64_t(0));
    if (!Nodes.contains(From) || !Nodes.contains(To))
      continue;
    const double Share = E.value("count", 0.0) / std::max(1.0, Leaving[From]);
    Dot += fmt::format(
        "  b{} -> b{} [penwidth={:.1f}{}];\n", From, To, 0.6 + 1.8 * Share,
        Share > 0.999 ? std::string()
                      : fmt::format(", label=\" {:.1f} %\"", 100 * Share));
  }
  return Dot + "}\n";
}

} // namespace heddle::views
