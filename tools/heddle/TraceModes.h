//===- TraceModes.h - Ways to make the trace of a launch --------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_TRACEMODES_H
#define HEDDLE_TOOLS_TRACEMODES_H

#include "Session.h"

#include "heddle/Analysis/LoopBounds.h"

#include <memory>

namespace heddle::tool {

/// How the events of a trace come about (docs/Commands/trace.md). Auto: static
/// where that is exact and cheap, else sliced, else executed.
enum class TraceMode { Auto, Executed, Sliced, Static };

/// The names of the modes, and the mode of a name.
const std::vector<std::string> &traceModes();
TraceMode traceModeOf(const std::string &Name);

/// What a static trace assumes where data decides (Trace/StaticTrace.h).
struct StaticAssumptions {
  std::optional<double> TakenProbability;
  uint64_t DataIterations = 16;
  std::vector<LoopAssumption> Loops;
};

/// Adds --assume, whose texts parseAssumptions takes apart.
void addAssumeOption(CLI::App &Command, std::vector<std::string> &Assume);
std::vector<LoopAssumption>
parseAssumptions(const std::vector<std::string> &Assume);

/// Whether traces of \p Mode begin with unfilled buffers; those that need the
/// contents after all call Session::fill.
Contents contentsFor(TraceMode Mode);

/// The session of a trace that is made in \p Mode. Throws CommandError.
std::unique_ptr<Session> makeTraceSession(const SessionOptions &Options,
                                          TraceMode Mode);

/// \p S's launch as a trace, made while it is read. The session must outlive
/// it. The buffers hold no results afterwards unless it was executed. \p Why
/// gets the reason where Auto did not take a static trace. Throws
/// CommandError.
std::unique_ptr<trace::TraceSource>
makeTraceSource(Session &S, const KernelCode &Code, TraceMode Mode,
                const StaticAssumptions &Assumptions = {},
                std::string *Why = nullptr);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_TRACEMODES_H
