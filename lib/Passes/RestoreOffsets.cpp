//===- RestoreOffsets.cpp - Sums that LLVM made an "or" -------------------===//
//
//   y = threadIdx.x / 16 * 4;  a[y] + a[y + 3]
//
// LLVM knows that the low two bits of y are zero and makes of y + 3 what does
// not need them to be: threadIdx.x / 4 | 3. What lies three words behind a[y]
// has no address in common with it any more, and is loaded alone. nvcc keeps
// the sum.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

namespace {

/// X | Mask, with all low bits set.
struct LowBitsSet {
  Instruction *Or;
  Value *X;
  APInt Mask;
};

} // namespace

static SmallVector<LowBitsSet, 4> findCandidates(Function &F) {
  SmallVector<LowBitsSet, 4> Found;
  for (Instruction &I : instructions(F)) {
    Value *X = nullptr;
    const APInt *Mask = nullptr;
    if (match(&I, m_Or(m_Value(X), m_LowBitMask(Mask))) &&
        !cast<PossiblyDisjointInst>(I).isDisjoint())
      Found.push_back({&I, X, *Mask});
  }
  return Found;
}

/// \p X without the low bits of \p Mask.
static const SCEV *baseOf(ScalarEvolution &SE, Value *X, const APInt &Mask) {
  const SCEV *Multiple = SE.getConstant(Mask + 1);
  return SE.getMulExpr(SE.getUDivExpr(SE.getSCEV(X), Multiple), Multiple);
}

PreservedAnalyses RestoreOffsetsPass::run(Function &F,
                                          FunctionAnalysisManager &FAM) {
  const SmallVector<LowBitsSet, 4> Candidates = findCandidates(F);
  if (Candidates.empty())
    return PreservedAnalyses::all();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  DenseSet<const SCEV *> Computed;
  for (Instruction &I : instructions(F))
    if (I.getType()->isIntegerTy())
      Computed.insert(SE.getSCEV(&I));
  bool Changed = false;
  for (const auto &[Or, X, Mask] : Candidates) {
    if (!Computed.contains(baseOf(SE, X, Mask)))
      continue;
    IRBuilder<> Builder(Or);
    Value *Base = Builder.CreateAnd(X, ~Mask);
    Or->replaceAllUsesWith(
        Builder.CreateOr(Base, ConstantInt::get(Or->getType(), Mask), "",
                         /*IsDisjoint=*/true));
    SE.forgetValue(Or);
    Or->eraseFromParent();
    Changed = true;
  }
  return preserved(Changed);
}

} // namespace heddle
