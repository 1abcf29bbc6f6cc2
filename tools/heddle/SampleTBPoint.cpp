//===- SampleTBPoint.cpp - Launches that stand for others -----------------===//

#include "Progress.h"
#include "SampleMethods.h"

#include "arch/Occupancy.h"
#include "launch/LaunchFile.h"
#include "synthesis/CloneFiles.h"
#include "synthesis/ClonePlan.h"
#include "synthesis/PTXWriter.h"
#include "trace/KeptTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::tool {

/// A clone of which less is gained is not worth its error.
static constexpr double LeastCloneScale = 1.5;

/// A launch that behaves as \p Profile says with loops cut by \p LoopFactor;
/// null if none is that long.
static std::unique_ptr<Session> openClone(const behavior::Profile &Profile,
                                          uint64_t LoopFactor,
                                          const SessionOptions &Common) {
  synthesis::ReductionOptions Reduction;
  Reduction.LoopFactor = LoopFactor;
  auto Plan = synthesis::planClone(Profile, Reduction);
  if (!Plan)
    return nullptr;
  const auto Text = take(synthesis::writePTX(*Plan, Common.Arch));
  SessionOptions Own = Common;
  Own.ClangArgs.clear();
  Own.LinkWith.clear();
  Own.Input = "clone.ptx";
  Own.PTX = Text.PTX;
  return take(Session::create(
      Own, take(launch::parseLaunch(synthesis::cloneLaunch(*Plan, Text),
                                    "clone.launch.yaml"))));
}

/// Simulates one block region after the other in part.
void SampleRun::sampleBlocks(const Session &S,
                             const sampling::LaunchProfile &Launch,
                             trace::TraceSource &Source,
                             sampling::SampledLaunch &L) {
  arch::Occupancy O =
      take(arch::computeOccupancy(Launch.blockResources(), Spec));
  auto Table = sampling::RegionTable::identify(Launch, uint64_t(O.BlocksPerSM) *
                                                           Spec.SM.Count);
  sampling::RegionSamplerOptions Region = Options.Region;
  if (!Options.AsInPaper)
    Region.SettledBytes = Spec.L2.TotalSize;
  sampling::RegionSampler Sampler(Table, Launch, Region);
  const timing::SimulationResult R =
      take(simulatePart(S, Source, Spec, &Sampler));
  // Blocks that were left out at the end still write what later launches read.
  trace::BlockTrace Last;
  take(Source.read(Source.header().Grid.count() - 1, Last));
  L.Simulated += R.WarpInstructions;
  L.Cycles = double(R.Cycles) + Sampler.skippedCycles();
  L.EpochBlocks = Table.epochBlocks();
  L.Regions = Table.regions();
  L.Skipped = Sampler.skipped();
}

void SampleRun::simulateSampled(Session &S, sampling::SampledLaunch &L) {
  if (Options.CloneFactor > 1 && keepForClone(S, L))
    return;
  if (Options.NoIntraLaunch) {
    const WholeLaunch R = take(Simulator.simulate(S));
    L.Simulated = R.WarpInstructions;
    L.Cycles = double(R.Cycles);
    return;
  }
  sampleBlocks(S, Profile.Launches[L.Launch],
               *take(S.makeTraceSource(ISA::PTX)), L);
}

/// Executes the launch and keeps its behaviour if it has loops to be cut; if it
/// has none, simulates it.
bool SampleRun::keepForClone(Session &S, sampling::SampledLaunch &L) {
  auto Source = take(S.makeTraceSource(ISA::PTX));
  trace::KeptTrace Kept = take(trace::KeptTrace::read(*Source, KeptBytes));
  if (Kept.identity()) {
    behavior::Profile P = take(behaviorOf(S, Kept));
    synthesis::ReductionOptions Reduction;
    Reduction.LoopFactor = Options.CloneFactor;
    if (auto Plan = synthesis::planClone(P, Reduction);
        Plan && Plan->ExpectedScale > LeastCloneScale) {
      ToClone.emplace_back(Result.Sampled.size(), std::move(P));
      return true;
    }
  }
  sampleBlocks(S, Profile.Launches[L.Launch], Kept, L);
  return true;
}

/// What a launch costs to start and to end does not shrink with its loops: a
/// line through the cycles of two clones says what the whole takes.
void SampleRun::simulateClones() {
  for (const auto &[At, Behavior] : ToClone) {
    sampling::SampledLaunch &L = Result.Sampled[At];
    std::vector<std::pair<double, double>> Points; // instructions, cycles
    for (uint64_t Factor : {2 * Options.CloneFactor, Options.CloneFactor}) {
      auto Clone = openClone(Behavior, Factor, Options.Session);
      if (!Clone)
        continue;
      Session &S = *Clone;
      const sampling::LaunchProfile P = take(profile(S));
      take(S.restart(S.launch()));
      sampleBlocks(S, P, *take(S.makeTraceSource(ISA::PTX)), L);
      const uint64_t Instructions = P.total().WarpInstructions;
      L.CloneInstructions += Instructions;
      Points.emplace_back(double(Instructions), L.Cycles);
    }
    const auto [X, Y] = Points.back();
    const auto [X0, Y0] = Points.front();
    const double Whole = double(L.Instructions);
    L.Cycles = X > X0 && Y > Y0 ? Y + (Y - Y0) / (X - X0) * (Whole - X)
                                : Y * Whole / X;
  }
}

