//===- Pipelines.cpp - From front-end output to the prepared form ---------===//

#include "Passes.h"
#include "heddle/Passes/RegisterPasses.h"
#include "heddle/Support/Targets.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace heddle {

Expected<std::unique_ptr<TargetMachine>>
createTargetMachine(StringRef Arch, unsigned OptLevel) {
  return createNVPTXMachine(
      Triple("nvptx64-nvidia-cuda"), Arch, TargetOptions(),
      OptLevel >= 3 ? CodeGenOptLevel::Aggressive : CodeGenOptLevel::Default);
}

std::unique_ptr<TargetMachine> targetMachineOf(const Module &M) {
  StringRef Arch;
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    StringRef CPU = F.getFnAttribute("target-cpu").getValueAsString();
    if (CPU.empty() || (!Arch.empty() && CPU != Arch)) {
      diagnose(M, DS_Error,
               "'" + F.getName() + "' has " +
                   (CPU.empty() ? "no target-cpu"
                                : "another target-cpu than functions before") +
                   "; run heddle-adopt-module first");
      return nullptr;
    }
    Arch = CPU;
  }
  auto TM = createTargetMachine(Arch.empty() ? "sm_70" : Arch, 3);
  if (TM)
    return std::move(*TM);
  diagnose(M, DS_Error, toString(TM.takeError()));
  return nullptr;
}

/// Every call that can be inlined is. As the optimiser begins, so that blocks
/// come in the order that it gives them: the layout decides where the back end
/// needs a second branch.
static std::string inlining(const PrepareOptions &O) {
  return std::string("always-inline,") +
         (O.AsNVCC ? "heddle-hold-conversions," : "") +
         "function(simplifycfg,sroa<modify-cfg>,early-cse),"
         "globaldce";
}

/// The source's loops and branches over values in registers. LICM comes last:
/// what decides a loop is then loaded before it, where it may.
static constexpr char AnalysisForm[] =
    "function(infer-address-spaces,sroa<modify-cfg>,early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa,loop-mssa("
    "licm),"
    "early-cse<memssa>,loop-simplify)";

/// One function for each kernel, in which all that is called is known.
static std::string inlinedForm(const PrepareOptions &O) {
  return "heddle-adopt-module<arch=" + O.Arch +
         ">,"
         "heddle-close-math-calls,"
         "heddle-lower-prints" +
         (O.KeepPrints ? "<keep>" : "") +
         ","
         // Analyses see them too.
         "heddle-lower-inline-asm<textures" +
         (O.AsNVCC ? ";mark" : "") +
         ">,"
         "function(heddle-copy-written-structs)," +
         inlining(O) +
         // Functions that a pointer reaches may call through pointers
         // themselves.
         ",heddle-while-changed<4>(heddle-resolve-pointers," + inlining(O) +
         "),heddle-while-changed<1>(heddle-unroll-recursion," + inlining(O) +
         "),"
         // Afterwards no function is a value.
         "heddle-refuse-unknown-calls,heddle-number-functions";
}

