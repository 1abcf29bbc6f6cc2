//===- MergeConditions.cpp - One branch for two cheap conditions ----------===//
//
//   if (x < width && y + 8 < height)
//
// nvcc computes the second condition in any case and branches once. LLVM does
// so only where it has hardly anything to compute, and nothing of it is used
// later. Measured with CUDA 12.4 and 13.0: up to four operations and the
// compare are computed ahead, of integers and floats alike, but no divisions,
// loads or calls.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace heddle {

static constexpr unsigned MostAhead = 4; ///< instructions beside the compare

static bool readsRegister(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getCalledFunction()->getName().starts_with(
                     "llvm.nvvm.read.ptx.sreg.");
}

static bool isDivision(const Instruction &I) {
  return I.isIntDivRem() || I.getOpcode() == Instruction::FDiv ||
         I.getOpcode() == Instruction::FRem;
}

/// What \p Block computes beside its condition, which is all that it does, or
/// nothing if it is too much to compute it ahead.
static std::optional<SmallVector<Instruction *, MostAhead>>
computed(BasicBlock &Block, const Instruction &Condition) {
  SmallVector<Instruction *, MostAhead> Found;
  for (Instruction &I : Block) {
    if (&I == &Condition || I.isTerminator())
      continue;
    if (isa<PHINode>(I) || (isa<CallBase>(I) && !readsRegister(I)) ||
        isDivision(I) || I.mayReadOrWriteMemory() ||
        !isSafeToSpeculativelyExecute(&I) || Found.size() == MostAhead)
      return std::nullopt;
    Found.push_back(&I);
  }
  return Found;
}

/// Whether a way into \p Block brings the same from \p A as from \p B.
static bool bringsTheSame(const BasicBlock &Block, const BasicBlock *A,
                          const BasicBlock *B) {
  return all_of(Block.phis(), [&](const PHINode &P) {
    return P.getIncomingValueForBlock(A) == P.getIncomingValueForBlock(B);
  });
}

/// Lets the block in front of \p Block decide for both.
static bool mergeUpwards(BasicBlock &Block, const TargetTransformInfo &TTI) {
  auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  BasicBlock *Above = Block.getSinglePredecessor();
  if (!Branch || !Branch->isConditional() || !Above || Above == &Block)
    return false;
  auto *First = dyn_cast<BranchInst>(Above->getTerminator());
  auto *Condition = dyn_cast<CmpInst>(Branch->getCondition());
  if (!First || !First->isConditional() || !Condition ||
      Condition->getParent() != &Block || !Condition->hasOneUse() ||
      First->getSuccessor(0) == First->getSuccessor(1))
    return false;
  BasicBlock *Other = First->getSuccessor(First->getSuccessor(0) == &Block);
  if (!is_contained(successors(&Block), Other) ||
      !bringsTheSame(*Other, Above, &Block))
    return false;
  const auto Ahead = computed(Block, *Condition);
  if (!Ahead)
    return false;
  for (Instruction *I : *Ahead) {
    I->moveBefore(First->getIterator());
    I->dropUBImplyingAttrsAndMetadata();
  }
  return foldBranchToCommonDest(Branch, nullptr, nullptr, &TTI) ||
         !Ahead->empty();
}

PreservedAnalyses MergeConditionsPass::run(Function &F,
                                           FunctionAnalysisManager &FAM) {
  const auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  bool Changed = false, Merged = true;
  while (Merged) { // what was merged may merge with what is above
    Merged = false;
    for (BasicBlock &Block : make_early_inc_range(F))
      Merged |= mergeUpwards(Block, TTI);
    Changed |= Merged;
  }
  return preserved(Changed);
}

} // namespace heddle
