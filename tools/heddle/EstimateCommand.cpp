//===- EstimateCommand.cpp - heddle estimate ------------------------------===//

#include "Estimate.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "heddle/Driver/TraceModes.h"
#include "trace/GridBarriers.h"
#include "trace/TraceReader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <ctime>
#include <map>

namespace heddle::tool {

double threadSeconds() {
  timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return double(T.tv_sec) + double(T.tv_nsec) * 1e-9;
}

using Model = EstimateReport (*)(trace::TraceSource &, const arch::GPUSpec &,
                                 const EstimateOptions &);

static const std::map<std::string, Model> Models = {
    {"interval", estimateInterval},
    {"interval=naive", estimateInterval},
    {"interval=markov", estimateInterval},
    {"interval=mt", estimateInterval},
    {"interval=mt-mshr", estimateInterval},
    {"interval=gpumech", estimateInterval},
    {"interval=heddle", estimateInterval},
    {"pipeline", estimatePipeline},
    {"pipeline=paper", estimatePipeline},
};

std::vector<std::string> estimateModels() {
  std::vector<std::string> Names;
  for (const auto &[Name, Run] : Models)
    Names.push_back(Name);
  return Names;
}

bool isEstimateModel(const std::string &Name) { return Models.count(Name); }

EstimateReport runEstimate(trace::TraceSource &Source,
                           const arch::GPUSpec &Spec,
                           const EstimateOptions &Options) {
  take(trace::requireIndependentBlocks(
      Source, "the fast models take them to be independent"));
  return Models.at(Options.Model)(Source, Spec, Options);
}

static void write(const EstimateReport &R, const EstimateOptions &Options) {
  const SessionOptions &S = Options.Session;
  if (!S.Json.empty()) {
    views::JSON Out = {{"tool", "heddle"}, {"version", HEDDLE_VERSION}};
    Out.update(R.JSON);
    Out["seconds"] = R.ModelSeconds;
    Out["trace_seconds"] = R.TraceSeconds;
    Out["prepare_seconds"] = R.PrepareSeconds;
    TextOutput File = take(TextOutput::create(S.Json));
    take(File.write(Out.dump(2) + "\n"));
    take(File.finish());
  }
  if (S.Json == "-" || S.Quiet)
    return;
  TextOutput Out = take(TextOutput::create("-"));
  take(Out.write(R.Text));
  take(Out.finish());
}

static void run(EstimateOptions Options) {
  SessionOptions &S = Options.Session;
  arch::GPUSpec Spec = take(arch::loadMachine(Options.GPU, Options.Sets));
  if ((!Options.WhatIf.empty() || Options.Sensitivity || Options.AllGPUs ||
       Options.AllModels || Options.Whole || Options.ReplayInsts ||
       !Options.Measured.empty()) &&
      !Options.Model.starts_with("interval"))
    throw CommandError{"--what-if, --sensitivity, --all-gpus, --all-models, "
                       "--measured, --replay and --whole need --model interval",
                       BadUsage};
  if (trace::TraceReader::isTrace(S.Input)) {
    requireNoLaunch(S);
    auto Source = take(openTrace(S.Input, Options.askedLevel(), Spec));
    write(runEstimate(*Source, Spec, Options), Options);
    return;
  }
  if (S.Arch.empty())
    S.Arch = Spec.Target.empty() ? "sm_70" : Spec.Target;
  const TraceMode Mode = traceModeOf(Options.Trace);
  StaticAssumptions Assumptions;
  Assumptions.Loops = take(parseAssumptions(Options.Assume));
  if (!Assumptions.Loops.empty() && Mode != TraceMode::Static &&
      Mode != TraceMode::Auto)
    throw CommandError{"--assume is for static traces; leave out --trace " +
                           Options.Trace,
                       BadUsage};
  S.Order = laneOrderFor(Spec);
  const auto Opened =
      take(Session::create(S, take(readLaunch(S)), contentsFor(Mode)));
  const KernelCode &Code = take(Opened->codeTable(Options.Level));
  std::string Why;
  double Before = threadSeconds();
  auto Source = take(makeTraceSource(*Opened, Code, Mode, Assumptions, &Why));
  const double Prepared = threadSeconds() - Before;
  if (!Why.empty() && !S.Quiet)
    fmt::print(stderr, "heddle: note: {} trace instead of a static one: {}\n",
               Source->header().Producer, Why);
  EstimateReport R = runEstimate(*Source, Spec, Options);
  R.PrepareSeconds = Prepared;
  write(R, Options);
}

void addEstimateCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "estimate", "Estimate the time of a launch or a trace with a fast model");
  auto Options = std::make_shared<EstimateOptions>();
  Options->Session.Arch.clear();
  addInputOptions(*Command, Options->Session);
  addLaunchOptions(*Command, Options->Session);
  addExecutionOptions(*Command, Options->Session);
  addOutputOptions(*Command, Options->Session);
  Command->add_option("--model", Options->Model, "the model that estimates")
      ->check(CLI::IsMember(estimateModels()))
      ->capture_default_str();
  Command
      ->add_option("--gpu", Options->GPU,
                   "machine: a name of `heddle gpus` or a machine file")
      ->capture_default_str();
  Command->add_option("--set", Options->Sets,
                      "change a field of the machine: FIELD=VALUE");
  CLI::Option *Level =
      addLevelOption(*Command, Options->Level, "instructions to look at");
  Command
      ->add_option("--trace", Options->Trace,
                   "how the trace that the model reads is made")
      ->check(CLI::IsMember(traceModes()))
      ->capture_default_str();
  addAssumeOption(*Command, Options->Assume);
  Command->add_flag("--warm-l2", Options->WarmL2,
                    "the launch is one of many: what fits stays in the L2");
  Command
      ->add_option("--what-if", Options->WhatIf,
                   "other values of a field of the machine: "
                   "FIELD=VALUE[,VALUE...]")
      ->allow_extra_args(false);
  Command->add_flag("--sensitivity", Options->Sensitivity,
                    "rank the fields of the machine by their effect on time");
  Command->add_flag("--all-gpus", Options->AllGPUs,
                    "estimate on every built-in machine too");
  Command->add_flag("--all-models", Options->AllModels,
                    "show what every interval model says");
  Command
      ->add_option("--measured", Options->Measured,
                   "result of `heddle simulate --json`: show its CPI stacks "
                   "beside the model's")
      ->type_name("RESULT.json");
  Command
      ->add_option("--replay", Options->ReplayInsts,
                   "warp instructions of an SM that the interval model replays")
      ->check(CLI::Range(uint64_t(1000), uint64_t(1) << 32));
  Command->add_flag("--whole", Options->Whole,
                    "interval models: read every block of the launch, also "
                    "where the rest is like what was read");
  Command->callback([Options, Level] {
    Options->LevelGiven = Level->count() != 0;
    run(*Options);
  });
}

} // namespace heddle::tool
