//===- LowerApproximateMath.cpp - Fast functions by what hardware has -----===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace heddle {

/// The generic intrinsic that an approximate NVVM intrinsic is.
static Intrinsic::ID genericOf(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::nvvm_sin_approx_f:
  case Intrinsic::nvvm_sin_approx_ftz_f:
    return Intrinsic::sin;
  case Intrinsic::nvvm_cos_approx_f:
  case Intrinsic::nvvm_cos_approx_ftz_f:
    return Intrinsic::cos;
  case Intrinsic::nvvm_ex2_approx:
  case Intrinsic::nvvm_ex2_approx_ftz:
    return Intrinsic::exp2;
  case Intrinsic::nvvm_lg2_approx_f:
  case Intrinsic::nvvm_lg2_approx_ftz_f:
    return Intrinsic::log2;
  case Intrinsic::nvvm_sqrt_approx_f:
  case Intrinsic::nvvm_sqrt_approx_ftz_f:
    return Intrinsic::sqrt;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// \p Call of an approximate function written with approximate instructions;
/// the builder's flags hold afn. Null if it stays as it is.
static Value *lower(IRBuilder<> &Builder, IntrinsicInst &Call) {
  Type *T = Call.getType();
  auto Unary = [&](Intrinsic::ID ID, Value *V) {
    return Builder.CreateUnaryIntrinsic(ID, V);
  };
  auto Scaled = [&](Value *V, double Factor) {
    return Builder.CreateFMul(V, ConstantFP::get(T, Factor));
  };
  Value *X = Call.getArgOperand(0);
  if (Intrinsic::ID Generic = genericOf(Call.getIntrinsicID()))
    return T->isFloatTy() ? Unary(Generic, X) : nullptr;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_div_approx_f:
  case Intrinsic::nvvm_div_approx_ftz_f:
    return Builder.CreateFDiv(X, Call.getArgOperand(1));
  case Intrinsic::exp:
    return Unary(Intrinsic::exp2, Scaled(X, numbers::log2e));
  case Intrinsic::exp10:
    return Unary(Intrinsic::exp2, Scaled(X, numbers::ln10 * numbers::log2e));
  case Intrinsic::log:
    return Scaled(Unary(Intrinsic::log2, X), numbers::ln2);
  case Intrinsic::log10:
    return Scaled(Unary(Intrinsic::log2, X), numbers::ln2 * numbers::log10e);
  case Intrinsic::pow:
    return Unary(
        Intrinsic::exp2,
        Builder.CreateFMul(Call.getArgOperand(1), Unary(Intrinsic::log2, X)));
  case Intrinsic::tan:
    return Builder.CreateFDiv(Unary(Intrinsic::sin, X),
                              Unary(Intrinsic::cos, X));
  default:
    return nullptr;
  }
}

/// NVVM intrinsics say "approximate" by their name alone.
static bool isApproximate(const IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_div_approx_f:
  case Intrinsic::nvvm_div_approx_ftz_f:
    return true;
  default:
    return genericOf(Call.getIntrinsicID()) ||
           (isa<FPMathOperator>(Call) && Call.hasApproxFunc());
  }
}

PreservedAnalyses LowerApproximateMathPass::run(Function &F,
                                                FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || !Call->getType()->getScalarType()->isFloatTy() ||
        !isApproximate(*Call))
      continue;
    IRBuilder<> Builder(Call);
    FastMathFlags Flags;
    if (isa<FPMathOperator>(Call))
      Flags = Call->getFastMathFlags();
    Flags.setApproxFunc();
    Builder.setFastMathFlags(Flags);
    if (Value *New = lower(Builder, *Call)) {
      New->takeName(Call);
      Call->replaceAllUsesWith(New);
      Call->eraseFromParent();
      Changed = true;
    }
  }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
