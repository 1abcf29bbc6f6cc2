//===- ExpandConstantExpressions.cpp - Operands without hidden arithmetic -===//

#include "Passes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

PreservedAnalyses
ExpandConstantExpressionsPass::run(Function &F, FunctionAnalysisManager &) {
  bool Changed = false;
  SmallVector<Instruction *, 32> Worklist;
  for (Instruction &I : instructions(F))
    Worklist.push_back(&I);
  while (!Worklist.empty()) {
    Instruction *I = Worklist.pop_back_val();
    auto *Phi = dyn_cast<PHINode>(I);
    for (unsigned N = 0; N < I->getNumOperands(); ++N) {
      auto *Expr = dyn_cast<ConstantExpr>(I->getOperand(N));
      if (!Expr)
        continue;
      Changed = true;
      Instruction *New = Expr->getAsInstruction();
      New->setDebugLoc(I->getDebugLoc());
      Instruction *Before = Phi ? Phi->getIncomingBlock(N)->getTerminator() : I;
      New->insertBefore(Before->getIterator());
      Worklist.push_back(New);
      // A phi must have one value per predecessor, however many edges.
      if (Phi)
        Phi->setIncomingValueForBlock(Phi->getIncomingBlock(N), New);
      else
        I->setOperand(N, New);
    }
  }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
