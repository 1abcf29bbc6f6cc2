//===- HoldMathCalls.cpp - Math functions only where they are called ------===//
//
//   if (gap > 0)
//     nearest = min(nearest, along - sqrtf(gap));
//
// LLVM computes the root for all lanes and selects. To nvcc 12.4 and 13.0
// functions of floats are calls, which stay under their condition: roots,
// exponentials, fmaf(), fmaxf() and even fabsf(). Sums, products, conversions
// and functions of integers do not.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

static bool isMathFunction(const Function &F) {
  return F.isIntrinsic() && F.getIntrinsicID() != Intrinsic::fmuladd &&
         F.getReturnType()->isFPOrFPVectorTy() && F.arg_size() != 0 &&
         F.getArg(0)->getType()->isFPOrFPVectorTy();
}

PreservedAnalyses HoldMathCallsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    if (isMathFunction(F) && F.hasFnAttribute(Attribute::Speculatable)) {
      F.removeFnAttr(Attribute::Speculatable);
      Changed = true;
    }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
