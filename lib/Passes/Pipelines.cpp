//===- Pipelines.cpp - From front-end output to the prepared form ---------===//

#include "heddle/Passes/Pipelines.h"

#include "Passes.h"
#include "heddle/PTX/BackEnd.h"
#include "heddle/Support/Targets.h"
#include "heddle/Transforms/ReduceTripCounts.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/CodeGen/AtomicExpand.h"
#include "llvm/CodeGen/ExpandIRInsts.h"
#include "llvm/CodeGen/LibcallLoweringInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace heddle {

/// Back end with which \p Arch is described when the installed LLVM no longer
/// takes the PTX version that Clang assumes.
static constexpr char Features[] = "+ptx88";

Expected<std::unique_ptr<TargetMachine>>
createTargetMachine(StringRef Arch, unsigned OptLevel) {
  registerTargets();
  Triple T("nvptx64-nvidia-cuda");
  std::string Message;
  const Target *NVPTX = TargetRegistry::lookupTarget(T, Message);
  if (!NVPTX)
    return createStringError(Message);
  // A target machine for an unknown one prints to standard error.
  std::unique_ptr<MCSubtargetInfo> Known(
      NVPTX->createMCSubtargetInfo(T, "", ""));
  if (!Known || !Known->isCPUStringValid(Arch))
    return createStringError("unknown architecture '" + Arch +
                             "'; use sm_NN, for example sm_70");
  return std::unique_ptr<TargetMachine>(NVPTX->createTargetMachine(
      T, Arch, Features, TargetOptions(), std::nullopt, std::nullopt,
      OptLevel >= 3 ? CodeGenOptLevel::Aggressive : CodeGenOptLevel::Default));
}

static bool isKernel(const Function &F) {
  return !F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel;
}

static Error checkTarget(const Module &M) {
  const Triple &T = M.getTargetTriple();
  if (T.getArch() == Triple::nvptx64)
    return Error::success();
  return createStringError(
      M.getModuleIdentifier() + ": the module is for " +
      (T.str().empty() ? "no target" : "'" + T.str() + "'") +
      "; kernels must be compiled for nvptx64 (clang "
      "--target=nvptx64-nvidia-cuda)");
}

/// Functions are the kernels' own, whatever the source said about inlining.
static void claimFunctions(Module &M, StringRef Arch) {
  for (Function &F : M) {
    F.removeFnAttr("target-cpu");
    F.removeFnAttr("target-features");
    F.removeFnAttr("frame-pointer");
    F.removeFnAttr("stack-protector-buffer-size");
    F.addFnAttr("target-cpu", Arch);
    if (F.isDeclaration())
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    F.setComdat(nullptr);
    if (isKernel(F)) {
      F.setLinkage(GlobalValue::ExternalLinkage);
      F.setVisibility(GlobalValue::DefaultVisibility);
      continue;
    }
    F.setLinkage(GlobalValue::InternalLinkage);
    F.addFnAttr(Attribute::AlwaysInline);
  }
  // Device variables are kept for the host, which does not exist here.
  for (StringRef Name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *Used = M.getGlobalVariable(Name))
      Used->eraseFromParent();
}

/// The kernels alone, in the order of the file, with what they use.
static void dropTheRest(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.use_empty() && !isKernel(F))
      F.eraseFromParent();
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    G.removeDeadConstantUsers();
    if (G.use_empty())
      G.eraseFromParent();
  }
  for (GlobalAlias &A : make_early_inc_range(M.aliases()))
    if (A.use_empty())
      A.eraseFromParent();
}

/// One pass manager per stage: the analyses of the previous one are stale
/// after the hand-written steps between.
static void runStage(Module &M, TargetMachine &TM,
                     function_ref<ModulePassManager(PassBuilder &)> Build) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(&TM);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  Build(PB).run(M, MAM);
}

static ModulePassManager buildInlining(PassBuilder &PB) {
  ModulePassManager MPM;
  MPM.addPass(AlwaysInlinerPass());
  FunctionPassManager FPM;
  // As the optimiser begins, so that blocks come in the order that it gives
  // them: the layout decides where the back end needs a second branch.
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass());
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  MPM.addPass(GlobalDCEPass());
  return MPM;
}

