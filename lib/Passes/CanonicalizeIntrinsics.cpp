//===- CanonicalizeIntrinsics.cpp - One spelling of each operation --------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

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
  FastMathFlags Flags = Builder.getFastMathFlags();
  Flags.setAllowContract(false);
  Builder.setFastMathFlags(Flags);
  // A rounding that is named holds with -use_fast_math, too.
  IRBuilder<>::FastMathFlagGuard Guard(Builder);
  Flags.setApproxFunc(false);
  Flags.setAllowReciprocal(false);
  Builder.setFastMathFlags(Flags);
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

/// A reduction over a vector as a chain of scalar operations; null if \p Call
/// is none.
static Value *expandReduction(IRBuilder<> &Builder, IntrinsicInst &Call) {
  Intrinsic::ID ID = Call.getIntrinsicID();
  bool IsOrdered = ID == Intrinsic::vector_reduce_fadd ||
                   ID == Intrinsic::vector_reduce_fmul;
  unsigned Opcode = 0;
  Intrinsic::ID MinMax = Intrinsic::not_intrinsic;
  switch (ID) {
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
    Opcode = getArithmeticReductionInstruction(ID);
    break;
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_fmin:
  case Intrinsic::vector_reduce_fmax:
    MinMax = getMinMaxReductionIntrinsicOp(ID);
    break;
  default:
    return nullptr;
  }
  Value *Vector = Call.getArgOperand(IsOrdered ? 1 : 0);
  Value *Result = IsOrdered ? Call.getArgOperand(0) : nullptr;
  auto *Fixed = dyn_cast<FixedVectorType>(Vector->getType());
  if (!Fixed)
    return nullptr;
  for (unsigned I = 0; I < Fixed->getNumElements(); ++I) {
    Value *Element = Builder.CreateExtractElement(Vector, I);
    if (!Result)
      Result = Element;
    else if (MinMax)
      Result = Builder.CreateBinaryIntrinsic(MinMax, Result, Element);
    else
      Result =
          Builder.CreateBinOp(Instruction::BinaryOps(Opcode), Result, Element);
  }
  return Result;
}

/// An integer made of the bits of a vector of truth values.
static Value *packBits(IRBuilder<> &Builder, BitCastInst &Cast) {
  auto *Vector = dyn_cast<FixedVectorType>(Cast.getSrcTy());
  if (!Vector || !Vector->getElementType()->isIntegerTy(1) ||
      !Cast.getDestTy()->isIntegerTy())
    return nullptr;
  Value *Result = ConstantInt::getNullValue(Cast.getDestTy());
  for (unsigned I = 0; I < Vector->getNumElements(); ++I) {
    Value *Bit = Builder.CreateZExt(
        Builder.CreateExtractElement(Cast.getOperand(0), I), Cast.getDestTy());
    Result = Builder.CreateOr(Result, Builder.CreateShl(Bit, I));
  }
  return Result;
}

/// "Is any", "are all" of a vector of truth values, which InstCombine writes
/// as a comparison of the integer made of its bits.
static Value *expandAnyOrAll(IRBuilder<> &Builder, ICmpInst &Compare) {
  auto *Cast = dyn_cast<BitCastInst>(Compare.getOperand(0));
  auto *Limit = dyn_cast<ConstantInt>(Compare.getOperand(1));
  auto *Vector = Cast ? dyn_cast<FixedVectorType>(Cast->getSrcTy()) : nullptr;
  if (!Vector || !Vector->getElementType()->isIntegerTy(1) || !Limit ||
      !Compare.isEquality() || !(Limit->isZero() || Limit->isMinusOne()))
    return nullptr;
  bool All = Limit->isMinusOne();
  Value *Result = Builder.getInt1(All);
  for (unsigned I = 0; I < Vector->getNumElements(); ++I) {
    Value *Bit = Builder.CreateExtractElement(Cast->getOperand(0), I);
    Result =
        All ? Builder.CreateAnd(Result, Bit) : Builder.CreateOr(Result, Bit);
  }
  // (all == -1) and (any != 0) hold as they are, the others are negated.
  bool Holds = All == (Compare.getPredicate() == CmpInst::ICMP_EQ);
  return Holds ? Result : Builder.CreateNot(Result);
}

