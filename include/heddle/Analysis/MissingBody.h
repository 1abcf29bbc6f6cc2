//===- MissingBody.h - Calls of functions without a body --------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_MISSINGBODY_H
#define HEDDLE_ANALYSIS_MISSINGBODY_H

#include "llvm/ADT/StringRef.h"

namespace heddle {

/// Of a declaration heddle.refused.*: what calls it does, after "kernel 'k' ".
inline constexpr llvm::StringLiteral RefusedReason = "heddle-refused";

/// Attribute of a declaration heddle.refused.body*: the name, as the source has
/// it, of the function that has no body.
inline constexpr llvm::StringLiteral MissingBody = "heddle-missing";

} // namespace heddle

#endif // HEDDLE_ANALYSIS_MISSINGBODY_H
