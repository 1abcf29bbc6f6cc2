//===- RunCommand.cpp - heddle run ----------------------------------------===//

#include "ApplicationRun.h"
#include "Commands.h"
#include "Progress.h"
#include "TextOutput.h"

#include "base/OutputFile.h"
#include "exec/DeviceMemory.h"
#include "heddle/Analysis/KernelInfo.h"
#include "launch/BufferInit.h"
#include "launch/ScalarTypes.h"
#include "record/Recording.h"
#include "views/ResultHead.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

namespace heddle::tool {

namespace {
/// The outcome of comparing one buffer.
struct Comparison {
  std::string Name;
  uint64_t Elements = 0, Mismatches = 0;
  uint64_t FirstIndex = 0;
  std::string Expected, Got; ///< at FirstIndex
  double LargestError = 0;   ///< |got - expected|, floating types

  std::string text() const;
};
} // namespace

using launch::ScalarType;

/// "NAME" or "N" (position of the argument from 0) selects a buffer.
static const exec::DeviceBuffer &findBuffer(const exec::DeviceMemory &Memory,
                                            const std::string &Name) {
  auto Position = launch::parseCount(Name, UINT32_MAX);
  uint64_t Index = 0;
  std::string Names;
  for (const auto &B : Memory.buffers()) {
    if (B->Name == Name || (Position && B->IsArgument && Index == *Position))
      return *B;
    Index += B->IsArgument;
    Names += (Names.empty() ? "" : ", ") + B->Name;
  }
  throw inputError("no buffer '{}'; there are: {}", Name, Names);
}

/// Variables of the module have no element type: bytes.
static ScalarType typeOf(const exec::DeviceBuffer &B) {
  return B.Type.value_or(ScalarType::U8);
}

/// "NAME[=FILE]": the raw bytes into FILE, or the first elements as text.
static std::string dumpBuffer(const exec::DeviceMemory &Memory,
                              const std::string &Option) {
  size_t Equal = Option.find('=');
  const exec::DeviceBuffer &B = findBuffer(Memory, Option.substr(0, Equal));
  std::span<const uint8_t> Bytes = Memory.bytes(B);
  if (Equal != Option.npos) {
    OutputFile File = take(OutputFile::create(Option.substr(Equal + 1)));
    take(File.write(Bytes));
    take(File.commit());
    return {};
  }
  constexpr uint64_t Shown = 16;
  ScalarType Type = typeOf(B);
  size_t Size = launch::sizeOf(Type);
  uint64_t Count = B.SizeBytes / Size;
  std::string Text =
      fmt::format("{} ({}[{}]):", B.Name, launch::nameOf(Type), Count);
  for (uint64_t I = 0; I < std::min(Count, Shown); ++I)
    Text += " " + launch::elementText(Type, Bytes.data() + I * Size);
  return Text + (Count > Shown ? " ...\n" : "\n");
}

namespace {
struct Tolerance {
  double Absolute = 0, Relative = 0;
};
} // namespace

/// Cuts ":abs=A,rel=R" off \p File.
static Tolerance takeTolerance(std::string &File, const std::string &Option) {
  Tolerance T;
  size_t Colon = File.rfind(':');
  if (Colon == File.npos || (File.compare(Colon + 1, 4, "abs=") != 0 &&
                             File.compare(Colon + 1, 4, "rel=") != 0))
    return T;
  std::string Rest = File.substr(Colon + 1);
  File.resize(Colon);
  while (!Rest.empty()) {
    size_t Comma = Rest.find(',');
    std::string Part = Rest.substr(0, Comma);
    Rest = Comma == Rest.npos ? "" : Rest.substr(Comma + 1);
    auto Value = launch::parseFloat(Part.size() > 4 ? Part.substr(4) : "");
    bool IsAbsolute = Part.starts_with("abs=");
    if (!Value || !(*Value >= 0) || (!IsAbsolute && !Part.starts_with("rel=")))
      throw usageError("--expect {}: '{}' is not abs=NUMBER or rel=NUMBER",
                       Option, Part);
    (IsAbsolute ? T.Absolute : T.Relative) = *Value;
  }
  return T;
}

/// "NAME=FILE[:abs=A][,rel=R]": FILE holds the raw elements. An element of a
/// floating type matches if |got - expected| <= A + R * |expected| or both are
/// NaN; without tolerances, and for integers, elements must be equal. Throws
/// CommandError for what cannot be compared.
static Comparison compareBuffer(const exec::DeviceMemory &Memory,
                                const std::string &Option) {
  size_t Equal = Option.find('=');
  if (Equal == Option.npos)
    throw usageError("--expect {}: write NAME=FILE[:abs=A,rel=R]", Option);
  std::string File = Option.substr(Equal + 1);
  Tolerance T = takeTolerance(File, Option);
  const exec::DeviceBuffer &B = findBuffer(Memory, Option.substr(0, Equal));
  ScalarType Type = typeOf(B);
  size_t Size = launch::sizeOf(Type);
  launch::BufferArg Wanted{B.Name, Type, B.SizeBytes / Size,
                           launch::InitFile{File}};
  std::vector<uint8_t> Expected(B.SizeBytes);
  take(launch::initialise(Wanted, Expected));

  Comparison C;
  C.Name = B.Name;
  C.Elements = Wanted.Count;
  std::span<const uint8_t> Got = Memory.bytes(B);
  for (uint64_t I = 0; I < C.Elements; ++I) {
    const uint8_t *E = Expected.data() + I * Size, *G = Got.data() + I * Size;
    if (std::memcmp(E, G, Size) == 0)
      continue;
    if (launch::isFloat(Type)) {
      double X = launch::elementValue(Type, E),
             Y = launch::elementValue(Type, G);
      double Error = std::fabs(X - Y);
      if (std::isfinite(Error))
        C.LargestError = std::max(C.LargestError, Error);
      if (X == Y || (std::isnan(X) && std::isnan(Y)) ||
          Error <= T.Absolute + T.Relative * std::fabs(X))
        continue;
    }
    if (C.Mismatches++ == 0) {
      C.FirstIndex = I;
      C.Expected = launch::elementText(Type, E);
      C.Got = launch::elementText(Type, G);
    }
  }
  return C;
}

std::string Comparison::text() const {
  if (!Mismatches)
    return fmt::format("'{}' matches: {} elements", Name, Elements);
  return fmt::format(
      "'{}' differs in {} of {} elements; first at index {}: expected "
      "{}, got {}",
      Name, Mismatches, Elements, FirstIndex, Expected, Got);
}

namespace {

using JSON = nlohmann::ordered_json;

struct RunOptions {
  SessionOptions Session;
  std::vector<std::string> Dumps, Expects;
  bool Counters = false;
  bool Check = false;
  bool RelaxedAtomics = false;
  double Tolerance = DefaultTolerance; ///< of a recording's results
};

/// Totals of a launch.
struct Totals {
  uint64_t WarpInstructions = 0, ThreadInstructions = 0;
  uint64_t Memory[HEDDLE_NUM_MEMORY_COUNTERS] = {};
};

/// Everything that the command reports.
struct RunReport {
  explicit RunReport(const Session &S) : S(S) {}

