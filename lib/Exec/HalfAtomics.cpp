//===- HalfAtomics.cpp - Atomic operations on halves on the host ----------===//

#include "HalfAtomics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace heddle {

static void expand(AtomicRMWInst *I) {
  BasicBlock *Before = I->getParent(), *After = SplitBlock(Before, I);
  BasicBlock *Loop =
      BasicBlock::Create(I->getContext(), "atomic", I->getFunction(), After);
  Before->getTerminator()->setSuccessor(0, Loop);
  IRBuilder<> B(Before->getTerminator());
  Type *Bits = B.getInt16Ty();
  Value *P = I->getPointerOperand();
  LoadInst *First = B.CreateAlignedLoad(Bits, P, I->getAlign());
  First->setAtomic(AtomicOrdering::Monotonic, I->getSyncScopeID());
  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(Bits, 2);
  Value *New = buildAtomicRMWValue(I->getOperation(), B,
                                   B.CreateBitCast(Old, I->getType()),
                                   I->getValOperand());
  Value *Swapped = B.CreateAtomicCmpXchg(
      P, Old, B.CreateBitCast(New, Bits), I->getAlign(), I->getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(I->getOrdering()),
      I->getSyncScopeID());
  Old->addIncoming(First, Before);
  Old->addIncoming(B.CreateExtractValue(Swapped, 0), Loop);
  B.CreateCondBr(B.CreateExtractValue(Swapped, 1), After, Loop);
  B.SetInsertPoint(I);
  I->replaceAllUsesWith(B.CreateBitCast(Old, I->getType()));
  I->eraseFromParent();
}

void expandHalfAtomics(Module &M) {
  SmallVector<AtomicRMWInst *> Halves;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *RMW = dyn_cast<AtomicRMWInst>(&I);
          RMW && RMW->isFloatingPointOperation() &&
          RMW->getType()->getPrimitiveSizeInBits() == 16)
        Halves.push_back(RMW);
  for (AtomicRMWInst *I : Halves)
    expand(I);
}

} // namespace heddle
