//===- SampleRun.cpp - Chooses, simulates, projects -----------------------===//

#include "SampleRun.h"

#include "AccelSimFolder.h"
#include "ApplicationRun.h"
#include "KeptLaunches.h"
#include "Progress.h"
#include "SampleMethods.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "sampling/ProfileFile.h"
#include "sampling/paper/TimeUnits.h"
#include "timing/Simulator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace heddle::tool {

ISA levelOf(const SampleRunOptions &Options, const arch::GPUSpec &Spec) {
  if (Options.CloneFactor == 1)
    return levelFor(Spec, Options.Level);
  if (Options.Level && *Options.Level != ISA::PTX)
    throw usageError("--clones are simulated by their PTX; leave out --isa");
  return ISA::PTX;
}

SampleRun::SampleRun(const SampleRunOptions &Given)
    : Options(Given), Spec(take(arch::loadMachine(Options.GPU, Options.Sets))) {
  compileFor(Spec, Options.Session);
  ReadApplication Read = readApplication(Options.Session);
  Application = std::move(Read.Application);
  Operations = std::move(Read.Operations);
  // A recording's launches are simulated as `heddle simulate` does it.
  Result.L2Kept = Spec.Launch.KeepL2 && !Application.Programs.empty() &&
                  !Options.AsInPaper && Options.CloneFactor == 1;
  const ISA Level = levelOf(Options, Spec);
  Simulator.emplace(Spec, Level,
                    Result.L2Kept ? CachesAtLaunch::L2Kept
                                  : CachesAtLaunch::Cold);
  Result.Level = nameOf(Level).str();
  Options.Region.WarmCaches |= Result.L2Kept;
  Result.GPU = Spec.Name;
  Result.Ignored = timing::Contract.ignored(Spec);
  Result.CoreMHz = Spec.Clock.Core;
}

sampling::SamplingResult SampleRun::run() {
  loadProfile();
  Measured.resize(Profile.Launches.size());
  try {
    runMethod();
  } catch (const CommandError &) {
    if (!Progress::interrupted() || !keepPart())
      throw;
  }
  if (Result.L2Kept && Options.Method != SamplingMethod::Full)
    noteAssumptions(Result.Assumptions,
                    "launches that are not simulated leave in L2 what their "
                    "blocks access one after the other");
  return std::move(Result);
}

void SampleRun::runMethod() {
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
}

/// From now on an interrupt leaves a result.
void SampleRun::offerPart(Progress &Bar) {
  HasPart = true;
  Bar.keepPartialResult();
}

/// Makes a result of what was simulated until an interrupt came: the method's
/// projection if there is one already. False if no launch was simulated.
bool SampleRun::keepPart() {
  std::vector<double> Cycles = measuredCycles();
  for (const auto &[Launch, L] : Sampled)
    Cycles[Launch] = L.Cycles;
  std::ranges::copy(Full.Cycles, Cycles.begin());
  uint64_t Done = 0, Instructions = 0;
  for (size_t I = 0; I < Cycles.size(); ++I)
    if (Cycles[I] > 0) {
      ++Done;
      Instructions += instructionsOf(I);
    }
  if (Done == 0)
    return false;
  Result.StoppedAfter = Done;
  Result.Confidence.reset();
  Result.Warnings = {"interrupted: the projection was not checked"};
  if (Result.Cycles > 0)
    return true;
  Result.Cycles = sampling::projectPart(Profile, Cycles);
  Result.Simulated = Result.Simulated ? Result.Simulated : Instructions;
  Result.Warnings = {"interrupted: the launches that were not simulated are "
                     "taken to have as many cycles per warp instruction as "
                     "those of their kernel that were, or as all"};
  if (Result.Method.empty())
    Result.Method = "what was simulated until the interrupt";
  return true;
}

void SampleRun::loadProfile() {
  const double Before = models::processSeconds();
  if (Options.ProfileFile.empty()) {
    Profile = profileApplication(Options.Session, Application);
  } else {
    Profile = take(sampling::readProfile(Options.ProfileFile));
    checkProfile();
  }
  nameRanges(Profile, Operations);
  Result.SecondsProfile = models::processSeconds() - Before;
  Result.Assumptions = Profile.Assumptions;
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
    throw inputError("{}: is not a profile of this application: {}; make it "
                     "with `heddle profile` and the same launches",
                     Options.ProfileFile, What);
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

std::string SampleRun::machineText() const {
  return fmt::format("{}{}{}{}, level {}", Spec.PlainName,
                     Options.Sets.empty() ? "" : " ",
                     fmt::join(Options.Sets, " "),
                     Result.L2Kept ? ", L2 kept" : "", Result.Level);
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
    const std::string Part = keepsLaunches() ? Options.FullFile + ".part" : "";
    simulateEverything(Part);
    if (!Options.FullFile.empty()) {
      TextOutput Out = take(TextOutput::create(Options.FullFile));
      take(Out.write(sampling::writeFullSimulation(Full, HEDDLE_VERSION)));
      take(Out.finish());
      std::error_code Ignored; // it is only in the way
      std::filesystem::remove(Part, Ignored);
    }
  }
  FullCycles = Full.cyclesOfLaunch();
  Result.FullCycles = Full.totalCycles();
}

