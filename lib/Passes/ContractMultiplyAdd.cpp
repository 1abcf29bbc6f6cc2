//===- ContractMultiplyAdd.cpp - Fused multiply-add, once and for all -----===//
//
// The back end fuses a multiplication that allows it into every addition of
// the same block that uses it. Doing the same on IR lets every execution of
// the kernel round as the GPU does.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace heddle {

/// \p V before it went through a register, which a lifted kernel has as an
/// integer: what is cast there and back.
static Value *beforeRegister(Value *V) {
  const auto *Read = dyn_cast<BitCastInst>(V);
  const auto *Write =
      Read ? dyn_cast<BitCastInst>(Read->getOperand(0)) : nullptr;
  return Write && Write->getSrcTy() == V->getType() ? Write->getOperand(0) : V;
}

/// \p V as a multiplication in the block of \p User that may be fused.
static Instruction *contractableMul(Value *V, const Instruction &User) {
  auto *Mul = dyn_cast<BinaryOperator>(beforeRegister(V));
  if (!Mul || Mul->getOpcode() != Instruction::FMul ||
      !Mul->hasAllowContract() || Mul->getParent() != User.getParent())
    return nullptr;
  return Mul;
}

/// a * b + c, a * b - c or c - a * b in place of \p I, or null.
static Value *fuse(Instruction &I, SmallVectorImpl<WeakTrackingVH> &Dead) {
  bool IsAdd = I.getOpcode() == Instruction::FAdd;
  if ((!IsAdd && I.getOpcode() != Instruction::FSub) || !I.hasAllowContract() ||
      !(I.getType()->isFloatTy() || I.getType()->isDoubleTy() ||
        I.getType()->isHalfTy()))
    return nullptr;
  Value *Left = I.getOperand(0), *Right = I.getOperand(1);
  Instruction *LeftMul = contractableMul(Left, I);
  Instruction *RightMul = contractableMul(Right, I);
  // Of two, the one with fewer uses, as the back end's combiner does.
  if (LeftMul && RightMul && LeftMul->getNumUses() > RightMul->getNumUses())
    LeftMul = nullptr;
  IRBuilder<> Builder(&I);
  Builder.setFastMathFlags(I.getFastMathFlags());
  auto Fma = [&](Value *A, Value *B, Value *C) {
    return Builder.CreateIntrinsic(Intrinsic::fma, {I.getType()}, {A, B, C});
  };
  if (LeftMul) {
    Dead.push_back(Left);
    return Fma(LeftMul->getOperand(0), LeftMul->getOperand(1),
               IsAdd ? Right : Builder.CreateFNeg(Right));
  }
  if (RightMul) {
    Dead.push_back(Right);
    Value *A = RightMul->getOperand(0);
    return Fma(IsAdd ? A : Builder.CreateFNeg(A), RightMul->getOperand(1),
               Left);
  }
  return nullptr;
}

PreservedAnalyses ContractMultiplyAddPass::run(Function &F,
                                               FunctionAnalysisManager &) {
  bool Changed = false;
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *New = nullptr;
    if (auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && Call->getIntrinsicID() == Intrinsic::fmuladd) {
      IRBuilder<> Builder(Call);
      Builder.setFastMathFlags(Call->getFastMathFlags());
      New = Builder.CreateIntrinsic(Intrinsic::fma, {Call->getType()},
                                    {Call->getArgOperand(0),
                                     Call->getArgOperand(1),
                                     Call->getArgOperand(2)});
    } else {
      New = fuse(I, Dead);
    }
    if (!New)
      continue;
    New->takeName(&I);
    I.replaceAllUsesWith(New);
    I.eraseFromParent();
    Changed = true;
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  for (Instruction &I : instructions(F))
    if (isa<FPMathOperator>(I) && I.hasAllowContract()) {
      Changed = true;
      FastMathFlags Flags = I.getFastMathFlags();
      Flags.setAllowContract(false);
      I.copyFastMathFlags(Flags);
    }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
