//===- SampleTBPoint.cpp - Launches that stand for others -----------------===//

#include "Progress.h"
#include "SampleMethods.h"
#include "SynthClone.h"

#include "arch/Occupancy.h"
#include "trace/CountedSource.h"
#include "trace/GridBarriers.h"
#include "trace/KeptTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace heddle::tool {

/// A clone of which less is gained is not worth its error.
static constexpr double LeastCloneScale = 1.5;

/// Simulates one block region after the other in part.
void SampleRun::sampleBlocks(const Session &S,
                             const sampling::LaunchProfile &Launch,
                             trace::TraceSource &Source,
                             sampling::SampledLaunch &L) {
  arch::Occupancy O =
      take(arch::computeOccupancy(Source.header().blockResources(), Spec));
  auto Table = sampling::RegionTable::identify(Launch, uint64_t(O.BlocksPerSM) *
                                                           Spec.SM.Count);
  sampling::RegionSamplerOptions Region = Options.Region;
  if (!Options.AsInPaper)
    Region.SettledBytes = Spec.L2.TotalSize;
  std::optional<trace::CountedSource> Counted;
  if (Simulator->level() != ISA::PTX)
    Counted.emplace(Source);
  sampling::RegionSampler Sampler(Table, Launch, Region,
                                  Counted ? &Counted->counts() : nullptr);
  // Blocks that wait for each other cannot be left out.
  const bool Meet =
      trace::blocksMeet(Source) || Source.header().Cluster.count() > 1;
  const timing::SimulationResult R = take(Simulator->simulateBlocks(
      S, Counted ? *Counted : Source, Meet ? nullptr : &Sampler));
  // Blocks that were left out at the end still write what later launches read.
  trace::BlockTrace Last;
  take(Source.read(Source.header().Grid.count() - 1, Last));
  L.Simulated +=
      Launch.total().WarpInstructions - Sampler.skippedInstructions();
  L.Cycles = double(R.Cycles) + Sampler.skippedCycles();
  L.EpochBlocks = Table.epochBlocks();
  L.Regions = Table.regions();
  L.Skipped = Sampler.skipped();
}

void SampleRun::simulateSampled(Session &S, sampling::SampledLaunch &L) {
  noteLevel(S);
  if (Options.CloneFactor > 1 && keepForClone(S, L))
    return;
  if (Options.NoIntraLaunch) {
    L.Simulated = L.Instructions;
    L.Cycles = double(take(Simulator->simulate(S)).Cycles);
    return;
  }
  sampleBlocks(S, Profile.Launches[L.Launch],
               *take(S.makeTraceSource(Simulator->level())), L);
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
      ToClone.emplace_back(L.Launch, std::move(P));
      return true;
    }
  }
  sampleBlocks(S, Profile.Launches[L.Launch], Kept, L);
  return true;
}

/// What a launch costs to start and to end does not shrink with its loops: a
/// line through the cycles of two clones says what the whole takes. A smaller
/// one says how far cycles are from a line.
void SampleRun::simulateClones() {
  for (const auto &[At, Behavior] : ToClone) {
    sampling::SampledLaunch &L = Sampled[At];
    std::vector<sampling::ClonePoint> Points;
    for (uint64_t Times : {4, 2, 1}) {
      auto Clone =
          openClone(Behavior, {.LoopFactor = Times * Options.CloneFactor},
                    Options.Session);
      if (!Clone)
        continue;
      Session &S = *Clone;
      const sampling::LaunchProfile P = take(profile(S));
      take(S.restart(S.launch()));
      sampleBlocks(S, P, *take(S.makeTraceSource(ISA::PTX)), L);
      const uint64_t Instructions = P.total().WarpInstructions;
      L.CloneInstructions += Instructions;
      Points.push_back({double(Instructions), L.Cycles});
    }
    const auto [Cycles, Error] =
        sampling::projectClones(Points, double(L.Instructions));
    L.Cycles = Cycles;
    L.CloneError = Error;
  }
}

