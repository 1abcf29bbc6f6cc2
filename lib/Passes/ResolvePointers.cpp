//===- ResolvePointers.cpp - Calls through pointers as plain calls --------===//
//
// Kernels are one function each, so what a call reaches must be known. A call
// through a pointer becomes a comparison of the pointer with every function of
// its type whose address is taken, virtual functions included. What lies beyond
// is a call of heddle.refused.*, where execution stops with the reason.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;

namespace heddle {

/// More functions than this behind one pointer are not told apart.
static constexpr size_t MaxTargets = 64;

/// The functions that a pointer of \p Call's type may point to.
static std::vector<Function *> targetsOf(CallBase &Call, Module &M) {
  std::vector<Function *> Targets;
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F) &&
        F.getFunctionType() == Call.getFunctionType() && F.hasAddressTaken() &&
        isLegalToPromote(Call, &F))
      Targets.push_back(&F);
  return Targets;
}

PreservedAnalyses ResolvePointersPass::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<CallBase *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall())
        Calls.push_back(Call);
  bool Found = false;
  for (CallBase *Call : Calls) {
    std::vector<Function *> Targets = targetsOf(*Call, M);
    if (Targets.size() > MaxTargets)
      diagnose(*Call->getFunction(), Call->getDebugLoc(), DS_Remark,
               "call through a pointer stays: it may reach " +
                   Twine(Targets.size()) + " functions, and " +
                   Twine(MaxTargets) + " are told apart");
    if (Targets.empty() || Targets.size() > MaxTargets)
      continue;
    for (Function *F : Targets)
      promoteCallWithIfThenElse(*Call, F);
    Found = true;
    refuseCall(*Call, OtherTarget,
               "calls through a pointer to none of the file's functions");
  }
  return preserved(Found);
}

} // namespace heddle
