//===- SampleRun.cpp - Chooses, simulates, projects -----------------------===//

#include "SampleRun.h"

#include "AccelSimFolder.h"
#include "ApplicationRun.h"
#include "LaunchClone.h"
#include "Progress.h"
#include "TextOutput.h"

#include "arch/Occupancy.h"
#include "arch/SpecReader.h"
#include "heddle/Driver/LaunchSimulator.h"
#include "sampling/FullSimulation.h"
#include "sampling/IntervalSelection.h"
#include "sampling/LaunchClusters.h"
#include "sampling/ProfileFile.h"
#include "sampling/StratifiedSampling.h"
#include "sampling/TimeUnits.h"
#include "synthesis/ClonePlan.h"
#include "timing/Simulator.h"
#include "trace/KeptTrace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

namespace heddle::tool {

namespace {

double cpuSeconds() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return double(T.tv_sec) + double(T.tv_nsec) * 1e-9;
}

/// A clone of which less is gained is not worth its error.
constexpr double LeastCloneScale = 1.5;

class SampleRun {
public:
  explicit SampleRun(const SampleRunOptions &Given)
      : Options(Given),
        Spec(take(arch::loadMachine(Options.GPU, Options.Sets))) {
    if (Options.Session.Arch.empty())
      Options.Session.Arch = Spec.Target.empty() ? "sm_70" : Spec.Target;
    Application = readApplication(Options.Session).Application;
    Result.GPU = Spec.Name;
    Result.CoreMHz = Spec.Clock.Core;
  }

  sampling::SamplingResult run() {
    loadProfile();
    switch (Options.Method) {
    case SamplingMethod::TBPoint:
      runTBPoint();
      break;
    case SamplingMethod::Intervals:
      runIntervals();
      break;
    case SamplingMethod::Stratified:
      runStratified();
      break;
    case SamplingMethod::Full:
      Result.Method = "full simulation";
      runFull();
      Result.Cycles = double(*Result.FullCycles);
      Result.Simulated = Result.Instructions;
      break;
    default:
      runUnits();
    }
    return std::move(Result);
  }

private:
  void loadProfile();
  void checkProfile() const;
  void runTBPoint();
  void simulateSampled(Session &S, sampling::SampledLaunch &L);
  void sampleBlocks(const Session &S, const sampling::LaunchProfile &Launch,
                    trace::TraceSource &Source, sampling::SampledLaunch &L);
  bool keepForClone(Session &S, sampling::SampledLaunch &L);
  void simulateClones();
  std::string machineText() const;
  void runFull();
  void simulateEverything();
  void runIntervals();
  void runStratified();
  sampling::StratifiedSample stratify(uint64_t Seed) const;
  void simulateLaunches(const std::vector<size_t> &Wanted);
  void simulateSelected(const sampling::IntervalSelection &Selection);
  void chooseCombination(std::vector<sampling::IntervalSelection> &All);
  void exportSelection(const sampling::IntervalSelection &Selection) const;
  void exportLaunches(const std::map<size_t, double> &Weights) const;
  void runUnits();
  sampling::Baseline project(SamplingMethod Method) const;

  SampleRunOptions Options;
  arch::GPUSpec Spec;
  launch::Application Application;
  sampling::ApplicationProfile Profile;
  sampling::SamplingResult Result;
  LaunchSimulator Simulator{Spec};
  sampling::FullSimulation Full;
  std::vector<double> LaunchCycles; ///< of the launches simulated so far
  /// Sampled launches that clones are to stand for, and what they do.
  std::vector<std::pair<size_t, behavior::Profile>> ToClone;
};

} // namespace

void SampleRun::loadProfile() {
  const double Before = cpuSeconds();
  if (Options.ProfileFile.empty()) {
    Profile = profileApplication(Options.Session, Application);
  } else {
    Profile = take(sampling::readProfile(Options.ProfileFile));
    checkProfile();
  }
  Result.SecondsProfile = cpuSeconds() - Before;
  Result.Launches = Profile.Launches.size();
  for (const sampling::LaunchProfile &L : Profile.Launches) {
    Result.Blocks += L.Blocks.size();
    Result.Instructions += L.total().WarpInstructions;
  }
}

