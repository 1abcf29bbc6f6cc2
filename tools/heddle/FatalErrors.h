//===- FatalErrors.h - What the compiler gives up on ------------*- C++ -*-===//

#ifndef HEDDLE_TOOL_FATALERRORS_H
#define HEDDLE_TOOL_FATALERRORS_H

#include <string>

namespace heddle::tool {

/// Turns what LLVM cannot go on from (an intrinsic that the architecture has no
/// instruction for) into a message and the exit status of wrong input; without
/// this it would abort the process.
void reportFatalErrors();

/// What LLVM said when it last gave up within a CrashRecoveryContext, once;
/// empty if it did not, but crashed.
std::string takeFatalError();

} // namespace heddle::tool

#endif // HEDDLE_TOOL_FATALERRORS_H
