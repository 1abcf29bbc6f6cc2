//===- BackEnd.cpp - The NVPTX back end, in two halves --------------------===//

#include "heddle/PTX/BackEnd.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Support/Targets.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/RuntimeLibcallInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/LibcallLoweringInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/MC/MCContext.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

static Expected<std::unique_ptr<TargetMachine>>
createTargetMachine(const Module &M, StringRef Arch) {
  const Triple &T = M.getTargetTriple();
  if (T.getArch() != Triple::nvptx64)
    return createStringError("module is for target '%s', not for nvptx64",
                             T.str().c_str());
  TargetOptions Options;
  Options.MCOptions.AsmVerbose = true;
  Options.AllowFPOpFusion = FPOpFusion::Standard;
  return createNVPTXMachine(T, Arch, Options, CodeGenOptLevel::Aggressive);
}

namespace {

/// Collects what the back end reports instead of letting it end the program.
class DiagnosticCollector : public DiagnosticHandler {
public:
  explicit DiagnosticCollector(std::string &Errors) : Errors(Errors) {}
  bool handleDiagnostics(const DiagnosticInfo &DI) override {
    if (DI.getSeverity() != DS_Error)
      return true;
    raw_string_ostream OS(Errors);
    if (!Errors.empty())
      OS << "; ";
    DiagnosticPrinterRawOStream Printer(OS);
    DI.print(Printer);
    return true;
  }

private:
  std::string &Errors;
};

/// TargetPassConfig offers all of instruction selection or nothing in public.
struct PassConfigAccess : TargetPassConfig {
  using TargetPassConfig::addCoreISelPasses;
};

/// Runs \p Fill's passes over \p M with the analyses that code generation
/// expects, and returns what went wrong.
Error runCodeGen(
    Module &M, StringRef Arch,
    function_ref<Error(TargetMachine &, legacy::PassManager &,
                       TargetPassConfig &, MachineModuleInfoWrapperPass &)>
        Fill) {
  auto TM = createTargetMachine(M, Arch);
  if (!TM)
    return TM.takeError();
  M.setDataLayout((*TM)->createDataLayout());
  for (Function &F : M)
    if (!F.isDeclaration()) {
      F.addFnAttr("target-cpu", Arch);
      F.removeFnAttr("target-features");
    }

  std::string Errors;
  LLVMContext &Context = M.getContext();
  auto Previous = Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(std::make_unique<DiagnosticCollector>(Errors));
  scope_exit Restore(
      [&] { Context.setDiagnosticHandler(std::move(Previous)); });

  legacy::PassManager PM;
  auto &Target = static_cast<CodeGenTargetMachineImpl &>(**TM);
  PM.add(new TargetLibraryInfoWrapperPass(M.getTargetTriple()));
  PM.add(new RuntimeLibraryInfoWrapper(M.getTargetTriple()));
  TargetPassConfig *Config = Target.createPassConfig(PM);
  Config->setDisableVerify(true);
  PM.add(Config);
  auto *MMI = new MachineModuleInfoWrapperPass(&Target);
  PM.add(MMI);
  PM.add(createTargetTransformInfoWrapperPass(Target.getTargetIRAnalysis()));
  PM.add(new LibcallLoweringInfoWrapper());
  if (Error E = Fill(Target, PM, *Config, *MMI))
    return E;
  Config->setInitialized();
  PM.run(M);
  if (!Errors.empty())
    return createStringError("code generation failed: %s", Errors.c_str());
  return Error::success();
}

/// Turns a copy of at most this many bytes into loads and stores, as
/// instruction selection does; a longer one becomes a loop.
constexpr uint64_t MaxUnrolledCopyBytes = 128;

void expandCopy(MemCpyInst *Copy, const TargetTransformInfo &TTI) {
  auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
  if (!Length || Length->getZExtValue() > MaxUnrolledCopyBytes) {
    expandMemCpyAsLoop(Copy, TTI);
    Copy->eraseFromParent();
    return;
  }
  IRBuilder<> B(Copy);
  Align Alignment = std::min(Copy->getDestAlign().valueOrOne(),
                             Copy->getSourceAlign().valueOrOne());
  uint64_t Size = Length->getZExtValue();
  for (uint64_t Offset = 0; Offset < Size;) {
    uint64_t Step = std::min<uint64_t>(Alignment.value(), 8);
    while (Offset + Step > Size)
      Step /= 2;
    Align At = commonAlignment(Alignment, Offset);
    Type *Ty = B.getIntNTy(Step * 8);
    Value *From = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(),
                                               Copy->getRawSource(), Offset);
    Value *To =
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Copy->getRawDest(), Offset);
    B.CreateAlignedStore(B.CreateAlignedLoad(Ty, From, At), To, At);
    Offset += Step;
  }
  Copy->eraseFromParent();
}

