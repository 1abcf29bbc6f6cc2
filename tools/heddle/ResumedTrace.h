//===- ResumedTrace.h - The trace that simulate --resume keeps --*- C++ -*-===//

#ifndef HEDDLE_TOOLS_RESUMEDTRACE_H
#define HEDDLE_TOOLS_RESUMEDTRACE_H

#include "CommonOptions.h"
#include "trace/TraceSource.h"

#include <memory>
#include <string>

namespace heddle::tool {

/// The whole trace of one launch in a file, from which the simulation starts
/// again if it was interrupted. What decided the trace lies beside it in
/// FILE.json. Functions throw CommandError.
class ResumedTrace {
public:
  /// \p Path: of the trace. A file that is there without its FILE.json is not
  /// ours and refused.
  explicit ResumedTrace(std::string Path);

  /// Whether an earlier run has left the trace.
  bool isThere() const { return IsThere; }
  /// The launch is \p S, its instructions those of \p Level. A trace of another
  /// one is refused.
  void identify(const Session &S, ISA Level);
  /// What decides the trace, as JSON; after identify().
  const std::string &key() const { return Key; }
  /// Executes the launch, whose blocks \p Source has.
  void make(trace::TraceSource &Source, unsigned Threads, bool Quiet) const;
  std::unique_ptr<trace::TraceSource> open() const;
  /// The simulation is done: nothing starts again from here.
  void remove() const;

  /// The file beside the trace that has its key.
  std::string keyFile() const { return Path + ".json"; }

private:
  std::string Path;
  std::string Key; ///< what decides the trace
  bool IsThere = false;
};

/// What decides the trace in the file \p Path, as ResumedTrace::key(). Throws
/// CommandError.
std::string keyOfTrace(const std::string &Path);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_RESUMEDTRACE_H
