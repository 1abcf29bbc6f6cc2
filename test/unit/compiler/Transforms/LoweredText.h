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
  explicit LoweredText(const std::string &Text, bool Counters = false)
      : Target(host()->createTargetMachine(
            Triple, "x86-64-v4", "+avx512f,+avx512vl", {}, llvm::Reloc::PIC_)) {
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
  static bool hasHost() { return host(); }
  llvm::Function &function() const {
    return *Warp.Module->getFunction(Warp.FunctionName);
  }

private:
  static const llvm::Target *host() {
    llvm::InitializeNativeTarget();
    std::string Error;
    return llvm::TargetRegistry::lookupTarget(Triple, Error);
  }

  inline static const llvm::Triple Triple{"x86_64-pc-linux-gnu"};
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::TargetMachine> Target;
  std::unique_ptr<llvm::Module> Kernel;
  LoweredWarp Warp;
};

/// For tests of lowered text.
class LoweringTest : public testing::Test {
protected:
  void SetUp() override {
    if (!LoweredText::hasHost())
      GTEST_SKIP() << "no code for x86 with AVX-512";
  }
};

} // namespace heddle::test

#endif // HEDDLE_TEST_UNIT_COMPILER_TRANSFORMS_LOWEREDTEXT_H
