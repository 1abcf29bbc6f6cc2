//===- JITEngine.cpp - WarpLowering and ORC -------------------------------===//

#include "heddle/Exec/Engine.h"
#include "heddle/Exec/KernelLayout.h"
#include "heddle/Transforms/WarpLowering.h"

#include "heddle/ABI/PerThread.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/Analysis/PollingLoops.h"
#include "heddle/Analysis/WorkLoops.h"
#include "heddle/Support/CodeCache.h"
#include "heddle/Support/Targets.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

#include <map>
#include <memory>
#include <string>

using namespace llvm;

namespace heddle {

namespace {
/// Code in memory, executable as long as the object lives.
class HostCode {
public:
  virtual ~HostCode() = default;
  virtual llvm::Expected<void *> find(llvm::StringRef Symbol) = 0;
};
} // namespace

/// A target for this machine. \p MaxVectorBits below 512 leaves out AVX-512,
/// below 256 AVX and AVX2; 0 takes what there is.
static Expected<std::unique_ptr<TargetMachine>>
createHostTarget(unsigned MaxVectorBits) {
  registerTargets();
  orc::JITTargetMachineBuilder Builder{Triple(sys::getProcessTriple())};
  SubtargetFeatures Features;
  for (const auto &[Name, Has] : sys::getHostCPUFeatures()) {
    StringRef Feature = Name;
    bool TooWide =
        MaxVectorBits &&
        ((MaxVectorBits < 512 && Feature.starts_with("avx512")) ||
         (MaxVectorBits < 256 && (Feature.starts_with("avx") ||
                                  Feature == "fma" || Feature == "f16c")));
    Features.AddFeature(Feature, Has && !TooWide);
  }
  // The CPU's name would bring back what was left out.
  Builder.setCPU(MaxVectorBits ? "x86-64" : sys::getHostCPUName().str());
  Builder.addFeatures(Features.getFeatures());
  Builder.setRelocationModel(Reloc::PIC_);
  Builder.setCodeGenOptLevel(CodeGenOptLevel::Default);
  return Builder.createTargetMachine();
}

/// The same, made once for each thread: that takes as long as to link a kernel.
static Expected<TargetMachine *> hostTarget(unsigned MaxVectorBits) {
  using Targets = std::map<unsigned, std::unique_ptr<TargetMachine>>;
  std::unique_ptr<TargetMachine> &Target =
      perThread<Targets, TargetMachine>()[MaxVectorBits];
  if (!Target)
    if (Error E = createHostTarget(MaxVectorBits).moveInto(Target))
      return E;
  return Target.get();
}

/// The slots of the lowering become SSA values here, and what lanes share is
/// moved out of loops.
static constexpr char Pipeline[] =
    "function(sroa<preserve-cfg>,early-cse,instcombine<no-verify-fixpoint>,"
    "simplifycfg,early-cse<memssa>,loop-mssa(licm),"
    "instcombine<no-verify-fixpoint>,adce,simplifycfg)";

static Error optimise(Module &M, TargetMachine &Target) {
  PassBuilder PB(&Target);
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager MPM;
  if (Error E = PB.parsePassPipeline(MPM, Pipeline))
    return E;
  MPM.run(M, MAM);
  return Error::success();
}

namespace {

class LinkedCode : public HostCode {
public:
  explicit LinkedCode(std::unique_ptr<orc::LLJIT> JIT) : JIT(std::move(JIT)) {}
  Expected<void *> find(StringRef Symbol) override {
    Expected<orc::ExecutorAddr> Address = JIT->lookup(Symbol);
    if (!Address)
      return Address.takeError();
    return Address->toPtr<void *>();
  }

private:
  std::unique_ptr<orc::LLJIT> JIT;
};

} // namespace

/// Cuts blocks, so that none has many instructions: to order those of a block
/// takes time in the square of them.
static void splitBlocks(Function &F) {
  constexpr long Most = 100; // measured: 50 to 200 take about as long
  SmallVector<BasicBlock *> Work(make_pointer_range(F));
  while (!Work.empty()) {
    BasicBlock *B = Work.pop_back_val();
    const BasicBlock::iterator First = B->getFirstNonPHIOrDbgOrAlloca();
    if (std::distance(First, B->end()) >= 2 * Most)
      Work.push_back(B->splitBasicBlock(std::next(First, Most)));
  }
}

static void expandHalf(AtomicRMWInst *I) {
  BasicBlock *Before = I->getParent(), *After = SplitBlock(Before, I);
  BasicBlock *Loop =
      BasicBlock::Create(I->getContext(), "atomic", I->getFunction(), After);
  Before->getTerminator()->setSuccessor(0, Loop);
  IRBuilder<> B(Before->getTerminator());
  Type *Bits = B.getInt16Ty();
  Value *P = I->getPointerOperand();
  LoadInst *First = B.CreateAlignedLoad(Bits, P, I->getAlign());
  First->setAtomic(AtomicOrdering::Monotonic, I->getSyncScopeID());
  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(Bits, 2);
  Value *New = buildAtomicRMWValue(I->getOperation(), B,
                                   B.CreateBitCast(Old, I->getType()),
                                   I->getValOperand());
  Value *Swapped = B.CreateAtomicCmpXchg(
      P, Old, B.CreateBitCast(New, Bits), I->getAlign(), I->getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(I->getOrdering()),
      I->getSyncScopeID());
  Old->addIncoming(First, Before);
  Old->addIncoming(B.CreateExtractValue(Swapped, 0), Loop);
  B.CreateCondBr(B.CreateExtractValue(Swapped, 1), After, Loop);
  B.SetInsertPoint(I);
  I->replaceAllUsesWith(B.CreateBitCast(Old, I->getType()));
  I->eraseFromParent();
}

/// Replaces atomic operations on halves and bfloat16 in \p M by loops that
/// compare their bits. Those of LLVM's back end hold them as a number
/// meanwhile, which makes a quiet NaN of a signalling one: as memory never
/// equals that, such a loop never ends.
static void expandHalfAtomics(Module &M) {
  SmallVector<AtomicRMWInst *> Halves;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *RMW = dyn_cast<AtomicRMWInst>(&I);
          RMW && RMW->isFloatingPointOperation() &&
          RMW->getType()->getPrimitiveSizeInBits() == 16)
        Halves.push_back(RMW);
  for (AtomicRMWInst *I : Halves)
    expandHalf(I);
}

