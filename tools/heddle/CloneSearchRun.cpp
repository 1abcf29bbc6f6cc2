//===- CloneSearchRun.cpp - heddle clone --verify -------------------------===//

#include "CloneSearchRun.h"

#include "Progress.h"
#include "TextOutput.h"
#include "base/JSONText.h"

#include "arch/SpecReader.h"
#include "heddle/Driver/LaunchSimulator.h"
#include "models/ModelRun.h"
#include "synthesis/AutoReduction.h"
#include "synthesis/CloneSearch.h"
#include "views/ResultHead.h"
#include "views/SimulationReport.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>

namespace heddle::tool {

/// Cycles that DRAM needs for all that the SMs of \p Spec can wait for at once.
static double drainCycles(const arch::GPUSpec &Spec) {
  const double InFlight = double(Spec.SM.Count) * Spec.L1.MSHRs * Spec.L1.Line;
  // GB/s over MHz is 1000 bytes per cycle.
  return InFlight / (Spec.DRAM.Bandwidth * 1000 / Spec.Clock.Core);
}

/// Simulates the clone in \p Folder and leaves result.json there, as `heddle
/// simulate --json` does.
static timing::SimulationResult
simulateClone(const std::filesystem::path &Folder, const arch::GPUSpec &Spec,
              const SessionOptions &Given) {
  SessionOptions O;
  O.Input = (Folder / "clone.ptx").string();
  O.LaunchFile = (Folder / "clone.launch.yaml").string();
  O.Arch = Spec.Target.empty() ? "sm_70" : Spec.Target;
  O.Engine = Given.Engine;
  O.Threads = Given.Threads;
  O.MaxSteps = Given.MaxSteps;
  const auto S = take(Session::create(O));
  auto Source = take(S->makeTraceSource(ISA::PTX));
  trace::KeptTrace Kept = take(trace::KeptTrace::read(*Source, KeptBytes));
  const timing::SimulationResult R = take(simulatePart(*S, Kept, Spec));
  views::ReportOptions Views;
  Views.Code = &Kept.code();
  Views.Machine = &Spec;
  Views.Block = Kept.header().blockResources();
  views::JSON Out =
      views::reportJSON(R, views::sourceFromFiles(), HEDDLE_VERSION, Views);
  addCode(Out, Kept, &take(S->codeTable(ISA::PTX)));
  addInputs(Out, *S);
  writeFile(Folder / "result.json", jsonText(Out, 2) + "\n");
  return R;
}

void reportProjection(
    std::span<const synthesis::CloneRun> Runs,
    const std::map<std::string, synthesis::ProjectedMetric> &Metrics,
    const std::optional<SearchOutcome> &Search,
    std::span<const std::string> Assumptions, const views::JSON &Inputs,
    bool Quiet, const std::string &JSON) {
  if (!Quiet)
    for (const auto &[Name, M] : Metrics)
      fmt::print("{:<28} {:>18.6g}  +- {:.1f} %\n", Name, M.Value,
                 100 * M.Error);
  if (!Quiet)
    fmt::print("Code: level {}\n", Runs.front().Level);
  if (JSON.empty())
    return;
  views::JSON Root = views::resultHead("clone-search", HEDDLE_VERSION);
  Root["gpu"] = Runs.front().Machine;
  Root["level"] = Runs.front().Level;
  Root.update(Inputs);
  Root["clones"] = Runs.size();
  addAssumptions(Root, Assumptions);
  if (Search) {
    Root["agree"] = Search->Agree;
    if (!Search->Doubt.empty())
      Root["refused"] = Search->Doubt;
    if (Search->Check)
      Root["check"] = {{"correction", Search->Check->Correction},
                       {"rate_cycles", Search->Check->RateCycles},
                       {"start_cycles", Search->Check->Start},
                       {"share", Search->HeadShare},
                       {"seconds", Search->HeadSeconds}};
  }
  for (const SearchedClone &C :
       Search ? Search->Clones : std::vector<SearchedClone>())
    Root["simulated"].push_back({{"folder", C.Folder},
                                 {"loop_factor", C.LoopFactor},
                                 {"blocks", C.Blocks},
                                 {"grid_factor", C.GridFactor},
                                 {"share", C.Share},
                                 {"cycles", C.Cycles},
                                 {"seconds", C.SecondsCPU},
                                 {"used", C.Used}});
  for (const auto &[Name, M] : Metrics)
    Root["metrics"][Name] = {{"value", M.Value}, {"error", M.Error}};
  writeJSON(JSON, Root);
}

namespace {
using synthesis::LaunchHead;

/// Clones of one launch that are simulated one after the other.
class Search {
public:
  Search(const SynthClones &Clones, const behavior::Profile &P,
         const SearchOptions &Options)
      : Clones(Clones), P(P), Options(Options),
        Spec(take(arch::loadMachine(Options.GPU))),
        Ladder(P, Clones.resident()) {}
  void run();

private:
  void simulateNext(const synthesis::ReductionOptions &R);
  std::optional<synthesis::CloneCheck> check();
  LaunchHead head(Session &S, LaunchHead Head);
  void refuseShort();
  LaunchHead originalHead(double Share) const;
  double drawn() const;
  void report(std::optional<synthesis::CloneCheck> Check);