std::string preparationText(PreparedForm Form, const PrepareOptions &O) {
  switch (Form) {
  case PreparedForm::Optimized: // not "default<O3>", which tunes it as for CPUs
    return "heddle-optimize";
  case PreparedForm::Lifted:
    return "heddle-adopt-module<arch=" + O.Arch + ">,heddle-lower-prints" +
           (O.KeepPrints ? "<keep>" : "") +
           ",function(heddle-split-member-masks<keep-blocks>,"
           "heddle-expand-constant-expressions,"
           "heddle-contract-multiply-add<as-ptxas>)";
  case PreparedForm::Analysis:
    return inlinedForm(O) +
           ",heddle-lower-predicated-access,"
           "heddle-lower-inline-asm<exits>,"
           "function(heddle-assume-global-members,"
           "heddle-fold-constant-arrays,"
           "heddle-infer-all-address-spaces,heddle-canonicalize-intrinsics)," +
           AnalysisForm + ",function(heddle-merge-address-spaces)";
  case PreparedForm::Execution:
    break;
  }
  return inlinedForm(O) +
         ",heddle-lower-predicated-access,"
         "heddle-lower-inline-asm" +
         (O.AsNVCC ? "<mark>" : "") +
         ",heddle-lower-dynamic-allocas,"
         "function(heddle-assume-global-members,"
         "heddle-fold-constant-arrays,"
         "heddle-infer-all-address-spaces,"
         "heddle-canonicalize-intrinsics,"
         "heddle-lower-approximate-math),"
         "heddle-lower-matrix-intrinsics," +
         // What a loop's bound and step are must stand before the loop.
         (O.TripFactor > 1
              ? AnalysisForm + (",function(heddle-reduce-trips<factor=" +
                                std::to_string(O.TripFactor) + ">),")
              : "") +
         (O.AsNVCC ? "heddle-hold-math-calls," : "") +
         "heddle-optimize<arch=" + O.Arch +
         ";opt-level=" + std::to_string(O.OptLevel) +
         (O.AsNVCC ? ";as-nvcc" : "") +
         ">,"
         "function(infer-address-spaces,sroa<modify-cfg>,"
         "instcombine<no-verify-fixpoint>,"
         "simplifycfg),"
         "function(heddle-drop-markers,"
         "heddle-merge-address-spaces,"
         "heddle-relax-atomics,"
         // When most masks have become constants.
         "heddle-split-member-masks,"
         "heddle-canonicalize-intrinsics,"
         "heddle-expand-memory-intrinsics),"
         // Everything that would otherwise change the control flow inside the
         // back end, and the shapes that no consumer wants to see.
         "heddle-expand-for-target,"
         "function(scalarizer," +
         (O.AsNVCC ? "heddle-sink-negations,heddle-restore-offsets,"
                     "heddle-split-shared-offsets,"
                   : "") +
         "early-cse,lower-switch,simplifycfg,lower-switch,"
         "adce),"
         // Nothing behind it sends lanes around a barrier again.
         "function(heddle-meet-at-barriers,"
         "heddle-canonicalize-intrinsics,"
         "heddle-contract-multiply-add" +
         (O.AsNVCC ? "<as-nvcc>,heddle-recall-thread-ranges" : "") +
         "),"
         "heddle-run-back-end," +
         (O.AsNVCC ? "heddle-release-conversions," : "") +
         "function(heddle-canonicalize-intrinsics,"
         "heddle-expand-constant-expressions,"
         "heddle-merge-address-spaces),"
         "heddle-drop-unused" +
         (O.KeepPrints ? "<keep-variables>" : "") +
         ","
         "heddle-verify-prepared";
}

static void unrollAsNVCC(PassBuilder &PB) {
  PB.registerPipelineEarlySimplificationEPCallback([](ModulePassManager &MPM,
                                                      OptimizationLevel,
                                                      ThinOrFullLTOPhase) {
    MPM.addPass(createModuleToFunctionPassAdaptor(MarkWrappingCountersPass()));
    MPM.addPass(ForgetThreadRangesPass());
  });
  PB.registerPeepholeEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(MergeConditionsPass());
      });
  PB.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (Level.getSpeedupLevel() < 2)
          return;
        FPM.addPass(UnrollLoopsPass());
        // Arrays of which each element is now known become registers.
        FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
        FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
        FPM.addPass(InstCombinePass());
        FPM.addPass(GVNPass());
      });
}

