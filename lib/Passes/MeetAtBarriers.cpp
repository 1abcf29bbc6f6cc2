//===- MeetAtBarriers.cpp - Lanes meet in front of a shared barrier -------===//
//
//   if (t == 0 && n != 2)
//     ...;
//   if (n == 1)
//     __syncthreads();
//
// The optimiser sends the lanes for which it knows the second condition past
// it, so that the first branch has a way around the barrier and its lanes would
// meet only behind it. A GPU makes the warp wait for its lanes at the barrier;
// here its lanes meet where the source says: LLVM's structurizer gives each
// part of the code one way in again.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/DivergencePolicy.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"

using namespace llvm;

namespace heddle {

using Blocks = SmallPtrSet<const BasicBlock *, 16>;

/// The blocks that lanes run from \p From on, before they meet at \p Join.
static Blocks reach(const BasicBlock *From, const BasicBlock *Join) {
  Blocks Seen;
  SmallVector<const BasicBlock *> Work = {From};
  while (!Work.empty()) {
    const BasicBlock *B = Work.pop_back_val();
    if (B != Join && Seen.insert(B).second)
      append_range(Work, successors(B));
  }
  return Seen;
}

/// Whether both sides of a branch whose lanes may part come to a barrier before
/// they meet.
static bool hasBarrierOfBothSides(const Function &F, const UniformityInfo &UI) {
  Blocks Barriers;
  for (const Instruction &I : instructions(F))
    if (isBarrier(I))
      Barriers.insert(I.getParent());
  if (Barriers.empty())
    return false;
  const DivergencePolicy Policy(F);
  for (const BasicBlock &B : F) {
    const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional() ||
        !UI.isDivergent(Branch->getCondition()) || Policy.leavingSide(&B) >= 0)
      continue;
    const BasicBlock *Join = Policy.join(&B);
    const Blocks One = reach(Branch->getSuccessor(0), Join),
                 Other = reach(Branch->getSuccessor(1), Join);
    // What runs again behind a loop's branch is reached by both sides, too.
    if (One.contains(&B) || Other.contains(&B))
      continue;
    if (any_of(Barriers, [&](const BasicBlock *At) {
          return One.contains(At) && Other.contains(At);
        }))
      return true;
  }
  return false;
}

PreservedAnalyses MeetAtBarriersPass::run(Function &F,
                                          FunctionAnalysisManager &AM) {
  if (F.getCallingConv() != CallingConv::PTX_Kernel ||
      !hasBarrierOfBothSides(F, AM.getResult<UniformityInfoAnalysis>(F)))
    return PreservedAnalyses::all();
  FixIrreduciblePass().run(F, AM);
  AM.invalidate(F, PreservedAnalyses::none());
  StructurizeCFGPass().run(F, AM);
  return PreservedAnalyses::none();
}

} // namespace heddle
