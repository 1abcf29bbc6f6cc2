//===- MarkEarlyReturns.cpp - Paths that leave before a barrier stay apart ===//
//
//   if (t >= n) { out[t] = 0; return; }
//   __syncthreads();
//   out[t] = ...;
//
// The optimiser stores once, where both paths meet. Lanes that wait there have
// not returned, and a barrier that the others come to would never open. A call
// at the end of such paths that may not be merged with anything prevents it.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/DivergencePolicy.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace heddle {

/// Whether \p B only sorts the ways into it out again, as Clang writes the end
/// of a scope that returns leave: it branches on a phi of constants.
static bool sortsWays(const BasicBlock &B) {
  const Value *On = nullptr;
  if (const auto *Switch = dyn_cast<SwitchInst>(B.getTerminator()))
    On = Switch->getCondition();
  else if (const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
           Branch && Branch->isConditional())
    On = Branch->getCondition();
  if (const auto *Compare = dyn_cast_or_null<CmpInst>(On);
      Compare && isa<Constant>(Compare->getOperand(1)))
    On = Compare->getOperand(0);
  const auto *Phi = dyn_cast_or_null<PHINode>(On);
  return Phi && Phi->getParent() == &B &&
         any_of(Phi->incoming_values(),
                [](const Use &U) { return isa<ConstantInt>(U); });
}

static bool hasBarrier(const Function &F) {
  return any_of(instructions(F), isBarrier);
}

static bool markEarlyReturns(Function &Kernel) {
  DivergencePolicy Policy(Kernel);
  SmallSetVector<BasicBlock *, 16> Leaving;
  for (BasicBlock &B : Kernel)
    if (int Side = Policy.leavingSide(&B); Side >= 0)
      Leaving.insert(B.getTerminator()->getSuccessor(Side));
  for (unsigned N = 0; N < Leaving.size(); ++N)
    Leaving.insert_range(successors(Leaving[N]));
  unsigned Number = 0;
  for (BasicBlock *B : Leaving) {
    if (onlyReturns(B) || !onlyReturns(B->getSingleSuccessor()))
      continue;
    IRBuilder<> Builder(B->getTerminator());
    FunctionCallee Mark = Kernel.getParent()->getOrInsertFunction(
        EarlyReturnMark,
        FunctionType::get(Builder.getVoidTy(), Builder.getInt32Ty(), false));
    auto *Callee = cast<Function>(Mark.getCallee());
    // It seems to read what the path has stored, so stores stay before it.
    Callee->setMemoryEffects(MemoryEffects::readOnly() |
                             MemoryEffects::inaccessibleMemOnly());
    Callee->setDoesNotThrow();
    Callee->setWillReturn();
    // The number keeps blocks apart that are else the same.
    Builder.CreateCall(Mark, Builder.getInt32(Number++))
        ->addFnAttr(Attribute::NoMerge);
  }
  return Number;
}

PreservedAnalyses MarkEarlyReturnsPass::run(Module &M,
                                            ModuleAnalysisManager &AM) {
  bool Changed = false;
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (F.isDeclaration() || F.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    // A return inside of a loop leaves through such a block.
    if (hasBarrier(F) && any_of(F, sortsWays)) {
      SimplifyCFGPass().run(F, FAM);
      FAM.invalidate(F, PreservedAnalyses::none());
      Changed = true;
    }
    Changed |= markEarlyReturns(F);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace heddle