/// Every call that can be inlined is; what cannot is a call of
/// heddle.refused.*.
static void inlineCalls(Module &M, TargetMachine &TM) {
  runStage(M, TM, buildInlining);
  // Functions that a pointer reaches may call through pointers themselves.
  constexpr unsigned MaxRounds = 4;
  for (unsigned Round = 0; Round < MaxRounds && resolvePointers(M); ++Round)
    runStage(M, TM, buildInlining);
  if (unrollRecursion(M))
    runStage(M, TM, buildInlining);
  refuseUnknownCalls(M);
  numberFunctions(M);
}

static ModulePassManager buildAddressSpaces(PassBuilder &PB) {
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(InferAddressSpacesPass()));
  return MPM;
}

/// Infers address spaces for volatile accesses too, which the pass does not
/// touch by itself: the access stays the same, only the pointer says more.
static void inferAddressSpaces(Module &M, TargetMachine &TM) {
  constexpr char Mark[] = "heddle.volatile";
  MDNode *Empty = MDNode::get(M.getContext(), {});
  auto ForEach = [&](auto Visit) {
    for (Function &F : M)
      for (Instruction &I : instructions(F)) {
        if (auto *Load = dyn_cast<LoadInst>(&I))
          Visit(*Load);
        else if (auto *Store = dyn_cast<StoreInst>(&I))
          Visit(*Store);
        else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
          RMW->setVolatile(false); // means nothing more for an atomic
        else if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
          CAS->setVolatile(false);
      }
  };
  ForEach([&](auto &Access) {
    if (Access.isVolatile())
      Access.setMetadata(Mark, Empty);
    Access.setVolatile(false);
  });
  runStage(M, TM, buildAddressSpaces);
  ForEach([&](auto &Access) {
    if (!Access.getMetadata(Mark))
      return;
    Access.setVolatile(true);
    Access.setMetadata(Mark, nullptr);
  });
}

static ModulePassManager buildOptimisation(PassBuilder &PB, unsigned OptLevel) {
  static constexpr const OptimizationLevel *Levels[] = {
      &OptimizationLevel::O0, &OptimizationLevel::O1, &OptimizationLevel::O2,
      &OptimizationLevel::O3};
  ModulePassManager MPM =
      PB.buildPerModuleDefaultPipeline(*Levels[std::min(OptLevel, 3u)]);
  FunctionPassManager FPM;
  FPM.addPass(InferAddressSpacesPass());
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  return MPM;
}

/// Everything that would otherwise change the control flow inside the back
/// end, and the shapes that no consumer wants to see.
static ModulePassManager buildLowering(const TargetMachine &TM) {
  FunctionPassManager FPM;
  FPM.addPass(ExpandIRInstsPass(TM, TM.getOptLevel()));
  FPM.addPass(AtomicExpandPass(TM));
  FPM.addPass(ScalarizerPass());
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(LowerSwitchPass());
  FPM.addPass(
      SimplifyCFGPass(SimplifyCFGOptions().convertSwitchToLookupTable(false)));
  FPM.addPass(LowerSwitchPass());
  FPM.addPass(ADCEPass());
  ModulePassManager MPM;
  // Function passes may only look at what a module analysis has found before;
  // without it the expansion of atomics reports an error and does nothing.
  MPM.addPass(RequireAnalysisPass<LibcallLoweringModuleAnalysis, Module>());
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  return MPM;
}

static void dropDebugValues(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    I.dropDbgRecords();
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call)
      continue;
    switch (Call->getIntrinsicID()) {
    case Intrinsic::assume:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::experimental_noalias_scope_decl:
      Call->eraseFromParent();
      break;
    default:
      break;
    }
  }
}

/// The source's loops and branches over values in registers. LICM comes last:
/// what decides a loop is then loaded before it, where it may.
static ModulePassManager buildAnalysisForm(PassBuilder &) {
  FunctionPassManager FPM;
  FPM.addPass(InferAddressSpacesPass());
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                              /*UseMemorySSA=*/true));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(LoopSimplifyPass());
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  return MPM;
}

