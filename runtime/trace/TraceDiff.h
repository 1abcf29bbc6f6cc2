//===- TraceDiff.h - Where two traces part ----------------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_TRACEDIFF_H
#define HEDDLE_TRACE_TRACEDIFF_H

#include "trace/TraceSource.h"

#include <optional>

namespace heddle::trace {

struct DiffOptions {
  /// Compare the code tables too, not only what the warps did.
  bool Code = true;
};

/// The first difference between two traces, as one line; nothing if they say
/// the same. Compares events and addresses, not their encoding, and leaves out
/// who made the traces. Where either leaves the order of lanes free, accesses
/// to shared memory are compared as sets. Fails if a trace cannot be read.
Result<std::optional<std::string>> diffTraces(TraceSource &A, TraceSource &B,
                                              const DiffOptions &Options = {});

} // namespace heddle::trace

#endif // HEDDLE_TRACE_TRACEDIFF_H