/// llvm.is.fpclass by comparing bits. With the sign cleared, values order as
/// zero, subnormal, normal, infinity, NaN.
static Value *expandClassTest(IRBuilder<> &Builder, Value *X,
                              FPClassTest Mask) {
  Type *T = X->getType();
  const fltSemantics &Semantics = T->getFltSemantics();
  Type *Bits = Builder.getIntNTy(T->getScalarSizeInBits());
  auto BitsOf = [&](const APFloat &F) {
    return ConstantInt::get(Bits, F.bitcastToAPInt());
  };
  Constant *Infinity = BitsOf(APFloat::getInf(Semantics));
  Constant *Normal = BitsOf(APFloat::getSmallestNormalized(Semantics));
  Constant *Quiet = BitsOf(APFloat::getQNaN(Semantics));
  Constant *Zero = ConstantInt::getNullValue(Bits);
  Value *Raw = Builder.CreateBitCast(X, Bits);
  Value *Magnitude = Builder.CreateAnd(
      Raw, ConstantInt::get(
               Bits, APInt::getSignedMaxValue(Bits->getIntegerBitWidth())));
  Value *Negative = nullptr;
  Value *Result = Builder.getFalse();
  auto Add = [&](FPClassTest Minus, FPClassTest Plus, auto Test) {
    FPClassTest Wanted = Mask & (Minus | Plus);
    if (Wanted == fcNone)
      return;
    Value *Holds = Test();
    if (Wanted != (Minus | Plus)) {
      if (!Negative)
        Negative = Builder.CreateICmpSLT(Raw, Zero);
      Holds = Builder.CreateAnd(
          Holds, Wanted == Minus ? Negative : Builder.CreateNot(Negative));
    }
    Result = Builder.CreateOr(Result, Holds);
  };
  Add(fcNegZero, fcPosZero,
      [&] { return Builder.CreateICmpEQ(Magnitude, Zero); });
  Add(fcNegSubnormal, fcPosSubnormal, [&] {
    return Builder.CreateAnd(Builder.CreateICmpNE(Magnitude, Zero),
                             Builder.CreateICmpULT(Magnitude, Normal));
  });
  Add(fcNegNormal, fcPosNormal, [&] {
    return Builder.CreateAnd(Builder.CreateICmpUGE(Magnitude, Normal),
                             Builder.CreateICmpULT(Magnitude, Infinity));
  });
  Add(fcNegInf, fcPosInf,
      [&] { return Builder.CreateICmpEQ(Magnitude, Infinity); });
  if ((Mask & fcNan) == fcNan)
    return Builder.CreateOr(Result, Builder.CreateICmpUGT(Magnitude, Infinity));
  if (Mask & fcQNan)
    Result = Builder.CreateOr(Result, Builder.CreateICmpUGE(Magnitude, Quiet));
  if (Mask & fcSNan)
    Result = Builder.CreateOr(
        Result, Builder.CreateAnd(Builder.CreateICmpUGT(Magnitude, Infinity),
                                  Builder.CreateICmpULT(Magnitude, Quiet)));
  return Result;
}

/// The sum or difference of an unsigned operation with a carry, or the carry:
/// what the back end makes of "i + 1 == 0".
static Value *withoutCarry(IRBuilder<> &Builder, ExtractValueInst &Part) {
  auto *Both = dyn_cast<WithOverflowInst>(Part.getAggregateOperand());
  if (!Both || Both->isSigned() || Both->getBinaryOp() == Instruction::Mul)
    return nullptr;
  Value *A = Both->getLHS(), *B = Both->getRHS();
  if (Part.getIndices()[0] == 0)
    return Builder.CreateBinOp(Both->getBinaryOp(), A, B);
  if (Both->getBinaryOp() == Instruction::Sub)
    return Builder.CreateICmpULT(A, B);
  return Builder.CreateICmpUGT(A, Builder.CreateNot(B));
}

static Value *canonical(IRBuilder<> &Builder, Instruction &I) {
  Type *T = I.getType();
  bool IsMathType = T->isFloatTy() || T->isDoubleTy();
  if (I.getOpcode() == Instruction::FRem && IsMathType)
    return createMathCall(Builder, "fmod", {I.getOperand(0), I.getOperand(1)},
                          T);
  // As the back end does it, so that both engines have its result.
  if (isa<FPToSIInst, FPToUIInst>(I) && T->getScalarSizeInBits() < 16)
    return Builder.CreateTrunc(Builder.CreateCast(cast<CastInst>(I).getOpcode(),
                                                  I.getOperand(0),
                                                  T->getWithNewBitWidth(16)),
                               T);
  if (auto *Cast = dyn_cast<BitCastInst>(&I))
    return packBits(Builder, *Cast);
  if (auto *Part = dyn_cast<ExtractValueInst>(&I))
    return withoutCarry(Builder, *Part);
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return nullptr;
  if (Value *Reduction = expandReduction(Builder, *Call))
    return Reduction;
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
  case Intrinsic::is_fpclass:
    if (Operand(0)->getType()->isVectorTy())
      return nullptr;
    return expandClassTest(
        Builder, Operand(0),
        FPClassTest(cast<ConstantInt>(Operand(1))->getZExtValue()));
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
  case Intrinsic::cttz: // the back end would branch around zero
    if (T->isVectorTy())
      return nullptr;
    return Builder.CreateBinaryIntrinsic(
        Intrinsic::ctlz,
        Builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, Operand(0)),
        Builder.getFalse());
  case Intrinsic::scmp:
    return threeWayCompare(Builder, *Call, /*Signed=*/true);
  case Intrinsic::ucmp:
    return threeWayCompare(Builder, *Call, /*Signed=*/false);
  default:
    return plainArithmetic(Builder, *Call);
  }
}

static bool replace(Instruction &I, Value *New) {
  if (!New)
    return false;
  New->takeName(&I);
  I.replaceAllUsesWith(New);
  I.eraseFromParent();
  return true;
}

PreservedAnalyses CanonicalizeIntrinsicsPass::run(Function &F,
                                                  FunctionAnalysisManager &) {
  bool Changed = false;
  // Comparisons first: they look through the casts that the second round
  // takes apart.
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
      IRBuilder<> Builder(&I);
      Changed |= replace(I, expandAnyOrAll(Builder, *Compare));
    }
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (isInstructionTriviallyDead(&I)) {
      I.eraseFromParent();
      Changed = true;
      continue;
    }
    IRBuilder<> Builder(&I);
    if (isa<FPMathOperator>(I))
      Builder.setFastMathFlags(I.getFastMathFlags());
    Changed |= replace(I, canonical(Builder, I));
  }
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isa<WithOverflowInst>(I) && isInstructionTriviallyDead(&I))
      I.eraseFromParent();
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
