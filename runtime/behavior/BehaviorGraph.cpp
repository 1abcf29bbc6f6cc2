//===- BehaviorGraph.cpp - The DFSG as a picture --------------------------===//

#include "behavior/BehaviorGraph.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace heddle::behavior {

/// Whether \p E closes a loop.
static bool goesBack(const Profile &P, const Edge &E) {
  return std::any_of(P.Loops.begin(), P.Loops.end(), [&](const Loop &L) {
    return L.Header == E.To && std::find(L.Blocks.begin(), L.Blocks.end(),
                                         E.From) != L.Blocks.end();
  });
}

/// Steps by the square root: a tenth of the work should be seen.
static unsigned heat(const Profile &P, const Block &B) {
  constexpr unsigned Heats = 6;
  const double Share = double(B.WarpCount) * double(B.Chain.size()) /
                       std::max(double(P.WarpInstructions), 1.0);
  return unsigned(
      std::min(double(Heats - 1), std::floor(std::sqrt(Share) * Heats)));
}

std::string behaviorDot(const Profile &P) {
  std::string Text =
      "digraph dfsg {\n  bgcolor=transparent; nodesep=0.3; ranksep=0.35;\n  "
      "node [shape=box, style=rounded, fontname=\"DejaVu Sans Mono\", "
      "fontsize=10, height=0.3, margin=\"0.12,0.05\"];\n  edge "
      "[arrowsize=0.6, fontname=\"DejaVu Sans Mono\", fontsize=9];\n";
  for (size_t B = 0; B < P.Blocks.size(); ++B)
    if (const Block &Block = P.Blocks[B]; Block.ECount)
      Text += fmt::format("  b{0} [label=\"{0}\\nECount {1}\\nLCount "
                          "{2}\\nSCount {3}\\n{4} instructions\", "
                          "class=heat{5}];\n",
                          B, Block.ECount, Block.LCount, Block.SCount,
                          Block.Chain.size(), heat(P, Block));
  for (const Edge &E : P.Edges) {
    const double Share = double(E.Count) /
                         double(std::max<uint64_t>(P.Blocks[E.From].ECount, 1));
    Text += fmt::format("  b{} -> b{} [label=\" {} by {} threads\", "
                        "penwidth={:.1f}{}];\n",
                        E.From, E.To, E.Count, E.TCount,
                        0.6 + 1.8 * std::min(Share, 1.0),
                        goesBack(P, E) ? ", style=dashed" : "");
  }
  return Text + "}\n";
}

} // namespace heddle::behavior