/// The vectoriser bridges gaps by masks that are known: a load reads the gap as
/// well, as the machine does, and a store becomes one per element.
void expandKnownMask(IntrinsicInst &Access) {
  IRBuilder<> B(&Access);
  bool IsLoad = Access.getIntrinsicID() == Intrinsic::masked_load;
  Value *Pointer = Access.getArgOperand(IsLoad ? 0 : 1);
  auto *Mask = cast<Constant>(Access.getArgOperand(IsLoad ? 1 : 2));
  Align Alignment = Access.getParamAlign(IsLoad ? 0 : 1).valueOrOne();
  if (IsLoad) {
    LoadInst *Load = B.CreateAlignedLoad(Access.getType(), Pointer, Alignment);
    Load->copyMetadata(Access);
    Access.replaceAllUsesWith(
        isa<PoisonValue>(Access.getArgOperand(2))
            ? Load
            : B.CreateSelect(Mask, Load, Access.getArgOperand(2)));
  } else {
    Value *Stored = Access.getArgOperand(0);
    auto *Vector = cast<FixedVectorType>(Stored->getType());
    const DataLayout &DL = Access.getDataLayout();
    uint64_t Size = DL.getTypeStoreSize(Vector->getElementType());
    for (unsigned N = 0; N != Vector->getNumElements(); ++N)
      if (Mask->getAggregateElement(N)->isOneValue())
        B.CreateAlignedStore(
            B.CreateExtractElement(Stored, N),
            B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Pointer, N * Size),
            commonAlignment(Alignment, N * Size));
  }
  Access.eraseFromParent();
}

bool hasKnownMask(const IntrinsicInst &I) {
  return (I.getIntrinsicID() == Intrinsic::masked_load &&
          isa<Constant>(I.getArgOperand(1))) ||
         (I.getIntrinsicID() == Intrinsic::masked_store &&
          isa<Constant>(I.getArgOperand(2)));
}

constexpr StringLiteral ExitAssembly = "exit;";

bool isExitAssembly(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call || !Call->isInlineAsm())
    return false;
  return cast<InlineAsm>(Call->getCalledOperand())->getAsmString() ==
         ExitAssembly;
}

/// Undoes what an engine could not execute; emitPTX does it again.
void makeExecutable(Function &F, const TargetTransformInfo &TTI) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (isExitAssembly(I)) {
      I.eraseFromParent();
    } else if (auto *Wrap = dyn_cast<IntrinsicInst>(&I);
               Wrap && Wrap->getIntrinsicID() ==
                           Intrinsic::nvvm_internal_addrspace_wrap) {
      IRBuilder<> B(Wrap);
      Wrap->replaceAllUsesWith(
          B.CreateAddrSpaceCast(Wrap->getArgOperand(0), Wrap->getType()));
      Wrap->eraseFromParent();
    }
  }
  SmallVector<MemCpyInst *, 4> Copies;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      Copies.push_back(Copy);
    else if (auto *Access = dyn_cast<IntrinsicInst>(&I);
             Access && hasKnownMask(*Access))
      expandKnownMask(*Access);
  for (MemCpyInst *Copy : Copies)
    expandCopy(Copy, TTI);
}

