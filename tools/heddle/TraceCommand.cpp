//===- TraceCommand.cpp - heddle trace ------------------------------------===//

#include "AccelSimFolder.h"
#include "CommonOptions.h"
#include "TextOutput.h"
#include "base/JSONText.h"

#include "models/ModelRun.h"
#include "trace/TraceDiff.h"
#include "trace/TraceReader.h"
#include "trace/WarpCursor.h"
#include "views/ResultHead.h"
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
      views::JSON Object = views::resultHead("trace", HEDDLE_VERSION);
      View.addTo(Object);
      Text = jsonText(Object, 2) + "\n";
    }
    take(Out.write(Text));
    take(Out.finish());
  }
};

struct VerifyCommand {
  std::vector<std::string> Files;
  bool Replay = false;
  bool Quiet = false;
  std::string JSON;

  void run() const {
    views::JSON Results = views::JSON::array();
    for (const std::string &File : Files) {
      auto Reader = take(trace::TraceReader::open(File));
      const double Start = models::threadSeconds();
      take(Reader->verifyAll());
      const double Verified = models::threadSeconds();
      const trace::file::FileSummary &Summary = Reader->summary();
      Results.push_back({{"file", File},
                         {"warp_instructions", Summary.Counts.WarpInstructions},
                         {"events", Summary.Counts.Events},
                         {"read_seconds", Verified - Start}});
      if (Replay) {
        replay(File, *Reader);
        Results.back()["replay_seconds"] = models::threadSeconds() - Verified;
      }
      if (!Quiet && JSON != "-")
        fmt::print("{}: good, {} thread blocks\n", File,
                   Reader->header().Grid.count());
    }
    if (JSON.empty())
      return;
    views::JSON Object = views::resultHead("trace-check", HEDDLE_VERSION);
    Object["traces"] = std::move(Results);
    writeJSON(JSON, Object);
  }

private:
  /// Steps through every event as a model does.
  static void replay(const std::string &File, trace::TraceReader &Reader) {
    trace::WarpCursor Cursor;
    trace::BlockTrace Block;
    uint64_t Events = 0, Accesses = 0;
    for (uint64_t B = 0; B < Reader.header().Grid.count(); ++B) {
      take(Reader.read(B, Block));
      for (const trace::WarpTrace &Warp : Block.Warps) {
        Cursor.reset(Reader.code(), Warp);
        for (; Cursor.next(); ++Events) {
          const HeddleBlock &Static = Reader.code().Blocks[Cursor.block()];
          for (uint32_t R = 0; R < Static.NumMemory; ++R)
            Accesses += Cursor.access(Static.FirstMemory + R).Mask != 0;
        }
      }
    }
    const trace::TraceCounts &Counts = Reader.summary().Counts;
    if (Events != Counts.Events || Accesses != Counts.Accesses)
      throw CommandError{
          fmt::format("{}: {} events and {} accesses replayed, not {} and {}",
                      File, Events, Accesses, Counts.Events, Counts.Accesses),
          InternalError};
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
    if (!Quiet) {
      fmt::print("{}\n", Difference.value_or("same"));
      if (ReaderA->header().Order != ReaderB->header().Order)
        fmt::print("only {} says which lane takes which address of shared "
                   "memory; these were compared as sets\n",
                   ReaderA->header().Order == trace::LaneOrder::Kept ? A : B);
    }
    if (Difference)
      throw CommandError{"", BadInput};
  }
};

struct ExportCommand {
  std::vector<std::string> Files;
  std::string Folder, Blocks;
  unsigned BinaryVersion = 70;

  void run() const {
    AccelSimFolder Out(Folder, BinaryVersion);
    std::string Text;
    for (const std::string &File : Files) {
      auto Reader = take(trace::TraceReader::open(File));
      const uint64_t Total = Reader->header().Grid.count();
      const BlockRange Range = Blocks.empty() ? BlockRange{0, Total}
                                              : parseBlockRange(Blocks, Total);
      Text += Out.add(*Reader, Range.First, Range.Count);
    }
    Out.finish();
    writeText("-", Text);
  }
};

void addDump(CLI::App &Trace) {
  CLI::App *Command = Trace.add_subcommand("dump", "Print a trace");
  auto Options = std::make_shared<DumpCommand>();
  Command->add_option("FILE", Options->File, "trace file")->required();
  Command
      ->add_option("--block", Options->Options.Block,
                   "only the thread block of this number, x fastest")
      ->check(notNegative());
  Command
      ->add_option("--warp", Options->Options.Warp,
                   "only this warp of each thread block")
      ->check(notNegative());
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
      Trace.add_subcommand("info", "Launch, code and size of a trace");
  auto Options = std::make_shared<InfoCommand>();
  Command->add_option("FILE", Options->File, "trace file")->required();
  Command->add_option("--json", Options->JSON,
                      "write JSON instead ('-': standard output)");
  Command->callback([Options] { Options->run(); });
}

void addVerify(CLI::App &Trace) {
  CLI::App *Command =
      Trace.add_subcommand("verify", "Check every byte of traces");
  auto Options = std::make_shared<VerifyCommand>();
  Command->add_option("FILE", Options->Files, "trace files")->required();
  Command->add_flag("--replay", Options->Replay,
                    "step through every event too, as a model does");
  Command->add_option("--json", Options->JSON,
                      "write sizes and times as JSON ('-': standard output)");
  Command->add_flag("-q,--quiet", Options->Quiet, "say only what is wrong");
  Command->callback([Options] { Options->run(); });
}

void addDiff(CLI::App &Trace) {
  CLI::App *Command = Trace.add_subcommand(
      "diff", "Find the first difference between two traces");
  auto Options = std::make_shared<DiffCommand>();
  Command->add_option("A", Options->A, "trace file")->required();
  Command->add_option("B", Options->B, "trace file")->required();
  Command->add_flag("--no-code", Options->NoCode,
                    "compare what the warps did, not the code tables");
  Command->add_flag("-q,--quiet", Options->Quiet, "only the exit status");
  Command->callback([Options] { Options->run(); });
}

void addExport(CLI::App &Trace) {
  CLI::App *Command = Trace.add_subcommand(
      "export", "Write traces as Accel-Sim's trace-driven simulation reads");
  auto Options = std::make_shared<ExportCommand>();
  Command->add_option("FILE", Options->Files, "trace files, one per launch")
      ->required();
  Command
      ->add_option("-o", Options->Folder,
                   "folder for kernelslist.g and kernel-N.traceg")
      ->required();
  Command
      ->add_option("--blocks", Options->Blocks,
                   "only COUNT thread blocks from FIRST on, as a grid of "
                   "their own")
      ->option_text("FIRST:COUNT");
  Command
      ->add_option("--binary-version", Options->BinaryVersion,
                   "whose opcode names the simulator is to expect")
      ->check(CLI::IsMember({70, 75, 80}))
      ->capture_default_str();
  Command->callback([Options] { Options->run(); });
}

} // namespace

void addTraceCommand(CLI::App &App) {
  CLI::App *Trace = App.add_subcommand(
      "trace", "Write, print, compare and check warp traces");
  addTraceWriting(*Trace);
  addDump(*Trace);
  addInfo(*Trace);
  addVerify(*Trace);
  addDiff(*Trace);
  addExport(*Trace);
  Trace->require_subcommand(0, 1);
}

} // namespace heddle::tool
