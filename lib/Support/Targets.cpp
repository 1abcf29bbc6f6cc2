//===- Targets.cpp - LLVM's back ends, made known once --------------------===//

#include "heddle/Support/Targets.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

// Debian's archives of LLVM ask for Polly; Heddle runs none of its passes.
// Beside LLVM's shared libraries this one is hidden.
llvm::PassPluginLibraryInfo getPollyPluginInfo();
[[gnu::visibility("hidden")]] llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "polly", "none", [](llvm::PassBuilder &) {},
          nullptr};
}

void heddle::registerTargets() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
heddle::createNVPTXMachine(const llvm::Triple &T, llvm::StringRef Arch,
                           const llvm::TargetOptions &Options,
                           llvm::CodeGenOptLevel Level) {
  registerTargets();
  std::string Message;
  const llvm::Target *NVPTX = llvm::TargetRegistry::lookupTarget(T, Message);
  if (!NVPTX)
    return llvm::createStringError(Message);
  // A target machine for an unknown one prints to standard error.
  std::unique_ptr<llvm::MCSubtargetInfo> Known(
      NVPTX->createMCSubtargetInfo(T, "", ""));
  if (!Known || !Known->isCPUStringValid(Arch))
    return llvm::createStringError("unknown architecture '" + Arch +
                                   "'; use sm_NN, for example sm_70");
  return std::unique_ptr<llvm::TargetMachine>(NVPTX->createTargetMachine(
      T, Arch, "+ptx88", Options, std::nullopt, std::nullopt, Level));
}
