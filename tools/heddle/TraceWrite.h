//===- TraceWrite.h - heddle trace INPUT -o FILE ----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_TRACEWRITE_H
#define HEDDLE_TOOLS_TRACEWRITE_H

namespace CLI {
class App;
}

namespace heddle::tool {

/// Adds the options that write a trace to \p Trace, and what runs where no
/// subcommand was given.
void addTraceWriting(CLI::App &Trace);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_TRACEWRITE_H
