//===- CloneCommand.cpp - heddle clone ------------------------------------===//

#include "CloneSearchRun.h"
#include "Commands.h"
#include "CommonOptions.h"
#include "SynthClone.h"

#include "arch/Occupancy.h"
#include "arch/SpecReader.h"
#include "behavior/BehaviorFile.h"
#include "heddle/Driver/Application.h"
#include "heddle/PTX/PTXLifter.h"
#include "heddle/Transforms/ReduceTripCounts.h"
#include "launch/LaunchWriter.h"
#include "launch/ScalarTypes.h"
#include "synthesis/AutoReduction.h"
#include "synthesis/InPlaceFiles.h"
#include "synthesis/Projection.h"

#include "llvm/Transforms/Utils/Cloning.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

namespace heddle::tool {

namespace {
struct CloneOptions {
  SessionOptions Session;
  synthesis::ReductionOptions Reduction;
  std::string Folder;
  std::string Factor = "1"; ///< or "auto"
  std::string Mode = "synth";
  double ErrorPercent = 3;
  std::string GPU = "v100";
  bool Verify = false;
  std::vector<std::string> Projected; ///< folders of clones with results
  std::string JSON;
};

/// Thread blocks that the machine holds at once.
uint64_t residentBlocks(const CloneOptions &Options,
                        const behavior::Profile &P) {
  arch::GPUSpec Spec = take(arch::loadMachine(Options.GPU));
  BlockResources Block{"clone", P.Threads.count(), P.RegistersPerThread,
                       P.SharedBytes};
  return uint64_t(take(arch::computeOccupancy(Block, Spec)).BlocksPerSM) *
         Spec.SM.Count;
}

/// The reduction that the options ask for.
synthesis::ReductionOptions reductionOf(const CloneOptions &Options,
                                        const behavior::Profile &P,
                                        uint64_t Resident) {
  synthesis::ReductionOptions R = Options.Reduction;
  if (Options.Factor == "auto") {
    synthesis::ReductionOptions Chosen =
        synthesis::chooseReduction(P, Options.ErrorPercent / 100, Resident);
    R.LoopFactor = Chosen.LoopFactor;
    if (!R.Blocks && R.GridFactor == 1)
      R.Blocks = Chosen.Blocks;
  } else {
    auto Factor = launch::parseCount(Options.Factor, UINT64_MAX);
    if (!Factor)
      throw CLI::ValidationError("--factor", "a whole number or auto");
    R.LoopFactor = *Factor;
  }
  return R;
}

/// Says so if accesses of \p P follow no function, like strides that halve from
/// iteration to iteration.
void noteDrawn(behavior::Profile &P) {
  const auto Drawn =
      std::count_if(P.Accesses.begin(), P.Accesses.end(),
                    [](const behavior::Access &A) { return !A.IsAffine; });
  if (Drawn)
    noteAssumptions(
        P.Assumptions,
        fmt::format("{} of {} accesses follow no sum of indices and "
                    "iterations, like strides that halve: clones draw their "
                    "addresses at random",
                    Drawn, P.Accesses.size()));
}

/// What decided a projection of clones that were simulated before: their files
/// say how.
views::JSON inputsOf(const CloneOptions &Options,
                     const std::vector<synthesis::CloneRun> &Runs) {
  views::JSON Out;
  if (!Runs.front().MachineFields.empty())
    Out["machine"] = views::JSON::parse(Runs.front().MachineFields);
  std::vector<std::string> Files;
  for (const std::string &Folder : Options.Projected)
    for (const char *Name : {"clone.json", "result.json"})
      Files.push_back((std::filesystem::path(Folder) / Name).string());
  addSource(Out, Files);
  return Out;
}

/// Metrics of the whole from clones that were simulated.
void runProjection(const CloneOptions &Options) {
  std::vector<synthesis::CloneRun> Runs;
  for (const std::string &Folder : Options.Projected)
    Runs.push_back(take(synthesis::readCloneRun(Folder)));
  std::vector<std::string> Assumptions;
  for (const synthesis::CloneRun &R : Runs)
    for (const std::string &Note : R.Assumptions)
      noteAssumptions(Assumptions, Note);
  reportProjection(Runs, take(synthesis::project(Runs)), {}, Assumptions,
                   inputsOf(Options, Runs), Options.Session.Quiet,
                   Options.JSON);
}

/// What must not be found in the clone's files.
std::vector<std::string> namesOf(const Session &S) {
  std::vector<std::string> Names = {S.kernel().getName().str(),
                                    S.launch().Kernel};
  for (const llvm::Argument &A : S.kernel().args())
    Names.push_back(A.getName().str());
  launch::forEachBuffer(
      S.launch(), [&](const launch::BufferArg &B) { Names.push_back(B.Name); });
  for (const llvm::GlobalVariable &V : S.kernel().getParent()->globals())
    Names.push_back(V.getName().str());
  return Names;
}

/// Refuses what a clone's PTX cannot be made of yet.
static behavior::Profile withoutMatrices(behavior::Profile P) {
  for (const behavior::Block &B : P.Blocks)
    for (const behavior::Instruction &I : B.Chain)
      for (const char *Name :
           {"mma.", "wmma.", "ldmatrix.", "stmatrix.", "movmatrix.",
            "mbarrier.", "cp.async.", "sust.", "bar.arrive", "barrier.arrive"})
        if (I.Opcode.starts_with(Name))
          throw inputError(
              "'{}' of the kernel is not cloned: clones have no tensor cores, "
              "mbarriers, barriers that threads do not wait at, asynchronous "
              "copies or stores to surfaces yet; "
              "--mode inplace keeps the original's code",
              I.Opcode);
  return P;
}

/// What a clone is made from.
struct Original {
  SynthModule Behavior;
  std::vector<std::string> Names;       ///< that the clone must not have
  std::vector<std::string> Assumptions; ///< BehaviorProfile's
  bool HasKernel = false;               ///< not only its behaviour
  views::JSON Inputs;                   ///< what decided a result of it
};

Original originalOf(behavior::Profile P, std::vector<std::string> Names,
                    bool HasKernel = false) {
  std::vector<std::string> Assumptions = P.Assumptions;
  return {take(SynthModule::fromBehavior(withoutMatrices(std::move(P)))),
          std::move(Names),
          std::move(Assumptions),
          HasKernel,
          {}};
}

/// What decided a result of \p S. A clone has other functions and notes.
views::JSON inputsOf(const Session &S) {
  views::JSON Out;
  addInputs(Out, S);
  for (const char *Other : {"functions", "assumptions"})
    Out.erase(Other);
  return Out;
}

/// The behaviour in any of its forms: a profile, a synth.kernel, or a kernel
/// to be profiled, whose names are then known.
Original readOriginal(const SessionOptions &Options) {
  views::JSON Inputs;
  addInputs(Inputs, Options);
  const auto Whole = [&Inputs](Original From) {
    From.Inputs = std::move(Inputs);
    return From;
  };
  if (behavior::isBehaviorFile(Options.Input))
    return Whole(originalOf(take(behavior::readBehavior(Options.Input)), {}));
  if (auto Text = take(readSynthFile(Options.Input)))
    return Whole({take(SynthModule::parse(std::move(Text), Options.Kernel)),
                  {},
                  {},
                  false,
                  {}});
  const auto S = take(Session::create(Options));
  Inputs = inputsOf(*S);
  return Whole(originalOf(take(behaviorOf(*S)), namesOf(*S),
                          /*HasKernel=*/true));
}

/// The factor by which the original's own loops are to be cut.
uint64_t inPlaceFactor(const CloneOptions &Options, const behavior::Profile &P,
                       uint64_t Resident) {
  synthesis::ReductionOptions R = reductionOf(Options, P, Resident);
  if (Options.Factor == "auto" && R.LoopFactor == 1)
    throw CommandError{
        "no loop of this kernel can be cut within the error; --mode synth cuts "
        "the grid as well"};
  R.Blocks = 0;
  take(synthesis::planClone(P, R)); // a factor that leaves nothing
  return R.LoopFactor;
}

using synthesis::InPlaceClone;

constexpr char CloneName[] = "clone";

/// A kernel in a module of its own, called like every clone.
struct OwnKernel {
  std::unique_ptr<llvm::Module> Module;
  llvm::Function *Kernel = nullptr;
};

OwnKernel copyKernel(const llvm::Function &Kernel) {
  llvm::ValueToValueMapTy Map;
  OwnKernel Own;
  Own.Module = llvm::CloneModule(*Kernel.getParent(), Map);
  Own.Kernel = llvm::cast<llvm::Function>(Map.lookup(&Kernel));
  if (llvm::GlobalValue *Other = Own.Module->getNamedValue(CloneName);
      Other && Other != Own.Kernel)
    Other->setName("other");
  Own.Kernel->setName(CloneName);
  return Own;
}

/// Cuts the loops of \p Kernel, whose behaviour is \p P, and says so.
void cutLoops(llvm::Function &Kernel, const behavior::Profile &P,
              InPlaceClone &Clone) {
  std::map<unsigned, const behavior::Loop *> LoopAt; ///< by header
  std::map<unsigned, TripCut> Cuts;
  for (const behavior::Loop &L : P.Loops) {
    LoopAt.try_emplace(L.Header, &L);
    if (Clone.LoopFactor != 1 && !synthesis::keepsFootprint(P, L))
      Cuts.try_emplace(
          L.Header,
          TripCut{Clone.LoopFactor, synthesis::mostTrips(L, Clone.LoopFactor)});
  }
  std::vector<ReducedLoop> Reduced;
  llvm::FunctionAnalysisManager Unused;
  ReduceTripCountsPass(Cuts, Reduced).run(Kernel, Unused);
  static constexpr std::array Names = {"whole", "divided", "bounded"};
  for (const ReducedLoop &R : Reduced) {
    auto At = LoopAt.find(R.Header);
    if (At == LoopAt.end())
      continue; // never went around
    const behavior::Loop &L = *At->second;
    Clone.Loops.push_back({L.Depth, L.MeanTrips, Names[R.How],
                           synthesis::keepsFootprint(P, L)
                               ? "the loop around it comes back to the data"
                               : R.Reason.str(),
                           Clone.LoopFactor, Cuts[R.Header].MostTrips});
  }
}

std::map<std::string, unsigned> issuedMath(const KernelCode &Code) {
  std::map<std::string, unsigned> Issued;
  for (const HeddleInst &I : Code.Insts)
    if (const std::string &Opcode = Code.Opcodes[I.Opcode];
        Opcode.starts_with("math."))
      Issued[Opcode] = I.Issued;
  return Issued;
}

/// Warp instructions of the clone \p PTX with \p Launch.
uint64_t execute(const SessionOptions &Options, const std::string &PTX,
                 const launch::Launch &Launch) {
  SessionOptions Own = Options;
  Own.ClangArgs.clear();
  Own.LinkWith.clear();
  Own.Input = "clone.ptx";
  Own.PTX = PTX;
  Own.SourceTripFactor = 1;
  return take(behaviorOf(*take(Session::create(Own, Launch)))).WarpInstructions;
}

/// The PTX of the original with the trip counts of its loops cut, after it was
/// optimised or, in mode source, before; \p Clone gets what its files say.
/// Throws CommandError: a kernel that cannot be written or does no work.
std::string inPlacePTX(const CloneOptions &Options, InPlaceClone &Clone) {
  const bool AtSource = Options.Mode == "source";
  auto S = take(Session::create(Options.Session));
  if (liftedText(S->module()))
    throw inputError(
        "{}: --mode {} cuts loops of code that Heddle compiles; PTX stays as "
        "it is written, so give the source, or use --mode synth",
        Options.Session.Input, Options.Mode);
  const behavior::Profile P = take(behaviorOf(*S));
  Clone.Mode = Options.Mode;
  Clone.Launch = S->launch();
  Clone.Launch.Kernel = CloneName;
  Clone.RegistersPerThread = P.RegistersPerThread;
  Clone.SharedBytes = P.SharedBytes;
  Clone.WarpInstructions = P.WarpInstructions;
  Clone.ThreadInstructions = P.ThreadInstructions;
  Clone.Assumptions = P.Assumptions;
  Clone.LoopFactor = inPlaceFactor(Options, P, residentBlocks(Options, P));
  Clone.ExpectedError = synthesis::expectedLoopError(P, Clone.LoopFactor);
  if (AtSource) {
    SessionOptions Cut = Options.Session;
    Cut.SourceTripFactor = Clone.LoopFactor;
    launch::Launch Same = S->launch();
    S.reset();
    S = take(Session::create(Cut, Same, Contents::Unfilled));
  }
  OwnKernel Own = copyKernel(S->kernel());
  if (!AtSource)
    cutLoops(*Own.Kernel, P, Clone);
  const KernelCode Code =
      take(buildCodeTable(*Own.Kernel, Options.Session.Arch, ISA::PTX,
                          /*UsePtxas=*/false));
  return take(synthesis::portablePTX(Code.PTX, issuedMath(Code), Clone));
}

/// The original's code, cut short.
void runInPlace(const CloneOptions &Options) {
  const synthesis::ReductionOptions &R = Options.Reduction;
  if (R.Blocks || R.GridFactor != 1 || R.MinBlocks != 1 || R.MinTrips != 1)
    throw CLI::ValidationError(
        "--mode " + Options.Mode,
        "cuts trip counts by --factor only; --blocks, --grid-factor, "
        "--min-blocks and --min-trips are of --mode synth");
  if (behavior::isBehaviorFile(Options.Session.Input) ||
      take(readSynthFile(Options.Session.Input)))
    throw inputError("{}: --mode {} keeps the original's code, which this file "
                     "does not hold; give the kernel and its launch",
                     Options.Session.Input, Options.Mode);
  InPlaceClone Clone;
  const std::string PTX = inPlacePTX(Options, Clone);
  Clone.CloneInstructions = execute(Options.Session, PTX, Clone.Launch);

  std::map<std::string, std::string> Copies; ///< of buffers: name, from where
  for (size_t I = 0; I < Clone.Launch.Args.size(); ++I)
    if (auto *B = std::get_if<launch::BufferArg>(&Clone.Launch.Args[I].Value))
      if (auto *File = std::get_if<launch::InitFile>(&B->Init)) {
        const std::string Name = fmt::format("a{}.bin", I);
        Copies[Name] = File->Path;
        File->Path = Name;
      }
  const std::map<std::string, std::string> Files = {
      {"clone.ptx", PTX},
      {"clone.launch.yaml", take(launch::launchText(Clone.Launch))},
      {"clone_host.cu", take(synthesis::inPlaceHost(Clone))},
      {"clone.json", synthesis::inPlaceReport(Clone, HEDDLE_VERSION)}};

  const std::filesystem::path Folder = Options.Folder;
  makeFolder(Folder);
  for (const auto &[Name, From] : Copies) {
    std::error_code Code;
    std::filesystem::copy_file(
        From, Folder / Name, std::filesystem::copy_options::overwrite_existing,
        Code);
    if (Code)
      throw inputError("cannot copy '{}' to '{}': {}", From,
                       (Folder / Name).string(), Code.message());
  }
  for (const auto &[Name, Text] : Files)
    writeFile(Folder / Name, Text);
  if (!Options.Session.Quiet)
    fmt::print("{}: executes 1/{:.1f} of the original's warp instructions, "
               "error {:.1f} %; the original's code and data, not checked for "
               "leaks\n",
               (Folder / "clone.ptx").string(),
               double(Clone.WarpInstructions) / double(Clone.CloneInstructions),
               100 * Clone.ExpectedError);
}

void run(const CloneOptions &Options) {
  if (!Options.Projected.empty())
    return runProjection(Options);
  if (Options.Session.Input.empty() || Options.Folder.empty())
    throw CLI::RequiredError("a kernel or profile, and -o DIR");
  if (Options.Verify &&
      (Options.Mode != "synth" || Options.Factor != "auto" ||
       Options.Reduction.Blocks || Options.Reduction.GridFactor != 1 ||
       Options.Reduction.MinTrips != 1 || Options.Reduction.MinBlocks != 1))
    throw CLI::ValidationError(
        "--verify", "makes clones with --factor auto and --mode synth, and "
                    "chooses how far trips and blocks are cut");
  if (!Options.JSON.empty() && !Options.Verify)
    throw CLI::ValidationError(
        "--json", "writes a projection; add --verify, or --project with the "
                  "folders of clones (clone.json describes a clone)");
  if (Options.Mode != "synth")
    return runInPlace(Options);
  Original From = readOriginal(Options.Session);
  behavior::Profile Profile = take(From.Behavior.behavior());
  Profile.Assumptions = From.Assumptions;
  const uint64_t Resident = residentBlocks(Options, Profile);
  SynthClones Clones(From.Names, Options.Session.Arch, Resident);
  if (Options.Verify) {
    noteDrawn(Profile);
    return searchClones(Clones, Profile,
                        {Options.Session, Options.Folder, Options.GPU,
                         Options.ErrorPercent / 100, Options.JSON, From.Inputs,
                         From.HasKernel});
  }
  const SynthCloneSummary Clone =
      Clones.write(From.Behavior, Profile,
                   reductionOf(Options, Profile, Resident), Options.Folder);
  if (!Options.Session.Quiet)
    fmt::print(
        "{}: {} instructions ({} added, {} dropped), expected to execute "
        "1/{:.1f} of the original's warp instructions, error {:.1f} %\n",
        (std::filesystem::path(Options.Folder) / "clone.ptx").string(),
        Clone.Instructions, Clone.Added, Clone.Dropped, Clone.ExpectedScale,
        100 * Clone.ExpectedError);
}
} // namespace

void addCloneCommand(CLI::App &App) {
  CLI::App *Command =
      App.add_subcommand("clone", "Make a small kernel that behaves alike");
  auto Options = std::make_shared<CloneOptions>();
  addInputOptions(*Command, Options->Session);
  addLaunchOptions(*Command, Options->Session);
  addExecutionOptions(*Command, Options->Session);
  Command->add_flag("-q,--quiet", Options->Session.Quiet, "no summary");
  Command->get_option("INPUT")->required(false);
  Command->add_option("-o", Options->Folder, "folder for the clone's files");
  Command->add_option("--project", Options->Projected,
                      "no clone: metrics of the whole from these folders of "
                      "clones, each with its result.json");
  Command->add_flag("--verify", Options->Verify,
                    "with --factor auto: make clones from small to large in "
                    "DIR/1, DIR/2, ... and simulate them, until the lines "
                    "through them agree within --error; then as --project");
  Command->add_option("--json", Options->JSON,
                      "write the projection as JSON ('-': stdout)");
  synthesis::ReductionOptions &R = Options->Reduction;
  Command
      ->add_option("--factor", Options->Factor,
                   "divide the trip counts of loops by this; auto: as far as "
                   "--error allows, loops or thread blocks")
      ->check(aboveZero("auto"))
      ->capture_default_str();
  Command
      ->add_option("--mode", Options->Mode,
                   "synth: a kernel that behaves alike; inplace: the original "
                   "after optimisation with trip counts cut; source: cut "
                   "before it")
      ->check(CLI::IsMember({"synth", "inplace", "source"}))
      ->capture_default_str();
  Command
      ->add_option("--error", Options->ErrorPercent,
                   "expected error of an automatic reduction in percent")
      ->check(aboveZero())
      ->capture_default_str();
  Command
      ->add_option("--gpu", Options->GPU,
                   "machine for which thread blocks are kept; if given, the "
                   "clone is compiled for it")
      ->capture_default_str();
  Command
      ->add_option("--blocks", R.Blocks, "keep about this many thread blocks")
      ->check(aboveZero());
  Command
      ->add_option("--grid-factor", R.GridFactor,
                   "divide the number of thread blocks by this")
      ->check(aboveZero())
      ->capture_default_str();
  Command
      ->add_option("--min-trips", R.MinTrips,
                   "leave loops at least this many iterations")
      ->check(aboveZero())
      ->capture_default_str();
  Command
      ->add_option("--min-blocks", R.MinBlocks,
                   "leave at least this many thread blocks")
      ->check(aboveZero())
      ->capture_default_str();
  Command->callback([Options, Command] {
    SessionOptions &S = Options->Session;
    // Else the target stays that of a PTX file.
    if (Command->count("--gpu") && S.ArchFrom == ArchSource::Default &&
        Options->Projected.empty()) {
      S.Arch.clear();
      compileFor(take(arch::loadMachine(Options->GPU)), S);
    }
    run(*Options);
  });
}

} // namespace heddle::tool
