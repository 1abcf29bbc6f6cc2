//===- SampleCommand.cpp - heddle sample ----------------------------------===//

#include "ApplicationRun.h"
#include "Commands.h"
#include "CommonOptions.h"
#include "Progress.h"
#include "SampleRun.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "heddle/Driver/ResultInputs.h"
#include "sampling/paper/WarpMarkovModel.h"
#include "views/ResultHead.h"
#include "views/SamplingView.h"
#include "views/TextTable.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <map>
#include <memory>

namespace heddle::tool {

namespace {

struct SampleOptions {
  SampleRunOptions Run;
  bool Regions = false;
  bool ModelCheck = false;
};

/// What decided the result beside the application and the machine.
views::JSON optionsOf(const SampleRunOptions &O) {
  views::JSON J = {{"seed", O.Seed},
                   {"target_error", O.TargetError},
                   {"standard_error", O.Region.StandardError},
                   {"check_launches", O.CheckLaunches},
                   {"share", O.Share},
                   {"unit", O.UnitInstructions},
                   {"interval_instructions", O.IntervalInstructions},
                   {"feature", nameOf(O.Feature)},
                   {"threshold", O.Threshold},
                   {"clones", O.CloneFactor},
                   {"as_in_paper", O.AsInPaper},
                   {"warm_caches", O.Region.WarmCaches},
                   {"inter_launch", !O.NoInterLaunch},
                   {"intra_launch", !O.NoIntraLaunch}};
  if (O.Interval)
    J["interval"] = nameOf(*O.Interval);
  return J;
}

/// What was read beside the source and the launches. A full simulation is not
/// among it: it is what would be made without its file.
std::vector<std::string> filesOf(const SampleRunOptions &O) {
  return O.ProfileFile.empty() ? std::vector<std::string>()
                               : std::vector{O.ProfileFile};
}

void report(const SampleOptions &Options,
            const sampling::SamplingResult &Result) {
  const arch::GPUSpec Spec =
      take(arch::loadMachine(Options.Run.GPU, Options.Run.Sets));
  SessionOptions Common = Options.Run.Session;
  compileFor(Spec, Common);
  views::SamplingView View(Result, Options.Regions);
  if (!Common.Json.empty()) {
    views::JSON Object = views::resultHead("sample", HEDDLE_VERSION);
    View.addTo(Object);
    views::addMachine(Object, Spec);
    addInputs(Object, Common, filesOf(Options.Run));
    Object["options"] = optionsOf(Options.Run);
    writeJSON(Common.Json, Object);
  }
  if (Common.Json == "-" || Common.Quiet)
    return;
  writeText("-", View.text() +
                     codeLine(levelOf(Options.Run, Spec), Result.CodeNotes) +
                     "  instructions here are those of `heddle profile`, which "
                     "counts before any level\n");
}

/// TBPoint's figure 5: how much the IPC of a homogeneous interval varies with
/// the lengths of stalls, for all combinations of p, M and N.
void checkModel() {
  using views::TextTable;
  TextTable Table("rrrrrr",
                  {"p", "M", "N", "mean IPC", "range", "within 10 %"});
  for (double P : {0.05, 0.1, 0.2})
    for (double M : {100.0, 200.0, 400.0, 800.0})
      for (unsigned N : {4u, 8u, 16u, 32u}) {
        sampling::IPCVariation V = sampling::monteCarloIPC(P, M, N);
        Table.row({fmt::format("{:.2f}", P), fmt::format("{:.0f}", M),
                   std::to_string(N), fmt::format("{:.4f}", V.Mean),
                   fmt::format("{:.4f}-{:.4f}", V.Least, V.Most),
                   fmt::format("{:.2f} %", 100 * V.WithinTenPercent)});
      }
  writeText("-", "IPC of N warps that stall with probability p for M cycles, M "
                 "within 10 % for 95 % of 10,000 samples\n" +
                     Table.str());
}

/// An option that the method does not read is wrong usage.
void refuseOtherMethodsOptions(const CLI::App &Command, SamplingMethod Method) {
  struct Belongs {
    const char *Option;
    bool TBPoint, Intervals;
  };
  static constexpr Belongs Options[] = {
      {"--as-in-paper", true, false},
      {"--clones", true, false},
      {"--no-inter-launch", true, false},
      {"--regions", true, false},
      {"--warm-caches", true, false},
      {"--feature", false, true},
      {"--interval", false, true},
      {"--interval-instructions", false, true},
      {"--export-simpoint", false, true},
      {"--threshold", false, true},
      {"--check-launches", true, true},
      {"--export-accel-sim", true, true},
  };
  for (const Belongs &B : Options)
    if (Command.count(B.Option) &&
        !(B.TBPoint && Method == SamplingMethod::TBPoint) &&
        !(B.Intervals && Method == SamplingMethod::Intervals))
      throw usageError("{} belongs to --method {}; add that", B.Option,
                       !B.Intervals ? "tbpoint"
                       : !B.TBPoint ? "intervals"
                                    : "tbpoint or intervals");
}

} // namespace

void addSampleCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "sample", "Simulate a part of an application and project the whole");
  auto Options = std::make_shared<SampleOptions>();
  SampleRunOptions &Run = Options->Run;
  Run.Session.Arch.clear();
  addSessionOptions(*Command, Run.Session);
  Command->get_option("INPUT")->required(false);
  static const std::map<std::string, SamplingMethod> Methods = {
      {"tbpoint", SamplingMethod::TBPoint},
      {"intervals", SamplingMethod::Intervals},
      {"random", SamplingMethod::Random},
      {"systematic", SamplingMethod::Systematic},
      {"simpoint", SamplingMethod::SimPoint},
      {"stratified", SamplingMethod::Stratified},
      {"full", SamplingMethod::Full}};
  Command->add_option("--method", Run.Method, "how to choose")
      ->transform(CLI::CheckedTransformer(Methods, CLI::ignore_case))
      ->option_text("tbpoint|intervals|random|systematic|simpoint|"
                    "stratified|full");
  addMachineOptions(*Command, Run.GPU, Run.Sets);
  addLevelOption(*Command, Run.Level,
                 "code to simulate; by default the machine's, and ptx with "
                 "--clones");
  Command->add_flag_callback(
      "--cold",
      [Options] { Options->Run.Sets.push_back("launch.keep_l2=false"); },
      "of a recording: empty caches at each launch; else L2 as the launch "
      "before left it, where the machine says so");
  Command->add_option("--profile", Run.ProfileFile,
                      "profile of the same application (heddle profile)");
  Command->add_flag("--warm-caches", Run.Region.WarmCaches,
                    "tbpoint: keep L2 warm across skipped blocks");
  Command
      ->add_option("--standard-error", Run.Region.StandardError,
                   "tbpoint: measure a region until its mean IPC is known to "
                   "this share")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  Command->add_flag("--as-in-paper", Run.AsInPaper,
                    "tbpoint: without what Heddle adds to it");
  Command->add_flag("--no-inter-launch", Run.NoInterLaunch,
                    "tbpoint: simulate a part of every launch");
  Command->add_flag("--no-intra-launch", Run.NoIntraLaunch,
                    "tbpoint: simulate the chosen launches as a whole");
  Command
      ->add_option("--clones", Run.CloneFactor,
                   "tbpoint: simulate clones of the chosen launches, with "
                   "loops cut by this, by twice and by four times this")
      ->check(aboveZero())
      ->capture_default_str();
  Command
      ->add_option("--share", Run.Share,
                   "random, systematic: share of the units")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  Command
      ->add_option("--unit", Run.UnitInstructions,
                   "random, systematic, simpoint: warp instructions per unit")
      ->check(aboveZero())
      ->capture_default_str();
  std::map<std::string, sampling::IntervalKind> Kinds;
  for (sampling::IntervalKind K : sampling::AllIntervalKinds)
    Kinds.emplace(nameOf(K), K);
  Command->add_option("--interval", Run.Interval, "intervals: how to cut")
      ->transform(CLI::CheckedTransformer(Kinds, CLI::ignore_case))
      ->option_text("sync|instructions|kernel");
  std::map<std::string, sampling::Feature> Features;
  for (sampling::Feature F : sampling::AllFeatures)
    Features.emplace(nameOf(F), F);
  Command->add_option("--feature", Run.Feature, "intervals: feature vector")
      ->transform(CLI::CheckedTransformer(Features, CLI::ignore_case))
      ->option_text("KN|KN-ARGS|KN-GWS|KN-ARGS-GWS|KN-RW|BB|BB-R|BB-W|BB-R-W|"
                    "'BB-(R+W)'");
  Command
      ->add_option("--interval-instructions", Run.IntervalInstructions,
                   "intervals: thread instructions of an interval")
      ->check(aboveZero())
      ->capture_default_str();
  Command
      ->add_option("--threshold", Run.Threshold,
                   "intervals --compare: the smallest selection below this "
                   "error instead of the least error")
      ->check(CLI::Range(0.0, 1.0));
  Command
      ->add_option("--target-error", Run.TargetError,
                   "how far off the projection may be, with 95 % confidence: "
                   "stratified reaches it, tbpoint and intervals warn")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  Command
      ->add_option(
          "--check-launches", Run.CheckLaunches,
          "tbpoint, intervals: simulate this many of what others stand "
          "for to estimate the error; 0: no estimate")
      ->capture_default_str();
  Command->add_option("--export-simpoint", Run.ExportPrefix,
                      "intervals: write PREFIX.bb, .simpoints and .weights");
  Command->add_option("--export-accel-sim", Run.AccelSimFolder,
                      "tbpoint, intervals: write the chosen launches as traces "
                      "that Accel-Sim reads into this folder");
  Command
      ->add_option("--seed", Run.Seed,
                   "random, simpoint, intervals, stratified: seed")
      ->capture_default_str();
  Command->add_flag("--compare", Run.Compare,
                    "simulate everything as well and print the error");
  Command->add_option("--full-simulation", Run.FullFile,
                      "read the full simulation from this file; if there is "
                      "none, simulate and write it");
  Command->add_flag("--regions", Options->Regions,
                    "print the table of homogeneous regions");
  Command->add_flag("--model-check", Options->ModelCheck,
                    "print how stable TBPoint's warp model is, and end");
  Command->callback([Options, Command] {
    if (Options->ModelCheck)
      return checkModel();
    refuseOtherMethodsOptions(*Command, Options->Run.Method);
    if (Options->Run.Session.Input.empty())
      throw usageError("INPUT is required");
    const sampling::SamplingResult Result = sample(Options->Run);
    report(*Options, Result);
    if (Result.StoppedAfter)
      throw CommandError{"", Interrupted};
  });
}

} // namespace heddle::tool