/// Launches whose clones do not lie on a line.
void SampleRun::warnOfBentClones() {
  for (const sampling::SampledLaunch &L : Result.Sampled)
    if (L.CloneError > LooseError)
      Result.Warnings.push_back(fmt::format(
          "launch {} of {}: its clones' cycles are not on a line, and its "
          "cycles may be {:.0f} % off; leave out --clones, or cut less",
          L.Launch, L.Kernel, 100 * L.CloneError));
}

/// Of each launch, the share of its sectors that L2 does not have.
std::vector<double> SampleRun::missRatios() {
  std::vector<double> Ratios;
  if (!Simulator->keepsL2())
    return Ratios;
  Progress Bar("filling L2", "warp instructions", Options.Session.Quiet);
  uint64_t Instructions = 0;
  Simulator->restart();
  auto Visit = guarded([&](size_t Index, Session &S) {
    const PassedLaunch L = take(Simulator->pass(S));
    Ratios.push_back(L.Sectors ? double(L.Misses) / double(L.Sectors) : 0);
    Instructions += instructionsOf(Index);
    if (!Bar.update(Index + 1, Profile.Launches.size(), Instructions))
      throw CommandError{"interrupted"};
  });
  take(forEachLaunch(Options.Session, Application, Visit));
  return Ratios;
}

std::vector<sampling::LaunchCluster> SampleRun::clusterLaunches() {
  std::vector<sampling::LaunchCluster> Clusters;
  if (Options.NoInterLaunch) {
    for (size_t I = 0; I < Profile.Launches.size(); ++I)
      Clusters.push_back({I, {{I}}});
    return Clusters;
  }
  Clustering.Known.clear();
  for (const auto &[Launch, L] : Sampled)
    Clustering.Known.insert(Launch);
  return sampling::clusterLaunches(Profile, Clustering);
}

/// Those that have not been simulated yet.
void SampleRun::simulateRepresentatives(
    const std::vector<sampling::LaunchCluster> &Clusters) {
  std::set<size_t> Wanted;
  for (const sampling::LaunchCluster &C : Clusters)
    if (!Sampled.count(C.Representative))
      Wanted.insert(C.Representative);
  if (Wanted.empty())
    return;
  Progress Bar("sampling", "warp instructions", Options.Session.Quiet);
  if (HasPart)
    offerPart(Bar);
  Simulator->restart();
  uint64_t Simulated = Result.Simulated;
  auto Visit = guarded([&](size_t Index, Session &S) {
    if (Index > *Wanted.rbegin())
      return; // nothing reads what these launches write
    if (!Wanted.count(Index)) {
      take(Simulator->pass(S));
      return;
    }
    sampling::SampledLaunch L;
    L.Launch = Index;
    L.Kernel = Profile.Launches[Index].Kernel;
    L.Range = Profile.Launches[Index].Range;
    L.Instructions = instructionsOf(Index);
    simulateSampled(S, L);
    Simulated += L.Simulated;
    Sampled[Index] = std::move(L);
    offerPart(Bar);
    if (!Bar.update(Index + 1, Profile.Launches.size(), Simulated))
      throw CommandError{"interrupted"};
  });
  take(forEachLaunch(Options.Session, Application, Visit));
}

void SampleRun::projectClusters(
    const std::vector<sampling::LaunchCluster> &Clusters) {
  std::map<size_t, const sampling::LaunchCluster *> ByRepresentative;
  for (const sampling::LaunchCluster &C : Clusters)
    ByRepresentative[C.Representative] = &C;
  Result.Sampled.clear();
  for (const auto &[Launch, C] : ByRepresentative) {
    Result.Sampled.push_back(Sampled.at(Launch));
    Result.Sampled.back().StandsFor = C->standsFor();
    Result.Sampled.back().Weight = C->weight();
  }
  sampling::project(Result);
}

