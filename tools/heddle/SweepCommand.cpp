//===- SweepCommand.cpp - heddle sweep ------------------------------------===//

#include "Commands.h"
#include "CommonOptions.h"
#include "Progress.h"
#include "Shard.h"
#include "SweepPlan.h"
#include "SweepStore.h"
#include "TextOutput.h"
#include "heddle/Driver/TraceModes.h"

#include "launch/LaunchFile.h"
#include "models/ModelRun.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <unistd.h>

namespace heddle::tool {

namespace {

using JSON = nlohmann::ordered_json;

struct SweepOptions {
  std::string Description, Input, Launch, Kernel, Trace;
  std::vector<std::string> Vary, ClangArgs;
  std::string Output, CSV, Status;
  ShardOptions Shards;
  unsigned Threads = 1;
  bool Quiet = false, List = false;
  std::vector<std::string> Parts; ///< of sweep merge
};

} // namespace

/// What users mostly look at first; all else stays in the database.
static const char *const ResultColumns[] = {
    "cycles", "time_us", "warp_instructions", "ipc", "bound"};

static std::string csvField(const std::string &Text) {
  if (Text.find_first_of(",\"\n") == Text.npos)
    return Text;
  std::string Out = "\"";
  for (char C : Text)
    Out += C == '"' ? std::string("\"\"") : std::string(1, C);
  return Out + "\"";
}

static std::string cell(const JSON &V) {
  return V.is_string() ? csvField(V.get<std::string>()) : V.dump();
}

/// One line per configuration: its settings, status, and the main results.
static void writeCSV(const SweepStore &Store, const std::string &Path) {
  std::vector<std::string> Keys;
  JSON Plan = JSON::parse(Store.plan());
  for (const JSON &Axis : Plan["axes"])
    for (const JSON &Key : Axis["keys"])
      Keys.push_back(Key);
  TextOutput Out = take(TextOutput::create(Path));
  std::string Header = "id";
  for (const std::string &Key : Keys)
    Header += "," + csvField(Key);
  Header += ",status";
  for (const char *Column : ResultColumns)
    Header += fmt::format(",{}", Column);
  take(Out.write(Header + ",message\n"));
  take(Store.forEach([&](const SweepRow &Row) -> Result<void> {
    JSON Settings = JSON::parse(Row.Settings);
    JSON Values = Row.Result.empty() ? JSON() : JSON::parse(Row.Result);
    std::string Line = fmt::format("{}", Row.Index);
    for (const std::string &Key : Keys)
      Line += "," + (Settings.contains(Key) ? cell(Settings[Key]) : "");
    Line += Row.Result.empty() ? ",failed" : ",done";
    for (const char *Column : ResultColumns)
      Line += "," + (Values.is_object() && Values.contains(Column)
                         ? cell(Values[Column])
                         : std::string());
    return Out.write(Line + "," + csvField(Row.Message) + "\n");
  }));
  take(Out.finish());
}

static SweepPlan planOf(const SweepOptions &O) {
  SweepPlan Plan;
  if (!O.Description.empty())
    Plan = take(readSweepFile(O.Description));
  if (!O.Input.empty())
    Plan.Input = O.Input;
  if (!O.Launch.empty())
    Plan.Launch = O.Launch;
  if (!O.Kernel.empty())
    Plan.Kernel = O.Kernel;
  if (!O.Trace.empty())
    Plan.Trace = O.Trace;
  Plan.ClangArgs.insert(Plan.ClangArgs.end(), O.ClangArgs.begin(),
                        O.ClangArgs.end());
  if (Plan.Input.empty())
    throw usageError("say what to sweep: a description, or --input and "
                     "--launch with --vary");
  if (Plan.Launch.empty())
    throw usageError("give the launch to start from with --launch FILE");
  for (const std::string &Vary : O.Vary)
    take(addVary(Plan, Vary));
  take(checkPlan(Plan));
  // What every configuration would stumble over is said at once.
  if (access(Plan.Input.c_str(), R_OK) != 0)
    throw inputError("{}: cannot be opened", Plan.Input);
  take(launch::readLaunchFile(Plan.Launch));
  const std::vector<std::string> Fast = models::fastModelNames();
  for (const SweepAxis &A : Plan.Axes)
    for (size_t K = 0; K < A.Keys.size(); ++K)
      if (A.Keys[K] == "model")
        for (const auto &Entry : A.Values)
          if (Entry[K] != "simulate" &&
              std::ranges::find(Fast, Entry[K]) == Fast.end())
            throw inputError(
                "{}: no model is called '{}'; known are: {}, simulate", A.Where,
                Entry[K], fmt::join(Fast, ", "));
  const auto &Modes = traceModes();
  if (std::find(Modes.begin(), Modes.end(), Plan.Trace) == Modes.end())
    throw inputError("no trace is made the way '{}'; known are: {}", Plan.Trace,
                     fmt::join(Modes, ", "));
  return Plan;
}

static void listPoints(const SweepPlan &Plan) {
  TextOutput Out = take(TextOutput::create("-"));
  for (uint64_t I = 0; I < Plan.size(); ++I) {
    std::string Line = fmt::format("{}:", I);
    for (const auto &[Key, Value] : Plan.point(I))
      Line += fmt::format(" {}={}", Key, Value);
    take(Out.write(Line + "\n"));
  }
  take(Out.finish());
}

/// The command that evaluates the same, but for the part and its database.
static std::vector<std::string> workOf(const SweepOptions &O) {
  std::vector<std::string> Words = {ownPath(), "sweep"};
  if (!O.Description.empty())
    Words.push_back(O.Description);
  for (const auto &[Option, Value] :
       {std::pair("--input", O.Input), std::pair("--launch", O.Launch),
        std::pair("--kernel", O.Kernel), std::pair("--trace", O.Trace)})
    if (!Value.empty())
      Words.insert(Words.end(), {Option, Value});
  for (const std::string &Vary : O.Vary)
    Words.insert(Words.end(), {"--vary", Vary});
  Words.insert(Words.end(), {"--threads", std::to_string(O.Threads)});
  if (!O.ClangArgs.empty())
    Words.push_back("--");
  Words.insert(Words.end(), O.ClangArgs.begin(), O.ClangArgs.end());
  return Words;
}

/// Parts that are complete already are not submitted again.
static void submitSweep(const SweepOptions &O, const SweepPlan &Plan) {
  SlurmArray Array;
  Array.Database = O.Output;
  Array.Work = workOf(O);
  Array.PartOption = "-o";
  if (!O.CSV.empty())
    Array.MergeOptions = {"--csv", O.CSV};
  Array.Tasks = unsigned(std::min<uint64_t>(O.Shards.Slurm, Plan.size()));
  Array.Sbatch = O.Shards.Sbatch;
  std::vector<unsigned> Missing;
  for (unsigned Task = 1; Task <= Array.Tasks; ++Task)
    if (finishedIn(Array.part(Task), Plan.canonical()) <
        (Plan.size() - Task) / Array.Tasks + 1)
      Missing.push_back(Task);
  if (Missing.empty())
    throw inputError(
        "{}: all parts are finished; `heddle sweep merge` joins them",
        O.Output);
  submit(Array, Missing, O.Quiet);
}

static void run(const SweepOptions &O) {
  if (!O.Status.empty())
    return printStatus(O.Status);
  SweepPlan Plan = planOf(O);
  const Shard S = O.Shards.shard();
  if (O.List)
    return listPoints(Plan);
  if (O.Output.empty())
    throw usageError("say where the results go with -o FILE.db");
  if (O.Shards.Slurm)
    return submitSweep(O, Plan);
  SweepStore Store = take(SweepStore::open(O.Output, Plan.canonical()));
  std::set<uint64_t> Done = take(Store.finished());
  std::vector<uint64_t> Left;
  uint64_t Mine = 0;
  for (uint64_t I = S.Part; I < Plan.size(); I += S.Of) {
    ++Mine;
    if (!Done.count(I))
      Left.push_back(I);
  }
  if (!O.Quiet && Left.size() < Mine)
    fmt::print(stderr, "{}: {} of {} configurations are there, {} to go\n",
               O.Output, Mine - Left.size(), Mine, Left.size());
  uint64_t Finished = 0, Failed = 0;
  std::string FirstMessage;
  bool Stopped = false;
  if (!Left.empty()) {
    Progress Bar("sweeping", "configurations", O.Quiet);
    take(runPool(Plan, Left, O.Threads, [&](SweepRow Row) {
      if (Row.Index != ~uint64_t(0)) {
        take(Store.add(Row));
        ++Finished;
        if (Row.Result.empty() && !Failed++)
          FirstMessage = Row.Message;
      }
      Stopped = !Bar.update(Finished, Left.size(), Finished);
      return !Stopped;
    }));
  }
  if (Stopped)
    throw CommandError{fmt::format("interrupted with {} of {} configurations "
                                   "done; the same command goes "
                                   "on from there",
                                   Mine - Left.size() + Finished, Mine),
                       Interrupted};
  take(Store.finish());
  if (!O.CSV.empty())
    writeCSV(Store, O.CSV);
  if (!O.Quiet && O.CSV != "-")
    fmt::print("{}: {} configurations, {} evaluated now{}\n", O.Output, Mine,
               Finished,
               Failed ? fmt::format(", {} of them failed", Failed) : "");
  if (Failed)
    fmt::print(stderr,
               "heddle: warning: {} of {} configurations failed; the "
               "first says: {}\n",
               Failed, Finished, FirstMessage);
  if (Failed && Failed == Finished)
    throw CommandError{"no configuration could be evaluated"};
}

static void merge(const SweepOptions &O) {
  if (O.Output.empty())
    throw usageError("say where the results go with -o FILE.db");
  for (const std::string &Part : O.Parts)
    if (Part == O.Output)
      throw usageError("{}: is a part and the result at once", Part);
  std::vector<SweepStore> Parts;
  for (const std::string &Part : O.Parts) {
    if (std::filesystem::exists(Part) && SweepStore::isBlank(Part)) {
      fmt::print(stderr, "heddle: warning: {}: is empty\n", Part);
      continue;
    }
    Parts.push_back(take(SweepStore::open(Part)));
    if (Parts.back().plan() != Parts.front().plan())
      throw inputError("{}: holds another sweep than {}", Part,
                       O.Parts.front());
  }
  if (Parts.empty())
    throw CommandError{"all parts are empty"};
  SweepStore Out = take(SweepStore::open(O.Output, Parts.front().plan()));
  for (const SweepStore &Part : Parts)
    take(Out.add(Part));
  take(Out.finish());
  const uint64_t Total = plannedPoints(Out.plan()),
                 There = take(Out.finished()).size();
  if (!O.CSV.empty())
    writeCSV(Out, O.CSV);
  if (!O.Quiet && O.CSV != "-")
    fmt::print("{}: {} of {} configurations\n", O.Output, There, Total);
  if (There < Total)
    fmt::print(stderr,
               "heddle: warning: {} configurations are missing; run "
               "their shards\n",
               Total - There);
}

void addSweepCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "sweep", "Evaluate a kernel in many configurations; resumable");
  auto O = std::make_shared<SweepOptions>();
  Command->add_option("DESCRIPTION", O->Description,
                      "sweep description (docs/Commands/sweep.md)");
  Command->add_option("--input", O->Input,
                      "kernel source, without description");
  Command->add_option("--launch", O->Launch, "launch file to start from");
  Command->add_option("--kernel", O->Kernel,
                      "kernel to use, where the file has several");
  Command
      ->add_option("--vary", O->Vary,
                   "KEY=A,B,C or KEY=FROM:TO:STEP; keys that go together with "
                   "';' between them")
      ->allow_extra_args(false);
  Command->add_option("--trace", O->Trace, "how the models' traces are made")
      ->check(CLI::IsMember(traceModes()));
  Command->add_option("-o,--output", O->Output,
                      "SQLite database; it is continued if it exists");
  Command->add_option("--csv", O->CSV, "write a table too ('-': stdout)")
      ->each(checkOutput);
  addShardOptions(*Command, O->Shards);
  Command
      ->add_option("--status", O->Status,
                   "say how far the sweep into this database is, and its Slurm "
                   "jobs")
      ->option_text("FILE");
  Command->add_option("--threads", O->Threads, "configurations at a time")
      ->check(CLI::Range(1u, 256u));
  Command->add_flag("--list", O->List, "print the configurations, do nothing");
  Command->add_flag("-q,--quiet", O->Quiet, "no progress and no summary");
  Command->add_option("CLANG_ARGS", O->ClangArgs,
                      "options for Clang, after '--'");
  addGuessOption(*Command, O->ClangArgs);
  CLI::App *Merge =
      Command->add_subcommand("merge", "Join the databases of shards");
  Merge->add_option("PARTS", O->Parts, "databases of the shards")->required();
  Merge->add_option("-o,--output", O->Output, "SQLite database");
  Merge->add_option("--csv", O->CSV, "write a table too ('-': stdout)")
      ->each(checkOutput);
  Merge->add_flag("-q,--quiet", O->Quiet, "no summary");
  Merge->callback([O] { merge(*O); });
  Command->callback([O, Command] {
    if (Command->get_subcommands().empty())
      run(*O);
  });
}

} // namespace heddle::tool