std::vector<sampling::LaunchCluster> SampleRun::clusterLaunches() const {
  std::vector<sampling::LaunchCluster> Clusters;
  if (Options.NoInterLaunch) {
    for (size_t I = 0; I < Profile.Launches.size(); ++I)
      Clusters.push_back({I, {{I}}});
    return Clusters;
  }
  sampling::LaunchClusterOptions Clustering;
  if (!Options.AsInPaper) {
    Clustering.ArgumentShare = 1.0 / 16;
    Clustering.SizeStep = 2;
  }
  return sampling::clusterLaunches(Profile, Clustering);
}

void SampleRun::runTBPoint() {
  if (Options.AsInPaper)
    Options.Region = {};
  if (Options.AsInPaper && Options.CloneFactor > 1)
    throw CommandError{"--clones is not in the paper; leave out --as-in-paper",
                       BadUsage};
  Result.Method = Options.AsInPaper           ? "tbpoint, as in the paper"
                  : Options.CloneFactor > 1   ? "tbpoint, clones"
                  : Options.Region.WarmCaches ? "tbpoint, warm caches"
                                              : "tbpoint";
  const std::vector<sampling::LaunchCluster> Clusters = clusterLaunches();
  std::map<size_t, const sampling::LaunchCluster *> ByRepresentative;
  for (const sampling::LaunchCluster &C : Clusters)
    ByRepresentative[C.Representative] = &C;

  const double Before = models::processSeconds();
  Progress Bar("sampling", "warp instructions", Options.Session.Quiet);
  size_t Left = ByRepresentative.size();
  auto Visit = guarded([&](size_t Index, Session &S) {
    auto At = ByRepresentative.find(Index);
    if (At == ByRepresentative.end()) {
      if (Left) // nothing reads what later launches write
        take(execute(S));
      return;
    }
    --Left;
    sampling::SampledLaunch L;
    L.Launch = Index;
    L.Kernel = Profile.Launches[Index].Kernel;
    L.Instructions = instructionsOf(Index);
    simulateSampled(S, L);
    L.StandsFor = At->second->standsFor();
    L.Weight = At->second->weight();
    Result.Sampled.push_back(std::move(L));
    Result.Simulated += Result.Sampled.back().Simulated;
    if (!Bar.update(Index + 1, Profile.Launches.size(), Result.Simulated))
      throw CommandError{"interrupted"};
  });
  take(forEachLaunch(Options.Session, Application, Visit));
  simulateClones();
  sampling::project(Result);
  Result.SecondsModel = models::processSeconds() - Before;
  if (!Options.AsInPaper && Options.CheckLaunches)
    checkClusters(Clusters);
  std::map<size_t, double> Weights;
  for (const sampling::SampledLaunch &L : Result.Sampled)
    Weights[L.Launch] = L.Weight;
  exportLaunches(Weights);
  if (!Options.Compare)
    return;
  runFull();
  for (SamplingMethod M : {SamplingMethod::Random, SamplingMethod::Systematic,
                           SamplingMethod::SimPoint})
    Result.Baselines.push_back(project(M));
}

/// Simulates some of the launches that others stand for.
void SampleRun::checkClusters(
    const std::vector<sampling::LaunchCluster> &Clusters) {
  double InLaunches = 0;
  for (const sampling::SampledLaunch &L : Result.Sampled) {
    Measured[L.Launch].Cycles = L.Cycles;
    InLaunches += L.Weight * L.skippedCycles() * Options.Region.StandardError;
  }
  std::vector<double> Expected =
      sampling::expectedCycles(Clusters, measuredCycles());
  for (const sampling::SampledLaunch &L : Result.Sampled)
    Expected[L.Launch] = 0;
  const sampling::CheckSample Check(Expected, Options.CheckLaunches,
                                    Options.Seed);
  simulateChecks(Check.launches());
  setConfidence(Check.error(measuredCycles()), InLaunches);
  for (const sampling::CheckedLaunch &L : Check.checked(measuredCycles()))
    if (std::abs(L.error()) > LooseError)
      Result.Warnings.push_back(fmt::format(
          "launch {} of {} takes {:.0f} % {} cycles than expected from the "
          "launch that stands for it",
          L.Launch, Profile.Launches[L.Launch].Kernel,
          100 * std::abs(L.error()), L.error() > 0 ? "more" : "fewer"));
}

} // namespace heddle::tool
