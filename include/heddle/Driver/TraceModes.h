//===- TraceModes.h - Ways to make the trace of a launch --------*- C++ -*-===//

#ifndef HEDDLE_DRIVER_TRACEMODES_H
#define HEDDLE_DRIVER_TRACEMODES_H

#include "heddle/Driver/Session.h"

#include "heddle/Analysis/LoopBounds.h"
#include "heddle/Heddle.h"
#include "trace/TraceFile.h"

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

/// What BoundLaunch::source makes.
struct TraceRequest {
  TraceMode Mode = TraceMode::Executed;
  ISA Level = ISA::PTX;
  StaticAssumptions Assumptions = {};
  std::string *Reason = nullptr; ///< as of makeTraceSource
};

/// \p S's launch as a trace, made while it is read. The session and \p Code
/// must outlive it. The buffers hold no results afterwards unless it was
/// executed. \p Reason is why Auto did not take a static trace.
llvm::Expected<std::unique_ptr<trace::TraceSource>>
makeTraceSource(Session &S, const KernelCode &Code, TraceMode Mode,
                const StaticAssumptions &Assumptions = {},
                std::string *Reason = nullptr);

struct WrittenTrace {
  trace::file::FileSummary Summary;
  double MakeSeconds = 0;  ///< CPU time of executing and encoding
  double WriteSeconds = 0; ///< of checking, framing, compressing, the file
};

/// Writes all blocks of \p Source to \p File, which appears when it is
/// complete. Progress counts thread blocks.
llvm::Expected<WrittenTrace>
writeTrace(trace::TraceSource &Source, const std::string &File,
           unsigned Threads = 1, const ProgressCallback &OnProgress = {});

} // namespace heddle

#endif // HEDDLE_DRIVER_TRACEMODES_H
