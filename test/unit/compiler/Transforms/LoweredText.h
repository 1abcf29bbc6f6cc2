//===- LoweredText.h - Lowers hand-written IR to a warp ---------*- C++ -*-===//

#ifndef HEDDLE_TEST_UNIT_COMPILER_TRANSFORMS_LOWEREDTEXT_H
#define HEDDLE_TEST_UNIT_COMPILER_TRANSFORMS_LOWEREDTEXT_H

#include "heddle/Transforms/WarpLowering.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

namespace heddle::test {

/// Kernel `@k` of a text without target, as code for a host with AVX-512.
class LoweredText {
public:
  explicit LoweredText(const std::string &Text, bool Counters = false) {
    llvm::InitializeNativeTarget();
    std::string Error;
    llvm::Triple Triple("x86_64-pc-linux-gnu");
    const llvm::Target *Host =
        llvm::TargetRegistry::lookupTarget(Triple, Error);
    if (!Host)
      return;
    Target.reset(Host->createTargetMachine(
        Triple, "x86-64-v4", "+avx512f,+avx512vl", {}, llvm::Reloc::PIC_));
    llvm::SMDiagnostic Diagnostic;
    Kernel = llvm::parseAssemblyString(
        "target triple = \"nvptx64-nvidia-cuda\"\n" + Text, Diagnostic,
        Context);
    EXPECT_TRUE(Kernel) << Diagnostic.getMessage().str();
    WarpLoweringOptions Options;
    Options.Counters = Counters;
    Options.BlockDim = {32, 1, 1};
    Options.Target = Target.get();
    Options.ParamOffset = [](const llvm::Argument &A) {
      return 8 * A.getArgNo();
    };
    auto Lowered = lowerToWarp(*Kernel->getFunction("k"), Options);
    EXPECT_TRUE(bool(Lowered)) << llvm::toString(Lowered.takeError());
    Warp = std::move(*Lowered);
  }

  /// False where LLVM cannot make code for such a host.
  bool hasHost() const { return Target != nullptr; }
  llvm::Function &function() const {
    return *Warp.Module->getFunction(Warp.FunctionName);
  }

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::TargetMachine> Target;
  std::unique_ptr<llvm::Module> Kernel;
  LoweredWarp Warp;
};

} // namespace heddle::test

#endif // HEDDLE_TEST_UNIT_COMPILER_TRANSFORMS_LOWEREDTEXT_H
