//===- SimulateCommand.cpp - heddle simulate ------------------------------===//

#include "Commands.h"
#include "Progress.h"
#include "Session.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "timing/Simulator.h"
#include "trace/TraceReader.h"
#include "views/SimulationReport.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <map>
#include <memory>

namespace heddle::tool {

namespace {

struct SimulateOptions {
  SessionOptions Session;
  std::string GPU = "v100";
  std::vector<std::string> Sets;
  ISA Level = ISA::PTX;
  uint64_t MaxCycles = NeverCycle;
  bool Instructions = false;
  bool WarmL2 = false;
};

double cpuSeconds(clockid_t Clock) {
  timespec T;
  clock_gettime(Clock, &T);
  return T.tv_sec + T.tv_nsec * 1e-9;
}

/// Passes blocks on and takes the time that the source needs for them, so
/// that it does not count as the model's.
class TimedSource : public trace::TraceSource {
public:
  explicit TimedSource(trace::TraceSource &Inner) : Inner(Inner) {}
  const trace::TraceHeader &header() const override { return Inner.header(); }
  const trace::CodeTable &code() const override { return Inner.code(); }
  Result<void> read(uint64_t Index, trace::BlockTrace &Out) override {
    double Before = cpuSeconds(CLOCK_THREAD_CPUTIME_ID);
    Result<void> R = Inner.read(Index, Out);
    Seconds += cpuSeconds(CLOCK_THREAD_CPUTIME_ID) - Before;
    return R;
  }
  double seconds() const { return Seconds; }

private:
  trace::TraceSource &Inner;
  double Seconds = 0;
};

class SimulateRun {
public:
  explicit SimulateRun(const SimulateOptions &Options)
      : Options(Options),
        Spec(take(arch::loadMachine(Options.GPU, Options.Sets))) {}

  void run() {
    openSource();
    timing::SimulationResult R = simulate();
    if (R.Truncated)
      warnTruncated(R);
    report(R);
  }

private:
  void openSource();
  timing::SimulationResult simulate();
  std::vector<timing::DeviceRange> copiedBuffers() const;
  void warnTruncated(const timing::SimulationResult &R) const;
  void report(const timing::SimulationResult &R) const;

  SimulateOptions Options;
  arch::GPUSpec Spec;
  std::unique_ptr<Session> S; // outlives Source
  std::unique_ptr<trace::TraceSource> Source;
};

} // namespace

void SimulateRun::openSource() {
  const SessionOptions &O = Options.Session;
  if (trace::TraceReader::isTrace(O.Input)) {
    if (!O.LaunchFile.empty() || !O.Grid.empty() || !O.Block.empty() ||
        !O.Args.empty() || !O.Kernel.empty())
      throw CommandError{O.Input + ": a trace holds its launch; leave out "
                                   "--kernel, --launch, --grid, --block, --arg",
                         BadUsage};
    if (Options.WarmL2)
      throw CommandError{O.Input + ": a trace does not say where buffers lie, "
                                   "which --warm-l2 needs",
                         BadUsage};
    Source = take(trace::TraceReader::open(O.Input));
    return;
  }
  if (Options.Session.Arch.empty())
    Options.Session.Arch = Spec.Target.empty() ? "sm_70" : Spec.Target;
  S = std::make_unique<Session>(Options.Session);
  KernelCode Code =
      take(buildCodeTable(S->kernel(), Options.Session.Arch, Options.Level));
  Source = S->makeTraceSource(Code);
}

timing::SimulationResult SimulateRun::simulate() {
  TimedSource Timed(*Source);
  timing::SimulationOptions O;
  O.Threads = Options.Session.Threads;
  O.MaxCycles = Options.MaxCycles;
  if (Options.WarmL2)
    O.Preloaded = copiedBuffers();
  Progress Bar("simulating", "warp instructions", Options.Session.Quiet);
  O.OnProgress = [&Bar](const timing::SimulationProgress &P) {
    return Bar.update(P.BlocksDone, P.Blocks, P.WarpInstructions);
  };
  double Before = cpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
  timing::SimulationResult R = take(timing::simulate(Timed, Spec, O));
  R.SecondsCPU =
      cpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - Before - Timed.seconds();
  return R;
}

/// The buffers that a host program would fill with a copy, in that order;
/// zeroes are set on the device and leave nothing in L2.
std::vector<timing::DeviceRange> SimulateRun::copiedBuffers() const {
  std::vector<timing::DeviceRange> Ranges;
  auto Buffer = S->memory().buffers().begin();
  auto End = S->memory().buffers().end();
  for (const launch::Argument &A : S->launch().Args) {
    const auto *B = std::get_if<launch::BufferArg>(&A.Value);
    if (!B)
      continue;
    while (Buffer != End && !(*Buffer)->IsArgument)
      ++Buffer;
    if (Buffer == End)
      break;
    if (!std::holds_alternative<launch::InitZero>(B->Init))
      Ranges.push_back({exec::DeviceMemory::toDevice((*Buffer)->Address),
                        (*Buffer)->SizeBytes});
    ++Buffer;
  }
  return Ranges;
}

void SimulateRun::warnTruncated(const timing::SimulationResult &R) const {
  fmt::print(stderr,
             "heddle: warning: stopped at cycle {} with {} of {} blocks done; "
             "the report covers that part\n",
             R.Cycles, R.BlocksDone, R.Grid.count());
}

void SimulateRun::report(const timing::SimulationResult &R) const {
  views::SourceText Text = views::sourceFromFiles();
  const std::string &JSONFile = Options.Session.Json;
  if (!JSONFile.empty()) {
    TextOutput Out = take(TextOutput::create(JSONFile));
    take(Out.write(views::reportJSON(R, Text, HEDDLE_VERSION).dump(2) + "\n"));
    take(Out.finish());
  }
  if (JSONFile == "-" || Options.Session.Quiet)
    return;
  views::ReportOptions ReportOptions;
  ReportOptions.Instructions = Options.Instructions;
  TextOutput Out = take(TextOutput::create("-"));
  take(Out.write(views::reportText(R, Text, ReportOptions)));
  take(Out.finish());
}

void addSimulateCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "simulate", "Simulate a launch or a trace cycle by cycle");
  auto Options = std::make_shared<SimulateOptions>();
  Options->Session.Arch.clear();
  addInputOptions(*Command, Options->Session);
  addLaunchOptions(*Command, Options->Session);
  addExecutionOptions(*Command, Options->Session);
  addOutputOptions(*Command, Options->Session);
  Command
      ->add_option("--gpu", Options->GPU,
                   "machine: a name of `heddle gpus` or a machine file")
      ->capture_default_str();
  Command->add_option("--set", Options->Sets,
                      "change a field of the machine: FIELD=VALUE");
  static const std::map<std::string, ISA> Levels = {{"ptx", ISA::PTX},
                                                    {"ir", ISA::IR}};
  Command->add_option("--isa", Options->Level, "instructions to simulate")
      ->transform(CLI::CheckedTransformer(Levels, CLI::ignore_case))
      ->option_text("ptx|ir");
  Command
      ->add_option("--max-cycles", Options->MaxCycles,
                   "stop there and report what was done")
      ->check(CLI::PositiveNumber)
      ->default_str("");
  Command->add_flag("--warm-l2", Options->WarmL2,
                    "start with the buffers' initial contents in L2, as a copy "
                    "from the host leaves them");
  Command->add_flag("--instructions", Options->Instructions,
                    "report every instruction");
  Command->callback([Options] { SimulateRun(*Options).run(); });
}

} // namespace heddle::tool