  const Session &S;
  double Seconds = 0;
  std::string Printed; ///< by the kernel
  std::optional<Totals> Counts;
  bool Checked = false;
  std::vector<Comparison> Comparisons;

  std::string text() const;
  JSON json() const;
};

constexpr const char *MemoryNames[] = {"requests", "lanes", "sectors", "lines",
                                       "bank_passes"};

std::string RunReport::text() const {
  const exec::BoundLaunch &L = S.bound();
  std::string Out = fmt::format(
      "kernel   {}\ngrid     {} x {} x {} blocks of {} x {} x {} threads\n"
      "engine   {}{}\ntime     {:.6f} s\n",
      kernelName(S.kernel()), L.Grid.X, L.Grid.Y, L.Grid.Z, L.Block.X,
      L.Block.Y, L.Block.Z, S.engineName(), Checked ? ", checked" : "",
      Seconds);
  if (Counts) {
    Out +=
        fmt::format("executed {} warp instructions, {} thread instructions\n",
                    Counts->WarpInstructions, Counts->ThreadInstructions);
    Out += "memory  ";
    for (unsigned I = 0; I < HEDDLE_NUM_MEMORY_COUNTERS; ++I)
      Out += fmt::format(" {} {}{}", Counts->Memory[I], MemoryNames[I],
                         I + 1 < HEDDLE_NUM_MEMORY_COUNTERS ? "," : "\n");
  }
  return Out;
}

JSON RunReport::json() const {
  const exec::BoundLaunch &L = S.bound();
  JSON J = views::resultHead("run", HEDDLE_VERSION);
  J.update({{"kernel", kernelName(S.kernel())},
            {"grid", {L.Grid.X, L.Grid.Y, L.Grid.Z}},
            {"block", {L.Block.X, L.Block.Y, L.Block.Z}},
            {"engine", S.engineName()},
            {"checked", Checked},
            {"seconds", Seconds}});
  addInputs(J, S);
  if (!Printed.empty())
    J["printed"] = Printed;
  if (Counts) {
    J["warp_instructions"] = Counts->WarpInstructions;
    J["thread_instructions"] = Counts->ThreadInstructions;
    for (unsigned I = 0; I < HEDDLE_NUM_MEMORY_COUNTERS; ++I)
      J["memory"][MemoryNames[I]] = Counts->Memory[I];
  }
  for (const Comparison &C : Comparisons)
    J["expect"].push_back({{"buffer", C.Name},
                           {"elements", C.Elements},
                           {"mismatches", C.Mismatches},
                           {"largest_error", C.LargestError}});
  return J;
}

/// PTX instructions, block executions times their number.
Totals totalsOf(const Session &S, const exec::LaunchCounters &Counters) {
  const KernelCode Code =
      take(buildCodeTable(S.kernel(), S.options().Arch, ISA::PTX));
  Totals T;
  for (size_t B = 0; B < Code.Blocks.size(); ++B) {
    T.WarpInstructions += Counters.Blocks[B * 2] * Code.Blocks[B].NumInsts;
    T.ThreadInstructions +=
        Counters.Blocks[B * 2 + 1] * Code.Blocks[B].NumInsts;
  }
  for (size_t I = 0; I < Counters.Memory.size(); ++I)
    T.Memory[I % HEDDLE_NUM_MEMORY_COUNTERS] += Counters.Memory[I];
  return T;
}

void execute(Session &S, const RunOptions &Options, RunReport &Report) {
  EngineOptions Hooks;
  Hooks.Counters = Options.Counters;
  std::unique_ptr<Engine> E = take(S.makeEngine(Hooks));
  Progress Bar("running", "blocks", Options.Session.Quiet);
  std::atomic<bool> Stop = false;
  exec::LaunchOptions Launch;
  Launch.Threads = Options.Session.Threads;
  Launch.MaxSteps = Options.Session.MaxSteps;
  Launch.Counters = Options.Counters;
  Launch.InOrder = !Options.RelaxedAtomics && S.blockOrderMatters();
  Launch.Stop = &Stop;
  Launch.Watched = true; // a block may take for ever
  uint64_t Ended = 0;
  Launch.Progress = [&](uint64_t Done, uint64_t Total) {
    Ended = Done;
    if (!Bar.update(Done, Total, Done))
      Stop = true;
  };
  exec::LaunchResult Result =
      take(exec::runLaunch(E->kernel(), S.bound(), S.memory(), Launch));
  if (Result.Failed) {
    fmt::print("{}", Result.Printed);
    std::fflush(stdout);
    if (Result.Failed->What == exec::Fault::Interrupted)
      throw CommandError{fmt::format("interrupted with {} of {} thread blocks "
                                     "executed",
                                     Ended, S.bound().Grid.count()),
                         Interrupted};
    throw CommandError{S.message(*Result.Failed)};
  }
  Report.Seconds = Result.Seconds;
  Report.Printed = std::move(Result.Printed);
  if (Options.Counters)
    Report.Counts = totalsOf(S, Result.Counters);
}

/// Fails with what it finds; then \p Dumps show what came of it.
void check(Session &S, const std::vector<std::string> &Dumps,
           RunReport &Report) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point Begin = Clock::now();
  CheckedLaunch Checked = take(inspectLaunch(S));
  Report.Seconds = std::chrono::duration<double>(Clock::now() - Begin).count();
  if (!Checked.Findings.empty()) {
    fmt::print("{}", Checked.Printed);
    std::fflush(stdout);
  }
  for (const CheckedLaunch::Finding &F : Checked.Findings)
    fmt::print(stderr, "heddle: error: {}\n", F.Text);
  if (Checked.IsPartial)
    fmt::print(stderr, "heddle: warning: the launch accesses more than 16 MiB; "
                       "races between blocks beyond are not found\n");
  if (!Checked.Findings.empty()) {
    for (const std::string &Dump : Dumps)
      writeText("-", dumpBuffer(S.memory(), Dump));
    throw CommandError{""};
  }
  Report.Printed = std::move(Checked.Printed);
  Report.Checked = true;
}

/// All launches of a recording; there is no one launch to look into.
void runRecording(const RunOptions &Options) {
  if (Options.Counters || !Options.Dumps.empty() || !Options.Expects.empty() ||
      !Options.Session.Json.empty())
    throw usageError("{}: a recording says itself what to expect; leave out "
                     "--counters, --dump, --expect, --json",
                     Options.Session.Input);
  replay(Options.Session, Options.Tolerance, Options.Check);
}

void run(const RunOptions &Options) {
  if (record::isRecording(Options.Session.Input))
    return runRecording(Options);
  SessionOptions Given = Options.Session;
  Given.KeepPrints = true;
  // An index that is wrong by a row must not land in the next buffer.
  constexpr uint64_t CheckGapBytes = uint64_t(1) << 20;
  Given.BufferGapBytes = Options.Check ? CheckGapBytes : 0;
  const auto Opened = take(Session::create(Given));
  Session &S = *Opened;
  RunReport Report(S);
  if (Options.Check)
    check(S, Options.Dumps, Report);
  else
    execute(S, Options, Report);
  const SessionOptions &Common = Options.Session;
  bool ToStdout = Common.Json == "-";
  // What the kernel prints is a result, not a part of the summary.
  std::string Text = ToStdout ? "" : Report.Printed;
  if (!Common.Quiet && !ToStdout)
    Text += Report.text();
  for (const std::string &Dump : Options.Dumps)
    Text += dumpBuffer(S.memory(), Dump);
  std::string Differences;
  for (const std::string &Expect : Options.Expects) {
    Report.Comparisons.push_back(compareBuffer(S.memory(), Expect));
    const Comparison &C = Report.Comparisons.back();
    if (C.Mismatches)
      Differences += (Differences.empty() ? "" : "\n") + C.text();
    else if (!Common.Quiet && !ToStdout)
      Text += C.text() + "\n";
  }
  writeText("-", Text);
  if (!Common.Json.empty()) {
    writeJSON(Common.Json, Report.json());
  }
  if (!Differences.empty())
    throw CommandError{Differences};
}

} // namespace

void addRunCommand(CLI::App &App) {
  CLI::App *Command =
      App.add_subcommand("run", "Execute a launch and look at its buffers");
  auto Options = std::make_shared<RunOptions>();
  addSessionOptions(*Command, Options->Session);
  Command
      ->add_option(
          "--dump", Options->Dumps,
          "NAME[=FILE]: print a buffer's first elements, or write it raw")
      ->allow_extra_args(false);
  Command
      ->add_option("--expect", Options->Expects,
                   "NAME=FILE[:abs=A,rel=R]: compare a buffer with a raw file")
      ->allow_extra_args(false);
  Command->add_flag("--counters", Options->Counters,
                    "count instructions and memory accesses");
  CLI::Option *Check = Command->add_flag(
      "--check", Options->Check,
      "look for wrong accesses, races and unwritten memory (slow)");
  Check->excludes(Command->get_option("--counters"));
  Command->add_flag(
      "--relaxed-atomics", Options->RelaxedAtomics,
      "let blocks run at the same time even where atomics make their "
      "order visible");
  addToleranceOption(*Command, Options->Tolerance);
  Command->callback([Options] { run(*Options); });
}

} // namespace heddle::tool
