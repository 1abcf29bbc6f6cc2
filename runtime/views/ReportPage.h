//===- ReportPage.h - Results as one HTML page ------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_REPORTPAGE_H
#define HEDDLE_VIEWS_REPORTPAGE_H

#include "views/View.h"

#include <span>
#include <string>
#include <vector>

namespace heddle::views {

/// One result on the page.
struct PageResult {
  std::string Name; ///< shown beside it, may be empty
  JSON Data;        ///< as `--json` wrote it
  /// SVG of the chain of each of its bottlenecks, empty strings or fewer where
  /// there is none.
  std::vector<std::string> Graphs;
  std::string Flow; ///< SVG of its control flow, or empty
};

/// A self-contained page: style, scripts (Chart.js among them) and data. It
/// fetches nothing and shows whatever keys the results have.
std::string reportPage(std::span<const PageResult> Results,
                       const std::string &Version);

/// The chain of bottleneck \p Bottleneck (an element of "bottlenecks") in
/// Graphviz' language: instructions, and arrows from producer to consumer. Node
/// classes are those of page.css.
std::string chainGraph(const JSON &Bottleneck);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_REPORTPAGE_H
