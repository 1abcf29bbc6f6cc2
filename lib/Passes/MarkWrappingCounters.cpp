//===- MarkWrappingCounters.cpp - Counters that the source lets wrap ------===//
//
//   for (int i = threadIdx.x; i < 256; i += blockDim.x)
//
// The sum is unsigned in C++ and may wrap. LLVM finds from the largest block
// that it does not and counts the iterations; nvcc does not, and leaves such
// loops as they are. Once optimised, this loop looks like one with int
// counters.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace heddle {

/// Whether \p I is a sum, or the lower half of one, that may wrap.
static bool wraps(const Instruction &I) {
  const auto *Sum = dyn_cast<OverflowingBinaryOperator>(&I);
  return isa<TruncInst>(I) ||
         (Sum && !Sum->hasNoSignedWrap() && !Sum->hasNoUnsignedWrap());
}

/// Whether the source lets a counter of \p L wrap that decides about its end.
static bool mayWrap(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  auto Decides = [&](const Value *V) {
    return any_of(V->users(), [&](const User *U) {
      const auto *Test = dyn_cast<ICmpInst>(U);
      return Test && is_contained(Exiting, Test->getParent());
    });
  };
  return any_of(L.getHeader()->phis(), [&](const PHINode &Counter) {
    return any_of(Counter.incoming_values(), [&](const Use &U) {
      const auto *Next = dyn_cast<Instruction>(U);
      return Next && L.contains(Next) && wraps(*Next) &&
             (Decides(&Counter) || Decides(Next));
    });
  });
}

PreservedAnalyses MarkWrappingCountersPass::run(Function &F,
                                                FunctionAnalysisManager &FAM) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    if (mayWrap(*L)) {
      addStringMetadataToLoop(L, WrappingCounter.data(), 1);
      Changed = true;
    }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
