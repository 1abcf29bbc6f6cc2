//===- TraceModes.h - Ways to make the trace of a launch --------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_TRACEMODES_H
#define HEDDLE_TOOLS_TRACEMODES_H

#include "Session.h"

#include <memory>

namespace heddle::tool {

/// How the events of a trace come about (docs/Commands/trace.md).
enum class TraceMode { Executed, Sliced, Static };

/// What a static trace assumes where data decides (Trace/StaticTrace.h).
struct StaticAssumptions {
  std::optional<double> TakenProbability;
  uint64_t DataIterations = 16;
};

/// The session of a trace that is made in \p Mode: a static one leaves the
/// buffers unfilled. Throws CommandError.
std::unique_ptr<Session> makeTraceSession(const SessionOptions &Options,
                                          TraceMode Mode);

/// \p S's launch as a trace, made while it is read. The session must outlive
/// it. The buffers hold no results afterwards unless it was executed. Throws
/// CommandError.
std::unique_ptr<trace::TraceSource>
makeTraceSource(Session &S, const KernelCode &Code, TraceMode Mode,
                const StaticAssumptions &Assumptions = {});

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_TRACEMODES_H
