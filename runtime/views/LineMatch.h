//===- LineMatch.h - The same lines in two results --------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_LINEMATCH_H
#define HEDDLE_VIEWS_LINEMATCH_H

#include "views/View.h"

#include <string>
#include <vector>

namespace heddle::views {

/// A line of source of one result and its share of the warp cycles.
struct CostedLine {
  std::string File, Function; ///< Function: empty where it is not known
  unsigned Number = 0;
  std::string Text; ///< without indentation; empty: not in the result
  double Share = 0;
};

/// A line before and after a change; Number 0 where there is none.
struct LinePair {
  CostedLine Before, After;
};

/// Pairs the lines of two results by function and content, so that a comment
/// above a line, another file name or moved functions change nothing. Lines in
/// between that do not match are taken for rewritten ones, in order, and the
/// rest for removed or new. Without text, lines pair by their distance from the
/// function's first line.
std::vector<LinePair> matchLines(const JSON &Before, const JSON &After);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_LINEMATCH_H
