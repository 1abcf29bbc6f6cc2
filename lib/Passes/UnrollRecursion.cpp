//===- UnrollRecursion.cpp - Recursion written out ------------------------===//
//
// Kernels are one function each. Recursion is written out to a depth that a
// kernel can hold; what lies beyond is a call of heddle.refused.recursion,
// where execution stops with the reason.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <deque>

using namespace llvm;

namespace heddle {

/// How far recursion is written out: calls in a row, and instructions that it
/// may add to a kernel.
static constexpr unsigned MaxDepth = 16;
static constexpr unsigned MaxAdded = 16384;

/// Writes out the calls of \p Kernel to functions that are still there, one
/// level after the other.
static bool unrollRecursion(Function &Kernel) {
  struct Site {
    CallBase *Call;
    unsigned Depth;
  };
  std::deque<Site> Sites;
  auto HasBody = [](const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    return Callee && !Callee->isDeclaration();
  };
  for (Instruction &I : instructions(Kernel))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && HasBody(*Call))
      Sites.push_back({Call, 1});
  bool Found = !Sites.empty();
  unsigned Added = 0;
  for (; !Sites.empty(); Sites.pop_front()) {
    auto [Call, Depth] = Sites.front();
    unsigned Size = Call->getCalledFunction()->getInstructionCount();
    InlineFunctionInfo Info;
    if (Depth > MaxDepth || (Added && Added + Size > MaxAdded) ||
        !InlineFunction(*Call, Info).isSuccess()) {
      refuseCall(*Call, "recursion", "recurses deeper than is written out");
      continue;
    }
    Added += Size;
    for (CallBase *Inner : Info.InlinedCallSites)
      if (HasBody(*Inner))
        Sites.push_back({Inner, Depth + 1});
  }
  return Found;
}

PreservedAnalyses UnrollRecursionPass::run(Module &M, ModuleAnalysisManager &) {
  bool Found = false;
  for (Function &F : M)
    if (isKernel(F))
      Found |= unrollRecursion(F);
  return preserved(Found);
}

} // namespace heddle