/// Strength reduction lets a counter of 64 bits stand for one of 32 in the test
/// of a loop, cut to 32 bits. Where the counter runs from one constant to
/// another the whole of it is tested instead: ptxas unrolls no loop whose test
/// reads a part of the counter.
void testWholeCounters(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Test = dyn_cast<ICmpInst>(&I);
    Instruction *Sum;
    Value *Old;
    const APInt *Bound, *Step;
    if (!Test || !Test->isEquality() ||
        !match(Test, m_ICmp(m_Trunc(m_Instruction(Sum)), m_APInt(Bound))) ||
        !match(Sum, m_Add(m_Value(Old), m_APInt(Step))))
      continue;
    const auto *Counter = dyn_cast<PHINode>(Old);
    if (!Counter || Counter->getNumIncomingValues() != 2)
      continue;
    const int Own = Counter->getBasicBlockIndex(Sum->getParent());
    const auto *Start =
        dyn_cast<ConstantInt>(Counter->getIncomingValue(Own == 0 ? 1 : 0));
    if (Own < 0 || Counter->getIncomingValue(Own) != Sum || !Start ||
        Start->getValue().getActiveBits() >= 32 || Step->getActiveBits() >= 32)
      continue;
    const APInt Last = Bound->zext(Sum->getType()->getScalarSizeInBits());
    const APInt Way = Last - Start->getValue();
    if (!Bound->isNonNegative() || !Way.isStrictlyPositive() ||
        Step->isZero() || !Way.urem(*Step).isZero())
      continue;
    IRBuilder<> B(Test);
    Value *Cut = Test->getOperand(0);
    Test->replaceAllUsesWith(B.CreateICmp(
        Test->getPredicate(), Sum, ConstantInt::get(Sum->getType(), Last)));
    Test->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Cut);
  }
}

/// The form of a byval argument's address that is selected as its symbol.
void wrapParameters(Function &F) {
  for (Argument &Arg : F.args()) {
    if (!Arg.hasByValAttr())
      continue;
    for (User *U : make_early_inc_range(Arg.users())) {
      auto *Cast = dyn_cast<AddrSpaceCastInst>(U);
      if (!Cast || Cast->getDestAddressSpace() != NVPTXAS::ADDRESS_SPACE_PARAM)
        continue;
      IRBuilder<> B(Cast);
      Cast->replaceAllUsesWith(
          B.CreateIntrinsic(Intrinsic::nvvm_internal_addrspace_wrap,
                            {Cast->getType(), Arg.getType()}, {&Arg}));
      Cast->eraseFromParent();
    }
  }
}

/// A PTX block ends in a branch or an exit; unreachable must too.
void addExits(Function &F) {
  for (BasicBlock &Block : F)
    if (isa<UnreachableInst>(Block.getTerminator())) {
      IRBuilder<> B(Block.getTerminator());
      auto *Ty = FunctionType::get(B.getVoidTy(), false);
      B.CreateCall(Ty, InlineAsm::get(Ty, ExitAssembly, "", true));
    }
}

} // namespace

Error runBackEndIRPasses(Module &M, StringRef Arch) {
  Error E =
      runCodeGen(M, Arch,
                 [](TargetMachine &TM, legacy::PassManager &PM,
                    TargetPassConfig &Config, MachineModuleInfoWrapperPass &) {
                   // As TargetPassConfig::addISelPasses does, which goes on to
                   // select.
                   PM.add(createPreISelIntrinsicLoweringPass());
                   PM.add(createExpandIRInstsPass(TM.getOptLevel()));
                   Config.addIRPasses();
                   Config.addCodeGenPrepare();
                   return Error::success();
                 });
  if (E)
    return E;
  auto TM = createTargetMachine(M, Arch);
  if (!TM)
    return TM.takeError();
  for (Function &F : M)
    if (!F.isDeclaration()) {
      makeExecutable(F, (*TM)->getTargetTransformInfo(F));
      testWholeCounters(F);
    }
  return Error::success();
}

/// The passes that cannot work on virtual registers after what stands for
/// register allocation. NVPTX drops them while it adds its IR passes, which
/// are not added here.
static void disablePhysicalRegisterPasses(TargetPassConfig &Config) {
  for (AnalysisID Pass :
       {&PrologEpilogCodeInserterID, &MachineLateInstrsCleanupID,
        &MachineCopyPropagationID, &TailDuplicateLegacyID, &StackMapLivenessID,
        &PostRAMachineSinkingID, &PostRASchedulerID, &FuncletLayoutID,
        &PatchableFunctionID, &ShrinkWrapID, &RemoveLoadsIntoFakeUsesID})
    Config.disablePass(Pass);
}