void SampleRun::runTBPoint() {
  if (Options.AsInPaper)
    Options.Region = {};
  if (Options.AsInPaper && Options.CloneFactor > 1)
    throw usageError("--clones is not in the paper; leave out --as-in-paper");
  Result.Method = Options.AsInPaper         ? "tbpoint, as in the paper"
                  : Options.CloneFactor > 1 ? "tbpoint, clones"
                  : Options.Region.WarmCaches && !Result.L2Kept
                      ? "tbpoint, warm caches"
                      : "tbpoint";
  const double Before = models::processSeconds();
  if (!Options.AsInPaper) {
    Clustering.ArgumentShare = 1.0 / 16;
    Clustering.SizeStep = 2;
    Clustering.OwnScale = true;
    Clustering.MiddleOfEquals = true;
    if (!Options.NoInterLaunch)
      Clustering.MissRatios = missRatios();
  }
  refineClusters();
  Result.SecondsModel = models::processSeconds() - Before;
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

/// Makes clusters narrower until the launches that are simulated to check them
/// take what is expected. Where that has come to half of the work, the rest is
/// simulated as well: it costs no more than going on might.
void SampleRun::refineClusters() {
  constexpr unsigned MostRounds = 6; // distances down to 0.003
  constexpr double MostRefined = 0.5;
  for (unsigned Round = 1;; ++Round) {
    const auto Clusters = clusterLaunches();
    simulateRepresentatives(Clusters);
    if (Round == 1)
      simulateClones();
    projectClusters(Clusters);
    if (Options.AsInPaper || !Options.CheckLaunches)
      return warnOfBentClones();
    // Other launches are checked in each round.
    const sampling::CheckSample Check =
        drawChecks(Clusters, Options.Seed + Round - 1);
    const double Spread = checkClusters(Check);
    if (Spread <= Options.TargetError / 2 || Options.CloneFactor > 1 ||
        Options.NoInterLaunch || Round == MostRounds)
      return warnOfLooseClusters(Check);
    keepChecked(Check.launches());
    if (double(Result.Simulated) > MostRefined * double(Result.Instructions))
      Options.NoInterLaunch = true;
    Clustering.Distance /= 2;
    Clustering.SizeStep = std::sqrt(Clustering.SizeStep);
    Clustering.ArgumentShare = std::min(1.0, 2 * Clustering.ArgumentShare);
  }
}

/// From now on they stand for themselves, or for others.
void SampleRun::keepChecked(const std::vector<size_t> &Launches) {
  for (size_t Launch : Launches) {
    sampling::SampledLaunch L;
    L.Launch = Launch;
    L.Kernel = Profile.Launches[Launch].Kernel;
    L.Range = Profile.Launches[Launch].Range;
    L.Instructions = L.Simulated = instructionsOf(Launch);
    L.Cycles = Measured[Launch].Cycles;
    Sampled[Launch] = std::move(L);
  }
}

/// Some of the launches that others stand for.
sampling::CheckSample
SampleRun::drawChecks(const std::vector<sampling::LaunchCluster> &Clusters,
                      uint64_t Seed) {
  for (const sampling::SampledLaunch &L : Result.Sampled)
    Measured[L.Launch].Cycles = L.Cycles;
  std::vector<double> Expected =
      sampling::expectedCycles(Clusters, measuredCycles());
  for (const sampling::SampledLaunch &L : Result.Sampled)
    Expected[L.Launch] = 0;
  return sampling::CheckSample(Expected, Options.CheckLaunches, Seed);
}

/// Simulates them, and returns how far off they are in the mean. What clones
/// err by is no standard error but half of an interval.
double SampleRun::checkClusters(const sampling::CheckSample &Check) {
  constexpr double HalfWidths = 1.96;
  double InLaunches = 0;
  for (const sampling::SampledLaunch &L : Result.Sampled)
    InLaunches += L.Weight * (L.skippedCycles() * Options.Region.StandardError +
                              L.Cycles * L.CloneError / HalfWidths);
  simulateChecks(Check.launches());
  const sampling::CheckSample::Error Error = Check.error(measuredCycles());
  Result.Warnings.clear();
  setConfidence(Error, InLaunches);
  return Error.Spread;
}

void SampleRun::warnOfLooseClusters(const sampling::CheckSample &Check) {
  warnOfBentClones();
  for (const sampling::CheckedLaunch &L : Check.checked(measuredCycles()))
    if (std::abs(L.error()) > LooseError)
      Result.Warnings.push_back(fmt::format(
          "launch {} of {} takes {:.0f} % {} cycles than expected from the "
          "launch that stands for it",
          L.Launch, Profile.Launches[L.Launch].Kernel,
          100 * std::abs(L.error()), L.error() > 0 ? "more" : "fewer"));
}

} // namespace heddle::tool
