//===- EstimateCommand.cpp - heddle estimate ------------------------------===//

#include "CommonOptions.h"
#include "Progress.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "heddle/Driver/TraceModes.h"
#include "models/Advice.h"
#include "trace/HeldSource.h"
#include "views/ResultHead.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heddle::tool {

namespace {
struct EstimateOptions {
  SessionOptions Session;
  models::ModelRequest Model;
  std::optional<ISA> Level;
  std::string Trace = "auto";      ///< one of traceModes()
  std::vector<std::string> Assume; ///< LINE=COUNT: iterations of loops
  bool Advice = false;
  MetricOptions Metrics;
};

constexpr const char *KeptL2Note =
    "What fits stays in the L2 from launch to launch (--warm-l2).";
} // namespace

namespace {
/// What estimates are written with.
struct Estimated {
  const EstimateOptions &Options;
  const trace::TraceSource &Source;
  const Session *Launch = nullptr; ///< null for a trace, as is Code
  const KernelCode *Code = nullptr;
  double PrepareSeconds = 0;
};

/// What is written, made in the thread that estimates.
struct Written {
  views::JSON JSON;
  std::string Text;
};
} // namespace

static Written render(const models::ModelReport &R, const Estimated &Of) {
  const EstimateOptions &Options = Of.Options;
  const std::vector<std::string> &Left = R.NotEstimated;
  Written W;
  W.Text = R.Text + codeLine(Of.Source, Of.Code, Of.Launch);
  if (Options.Model.WarmL2)
    W.Text += fmt::format("{}\n", KeptL2Note);
  if (!Left.empty())
    W.Text +=
        fmt::format("interrupted; not estimated: {}\n",
                    Left.size() > 8 ? fmt::format("{} and {} more",
                                                  Left.front(), Left.size() - 1)
                                    : fmt::format("{}", fmt::join(Left, ", ")));
  if (Options.Session.Json.empty() && !Options.Metrics.any())
    return W;
  views::JSON &Out = W.JSON = views::resultHead("estimate", HEDDLE_VERSION);
  Out.update(R.JSON);
  Out["seconds"] = R.ModelSeconds;
  Out["trace_seconds"] = R.TraceSeconds;
  Out["prepare_seconds"] = Of.PrepareSeconds;
  addCode(Out, Of.Source, Of.Code);
  Of.Launch ? addInputs(Out, *Of.Launch)
            : addSource(Out, Options.Session.Input);
  if (Options.Model.WarmL2)
    Out["assumptions"].push_back(KeptL2Note);
  if (!Left.empty()) {
    Out["truncated"] = true;
    Out["not_estimated"] = Left;
  }
  return W;
}

static void write(const views::JSON &JSON, const std::string &Text,
                  const EstimateOptions &Options) {
  const SessionOptions &S = Options.Session;
  const bool Quiet = S.Json == "-" || S.Quiet;
  if (Options.Metrics.any())
    writeMetrics(JSON, Options.Metrics, Quiet);
  if (!S.Json.empty())
    writeJSON(S.Json, JSON);
  if (!Quiet && !Options.Metrics.any())
    writeText("-", Text);
}

/// What an interrupt leaves of \p Base and studies that are under way.
static Written withoutStudies(models::ModelReport Base, const Estimated &Of) {
  Base.NotEstimated = {"what was asked for beside the estimate"};
  return render(Base, Of);
}

/// The model's report, with the advice if it is asked for.
static models::ModelReport estimate(trace::TraceSource &Source,
                                    const arch::GPUSpec &Spec,
                                    const Estimated &Of) {
  const EstimateOptions &Options = Of.Options;
  Progress Bar("estimating", "thread blocks", Options.Session.Quiet);
  uint64_t Read = 0;
  models::ModelRequest Request = Options.Model;
  Request.OnProgress = [&](uint64_t Done, uint64_t Total, uint64_t Work) {
    Read = std::max(Read, Done);
    return Bar.update(Done, Total, Work);
  };
  Request.OnEstimate = [&](const models::ModelReport &Base) {
    Bar.keepPartialResult([W = withoutStudies(Base, Of), Options] {
      write(W.JSON, W.Text, Options);
    });
  };
  std::optional<trace::HeldSource> Held;
  if (Options.Advice)
    Held.emplace(Source);
  trace::TraceSource &From = Held ? *Held : Source;
  auto R = models::runModel(From, Spec, Request);
  if (!R && R.error().Is == ModelError::Cancelled)
    throw CommandError{
        fmt::format("interrupted when {} of {} thread blocks had been read "
                    "({} trace); no estimate was finished",
                    Read, Source.header().Grid.count(),
                    Source.header().Producer),
        Interrupted};
  models::ModelReport Report = take(std::move(R));
  if (!Options.Advice)
    return Report;
  Request.OnEstimate = nullptr;
  Bar.keepPartialResult();
  const views::AdviceView Advice =
      take(models::advise(*Held, Spec, Request, Report.JSON["cycles"]));
  Report.Text += "\n" + Advice.text();
  Advice.addTo(Report.JSON);
  return Report;
}

