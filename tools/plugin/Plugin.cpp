//===- Plugin.cpp - Heddle inside opt and Clang ---------------------------===//
//
// One shared object for both. It links nothing of LLVM: the program that loads
// it has it. Options come from the environment, which opt and Clang leave
// alone; docs/Plugin.md lists them.
//
//===----------------------------------------------------------------------===//

#include "MachineAdvisor.h"

#include "heddle/Passes/RegisterPasses.h"

#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

#include <cstdio>
#include <cstdlib>

static void registerAll(llvm::PassBuilder &PB) {
  unsigned Major = 0, Minor = 0, Patch = 0;
  LLVMGetVersion(&Major, &Minor, &Patch);
  if (Major != LLVM_VERSION_MAJOR) {
    // With C's own stream: nothing else of the other LLVM can be relied on.
    std::fprintf(stderr,
                 "error: heddle: this plugin is for LLVM %d, but LLVM %u.%u.%u "
                 "has loaded it; use opt-%d or clang-%d\n",
                 LLVM_VERSION_MAJOR, Major, Minor, Patch, LLVM_VERSION_MAJOR,
                 LLVM_VERSION_MAJOR);
    return;
  }
  heddle::AnalyzeOptions Options;
  if (const char *Arch = std::getenv("HEDDLE_ARCH"))
    Options.Arch = Arch;
  if (const char *Folder = std::getenv("HEDDLE_SAVE_DIR"))
    Options.SaveDir = Folder;
  const char *GPU = std::getenv("HEDDLE_GPU");
  const char *Launch = std::getenv("HEDDLE_LAUNCH");
  Options.Advisor =
      heddle::plugin::machineAdvisor(GPU ? GPU : "v100", Launch ? Launch : "");
  Options.Report = std::getenv("HEDDLE_REPORT") != nullptr;
  heddle::registerPasses(PB, Options, /*AtStart=*/true);
}

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", HEDDLE_VERSION, registerAll,
          nullptr};
}
