//===- ExpressionFold.h - One operation on bits -----------------*- C++ -*-===//

#ifndef HEDDLE_LIB_ANALYSIS_EXPRESSIONFOLD_H
#define HEDDLE_LIB_ANALYSIS_EXPRESSIONFOLD_H

#include "heddle/Analysis/Expression.h"

#include <optional>

namespace heddle {

/// The result of \p E's own operation on \p Operands (bits, zero above the
/// width). Nothing where it has none: division by zero, leaves, and operations
/// that need a loop.
std::optional<uint64_t> applyOperation(const Expr &E, const uint64_t *Operands);

} // namespace heddle

#endif // HEDDLE_LIB_ANALYSIS_EXPRESSIONFOLD_H