/// Estimates and writes. An interrupt that came while limits were lifted or
/// studies made leaves a result, and the status says that it is not whole.
static void report(trace::TraceSource &Source, const arch::GPUSpec &Spec,
                   const Estimated &Of) {
  const models::ModelReport R = estimate(Source, Spec, Of);
  const Written W = render(R, Of);
  write(W.JSON, W.Text, Of.Options);
  if ((Of.Options.Advice || !R.NotEstimated.empty()) && Progress::interrupted())
    throw CommandError{"", Interrupted};
}

static void run(EstimateOptions Options) {
  SessionOptions &S = Options.Session;
  const models::ModelRequest &Model = Options.Model;
  arch::GPUSpec Spec = take(arch::loadMachine(Model.GPU, Model.Sets));
  if (Model.asksForStudies() && !models::findModel(Model.Model)->Studies)
    throw usageError("--what-if, --sensitivity, --all-gpus, --all-models, "
                     "--measured, --replay and --whole need --model interval");
  if (trace::TraceReader::isTrace(S.Input)) {
    requireNoLaunch(S);
    auto Source = take(openTrace(S.Input, Options.Level, Spec));
    return report(*Source, Spec, {Options, *Source});
  }
  compileFor(Spec, S);
  const TraceMode Mode = traceModeOf(Options.Trace);
  StaticAssumptions Assumptions;
  Assumptions.Loops = take(parseAssumptions(Options.Assume));
  if (!Assumptions.Loops.empty() && Mode != TraceMode::Static &&
      Mode != TraceMode::Auto)
    throw usageError("--assume is for static traces; leave out --trace {}",
                     Options.Trace);
  S.Order = laneOrderFor(Spec);
  const auto Launch =
      take(Session::create(S, take(readLaunch(S)), contentsFor(Mode)));
  const KernelCode &Code =
      take(Launch->codeTable(levelFor(Spec, Options.Level)));
  std::string Reason;
  const double Before = models::threadSeconds();
  S.tellPhase("preparing the trace");
  auto Source =
      take(makeTraceSource(*Launch, Code, Mode, Assumptions, &Reason));
  S.tellPhase({});
  const double Prepared = models::threadSeconds() - Before;
  if (!Reason.empty() && !S.Quiet)
    fmt::print(stderr, "heddle: note: {} trace instead of a static one: {}\n",
               Source->header().Producer, Reason);
  report(*Source, Spec, {Options, *Source, &*Launch, &Code, Prepared});
}

void addEstimateCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "estimate", "Estimate the time of a launch or a trace with a fast model");
  auto Options = std::make_shared<EstimateOptions>();
  models::ModelRequest &Model = Options->Model;
  Options->Session.Arch.clear();
  addSessionOptions(*Command, Options->Session);
  Command->add_option("--model", Model.Model, "the model that estimates")
      ->check(CLI::IsMember(models::fastModelNames()))
      ->capture_default_str();
  addMachineOptions(*Command, Model.GPU, Model.Sets);
  addLaunchOverheadOption(*Command, Model.Sets);
  addLevelOption(*Command, Options->Level, "instructions to look at");
  Command
      ->add_option("--trace", Options->Trace,
                   "how the trace that the model reads is made")
      ->check(CLI::IsMember(traceModes()))
      ->capture_default_str();
  addAssumeOption(*Command, Options->Assume);
  Command->add_flag("--warm-l2", Model.WarmL2,
                    "the launch is one of many: what fits stays in the L2");
  addAdviceOption(*Command, Options->Advice);
  addMetricOptions(*Command, Options->Metrics);
  Command
      ->add_option("--what-if", Model.WhatIf,
                   "other values of a field of the machine: "
                   "FIELD=VALUE[,VALUE...]")
      ->allow_extra_args(false);
  Command->add_flag("--sensitivity", Model.Sensitivity,
                    "rank the fields of the machine by their effect on time");
  Command->add_flag("--all-gpus", Model.AllGPUs,
                    "estimate on every built-in machine too");
  Command->add_flag("--all-models", Model.AllModels,
                    "show what every interval model says");
  Command
      ->add_option("--measured", Model.Measured,
                   "result of `heddle simulate --json`: show its CPI stacks "
                   "beside the model's")
      ->type_name("RESULT.json");
  Command
      ->add_option("--replay", Model.ReplayInsts,
                   "warp instructions of an SM that the interval model replays")
      ->check(CLI::Range(uint64_t(1000), uint64_t(1) << 32));
  Command->add_flag("--whole", Model.Whole,
                    "interval models: read every block of the launch, also "
                    "where the rest is like what was read");
  Command->callback([Options] { run(*Options); });
}

} // namespace heddle::tool
