//===- BrainFloats.cpp - bfloat16 for the back end -----------------------===//

#include "BrainFloats.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

namespace {

constexpr uint32_t Infinity = 0x7f800000, HighHalf = 0xffff0000;
constexpr uint64_t NaN = 0x7fff;

/// How the upper half of the rounded float is left.
enum class Form { None, Narrow, Low, High, Float };

/// The bits of the float that \p Sum rounds to nearest even at bit 16; null if
/// it is another sum.
Value *roundedBits(Value *Sum) {
  Value *Bits, *Again;
  const auto Odd =
      m_And(m_LShr(m_Value(Again), m_SpecificInt(16)), m_SpecificInt(1));
  if (!match(Sum, m_c_Add(m_Add(m_Value(Bits), Odd), m_SpecificInt(NaN))) &&
      !match(Sum, m_c_Add(m_Add(m_Value(Bits), m_SpecificInt(NaN)), Odd)) &&
      !match(Sum, m_c_Add(m_Value(Bits), m_Add(Odd, m_SpecificInt(NaN)))))
    return nullptr;
  return Bits == Again ? Bits : nullptr;
}

/// The value whose bits \p Bits are, if it is a float.
Value *floatOf(Value *Bits) {
  Value *Single;
  return match(Bits, m_BitCast(m_Value(Single))) &&
                 Single->getType()->isFloatTy()
             ? Single
             : nullptr;
}

/// Whether \p Test tells a NaN in \p Bits from other floats: whether it is true
/// for one, none if it tests something else.
std::optional<bool> isTrueForNaN(Value *Test, Value *Bits) {
  CmpPredicate P;
  Value *Size, *Single = floatOf(Bits);
  uint64_t Bound;
  if (Single && match(Test, m_FCmp(P, m_Specific(Single), m_Value())) &&
      (P == FCmpInst::FCMP_UNO || P == FCmpInst::FCMP_ORD))
    return P == FCmpInst::FCMP_UNO;
  if (!match(Test, m_ICmp(P, m_Value(Size), m_ConstantInt(Bound))) ||
      !(match(Size, m_And(m_Specific(Bits), m_SpecificInt(0x7fffffff))) ||
        (Single && match(Size, m_BitCast(m_FAbs(m_Specific(Single)))))))
    return std::nullopt;
  if (P == ICmpInst::ICMP_UGT && Bound == Infinity)
    return true;
  if (P == ICmpInst::ICMP_ULT && Bound == Infinity + 1)
    return false;
  return std::nullopt;
}

/// The form of \p Rounded, where \p Sum is what it is made of, and of the
/// constant that stands for a NaN.
Form formOf(Value *Rounded, Value *Special, Value *&Sum) {
  const auto Upper = m_LShr(m_Value(Sum), m_SpecificInt(16));
  if (match(Rounded, m_Trunc(Upper)) && match(Special, m_SpecificInt(NaN)) &&
      Rounded->getType()->isIntegerTy(16))
    return Form::Narrow;
  if (match(Rounded, Upper) && match(Special, m_SpecificInt(NaN)))
    return Form::Low;
  if (match(Rounded, m_And(m_Value(Sum), m_SpecificInt(HighHalf))) &&
      match(Special, m_SpecificInt(NaN << 16)))
    return Form::High;
  const APFloat *Constant;
  if (match(Rounded, m_BitCast(m_And(m_Value(Sum), m_SpecificInt(HighHalf)))) &&
      match(Special, m_APFloatAllowPoison(Constant)) &&
      Constant->bitcastToAPInt() == NaN << 16)
    return Form::Float;
  return Form::None;
}

/// The bfloat16 that \p Single is, as 16 bits; null if it may be more.
Value *narrowed(IRBuilder<> &B, Value *Single) {
  Value *Bits, *Half;
  Type *BF = B.getBFloatTy();
  if (match(Single, m_FPExt(m_Value(Half))) && Half->getType() == BF)
    return Half;
  if (!match(Single, m_BitCast(m_Value(Bits))) ||
      !Bits->getType()->isIntegerTy(32))
    return nullptr;
  Type *I16 = B.getInt16Ty();
  if (match(Bits, m_Shl(m_ZExt(m_Value(Half)), m_SpecificInt(16))) &&
      Half->getType()->isIntegerTy(16))
    return B.CreateBitCast(Half, BF);
  if (match(Bits, m_Shl(m_Value(Half), m_SpecificInt(16))))
    return B.CreateBitCast(B.CreateTrunc(Half, I16), BF);
  if (match(Bits, m_And(m_Value(Half), m_SpecificInt(HighHalf))))
    return B.CreateBitCast(B.CreateTrunc(B.CreateLShr(Half, 16), I16), BF);
  return nullptr;
}

/// Whether \p Single is only read to be rounded, with the comparison \p Test.
bool isOnlyRounded(Value *Single, Value *Test) {
  return all_of(Single->users(), [&](User *U) {
    return U == Test || isa<BitCastInst>(U) || match(U, m_FAbs(m_Value()));
  });
}

/// \p Single in bfloat16: the operation that makes it, if that is one of
/// bfloat16 whose result nothing else reads, else a conversion.
Value *computed(IRBuilder<> &B, Value *Single, Value *Test) {
  auto *I = dyn_cast<Instruction>(Single);
  if (I && isOnlyRounded(Single, Test)) {
    SmallVector<Value *, 3> Sources;
    const bool IsFMA = match(I, m_Intrinsic<Intrinsic::fma>());
    if (IsFMA ||
        is_contained({Instruction::FAdd, Instruction::FSub, Instruction::FMul},
                     I->getOpcode()))
      for (unsigned N = 0; N != (IsFMA ? 3u : 2u); ++N)
        Sources.push_back(narrowed(B, I->getOperand(N)));
    if (!Sources.empty() && !is_contained(Sources, nullptr))
      return IsFMA
                 ? B.CreateIntrinsic(Intrinsic::fma, {B.getBFloatTy()}, Sources)
                 : B.CreateBinOp(Instruction::BinaryOps(I->getOpcode()),
                                 Sources[0], Sources[1]);
  }
  return B.CreateIntrinsic(Intrinsic::nvvm_f2bf16_rn, {}, {Single});
}

/// What stands for the rounding \p I, whose form is \p F.
Value *inForm(IRBuilder<> &B, Value *Brain, Form F) {
  if (F == Form::Float)
    return B.CreateFPExt(Brain, B.getFloatTy());
  Value *Bits = B.CreateBitCast(Brain, B.getInt16Ty());
  if (F == Form::Narrow)
    return Bits;
  Value *Wide = B.CreateZExt(Bits, B.getInt32Ty());
  return F == Form::Low ? Wide : B.CreateShl(Wide, 16);
}

} // namespace

void selectBrainFloats(Function &F) {
  SmallVector<WeakTrackingVH, 8> Replaced;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Test, *True, *False, *Sum;
    if (!match(&I, m_Select(m_Value(Test), m_Value(True), m_Value(False))))
      continue;
    Form Its = formOf(False, True, Sum);
    const bool IfNaN = Its != Form::None;
    if (!IfNaN)
      Its = formOf(True, False, Sum);
    Value *Bits = Its == Form::None ? nullptr : roundedBits(Sum);
    if (!Bits || isTrueForNaN(Test, Bits) != IfNaN)
      continue;
    IRBuilder<> B(&I);
    Value *Single = floatOf(Bits);
    if (!Single)
      Single = B.CreateBitCast(Bits, B.getFloatTy());
    I.replaceAllUsesWith(inForm(B, computed(B, Single, Test), Its));
    Replaced.push_back(&I);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Replaced);
}

} // namespace heddle
