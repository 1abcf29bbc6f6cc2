//===- TraceModes.h - Ways to make the trace of a launch --------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_TRACEMODES_H
#define HEDDLE_TOOLS_TRACEMODES_H

#include "Session.h"

#include <memory>

namespace heddle::tool {

/// How the events of a trace come about (docs/Commands/trace.md).
enum class TraceMode { Executed, Sliced };

/// \p S's launch as a trace, made while it is read. The session must outlive
/// it. The buffers hold no results afterwards unless it was executed. Throws
/// CommandError.
std::unique_ptr<trace::TraceSource>
makeTraceSource(Session &S, const KernelCode &Code, TraceMode Mode);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_TRACEMODES_H
