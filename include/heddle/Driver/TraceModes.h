//===- TraceModes.h - Ways to make the trace of a launch --------*- C++ -*-===//

#ifndef HEDDLE_DRIVER_TRACEMODES_H
#define HEDDLE_DRIVER_TRACEMODES_H

#include "heddle/Driver/Session.h"

#include "heddle/Analysis/LoopBounds.h"
#include "heddle/Heddle.h"

#include <memory>

namespace heddle {

/// The names of the modes, and the mode of a name.
const std::vector<std::string> &traceModes();
TraceMode traceModeOf(const std::string &Name);

/// What a static trace assumes where data decides (Trace/StaticTrace.h).
struct StaticAssumptions {
  std::optional<double> TakenProbability;
  uint64_t DataIterations = 16;
  std::vector<LoopAssumption> Loops;
};

/// The loops that texts as in --assume name.
llvm::Expected<std::vector<LoopAssumption>>
parseAssumptions(const std::vector<std::string> &Texts);

/// Whether traces of \p Mode begin with unfilled buffers; those that need the
/// contents after all call Session::fill.
Contents contentsFor(TraceMode Mode);

/// \p S's launch as a trace, made while it is read. The session and \p Code
/// must outlive it. The buffers hold no results afterwards unless it was
/// executed. \p Why gets the reason where Auto did not take a static trace.
llvm::Expected<std::unique_ptr<trace::TraceSource>>
makeTraceSource(Session &S, const KernelCode &Code, TraceMode Mode,
                const StaticAssumptions &Assumptions = {},
                std::string *Why = nullptr);

} // namespace heddle

#endif // HEDDLE_DRIVER_TRACEMODES_H