/// The object file of \p M, which is changed.
static Expected<SmallVector<char, 0>> objectOf(Module &M,
                                               TargetMachine &Target) {
  if (Error E = optimise(M, Target))
    return E;
  expandHalfAtomics(M);
  if (Target.getOptLevel() == CodeGenOptLevel::None)
    for (Function &F : M)
      splitBlocks(F);
  SmallVector<char, 0> Object;
  raw_svector_ostream OS(Object);
  legacy::PassManager Emit;
  if (Target.addPassesToEmitFile(Emit, OS, nullptr,
                                 CodeGenFileType::ObjectFile))
    return createStringError("no code can be generated for this machine");
  Emit.run(M);
  return Object;
}

/// Names all that decides the object file of \p M.
static std::string keyOf(const Module &M, const TargetMachine &Target) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << LLVM_VERSION_STRING << '\0' << Target.getTargetTriple().str() << '\0'
     << Target.getTargetCPU() << '\0' << Target.getTargetFeatureString() << '\0'
     << Pipeline << "expand-halves" << '\0' << int(Target.getOptLevel())
     << '\0';
  WriteBitcodeToFile(M, OS);
  return CodeCache::keyOf(Text);
}

/// Optimises \p M, compiles it and links it into this process, whose functions
/// \p HostFunctions it calls by their names. The context of
/// \p M stays with the caller.
static Expected<std::unique_ptr<HostCode>>
compileForHost(Module &M, const StringMap<const void *> &HostFunctions,
               TargetMachine &Target) {
  const CodeCache Cache;
  const std::string Key = Cache.keepsNothing() ? "" : keyOf(M, Target);
  SmallVector<char, 0> Object;
  if (auto Kept = Cache.find(Key)) {
    Object = std::move(*Kept);
  } else {
    if (Error E = objectOf(M, Target).moveInto(Object))
      return E;
    Cache.keep(Key, Object);
  }
  // ORC links the object; the module stays in the caller's context. It would
  // make targets of its own to ask for the data layout and to compile.
  auto NoCompiler = [](orc::JITTargetMachineBuilder)
      -> Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>> {
    return nullptr;
  };
  auto JIT = orc::LLJITBuilder()
                 .setDataLayout(Target.createDataLayout())
                 .setCompileFunctionCreator(NoCompiler)
                 .create();
  if (!JIT)
    return JIT.takeError();
  orc::SymbolMap Symbols;
  for (const auto &[Name, Address] : HostFunctions)
    Symbols[(*JIT)->mangleAndIntern(Name)] = {
        orc::ExecutorAddr::fromPtr(Address),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  if (Error E = (*JIT)->getMainJITDylib().define(
          orc::absoluteSymbols(std::move(Symbols))))
    return E;
  if (Error E = (*JIT)->addObjectFile(std::make_unique<SmallVectorMemoryBuffer>(
          std::move(Object), "heddle.warp", false)))
    return E;
  return std::make_unique<LinkedCode>(std::move(*JIT));
}

namespace {

class JITEngine : public Engine {
public:
  JITEngine(std::unique_ptr<HostCode> Code, const HeddleWarpKernel &K)
      : Code(std::move(Code)), Info(K) {}
  const HeddleWarpKernel &kernel() const override { return Info; }

private:
  std::unique_ptr<HostCode> Code;
  HeddleWarpKernel Info;
};

} // namespace

Expected<std::unique_ptr<Engine>>
createJITEngine(const Function &Kernel, const GlobalAddresses &Globals,
                const EngineOptions &Options) {
  if (Options.OnCheck)
    return createStringError("checked execution needs the interpreter");
  KernelLayout Layout(Kernel);
  auto Target = hostTarget(Options.MaxVectorBits);
  if (!Target)
    return Target.takeError();
  (*Target)->setOptLevel(Options.QuickHostCode ? CodeGenOptLevel::None
                                               : CodeGenOptLevel::Default);

  DenseMap<const Argument *, uint64_t> Params;
  for (const KernelLayout::Param &P : Layout.Params)
    Params[P.Arg] = P.Offset;
  WarpLoweringOptions Lowering;
  static_cast<WarpOptions &>(Lowering) = Options;
  Lowering.Target = *Target;
  Lowering.ParamOffset = [&](const Argument &A) { return Params.lookup(&A); };
  Lowering.LocalOffset = [&](const AllocaInst &A) {
    return Layout.Local.lookup(&A);
  };
  StringMap<uint64_t> Shared;
  for (auto [Variable, Offset] : Layout.Shared)
    Shared[Variable->getName()] = Offset;
  Lowering.GlobalAddress = [&](StringRef Name) {
    auto It = Shared.find(Name);
    return It != Shared.end() ? It->second : Globals.addressOf(Name);
  };
  Expected<LoweredWarp> Lowered = lowerToWarp(Kernel, Lowering);
  if (!Lowered)
    return Lowered.takeError();

  Expected<std::unique_ptr<HostCode>> Code =
      compileForHost(*Lowered->Module, Lowered->HostFunctions, **Target);
  if (!Code)
    return Code.takeError();
  Expected<void *> Run = (*Code)->find(Lowered->FunctionName);
  if (!Run)
    return Run.takeError();

  KernelNumbering Numbering(Kernel);
  HeddleWarpKernel Info = {};
  Info.Run = reinterpret_cast<HeddleWarpFunction>(*Run);
  Info.FrameBytes = Lowered->FrameBytes;
  Info.LocalBytes = Layout.LocalBytes;
  Info.StaticSharedBytes = Layout.StaticSharedBytes;
  Info.ParamBytes = Layout.ParamBytes;
  Info.NumBlocks = Numbering.numBlocks();
  Info.NumMemoryRecords = Numbering.memory().size();
  Info.HasGridBarrier = hasGridBarrier(Kernel);
  Info.SharesWork = sharesWork(Kernel);
  Info.WaitsForBlocks = waitsForBlocks(Kernel);
  Info.FlushesDenormals = flushesDenormals(Kernel);
  return std::make_unique<JITEngine>(std::move(*Code), Info);
}

} // namespace heddle
