//===- GraphvizRun.h - Draws graphs with Graphviz ---------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_GRAPHVIZRUN_H
#define HEDDLE_TOOLS_GRAPHVIZRUN_H

#include <span>
#include <string>
#include <vector>

namespace heddle::tool {

/// Each of \p Graphs (in Graphviz' language) as an SVG element; empty strings
/// for empty ones. Runs `dot` once; nothing comes back where it is not
/// installed or fails, since a page is useful without pictures: \p Problem then
/// says why.
std::vector<std::string> drawGraphs(std::span<const std::string> Graphs,
                                    std::string &Problem);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_GRAPHVIZRUN_H
