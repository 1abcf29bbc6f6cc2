//===- CallSites.h - Lines of a program's own code --------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_CALLSITES_H
#define HEDDLE_CUDA_CALLSITES_H

#include <string>
#include <vector>

namespace heddle::cuda {

/// Return addresses, innermost first.
using CallStack = std::vector<const void *>;

/// Of the caller.
CallStack callStack();

/// "app.cu:12" of the innermost of \p Stack that is the program's own code, or
/// its function where the program has no lines; empty if neither is known.
/// Loads the compiler.
std::string lineOf(const CallStack &Stack);

/// What libHeddleCudaEngine.so exports for it: heddleLineOf.
using LineOf = void(const CallStack &, std::string &);

/// lineOf() after \p Word and a space, or nothing.
std::string lineAfter(const char *Word, const CallStack &Stack);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_CALLSITES_H
