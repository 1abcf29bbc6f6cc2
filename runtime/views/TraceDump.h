//===- TraceDump.h - A trace, event by event --------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_TRACEDUMP_H
#define HEDDLE_VIEWS_TRACEDUMP_H

#include "trace/TraceSource.h"
#include "views/View.h"

#include <functional>
#include <optional>
#include <string_view>

namespace heddle::views {

struct DumpOptions {
  std::optional<uint64_t> Block; ///< only this thread block
  std::optional<unsigned> Warp;  ///< only this warp of each thread block
  bool Instructions = false;     ///< the instructions of each basic block too
};

/// Takes pieces of the output as they come; stops the dump where it fails.
using DumpSink = std::function<Result<void>(std::string_view)>;

/// Prints the events of \p Source as text. Fails if the source or the sink
/// does, and for a block or warp that the launch does not have.
Result<void> dumpTrace(trace::TraceSource &Source, const DumpOptions &Options,
                       const DumpSink &Sink);

/// The same as one JSON object, written piece by piece: a trace need not fit
/// into memory. docs/Commands/trace.md names the keys.
Result<void> dumpTraceJSON(trace::TraceSource &Source,
                           const DumpOptions &Options,
                           const std::string &Version, const DumpSink &Sink);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_TRACEDUMP_H
