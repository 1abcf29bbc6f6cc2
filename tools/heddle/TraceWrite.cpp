//===- TraceWrite.cpp - heddle trace INPUT -o FILE ------------------------===//

#include "TraceWrite.h"

#include "Commands.h"
#include "Progress.h"
#include "Session.h"
#include "TextOutput.h"
#include "TraceModes.h"

#include "trace/TraceReader.h"
#include "trace/TraceWriter.h"
#include "views/TraceSummary.h"

#include <CLI/CLI.hpp>

#include <ctime>
#include <map>
#include <memory>

namespace heddle::tool {

namespace {

struct WriteOptions {
  SessionOptions Session;
  std::string Output;
  TraceMode Mode = TraceMode::Executed;
  ISA Level = ISA::PTX;
};

double cpuSeconds() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return double(T.tv_sec) + double(T.tv_nsec) * 1e-9;
}

/// CPU time of a launch's parts.
struct WriteTimes {
  double Execution = 0; ///< with encoding
  double Writing = 0;   ///< checking, framing, compressing, the file
};

trace::file::FileSummary writeAll(trace::TraceSource &Source,
                                  const WriteOptions &Options,
                                  WriteTimes &Times) {
  trace::TraceWriter Writer = take(
      trace::TraceWriter::create(Options.Output, Source.header(), Source.code(),
                                 {.Threads = Options.Session.Threads}));
  const uint64_t NumBlocks = Source.header().Grid.count();
  Progress Bar("tracing", "thread blocks", Options.Session.Quiet);
  trace::BlockTrace Block;
  double Start = cpuSeconds();
  for (uint64_t B = 0; B < NumBlocks; ++B) {
    take(Source.read(B, Block));
    const double Executed = cpuSeconds();
    take(Writer.add(Block));
    const double Written = cpuSeconds();
    Times.Execution += Executed - Start;
    Times.Writing += Written - Executed;
    Start = Written;
    if (!Bar.update(B + 1, NumBlocks, B + 1))
      throw CommandError{"interrupted; nothing was written"};
  }
  trace::file::FileSummary Summary = take(Writer.finish());
  Times.Writing += cpuSeconds() - Start;
  return Summary;
}

void write(const WriteOptions &Options) {
  const SessionOptions &S = Options.Session;
  if (S.Input.empty())
    throw CommandError{"trace needs an INPUT to execute, or one of dump, info, "
                       "verify and diff; see heddle trace --help",
                       BadUsage};
  if (trace::TraceReader::isTrace(S.Input))
    throw CommandError{S.Input + ": is a trace already; `heddle trace info` "
                                 "and `dump` show it",
                       BadUsage};
  if (Options.Output.empty())
    throw CommandError{"say where the trace goes with -o FILE", BadUsage};

  tool::Session Session(S);
  const KernelCode Code =
      take(buildCodeTable(Session.kernel(), S.Arch, Options.Level));
  std::unique_ptr<trace::TraceSource> Source =
      makeTraceSource(Session, Code, Options.Mode);
  WriteTimes Times;
  const trace::file::FileSummary Summary = writeAll(*Source, Options, Times);

  const views::TraceSummary View(Source->header(), Source->code(), Summary);
  if (!S.Json.empty()) {
    views::JSON Object = {{"tool", "heddle"}, {"version", HEDDLE_VERSION}};
    View.addTo(Object);
    Object["seconds"] = Times.Execution;
    Object["write_seconds"] = Times.Writing;
    TextOutput Out = take(TextOutput::create(S.Json));
    take(Out.write(Object.dump(2) + "\n"));
    take(Out.finish());
  }
  if (!S.Quiet && S.Json != "-") {
    TextOutput Out = take(TextOutput::create("-"));
    take(Out.write(View.text()));
    take(Out.finish());
  }
}

} // namespace

void addTraceWriting(CLI::App &Trace) {
  auto Options = std::make_shared<WriteOptions>();
  addInputOptions(Trace, Options->Session);
  // A subcommand takes its own.
  Trace.get_option("INPUT")->required(false);
  addLaunchOptions(Trace, Options->Session);
  addExecutionOptions(Trace, Options->Session);
  addOutputOptions(Trace, Options->Session);
  Trace.add_option("-o,--output", Options->Output, "the trace file to write");
  static const std::map<std::string, TraceMode> Modes = {
      {"executed", TraceMode::Executed}, {"sliced", TraceMode::Sliced}};
  Trace.add_option("--mode", Options->Mode, "how the events come about")
      ->transform(CLI::CheckedTransformer(Modes, CLI::ignore_case))
      ->option_text("executed|sliced");
  static const std::map<std::string, ISA> Levels = {{"ptx", ISA::PTX},
                                                    {"ir", ISA::IR}};
  Trace.add_option("--isa", Options->Level, "instructions of the code table")
      ->transform(CLI::CheckedTransformer(Levels, CLI::ignore_case))
      ->option_text("ptx|ir");
  Trace.callback([Options, &Trace] {
    if (Trace.get_subcommands().empty())
      write(*Options);
  });
}

} // namespace heddle::tool