Error prepareForAnalysis(Module &M, StringRef Arch, std::string &Warnings) {
  if (Error E = checkTarget(M))
    return E;
  auto TM = createTargetMachine(Arch, 2);
  if (!TM)
    return TM.takeError();
  if (none_of(M, isKernel))
    return createStringError(M.getModuleIdentifier() +
                             ": there is no kernel in this module");
  M.setTargetTriple((*TM)->getTargetTriple());
  M.setDataLayout((*TM)->createDataLayout());
  closeMathCalls(M);
  lowerPrints(M, /*Keep=*/false, Warnings);
  lowerTextureAsm(M);
  claimFunctions(M, Arch);
  for (Function &F : M)
    if (isKernel(F))
      copyWrittenStructs(F);
  inlineCalls(M, **TM);
  for (Function &F : M)
    lowerPredicatedAccesses(F);
  for (Function &F : M)
    if (isKernel(F))
      assumeGlobalMembers(F);
  inferAddressSpaces(M, **TM);
  for (Function &F : M)
    if (!F.isDeclaration())
      canonicalizeIntrinsics(F);
  runStage(M, **TM, buildAnalysisForm);
  return Error::success();
}

Error prepareModule(Module &M, StringRef Arch, unsigned OptLevel,
                    std::string &Warnings, bool KeepPrints,
                    uint64_t TripFactor) {
  if (Error E = checkTarget(M))
    return E;
  auto TM = createTargetMachine(Arch, OptLevel);
  if (!TM)
    return TM.takeError();
  if (none_of(M, isKernel))
    return createStringError(M.getModuleIdentifier() +
                             ": there is no kernel in this module");
  M.setTargetTriple((*TM)->getTargetTriple());
  M.setDataLayout((*TM)->createDataLayout());

  closeMathCalls(M);
  lowerPrints(M, KeepPrints, Warnings);
  lowerTextureAsm(M);
  claimFunctions(M, Arch);
  for (Function &F : M)
    if (isKernel(F))
      copyWrittenStructs(F);
  inlineCalls(M, **TM);
  for (Function &F : M) {
    lowerPredicatedAccesses(F);
    lowerInlineAsm(F, Warnings);
    lowerMatrixIntrinsics(F, Warnings);
    lowerDynamicAllocas(F);
  }
  for (Function &F : M)
    if (isKernel(F))
      assumeGlobalMembers(F);
  inferAddressSpaces(M, **TM);
  for (Function &F : M) {
    canonicalizeIntrinsics(F);
    lowerApproximateMath(F);
  }
  if (TripFactor > 1) {
    // What a loop's bound and step are must stand before the loop.
    runStage(M, **TM, buildAnalysisForm);
    for (Function &F : M)
      if (isKernel(F))
        reduceTripCounts(F, [&](unsigned) { return TripCut{TripFactor, 0}; });
  }
  runStage(M, **TM,
           [&](PassBuilder &PB) { return buildOptimisation(PB, OptLevel); });
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    dropDebugValues(F);
    relaxAtomics(F, Arch);
    splitMemberMasks(F); // when most masks have become constants
    canonicalizeIntrinsics(F);
    expandMemoryIntrinsics(F, (*TM)->getTargetTransformInfo(F));
  }
  runStage(M, **TM, [&](PassBuilder &) { return buildLowering(**TM); });
  for (Function &F : M) {
    canonicalizeIntrinsics(F);
    contractMultiplyAdd(F);
  }
  if (Error E = runBackEndIRPasses(M, Arch))
    return E;
  for (Function &F : M) {
    canonicalizeIntrinsics(F);
    expandConstantExpressions(F);
  }
  dropTheRest(M);
  for (const RefusedCall &R : refusedCalls(M))
    Warnings += (R.Position.empty() ? "" : R.Position + ": ") +
                "warning: kernel '" + R.Kernel + "' " + R.Reason +
                "; this is not executed\n";

  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    return createStringError(M.getModuleIdentifier() +
                             ": the prepared module is malformed: " + Broken);
  return Error::success();
}

Error prepareLifted(Module &M, StringRef Arch) {
  auto TM = createTargetMachine(Arch, 0);
  if (!TM)
    return TM.takeError();
  M.setTargetTriple((*TM)->getTargetTriple());
  M.setDataLayout((*TM)->createDataLayout());
  for (Function &F : M) {
    if (!F.isDeclaration())
      F.addFnAttr("target-cpu", Arch);
    splitMemberMasks(F, /*KeepBlocks=*/true);
    expandConstantExpressions(F);
  }
  return Error::success();
}

} // namespace heddle
