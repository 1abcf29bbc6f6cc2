//===- DropMarkers.cpp - No instruction that does nothing -----------------===//

#include "Passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {

static bool isMarker(const Instruction &I) {
  if (isAssemblyMark(I))
    return true;
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return false;
  if (Callee->getName() == EarlyReturnMark)
    return true;
  switch (Callee->getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
    return true;
  default:
    return false;
  }
}

PreservedAnalyses DropMarkersPass::run(Function &F, FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Changed |= I.hasDbgRecords();
    I.dropDbgRecords();
    if (!isMarker(I))
      continue;
    I.eraseFromParent();
    Changed = true;
  }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
