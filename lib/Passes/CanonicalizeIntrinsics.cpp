//===- CanonicalizeIntrinsics.cpp - One spelling of each operation --------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

Value *createMathCall(IRBuilderBase &Builder, StringRef Name,
                      ArrayRef<Value *> Operands, Type *Result) {
  Module &M = *Builder.GetInsertBlock()->getModule();
  SmallVector<Type *, 3> Types;
  for (Value *V : Operands)
    Types.push_back(V->getType());
  StringRef Suffix = Types[0]->isFloatTy() ? ".f32" : ".f64";
  FunctionCallee Callee =
      M.getOrInsertFunction(("heddle.math." + Name + Suffix).str(),
                            FunctionType::get(Result, Types, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setSpeculatable();
  return Builder.CreateCall(Callee, Operands);
}

/// Arithmetic that rounds to nearest is what plain instructions do; without
/// the "contract" flag nothing fuses it.
static Value *plainArithmetic(IRBuilder<> &Builder, IntrinsicInst &Call) {
  auto Operand = [&](unsigned N) { return Call.getArgOperand(N); };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_add_rn_f:
  case Intrinsic::nvvm_add_rn_d:
    return Builder.CreateFAdd(Operand(0), Operand(1));
  case Intrinsic::nvvm_mul_rn_f:
  case Intrinsic::nvvm_mul_rn_d:
    return Builder.CreateFMul(Operand(0), Operand(1));
  case Intrinsic::nvvm_div_rn_f:
  case Intrinsic::nvvm_div_rn_d:
    return Builder.CreateFDiv(Operand(0), Operand(1));
  case Intrinsic::nvvm_rcp_rn_f:
  case Intrinsic::nvvm_rcp_rn_d:
    return Builder.CreateFDiv(ConstantFP::get(Call.getType(), 1.0), Operand(0));
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_d:
    return Builder.CreateUnaryIntrinsic(Intrinsic::sqrt, Operand(0));
  case Intrinsic::nvvm_fma_rn_f:
  case Intrinsic::nvvm_fma_rn_d:
    return Builder.CreateIntrinsic(Intrinsic::fma, {Call.getType()},
                                   {Operand(0), Operand(1), Operand(2)});
  default:
    return nullptr;
  }
}

/// x to a constant power by squaring, else by pow.
static Value *integerPower(IRBuilder<> &Builder, Value *X, Value *Exponent) {
  Type *T = X->getType();
  auto *Constant = dyn_cast<ConstantInt>(Exponent);
  constexpr uint64_t MaxExponent = 64;
  if (!Constant || Constant->getValue().abs().ugt(MaxExponent))
    return Builder.CreateBinaryIntrinsic(Intrinsic::pow, X,
                                         Builder.CreateSIToFP(Exponent, T));
  uint64_t Left = Constant->getValue().abs().getZExtValue();
  Value *Result = nullptr;
  for (Value *Square = X; Left; Left >>= 1) {
    if (Left & 1)
      Result = Result ? Builder.CreateFMul(Result, Square) : Square;
    if (Left > 1)
      Square = Builder.CreateFMul(Square, Square);
  }
  Value *One = ConstantFP::get(T, 1.0);
  if (!Result)
    return One;
  return Constant->isNegative() ? Builder.CreateFDiv(One, Result) : Result;
}

/// -1, 0 or 1 as \p A is less than, equal to or greater than \p B.
static Value *threeWayCompare(IRBuilder<> &Builder, IntrinsicInst &Call,
                              bool Signed) {
  Value *A = Call.getArgOperand(0), *B = Call.getArgOperand(1);
  Value *Greater =
      Signed ? Builder.CreateICmpSGT(A, B) : Builder.CreateICmpUGT(A, B);
  Value *Less =
      Signed ? Builder.CreateICmpSLT(A, B) : Builder.CreateICmpULT(A, B);
  return Builder.CreateSub(Builder.CreateZExt(Greater, Call.getType()),
                           Builder.CreateZExt(Less, Call.getType()));
}

static Value *canonical(IRBuilder<> &Builder, Instruction &I) {
  Type *T = I.getType();
  bool IsMathType = T->isFloatTy() || T->isDoubleTy();
  if (I.getOpcode() == Instruction::FRem && IsMathType)
    return createMathCall(Builder, "fmod", {I.getOperand(0), I.getOperand(1)},
                          T);
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return nullptr;
  auto Operand = [&](unsigned N) { return Call->getArgOperand(N); };
  auto Rounded = [&](Intrinsic::ID ID) {
    return Builder.CreateFPToSI(Builder.CreateUnaryIntrinsic(ID, Operand(0)),
                                T);
  };
  switch (Call->getIntrinsicID()) {
  case Intrinsic::minimumnum: // differ for signalling NaN only
    return Builder.CreateBinaryIntrinsic(Intrinsic::minnum, Operand(0),
                                         Operand(1));
  case Intrinsic::maximumnum:
    return Builder.CreateBinaryIntrinsic(Intrinsic::maxnum, Operand(0),
                                         Operand(1));
  case Intrinsic::powi:
    return T->isVectorTy() ? nullptr
                           : integerPower(Builder, Operand(0), Operand(1));
  case Intrinsic::ldexp:
    if (!IsMathType)
      return nullptr;
    return createMathCall(Builder, "ldexp",
                          {Operand(0), Builder.CreateSExtOrTrunc(
                                           Operand(1), Builder.getInt32Ty())},
                          T);
  case Intrinsic::lrint:
  case Intrinsic::llrint:
    return Rounded(Intrinsic::rint);
  case Intrinsic::lround:
  case Intrinsic::llround:
    return Rounded(Intrinsic::round);
  case Intrinsic::scmp:
    return threeWayCompare(Builder, *Call, /*Signed=*/true);
  case Intrinsic::ucmp:
    return threeWayCompare(Builder, *Call, /*Signed=*/false);
  default:
    return plainArithmetic(Builder, *Call);
  }
}

void canonicalizeIntrinsics(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    IRBuilder<> Builder(&I);
    if (isa<FPMathOperator>(I))
      Builder.setFastMathFlags(I.getFastMathFlags());
    Value *New = canonical(Builder, I);
    if (!New)
      continue;
    New->takeName(&I);
    I.replaceAllUsesWith(New);
    I.eraseFromParent();
  }
}

} // namespace heddle
