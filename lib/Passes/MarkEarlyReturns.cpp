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

#include "heddle/Analysis/DivergencePolicy.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

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
    Callee->setOnlyAccessesInaccessibleMemory();
    Callee->setDoesNotThrow();
    Callee->setWillReturn();
    // The number keeps blocks apart that are else the same.
    Builder.CreateCall(Mark, Builder.getInt32(Number++))
        ->addFnAttr(Attribute::NoMerge);
  }
  return Number;
}

PreservedAnalyses MarkEarlyReturnsPass::run(Module &M,
                                            ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel)
      Changed |= markEarlyReturns(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace heddle
