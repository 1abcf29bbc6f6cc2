//===- TraceCommand.cpp - heddle trace ------------------------------------===//

#include "Commands.h"
#include "TextOutput.h"

#include "trace/TraceDiff.h"
#include "trace/TraceReader.h"
#include "views/TraceDump.h"
#include "views/TraceSummary.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace heddle::tool {

namespace {

struct DumpCommand {
  std::string File, Output = "-", JSON;
  views::DumpOptions Options;

  void run() const {
    auto Reader = take(trace::TraceReader::open(File));
    TextOutput Out = take(TextOutput::create(JSON.empty() ? Output : JSON));
    auto Sink = [&Out](std::string_view Text) { return Out.write(Text); };
    take(JSON.empty()
             ? views::dumpTrace(*Reader, Options, Sink)
             : views::dumpTraceJSON(*Reader, Options, HEDDLE_VERSION, Sink));
    take(Out.finish());
  }
};

struct InfoCommand {
  std::string File, JSON;

  void run() const {
    auto Reader = take(trace::TraceReader::open(File));
    views::TraceSummary View(Reader->header(), Reader->code(),
                             Reader->summary());
    TextOutput Out = take(TextOutput::create(JSON.empty() ? "-" : JSON));
    std::string Text = View.text();
    if (!JSON.empty()) {
      views::JSON Object = {{"tool", "heddle"}, {"version", HEDDLE_VERSION}};
      View.addTo(Object);
      Text = Object.dump(2) + "\n";
    }
    take(Out.write(Text));
    take(Out.finish());
  }
};

struct VerifyCommand {
  std::vector<std::string> Files;
  bool Quiet = false;

  void run() const {
    for (const std::string &File : Files) {
      auto Reader = take(trace::TraceReader::open(File));
      take(Reader->verifyAll());
      if (!Quiet)
        fmt::print("{}: good, {} thread blocks\n", File,
                   Reader->header().Grid.count());
    }
  }
};

struct DiffCommand {
  std::string A, B;
  bool NoCode = false;
  bool Quiet = false;

  void run() const {
    auto ReaderA = take(trace::TraceReader::open(A));
    auto ReaderB = take(trace::TraceReader::open(B));
    trace::DiffOptions Options;
    Options.Code = !NoCode;
    std::optional<std::string> Difference =
        take(trace::diffTraces(*ReaderA, *ReaderB, Options));
    if (!Quiet)
      fmt::print("{}\n", Difference.value_or("same"));
    if (Difference)
      throw CommandError{"", BadInput};
  }
};

void addDump(CLI::App &Trace) {
  CLI::App *Command = Trace.add_subcommand("dump", "print a trace");
  auto Options = std::make_shared<DumpCommand>();
  Command->add_option("FILE", Options->File, "trace file")->required();
  Command->add_option("--block", Options->Options.Block,
                      "only the thread block of this number, x fastest");
  Command->add_option("--warp", Options->Options.Warp,
                      "only this warp of each thread block");
  Command->add_flag("--instructions", Options->Options.Instructions,
                    "the instructions of each basic block too");
  CLI::Option *Output =
      Command->add_option("-o", Options->Output, "write the text to a file");
  Command
      ->add_option("--json", Options->JSON,
                   "write JSON instead ('-': standard output)")
      ->excludes(Output);
  Command->callback([Options] { Options->run(); });
}

void addInfo(CLI::App &Trace) {
  CLI::App *Command =
      Trace.add_subcommand("info", "launch, code and size of a trace");
  auto Options = std::make_shared<InfoCommand>();
  Command->add_option("FILE", Options->File, "trace file")->required();
  Command->add_option("--json", Options->JSON,
                      "write JSON instead ('-': standard output)");
  Command->callback([Options] { Options->run(); });
}

void addVerify(CLI::App &Trace) {
  CLI::App *Command =
      Trace.add_subcommand("verify", "check every byte of traces");
  auto Options = std::make_shared<VerifyCommand>();
  Command->add_option("FILE", Options->Files, "trace files")->required();
  Command->add_flag("-q,--quiet", Options->Quiet, "say only what is wrong");
  Command->callback([Options] { Options->run(); });
}

void addDiff(CLI::App &Trace) {
  CLI::App *Command = Trace.add_subcommand(
      "diff", "find the first difference between two traces");
  auto Options = std::make_shared<DiffCommand>();
  Command->add_option("A", Options->A, "trace file")->required();
  Command->add_option("B", Options->B, "trace file")->required();
  Command->add_flag("--no-code", Options->NoCode,
                    "compare what the warps did, not the code tables");
  Command->add_flag("-q,--quiet", Options->Quiet, "only the exit status");
  Command->callback([Options] { Options->run(); });
}

} // namespace

void addTraceCommand(CLI::App &App) {
  CLI::App *Trace = App.add_subcommand(
      "trace", "write, print, compare and check warp traces");
  addDump(*Trace);
  addInfo(*Trace);
  addVerify(*Trace);
  addDiff(*Trace);
  Trace->require_subcommand(1);
}

} // namespace heddle::tool
