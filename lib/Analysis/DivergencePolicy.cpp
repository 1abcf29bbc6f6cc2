//===- DivergencePolicy.cpp - Who runs first, and where lanes meet --------===//

#include "heddle/Analysis/DivergencePolicy.h"

#include "heddle/Analysis/Barriers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace heddle {

/// On a branch: the number of its leaving side.
static constexpr StringLiteral LeavingMark = "heddle.leaving";

using BlockSet = SmallSetVector<const BasicBlock *, 16>;

/// Blocks from which a barrier may be reached.
static BlockSet blocksBeforeBarriers(const Function &F) {
  BlockSet Blocks;
  for (const BasicBlock &B : F)
    if (any_of(B, isBarrier))
      Blocks.insert(&B);
  for (unsigned N = 0; N < Blocks.size(); ++N)
    Blocks.insert_range(predecessors(Blocks[N]));
  return Blocks;
}

static bool hasEffect(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return !isa<PHINode>(I) && !I.isTerminator() &&
         !(Call && Call->isAssumeLikeIntrinsic());
}

bool onlyReturns(const BasicBlock *B) {
  SmallPtrSet<const BasicBlock *, 4> Seen;
  while (B && Seen.insert(B).second && none_of(*B, hasEffect)) {
    if (isa<ReturnInst>(B->getTerminator()))
      return true;
    B = B->getSingleSuccessor();
  }
  return false;
}

DivergencePolicy::DivergencePolicy(const Function &Kernel) {
  PostDominatorTree PDT(const_cast<Function &>(Kernel));
  const BlockSet Before = blocksBeforeBarriers(Kernel);
  for (const BasicBlock &B : Kernel) {
    const auto *Node = PDT.getNode(&B);
    const auto *Up = Node ? Node->getIDom() : nullptr;
    const BasicBlock *&Join = Joins[&B] = Up ? Up->getBlock() : nullptr;
    const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    if (const MDNode *Mark = Branch->getMetadata(LeavingMark))
      Leaving[&B] =
          mdconst::extract<ConstantInt>(Mark->getOperand(0))->getZExtValue();
    else if (const bool First = Before.contains(Branch->getSuccessor(0));
             First != Before.contains(Branch->getSuccessor(1)) &&
             (!Join || onlyReturns(Join)))
      Leaving[&B] = First ? 1 : 0;
    if (Leaving.contains(&B))
      Join = nullptr;
  }
}

void fixLeavingSides(Function &Kernel) {
  DivergencePolicy Policy(Kernel);
  Type *Int = Type::getInt32Ty(Kernel.getContext());
  for (BasicBlock &B : Kernel)
    if (int Side = Policy.leavingSide(&B); Side >= 0)
      B.getTerminator()->setMetadata(
          LeavingMark,
          MDNode::get(Kernel.getContext(),
                      ConstantAsMetadata::get(ConstantInt::get(Int, Side))));
}

} // namespace heddle