/// The profile must be of this application: as far as launches tell.
void SampleRun::checkProfile() const {
  size_t Index = 0;
  auto Wrong = [&](const std::string &What) {
    throw CommandError{fmt::format(
        "{}: is not a profile of this application: {}; make it with `heddle "
        "profile` and the same launches",
        Options.ProfileFile, What)};
  };
  for (const launch::Step &S : Application.Steps) {
    if (!S.isLaunch())
      continue;
    if (Index == Profile.Launches.size())
      Wrong(fmt::format("it ends after {} launches", Index));
    const sampling::LaunchProfile &L = Profile.Launches[Index];
    if (L.Grid.count() != S.Launch.Grid.count() ||
        L.Block.count() != S.Launch.Block.count())
      Wrong(fmt::format("launch {} has another grid or block", Index));
    ++Index;
  }
  if (Index != Profile.Launches.size())
    Wrong(fmt::format("it has {} launches instead of {}",
                      Profile.Launches.size(), Index));
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
      auto Clone = LaunchClone::make(Behavior, Factor, Options.Session);
      if (!Clone)
        continue;
      Session &S = Clone->session();
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
  sampling::LaunchClusterOptions Clustering;
  if (!Options.AsInPaper) {
    Clustering.ArgumentShare = 1.0 / 16;
    Clustering.SizeStep = 2;
  }
  std::vector<sampling::LaunchCluster> Clusters;
  if (Options.NoInterLaunch)
    for (size_t I = 0; I < Profile.Launches.size(); ++I)
      Clusters.push_back({I, {I}, 1});
  else
    Clusters = sampling::clusterLaunches(Profile, Clustering);
  std::map<size_t, const sampling::LaunchCluster *> ByRepresentative;
  for (const sampling::LaunchCluster &C : Clusters)
    ByRepresentative[C.Representative] = &C;

  const double Before = cpuSeconds();
  Progress Bar("sampling", "warp instructions", Options.Session.Quiet);
  size_t Left = ByRepresentative.size();
  auto Visit = guarded([&](size_t Index, Session &S) {
    auto At = ByRepresentative.find(Index);
    if (At == ByRepresentative.end()) {
      if (Left) // later launches write nothing that is read
        take(execute(S));
      return;
    }
    --Left;
    sampling::SampledLaunch L;
    L.Launch = Index;
    L.Kernel = Profile.Launches[Index].Kernel;
    L.Instructions = Profile.Launches[Index].total().WarpInstructions;
    simulateSampled(S, L);
    L.StandsFor = At->second->Launches.size();
    L.Weight = At->second->Weight;
    Result.Sampled.push_back(std::move(L));
    Result.Simulated += Result.Sampled.back().Simulated;
    if (!Bar.update(Index + 1, Profile.Launches.size(), Result.Simulated))
      throw CommandError{"interrupted"};
  });
  take(forEachLaunch(Options.Session, Application, Visit));
  simulateClones();
  sampling::project(Result);
  Result.SecondsModel = cpuSeconds() - Before;
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

std::string SampleRun::machineText() const {
  return fmt::format("{}{}{}", Spec.Name, Options.Sets.empty() ? "" : " ",
                     fmt::join(Options.Sets, " "));
}

/// Units and cycles of every launch, from the file of an earlier simulation if
/// there is one.
void SampleRun::runFull() {
  std::ifstream File(Options.FullFile, std::ios::binary);
  if (!Options.FullFile.empty() && File) {
    std::ostringstream Text;
    Text << File.rdbuf();
    Full = take(sampling::parseFullSimulation(Text.str(), Options.FullFile,
                                              Profile, machineText(),
                                              Options.UnitInstructions));
  } else {
    simulateEverything();
    if (!Options.FullFile.empty()) {
      TextOutput Out = take(TextOutput::create(Options.FullFile));
      take(Out.write(sampling::writeFullSimulation(Full, HEDDLE_VERSION)));
      take(Out.finish());
    }
  }
  LaunchCycles = Full.cyclesOfLaunch();
  Result.FullCycles = Full.totalCycles();
}

void SampleRun::simulateEverything() {
  // Basic blocks of all kernels side by side: the dimensions of the vectors.
  std::map<std::string, size_t> FirstBlock;
  size_t NumBlocks = 0;
  for (const sampling::LaunchProfile &L : Profile.Launches)
    if (FirstBlock.try_emplace(L.Kernel, NumBlocks).second)
      NumBlocks += L.BasicBlocks.size();

  const double Before = cpuSeconds();
  Progress Bar("simulating", "warp instructions", Options.Session.Quiet);
  uint64_t Instructions = 0;
  Full = {};
  Full.Machine = machineText();
  Full.UnitInstructions = Options.UnitInstructions;
  auto Visit = guarded([&](size_t Index, Session &S) {
    const trace::CodeTable &Code = take(S.traceTable(ISA::PTX));
    sampling::UnitRecorder Recorder(Code, Index,
                                    FirstBlock[Profile.Launches[Index].Kernel],
                                    NumBlocks, Options.UnitInstructions);
    WholeLaunch L = take(Simulator.simulate(S, &Recorder));
    for (sampling::TimeUnit &U : L.Units) {
      U.Launch = Index;
      Full.Units.push_back(std::move(U));
    }
    Full.Cycles.push_back(L.Cycles);
    Full.Instructions.push_back(L.WarpInstructions);
    Instructions += L.WarpInstructions;
    if (!Bar.update(Index + 1, Profile.Launches.size(), Instructions))
      throw CommandError{"interrupted"};
  });
  take(forEachLaunch(Options.Session, Application, Visit));
  Result.SecondsFull = cpuSeconds() - Before;
}

sampling::Baseline SampleRun::project(SamplingMethod Method) const {
  sampling::UnitProjection P;
  std::string Name;
  if (Method == SamplingMethod::Random) {
    Name = fmt::format("random {:g} %", Options.Share * 100);
    P = sampling::projectRandom(Full.Units, Options.Share, Options.Seed);
  } else if (Method == SamplingMethod::Systematic) {
    Name = fmt::format("systematic {:g} %", Options.Share * 100);
    P = sampling::projectSystematic(Full.Units, Options.Share);
  } else {
    Name = "ideal simpoint";
    sampling::SelectionOptions Selection;
    Selection.Seed = Options.Seed;
    P = sampling::projectSimPoint(Full.Units, Selection);
  }
  return {Name, P.Cycles, P.SampleFraction, P.Chosen.size()};
}

/// Simulates the launches of the selected intervals as a whole.
void SampleRun::simulateSelected(const sampling::IntervalSelection &Selection) {
  LaunchCycles.assign(Profile.Launches.size(), 0);
  std::vector<size_t> Wanted;
  for (size_t I = 0; I < Profile.Launches.size(); ++I)
    if (Selection.selects(I))
      Wanted.push_back(I);
  simulateLaunches(Wanted);
}

/// Simulates the wanted launches that have no cycles yet. \p Wanted ascends.
void SampleRun::simulateLaunches(const std::vector<size_t> &Wanted) {
  std::vector<bool> Missing(Profile.Launches.size());
  size_t End = 0;
  for (size_t Index : Wanted)
    if (LaunchCycles[Index] == 0) {
      Missing[Index] = true;
      End = Index + 1;
    }
  if (End == 0)
    return;
  const double Before = cpuSeconds();
  Progress Bar("sampling", "warp instructions", Options.Session.Quiet);
  auto Visit = guarded([&](size_t Index, Session &S) {
    if (Index >= End)
      return; // what these launches write is not read
    if (!Missing[Index])
      return take(execute(S));
    const WholeLaunch R = take(Simulator.simulate(S));
    LaunchCycles[Index] = double(R.Cycles);
    Result.Simulated += R.WarpInstructions;
    if (!Bar.update(Index + 1, Profile.Launches.size(), Result.Simulated))
      throw CommandError{"interrupted"};
  });
  take(forEachLaunch(Options.Session, Application, Visit));
  Result.SecondsModel += cpuSeconds() - Before;
}

sampling::StratifiedSample SampleRun::stratify(uint64_t Seed) const {
  sampling::StratifiedSample::Options Given;
  Given.Seed = Seed;
  return sampling::StratifiedSample(Profile, Given);
}

void SampleRun::runStratified() {
  LaunchCycles.assign(Profile.Launches.size(), 0);
  if (Options.Compare)
    runFull();
  sampling::StratifiedSample Sample = stratify(Options.Seed);
  simulateLaunches(Sample.launches());
  while (Sample.extend(LaunchCycles, Options.TargetError))
    simulateLaunches(Sample.launches());
  const sampling::ConfidentProjection P = Sample.project(LaunchCycles);
  Result.Method = fmt::format("stratified, {:g} %", 100 * Options.TargetError);
  Result.Cycles = P.Cycles;
  Result.Confidence = {P.Low, P.High};
  Result.Simulated = Sample.sampledInstructions();
  Result.Units = Profile.Launches.size();
  Result.ChosenUnits = Sample.launches().size();
  if (!Options.Compare)
    return;
  sampling::Coverage C;
  C.Projections = Options.Trials;
  for (uint64_t Seed = 1; Seed <= Options.Trials; ++Seed) {
    sampling::StratifiedSample Trial = stratify(Seed);
    while (Trial.extend(LaunchCycles, Options.TargetError))
      ;
    C.Contained += Trial.project(LaunchCycles).contains(*Result.FullCycles);
  }
  Result.IntervalCoverage = C;
}

/// Sorts the combination that the options ask for to the front.
void SampleRun::chooseCombination(
    std::vector<sampling::IntervalSelection> &All) {
  auto Error = [&](const sampling::IntervalSelection &S) {
    return *Result.errorOf(S.project(LaunchCycles));
  };
  // Among errors that differ by less than 0.1 % the smallest selection; one of
  // everything, which is always right, only if there is no other.
  auto Best = std::ranges::min_element(
      All, {}, [&](const sampling::IntervalSelection &S) {
        return std::tuple(S.Selected.size() == S.Intervals.size(),
                          std::llround(Error(S) * 1e3), S.SampleFraction);
      });
  for (auto S = All.begin(); Options.Threshold > 0 && S != All.end(); ++S)
    if (Error(*S) < Options.Threshold &&
        (Error(*Best) >= Options.Threshold ||
         S->SampleFraction < Best->SampleFraction))
      Best = S;
  for (auto S = All.begin(); S != All.end(); ++S)
    Result.Combinations.push_back(
        {std::string(nameOf(S->Kind)), std::string(nameOf(S->Feature)),
         S->Intervals.size(), S->Selected.size(), S->project(LaunchCycles),
         S->SampleFraction, S == Best});
  std::swap(All.front(), *Best);
}

void SampleRun::exportSelection(
    const sampling::IntervalSelection &Selection) const {
  if (Options.ExportPrefix.empty())
    return;
  const sampling::SimPointFiles Files =
      sampling::exportSimPoint(Profile, Selection);
  for (auto [Extension, Text] : {std::pair(".bb", &Files.Vectors),
                                 std::pair(".simpoints", &Files.SimPoints),
                                 std::pair(".weights", &Files.Weights)}) {
    TextOutput Out = take(TextOutput::create(Options.ExportPrefix + Extension));
    take(Out.write(*Text));
    take(Out.finish());
  }
}

/// Executes the application once more and writes the launches that have a
/// weight.
void SampleRun::exportLaunches(const std::map<size_t, double> &Weights) const {
  if (Options.AccelSimFolder.empty())
    return;
  AccelSimFolder Folder(Options.AccelSimFolder, 70);
  size_t Left = Weights.size();
  auto Visit = guarded([&](size_t Index, Session &S) {
    auto At = Weights.find(Index);
    if (At == Weights.end()) {
      if (Left)
        take(execute(S));
      return;
    }
    --Left;
    Folder.add(*take(S.makeTraceSource(ISA::PTX)), Index, At->second);
  });
  take(forEachLaunch(Options.Session, Application, Visit));
  Folder.finish();
}

void SampleRun::runIntervals() {
  if (Result.Instructions == 0)
    throw CommandError{"the application executes no instruction"};
  sampling::SelectionOptions Selection;
  Selection.Seed = Options.Seed;
  std::vector<sampling::IntervalSelection> All;
  if (Options.Compare) {
    runFull();
    All = sampling::selectAll(Profile, Options.IntervalInstructions, Selection);
    chooseCombination(All);
    Result.Simulated = uint64_t(
        std::llround(All.front().SampleFraction * double(Result.Instructions)));
  } else {
    All = {sampling::selectIntervals(Profile, Options.Interval, Options.Feature,
                                     Options.IntervalInstructions, Selection)};
    simulateSelected(All.front());
  }
  const sampling::IntervalSelection &Chosen = All.front();
  exportSelection(Chosen);
  exportLaunches(Chosen.launchWeights());
  Result.Method = fmt::format("intervals, {}, {}", nameOf(Chosen.Kind),
                              nameOf(Chosen.Feature));
  Result.Cycles = Chosen.project(LaunchCycles);
  Result.Units = Chosen.Intervals.size();
  Result.ChosenUnits = Chosen.Selected.size();
}

void SampleRun::runUnits() {
  runFull();
  const sampling::Baseline B = project(Options.Method);
  Result.Method = B.Method;
  Result.Cycles = B.Cycles;
  Result.Simulated =
      uint64_t(std::llround(B.SampleFraction * double(Result.Instructions)));
  Result.Units = Full.Units.size();
  Result.ChosenUnits = B.Units;
}

sampling::SamplingResult sample(const SampleRunOptions &Options) {
  return SampleRun(Options).run();
}

} // namespace heddle::tool
