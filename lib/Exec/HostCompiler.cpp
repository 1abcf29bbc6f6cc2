//===- HostCompiler.cpp - From host IR to running code --------------------===//

#include "HostCompiler.h"

#include "CodeCache.h"
#include "heddle/Support/Targets.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace llvm;

namespace heddle {

Expected<std::unique_ptr<TargetMachine>>
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

/// The object file of \p M, which is changed.
static Expected<SmallVector<char, 0>> objectOf(Module &M,
                                               TargetMachine &Target) {
  if (Error E = optimise(M, Target))
    return E;
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
     << Pipeline << '\0';
  WriteBitcodeToFile(M, OS);
  const XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Text));
  return utohexstr(Hash.high64, /*LowerCase=*/true, 16) +
         utohexstr(Hash.low64, /*LowerCase=*/true, 16);
}

Expected<std::unique_ptr<HostCode>> compileForHost(Module &M,
                                                   TargetMachine &Target) {
  const CodeCache Cache;
  const std::string Key = keyOf(M, Target);
  SmallVector<char, 0> Object;
  if (auto Kept = Cache.find(Key)) {
    Object = std::move(*Kept);
  } else {
    if (Error E = objectOf(M, Target).moveInto(Object))
      return E;
    Cache.keep(Key, Object);
  }
  // ORC links the object; the module stays in the caller's context.
  auto JIT = orc::LLJITBuilder().create();
  if (!JIT)
    return JIT.takeError();
  if (Error E = (*JIT)->addObjectFile(std::make_unique<SmallVectorMemoryBuffer>(
          std::move(Object), "heddle.warp", false)))
    return E;
  return std::make_unique<LinkedCode>(std::move(*JIT));
}

} // namespace heddle
