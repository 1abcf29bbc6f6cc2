//===- ReplacedStatements.h - PTX statements read as others -----*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_REPLACEDSTATEMENTS_H
#define HEDDLE_LIB_PTX_REPLACEDSTATEMENTS_H

#include "heddle/PTX/PTXStatement.h"

namespace heddle::ptx {

/// The pseudo instruction that a statement of PTXEmitter's assemblyText stands
/// for: "call (%d), math_exp_f32, (%a)" is "math.exp.f32 %d, %a", "call
/// call_refused_body, ()" is "call.refused.body _", and
/// "call.uni (%r), vprintf, (%a, %b)" is "call.vprintf %r, %a, %b", and
/// "mov.u32 %r1, %envreg3" is "special.globaloffset.x %r1". Empty for others.
std::string pseudoOf(llvm::StringRef Statement);

/// "mov.v4.u32 {a, b, c, d}, %tid" as the moves of its elements, which is what
/// a GPU does. None for others, and where a move would read what one before it
/// has written.
std::vector<std::string> movesOf(const PTXStatement &S);

} // namespace heddle::ptx

#endif // HEDDLE_LIB_PTX_REPLACEDSTATEMENTS_H