Expected<std::string> emitPTX(Module &M, StringRef Arch,
                              std::unique_ptr<FunctionPass> LastPass) {
  for (Function &F : M)
    if (!F.isDeclaration()) {
      wrapParameters(F);
      addExits(F);
    }
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  Error E = runCodeGen(
      M, Arch,
      [&](TargetMachine &TM, legacy::PassManager &PM, TargetPassConfig &Config,
          MachineModuleInfoWrapperPass &MMI) -> Error {
        disablePhysicalRegisterPasses(Config);
        Config.addISelPrepare();
        if ((Config.*(&PassConfigAccess::addCoreISelPasses))())
          return createStringError("no instruction selector for this target");
        Config.addMachinePasses();
        if (LastPass)
          PM.add(LastPass.release());
        auto &Target = static_cast<CodeGenTargetMachineImpl &>(TM);
        if (Target.addAsmPrinter(PM, OS, nullptr, CodeGenFileType::AssemblyFile,
                                 MMI.getMMI().getContext()))
          return createStringError("no PTX printer for this target");
        PM.add(createFreeMachineFunctionPass());
        return Error::success();
      });
  if (E)
    return std::move(E);
  return std::string(Text);
}

/// roundf() as nvcc 13.0 writes it: a half of the same sign is added towards
/// zero, and what is behind the point goes. LLVM's own form, for targets that
/// round to nearest only, takes twice as many instructions.
static Value *roundAwayFromZero(IRBuilder<> &B, Value *X) {
  Value *Half = B.CreateCopySign(ConstantFP::get(X->getType(), 0.5), X);
  Value *Sum =
      B.CreateIntrinsic(X->getType()->isDoubleTy() ? Intrinsic::nvvm_add_rz_d
                                                   : Intrinsic::nvvm_add_rz_f,
                        {}, {X, Half});
  return B.CreateUnaryIntrinsic(Intrinsic::trunc, Sum);
}

/// As assembly, which no pass merges.
static void selectOwnConversion(FPExtInst &I) {
  IRBuilder<> B(&I);
  Value *Bits = B.CreateBitCast(I.getOperand(0), B.getInt16Ty());
  auto *Type = FunctionType::get(I.getType(), {Bits->getType()}, false);
  CallInst *Asm = B.CreateCall(
      InlineAsm::get(Type, "cvt.f32.f16 $0, $1;", "=f,h", false), {Bits});
  Asm->setDoesNotAccessMemory();
  Asm->setDoesNotThrow();
  I.replaceAllUsesWith(Asm);
  I.eraseFromParent();
}

void selectFunctions(Function &F) {
  const bool Flush = wantsNoDenormals(F);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Conversion = dyn_cast<FPExtInst>(&I);
        Conversion && Conversion->hasMetadata(OwnConversion))
      selectOwnConversion(*Conversion);
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call)
      continue;
    IRBuilder<> B(Call);
    Value *New = nullptr;
    const Intrinsic::ID Function = Call->getIntrinsicID();
    const Type *Ty = Call->getType();
    if (Function == Intrinsic::log2 && Call->hasApproxFunc() && Ty->isFloatTy())
      New = B.CreateIntrinsic(Flush ? Intrinsic::nvvm_lg2_approx_ftz_f
                                    : Intrinsic::nvvm_lg2_approx_f,
                              {}, {Call->getArgOperand(0)});
    else if (Function == Intrinsic::nvvm_rsqrt_approx_f && Flush)
      New = B.CreateIntrinsic(Intrinsic::nvvm_rsqrt_approx_ftz_f, {},
                              {Call->getArgOperand(0)});
    else if (Function == Intrinsic::round &&
             (Ty->isFloatTy() || Ty->isDoubleTy()))
      New = roundAwayFromZero(B, Call->getArgOperand(0));
    if (!New)
      continue;
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
}

} // namespace heddle