  const SynthClones &Clones;
  const behavior::Profile &P;
  const SearchOptions &Options;
  const arch::GPUSpec Spec;
  synthesis::CloneLadder Ladder;
  std::vector<synthesis::CloneRun> Runs;
  SearchOutcome Outcome;
  std::map<std::string, synthesis::ProjectedMetric> Metrics;
};
} // namespace

void Search::simulateNext(const synthesis::ReductionOptions &R) {
  const std::string Name = std::to_string(Outcome.Clones.size() + 1);
  const std::filesystem::path Folder =
      std::filesystem::path(Options.Folder) / Name;
  SynthModule Module = take(SynthModule::fromBehavior(P));
  Clones.write(Module, P, R, Folder);
  const timing::SimulationResult Result =
      simulateClone(Folder, Spec, Options.Session);
  Runs.push_back(take(synthesis::readCloneRun(Folder.string())));
  Outcome.Clones.push_back({Folder.string(), R.LoopFactor, Result.Grid.count(),
                            Result.Cycles, 1 / Runs.back().Blocks,
                            Runs.back().Share, Result.SecondsCPU});
  Progress::clearLine();
  if (!Options.Session.Quiet)
    fmt::print("{}: loops / {}, {} blocks, 1/{:.1f} of the work: {} cycles\n",
               Folder.string(), R.LoopFactor, Result.Grid.count(),
               1 / Runs.back().Share, Result.Cycles);
  if (Runs.size() > Ladder.window())
    Runs.erase(Runs.begin());
}

/// Simulates the first part of \p S's launch, as far as \p Head wants it.
LaunchHead Search::head(Session &S, LaunchHead Head) {
  auto Source = take(S.makeTraceSource(ISA::PTX));
  timing::SimulationOptions O;
  O.Threads = Options.Session.Threads;
  O.OnProgress = [&](const timing::SimulationProgress &At) {
    return Head.add(double(At.Now), double(At.WarpInstructions));
  };
  const timing::SimulationResult R =
      take(expected(models::simulateTimed(*Source, Spec, O)));
  Head.add(double(R.Cycles), double(R.WarpInstructions));
  Outcome.HeadSeconds += R.SecondsCPU;
  Outcome.HeadShare += double(R.WarpInstructions) / P.WarpInstructions;
  return Head;
}

/// The original beside a clone of which nothing is cut; nothing if there is
/// only its profile.
std::optional<synthesis::CloneCheck> Search::check() {
  if (!Options.HasKernel)
    return std::nullopt;
  // The longer the original's head, the more of it goes on as all of it does.
  const double Waves = double(P.Grid.count()) / Clones.resident();
  const double Share = LaunchHead::share(Waves),
               Rest = LaunchHead::mostOfSearch(Waves) - Share - Ladder.work();
  const auto S = take(Session::create(Options.Session));
  const double Work = P.WarpInstructions;
  const double Settled =
      LaunchHead::shareOf(synthesis::shareToSettle(P), Waves);
  const LaunchHead Original =
      head(*S, originalHead(std::max({Share, Rest, Settled})));
  double Scale = 1;
  const auto Clone = openClone(P, {}, Options.Session, &Scale);
  const LaunchHead Copy =
      head(*Clone, LaunchHead(Original.atLeast(Share * Work)));
  auto Check = synthesis::checkClone(Original, Work, Copy, Work / Scale, Waves);
  if (Check) {
    Check->RateError = synthesis::expectedRateError(P, Check->rateShare());
    Check->Seen = synthesis::shareSeen(P, Check->rateShare());
  }
  return Check;
}

/// Where already the first clone is much of the launch, it may be too short for
/// any. Its head says so before clones are made that cost more than itself.
void Search::refuseShort() {
  if (!Options.HasKernel || Ladder.firstWork() <= LaunchHead::MostToLast)
    return;
  const auto S = take(Session::create(Options.Session));
  if (head(*S, originalHead(0)).isShort())
    throw inputError("{}; simulate the original", synthesis::tooShort());
}

/// That of the original, \p Share of its work or more.
LaunchHead Search::originalHead(double Share) const {
  return LaunchHead(Share * P.WarpInstructions, LaunchHead::LeastCycles,
                    LaunchHead::MostToLast * P.WarpInstructions);
}

double Search::drawn() const {
  double Drawn = 0;
  for (const synthesis::CloneRun &R : Runs)
    Drawn = std::max(Drawn, R.DrawnError);
  return Drawn;
}

void Search::report(std::optional<synthesis::CloneCheck> Check) {
  std::vector<std::string> Assumptions = P.Assumptions;
  if (!Check)
    noteAssumptions(
        Assumptions,
        Options.HasKernel
            ? "The clones were not compared with their original: it ends "
              "before "
              "it has a rate"
            : "The clones were not compared with their original, whose code a "
              "profile does not hold; give the kernel and its launch");
  if (Check) {
    Check->IsShort |= synthesis::workToLast(Runs, LaunchHead::LeastCycles) > 1;
    Check->Reads = synthesis::readsOfData(
        P, Metrics, double(Spec.L2.Size) * Spec.L2.Slices);
  }
  Outcome.Check = Check;
  const double Start =
      Ladder.keepsLastWave() ? 0 : synthesis::startShare(Runs, Metrics);
  const double Spread = synthesis::tripSpread(P);
  // Where all go around alike, all have whole periods.
  const double Way = Ladder.keepsPeriods() && Spread == 0
                         ? 0
                         : synthesis::wayToRate(Runs, Metrics);
  synthesis::applyCheck(Metrics, Check, drawn(), Spread, Start, Way);
  Outcome.Doubt = synthesis::doubtsOf(Metrics, Check);
  if (!Outcome.Doubt.empty())
    Metrics.clear();
  else if (!Outcome.Agree &&
           (!Check || Metrics.at("cycles").Error > Options.MaxError))
    fmt::print(stderr,
               "heddle: warning: {}: the lines through these clones do not "
               "agree within {:.1f} %; simulate ones that are cut less, "
               "--factor {} or below, and give them to --project\n",
               Options.Folder, 100 * Options.MaxError,
               std::max<uint64_t>(Outcome.Clones.back().LoopFactor / 2, 1));
  views::JSON Inputs;
  views::addMachine(Inputs, Spec);
  Inputs.update(Options.Inputs);
  Inputs["options"] = {{"error", 100 * Options.MaxError}};
  reportProjection(Runs, Metrics, Outcome, Assumptions, Inputs,
                   Options.Session.Quiet, Options.JSON);
  if (!Outcome.Doubt.empty())
    throw inputError(
        "{}: no projection, since these clones cannot be trusted: {}; simulate "
        "ones that are cut less, --factor {} or below, or the original",
        Options.Folder, Outcome.Doubt,
        std::max<uint64_t>(Outcome.Clones.back().LoopFactor / 2, 1));
}

void Search::run() {
  if (!Ladder.cuts())
    throw inputError("nothing can be cut: no loop has {} iterations, and {} "
                     "holds all {} blocks at once, or nearly so",
                     synthesis::CloneLadder::LongLoop, Spec.Name,
                     P.Grid.count());
  refuseShort();
  while (auto R = Outcome.Agree ? std::nullopt : Ladder.next()) {
    simulateNext(*R);
    if (Runs.size() < Ladder.window())
      continue;
    Metrics = take(synthesis::project(Runs));
    Outcome.Agree =
        synthesis::haveSettled(Runs, Metrics, Options.MaxError,
                               drainCycles(Spec), Ladder.keepsLastWave());
  }
  // One more, where the others hardly do more than start.
  constexpr double Least = LaunchHead::LeastCycles, Margin = 1.25;
  if (synthesis::workToLast(Runs, Least) > 1)
    if (const auto R =
            Ladder.longer(synthesis::workToLast(Runs, Margin * Least)))
      simulateNext(*R);
  Metrics = take(synthesis::project(Runs));
  for (size_t I = Outcome.Clones.size() - Runs.size();
       I < Outcome.Clones.size(); ++I)
    Outcome.Clones[I].Used = true;
  report(check());
}

void searchClones(const SynthClones &Clones, const behavior::Profile &P,
                  const SearchOptions &Options) {
  Search(Clones, P, Options).run();
}

} // namespace heddle::tool
