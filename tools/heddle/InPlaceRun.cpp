//===- InPlaceRun.cpp - heddle clone --mode inplace -----------------------===//

#include "InPlaceRun.h"

#include "heddle/Driver/Application.h"
#include "heddle/PTX/PTXLifter.h"
#include "heddle/Transforms/ReduceTripCounts.h"
#include "launch/LaunchWriter.h"
#include "synthesis/AutoReduction.h"
#include "synthesis/InPlaceFiles.h"

#include "llvm/Transforms/Utils/Cloning.h"

#include <fmt/format.h>

namespace heddle::tool {

namespace {

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

} // namespace

InPlaceOutput makeInPlaceClone(
    const SessionOptions &Options, bool AtSource,
    const std::function<uint64_t(const behavior::Profile &)> &FactorOf) {
  InPlaceClone Clone;
  Clone.Mode = AtSource ? "source" : "inplace";
  std::string PTX;
  {
    auto S = take(Session::create(Options));
    if (liftedText(S->module()))
      throw CommandError{fmt::format(
          "{}: --mode {} cuts loops of code that Heddle compiles; PTX stays as "
          "it is written, so give the source, or use --mode synth",
          Options.Input, Clone.Mode)};
    const behavior::Profile P = take(behaviorOf(*S));
    Clone.Launch = S->launch();
    Clone.Launch.Kernel = CloneName;
    Clone.RegistersPerThread = P.RegistersPerThread;
    Clone.SharedBytes = P.SharedBytes;
    Clone.WarpInstructions = P.WarpInstructions;
    Clone.ThreadInstructions = P.ThreadInstructions;
    Clone.Assumptions = P.Assumptions;
    Clone.LoopFactor = FactorOf(P);
    Clone.ExpectedError = synthesis::expectedLoopError(P, Clone.LoopFactor);
    if (AtSource) {
      SessionOptions Cut = Options;
      Cut.SourceTripFactor = Clone.LoopFactor;
      launch::Launch Same = S->launch();
      S.reset();
      S = take(Session::create(Cut, Same, Contents::Unfilled));
    }
    OwnKernel Own = copyKernel(S->kernel());
    if (!AtSource)
      cutLoops(*Own.Kernel, P, Clone);
    const KernelCode Code = take(buildCodeTable(*Own.Kernel, Options.Arch,
                                                ISA::PTX, /*UsePtxas=*/false));
    PTX = take(synthesis::portablePTX(Code.PTX, issuedMath(Code), Clone));
  }
  Clone.CloneInstructions = execute(Options, PTX, Clone.Launch);

  InPlaceOutput Out;
  for (size_t I = 0; I < Clone.Launch.Args.size(); ++I)
    if (auto *B = std::get_if<launch::BufferArg>(&Clone.Launch.Args[I].Value))
      if (auto *File = std::get_if<launch::InitFile>(&B->Init)) {
        const std::string Name = fmt::format("a{}.bin", I);
        Out.Copies[Name] = File->Path;
        File->Path = Name;
      }
  Out.Files["clone.ptx"] = PTX;
  Out.Files["clone.launch.yaml"] = take(launch::launchText(Clone.Launch));
  Out.Files["clone_host.cu"] = take(synthesis::inPlaceHost(Clone));
  Out.Files["clone.json"] = synthesis::inPlaceReport(Clone, HEDDLE_VERSION);
  Out.Summary = fmt::format(
      "executes 1/{:.1f} of the original's warp instructions, error {:.1f} %; "
      "the original's code and data, not checked for leaks",
      double(Clone.WarpInstructions) / double(Clone.CloneInstructions),
      100 * Clone.ExpectedError);
  return Out;
}

} // namespace heddle::tool
