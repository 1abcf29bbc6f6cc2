//===- TraceWrite.cpp - heddle trace INPUT -o FILE ------------------------===//

#include "CommonOptions.h"
#include "Progress.h"
#include "TextOutput.h"

#include "heddle/Driver/TraceModes.h"
#include "models/ModelRun.h"
#include "trace/TraceReader.h"
#include "views/ResultHead.h"
#include "views/TraceSummary.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <memory>

namespace heddle::tool {

namespace {

struct WriteOptions {
  SessionOptions Session;
  std::string Output;
  std::string Mode = "executed";
  std::string Blocks; ///< FIRST:COUNT
  std::string DataBranches = "taken";
  std::vector<std::string> Assume;
  StaticAssumptions Assumptions;
  bool LaneOrder = false;
  std::optional<ISA> Level;
};

StaticAssumptions assumptionsOf(const WriteOptions &Options) {
  StaticAssumptions A = Options.Assumptions;
  A.Loops = take(parseAssumptions(Options.Assume));
  if (!A.Loops.empty() && Options.Mode != "static")
    throw usageError("--assume is for --mode static");
  if (Options.DataBranches == "taken")
    return A;
  double P = -1;
  const char *End = Options.DataBranches.data() + Options.DataBranches.size();
  auto [At, Error] = std::from_chars(Options.DataBranches.data(), End, P);
  if (Error != std::errc() || At != End || !(P >= 0 && P <= 1))
    throw usageError(
        "--data-branches takes `taken` or a probability from 0 to 1, not '{}'",
        Options.DataBranches);
  A.TakenProbability = P;
  return A;
}

/// Makes the blocks FIRST:COUNT and says what that cost; keeps nothing.
/// \p Start is when making the source began.
void makeBlocks(trace::TraceSource &Source, const WriteOptions &Options,
                double Start) {
  const auto [First, Count] =
      parseBlockRange(Options.Blocks, Source.header().Grid.count());
  uint64_t Bytes = 0, Warps = 0;
  trace::BlockTrace Block;
  for (uint64_t B = First; B < First + Count; ++B) {
    take(Source.read(B, Block));
    for (const trace::WarpTrace &W : Block.Warps)
      Bytes += W.Body.size() + W.Bases.size() * 8;
    Warps += Block.Warps.size();
  }
  views::JSON Object = views::resultHead("trace-blocks", HEDDLE_VERSION);
  Object.update({{"kernel", Source.header().Kernel},
                 {"trace", Source.header().Producer},
                 {"blocks", Count},
                 {"warps", Warps},
                 {"bytes", Bytes},
                 {"seconds", models::processSeconds() - Start}});
  const std::string &Json = Options.Session.Json;
  writeJSON(Json.empty() ? "-" : Json, Object);
}

void write(const WriteOptions &Options) {
  SessionOptions S = Options.Session;
  S.Order = Options.LaneOrder ? trace::LaneOrder::Kept : trace::LaneOrder::Free;
  if (S.Input.empty())
    throw usageError("trace needs an INPUT to execute, or one of dump, info, "
                     "verify and diff; see heddle trace --help");
  if (trace::TraceReader::isTrace(S.Input))
    throw usageError(
        "{}: is a trace already; `heddle trace info` and `dump` show it",
        S.Input);
  if (Options.Output.empty() == Options.Blocks.empty())
    throw CommandError{Options.Blocks.empty()
                           ? "say where the trace goes with -o FILE"
                           : "a trace file holds all thread blocks; leave out "
                             "--blocks or -o",
                       BadUsage};
  const TraceRequest Request = {traceModeOf(Options.Mode),
                                Options.Level.value_or(ISA::PTX),
                                assumptionsOf(Options)};
  BoundLaunch Launch = take(BoundLaunch::open(S, Request.Mode));
  take(Launch.session().codeTable(Request.Level)); // not part of the time
  const double Start = models::processSeconds();
  const auto Source = take(Launch.source(Request));
  if (!Options.Blocks.empty())
    return makeBlocks(*Source, Options, Start);
  Progress Bar("tracing", "thread blocks", S.Quiet);
  const WrittenTrace Out = take(
      writeTrace(*Source, Options.Output, S.Threads,
                 [&Bar](auto... Counts) { return Bar.update(Counts...); }));

  const views::TraceSummary View(Source->header(), Source->code(), Out.Summary);
  if (!S.Json.empty()) {
    views::JSON Object = views::resultHead("trace", HEDDLE_VERSION);
    View.addTo(Object);
    addInputs(Object, Launch.session());
    Object["seconds"] = Out.MakeSeconds;
    Object["write_seconds"] = Out.WriteSeconds;
    writeJSON(S.Json, Object);
  }
  if (!S.Quiet && S.Json != "-") {
    writeText("-", View.text());
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
  Trace.add_option("--mode", Options->Mode, "how the events come about")
      ->check(CLI::IsMember({"executed", "sliced", "static"}))
      ->capture_default_str();
  Trace
      .add_option("--data-branches", Options->DataBranches,
                  "static: branches that data decides are `taken`, or with "
                  "this probability")
      ->capture_default_str();
  Trace
      .add_option("--data-iterations", Options->Assumptions.DataIterations,
                  "static: iterations of a loop that only data ends")
      ->check(aboveZero())
      ->capture_default_str();
  addAssumeOption(Trace, Options->Assume);
  Trace.add_option("--blocks", Options->Blocks,
                   "make only COUNT thread blocks from FIRST on, and say what "
                   "that cost: FIRST:COUNT");
  Trace.add_flag("--lane-order", Options->LaneOrder,
                 "say which lane takes which address of shared memory, even "
                 "where it takes bytes");
  addLevelOption(Trace, Options->Level, "instructions of the code table");
  Trace.callback([Options, &Trace] {
    if (Trace.get_subcommands().empty())
      write(*Options);
  });
}

} // namespace heddle::tool
