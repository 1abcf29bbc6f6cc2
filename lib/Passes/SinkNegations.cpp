//===- SinkNegations.cpp - Products without negated factors ---------------===//
//
// LLVM moves a negation to a factor of a product, nvcc moves it behind the
// product, where the next operation takes it in. Then -(a * b) is the same
// product as a * b, is computed once, and having two uses is fused with none.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

/// What \p User computes of \p Negated, made of \p Plain, which is its
/// negation; null if that takes a negation of its own.
static Value *withPlain(IRBuilder<> &Builder, Instruction &User, Value *Negated,
                        Value *Plain) {
  // A conversion has one operand, a call many.
  if (!isa<BinaryOperator>(User))
    return nullptr;
  const unsigned Side = User.getOperand(0) == Negated ? 0 : 1;
  Value *Other = User.getOperand(1 - Side);
  if (Other == Negated)
    return nullptr;
  switch (User.getOpcode()) {
  case Instruction::FAdd:
    return Builder.CreateFSub(Other, Plain);
  case Instruction::FSub:
    return Side == 1 ? Builder.CreateFAdd(Other, Plain) : nullptr;
  case Instruction::FMul:
    if (auto *C = dyn_cast<ConstantFP>(Other))
      return Builder.CreateFMul(
          Plain, ConstantFP::get(C->getType(), neg(C->getValueAPF())));
    return nullptr;
  default:
    return nullptr;
  }
}

PreservedAnalyses SinkNegationsPass::run(Function &F,
                                         FunctionAnalysisManager &) {
  bool Changed = false;
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *X = nullptr, *Y = nullptr;
    if (!match(&I, m_c_FMul(m_FNeg(m_Value(X)), m_Value(Y))) ||
        isa<Constant>(Y) || !I.hasOneUse())
      continue;
    auto &User = cast<Instruction>(*I.user_back());
    IRBuilder<> Builder(&I);
    Builder.setFastMathFlags(I.getFastMathFlags());
    Value *Plain = Builder.CreateFMul(X, Y);
    Builder.SetInsertPoint(&User);
    if (isa<FPMathOperator>(User))
      Builder.setFastMathFlags(User.getFastMathFlags());
    Value *New = withPlain(Builder, User, &I, Plain);
    if (!New) {
      cast<Instruction>(Plain)->eraseFromParent();
      continue;
    }
    New->takeName(&User);
    User.replaceAllUsesWith(New);
    Dead.push_back(&User);
    Changed = true;
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
