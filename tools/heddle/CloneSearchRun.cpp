//===- CloneSearchRun.cpp - heddle clone --verify -------------------------===//

#include "CloneSearchRun.h"

#include "Progress.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "heddle/Driver/LaunchSimulator.h"
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
  writeFile(Folder / "result.json",
            jsonText(views::reportJSON(R, views::sourceFromFiles(),
                                       HEDDLE_VERSION, Views),
                     2) +
                "\n");
  return R;
}

void reportProjection(
    std::span<const synthesis::CloneRun> Runs,
    const std::map<std::string, synthesis::ProjectedMetric> &Metrics,
    const std::optional<SearchOutcome> &Search,
    std::span<const std::string> Assumptions, bool Quiet,
    const std::string &JSON) {
  if (!Quiet)
    for (const auto &[Name, M] : Metrics)
      fmt::print("{:<28} {:>18.6g}  +- {:.1f} %\n", Name, M.Value,
                 100 * M.Error);
  if (!Quiet)
    fmt::print("Code: level ptx\n");
  if (JSON.empty())
    return;
  views::JSON Root = views::resultHead("clone-search", HEDDLE_VERSION);
  Root["gpu"] = Runs.front().Machine;
  Root["level"] = "ptx";
  Root["clones"] = Runs.size();
  addAssumptions(Root, Assumptions);
  if (Search)
    Root["agree"] = Search->Agree;
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

void searchClones(const SynthClones &Clones, const behavior::Profile &P,
                  const SearchOptions &Options) {
  const arch::GPUSpec Spec = take(arch::loadMachine(Options.GPU));
  synthesis::CloneLadder Ladder(P, Clones.resident());
  if (!Ladder.cuts())
    throw CommandError{fmt::format(
        "nothing can be cut: no loop has {} iterations, and {} holds all {} "
        "blocks at once, or nearly so",
        synthesis::CloneLadder::LongLoop, Spec.Name, P.Grid.count())};
  const bool Quiet = Options.Session.Quiet;
  std::vector<synthesis::CloneRun> Runs;
  std::vector<SearchedClone> Made;
  std::map<std::string, synthesis::ProjectedMetric> Metrics;
  bool Settled = false;
  while (auto R = Settled ? std::nullopt : Ladder.next()) {
    const std::string Name = std::to_string(Made.size() + 1);
    const std::filesystem::path Folder =
        std::filesystem::path(Options.Folder) / Name;
    SynthModule Module = take(SynthModule::fromBehavior(P));
    Clones.write(Module, P, *R, Folder);
    const timing::SimulationResult Result =
        simulateClone(Folder, Spec, Options.Session);
    Runs.push_back(take(synthesis::readCloneRun(Folder.string())));
    Made.push_back({Folder.string(), R->LoopFactor, Result.Grid.count(),
                    Result.Cycles, 1 / Runs.back().Blocks, Runs.back().Share,
                    Result.SecondsCPU});
    if (!Quiet)
      fmt::print("{}: loops / {}, {} blocks, 1/{:.1f} of the work: {} cycles\n",
                 Folder.string(), R->LoopFactor, Result.Grid.count(),
                 1 / Runs.back().Share, Result.Cycles);
    if (Runs.size() > Ladder.window())
      Runs.erase(Runs.begin());
    if (Runs.size() < Ladder.window())
      continue;
    Metrics = take(synthesis::project(Runs));
    Settled = synthesis::haveSettled(Runs, Metrics, Options.MaxError,
                                     drainCycles(Spec));
  }
  Metrics = take(synthesis::project(Runs));
  if (!Settled)
    fmt::print(stderr,
               "heddle: warning: {}: the lines through these clones do not "
               "agree within {:.1f} %; simulate ones that are cut less, "
               "--factor {} or below, and give them to --project\n",
               Options.Folder, 100 * Options.MaxError,
               std::max<uint64_t>(Made.back().LoopFactor / 2, 1));
  for (size_t I = Made.size() - Runs.size(); I < Made.size(); ++I)
    Made[I].Used = true;
  reportProjection(Runs, Metrics, SearchOutcome{Settled, Made}, P.Assumptions,
                   Quiet, Options.JSON);
}

} // namespace heddle::tool