/// \p TM must outlive what is done with the result.
static Expected<ModulePassManager>
parsePreparation(PreparedForm Form, const PrepareOptions &Options,
                 TargetMachine &TM, PassInstrumentationCallbacks *Names) {
  PipelineTuningOptions Tuning;
  // LLVM's passes still do what the source asks for.
  Tuning.LoopUnrolling = !Options.AsNVCC;
  PassBuilder PB(&TM, Tuning, std::nullopt, Names);
  registerPasses(PB, {}, /*AtStart=*/false);
  static constexpr const OptimizationLevel *Levels[] = {
      &OptimizationLevel::O0, &OptimizationLevel::O1, &OptimizationLevel::O2,
      &OptimizationLevel::O3};
  if (Form == PreparedForm::Optimized) {
    // Early enough that no code has been merged, and late enough that the ways
    // out of loops are the source's returns again.
    PB.registerPipelineEarlySimplificationEPCallback(
        [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
          MPM.addPass(MarkEarlyReturnsPass());
        });
    if (Options.AsNVCC)
      unrollAsNVCC(PB);
    return PB.buildPerModuleDefaultPipeline(
        *Levels[std::min<uint64_t>(Options.OptLevel, 3)]);
  }
  ModulePassManager MPM;
  if (Error E = PB.parsePassPipeline(MPM, preparationText(Form, Options)))
    return std::move(E);
  return MPM;
}

Expected<ModulePassManager>
buildPreparation(PreparedForm Form, const PrepareOptions &Options,
                 PassInstrumentationCallbacks *Names) {
  auto TM = createTargetMachine(Options.Arch, Options.OptLevel);
  if (!TM)
    return TM.takeError();
  return parsePreparation(Form, Options, **TM, Names);
}

namespace {
/// Keeps what Heddle's passes report; all else goes where it went before.
class Collector : public DiagnosticHandler {
public:
  Collector(LLVMContext &Context, std::string &Errors, std::string &Warnings)
      : Errors(Errors), Warnings(Warnings),
        Previous(Context.getDiagnosticHandler()) {}
  bool handleDiagnostics(const DiagnosticInfo &DI) override {
    if (!isa<PassDiagnostic>(DI))
      return Previous && Previous->handleDiagnostics(DI);
    const auto &D = cast<PassDiagnostic>(DI);
    const std::string Where = D.Position.empty() ? "" : D.Position + ": ";
    if (D.getSeverity() == DS_Error)
      Errors += (Errors.empty() ? "" : "; ") + Where + D.Message;
    else if (D.getSeverity() == DS_Warning)
      Warnings += Where + "warning: " + D.Message + "\n";
    return true;
  }

  std::string &Errors, &Warnings;
  std::unique_ptr<DiagnosticHandler> Previous;
};
} // namespace

static Error prepare(Module &M, PreparedForm Form,
                     const PrepareOptions &Options, std::string &Warnings) {
  auto TM = createTargetMachine(Options.Arch, Options.OptLevel);
  if (!TM)
    return TM.takeError();
  if (Error E = checkAdoptable(M, **TM))
    return E;
  auto MPM = parsePreparation(Form, Options, **TM, nullptr);
  if (!MPM)
    return MPM.takeError();
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(TM->get());
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);

  std::string Errors;
  LLVMContext &Context = M.getContext();
  auto Handler = std::make_unique<Collector>(Context, Errors, Warnings);
  Collector &Collected = *Handler;
  Context.setDiagnosticHandler(std::move(Handler));
  scope_exit Restore([&] {
    auto Previous = std::move(Collected.Previous);
    Context.setDiagnosticHandler(std::move(Previous));
  });
  MPM->run(M, MAM);
  if (!Errors.empty())
    return createStringError(Errors);
  return Error::success();
}

Error prepareForAnalysis(Module &M, StringRef Arch, std::string &Warnings) {
  return prepare(M, PreparedForm::Analysis, {.Arch = Arch.str()}, Warnings);
}

Error prepareModule(Module &M, const PrepareOptions &Options,
                    std::string &Warnings) {
  return prepare(M, PreparedForm::Execution, Options, Warnings);
}

Error prepareLifted(Module &M, const PrepareOptions &Options,
                    std::string &Warnings) {
  return prepare(M, PreparedForm::Lifted, Options, Warnings);
}

} // namespace heddle