/// Whether what is simulated of everything is kept launch by launch. Only a
/// recording is known to be the same next time.
bool SampleRun::keepsLaunches() const {
  return !Options.FullFile.empty() && !Application.Programs.empty();
}

/// What decides the launches that simulateEverything() keeps.
std::string SampleRun::fullPlan() const {
  views::JSON Plan = views::JSON::parse(
      applicationPlan(Options.Session, Spec, Simulator->level()));
  Plan["full_simulation"] = {machineText(), Options.UnitInstructions};
  return Plan.dump();
}

/// Launches that are done lie in the database \p Part, if it is not empty, and
/// are taken from there.
void SampleRun::simulateEverything(const std::string &Part) {
  const double Before = models::processSeconds();
  Progress Bar("simulating", "warp instructions", Options.Session.Quiet);
  if (HasPart)
    offerPart(Bar);
  uint64_t Instructions = 0;
  Simulator->restart();
  std::optional<KeptLaunches> Kept;
  if (!Part.empty())
    Kept.emplace(Part, fullPlan(), Spec, Profile.Launches.size(), *Simulator);
  // Basic blocks of all kernels side by side: the dimensions of the vectors.
  std::map<std::pair<size_t, std::string>, size_t> FirstBlock;
  size_t NumBlocks = 0;
  Full = {};
  Full.Machine = machineText();
  Full.UnitInstructions = Options.UnitInstructions;
  auto Visit = guarded([&](size_t Index, Session &S) {
    noteLevel(S);
    const trace::CodeTable &Code = take(S.traceTable(Simulator->level()));
    const auto [First, IsNew] = FirstBlock.try_emplace(
        {S.launch().Program, Profile.Launches[Index].Kernel}, NumBlocks);
    if (IsNew)
      NumBlocks += Code.Blocks.size();
    sampling::UnitRecorder Recorder(Code, Index, First->second, NumBlocks,
                                    Options.UnitInstructions);
    WholeLaunch L = take(Simulator->simulate(S, &Recorder, [&](size_t) {
      return Kept ? Kept->find(Index) : std::nullopt;
    }));
    if (Kept)
      Kept->keep(Index, Profile.Launches[Index].Kernel, L, *Simulator);
    for (sampling::TimeUnit &U : L.Units) {
      U.Launch = Index;
      Full.Units.push_back(std::move(U));
    }
    Full.Cycles.push_back(L.Cycles);
    Full.Instructions.push_back(instructionsOf(Index));
    Instructions += instructionsOf(Index);
    offerPart(Bar);
    if (!Bar.update(Index + 1, Profile.Launches.size(), Instructions))
      throw CommandError{"interrupted"};
  });
  if (llvm::Error E = forEachLaunch(Options.Session, Application, Visit)) {
    if (Kept && Progress::interrupted()) {
      Progress::clearLine();
      fmt::print(stderr,
                 "heddle: warning: interrupted with {} of {} launches "
                 "simulated; the same command goes on from there\n",
                 Full.Cycles.size(), Profile.Launches.size());
    }
    take(std::move(E));
  }
  for (sampling::TimeUnit &U : Full.Units)
    U.BasicBlocks.resize(NumBlocks);
  Result.SecondsFull = models::processSeconds() - Before;
}

/// What the code of \p S's launch assumes goes into the result.
void SampleRun::noteLevel(const Session &S) {
  take(noteCode(Result.CodeNotes, S, Simulator->level()));
  noteAssumptions(Result.Assumptions,
                  fmt::format("{}", fmt::join(Result.CodeNotes, "\n")));
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

std::vector<double> SampleRun::measuredCycles() const {
  std::vector<double> Cycles;
  for (const sampling::MeasuredLaunch &L : Measured)
    Cycles.push_back(L.Cycles);
  return Cycles;
}

/// Simulates the wanted launches that have no cycles yet. \p Wanted ascends.
void SampleRun::simulateLaunches(const std::vector<size_t> &Wanted) {
  std::vector<bool> Missing(Profile.Launches.size());
  size_t End = 0;
  for (size_t Index : Wanted)
    if (Measured[Index].Cycles == 0) {
      Missing[Index] = true;
      End = Index + 1;
    }
  if (End == 0)
    return;
  const double Before = models::processSeconds();
  Simulator->restart();
  Progress Bar("sampling", "warp instructions", Options.Session.Quiet);
  if (HasPart)
    offerPart(Bar);
  auto Visit = guarded([&](size_t Index, Session &S) {
    if (Index >= End)
      return; // nothing reads what these launches write
    if (!Missing[Index]) {
      take(Simulator->pass(S));
      return;
    }
    Measured[Index] = measure(Index, S);
    offerPart(Bar);
    if (!Bar.update(Index + 1, Profile.Launches.size(), Result.Simulated))
      throw CommandError{"interrupted"};
  });
  take(forEachLaunch(Options.Session, Application, Visit));
  Result.SecondsModel += models::processSeconds() - Before;
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
