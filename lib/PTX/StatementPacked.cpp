//===- StatementPacked.cpp - Packed halves of PTX as IR -------------------===//
//
// .f16x2, .bf16x2 and .bf16: each half of the register by itself. bfloat16 is
// computed in single precision and rounded once, to nearest even.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

/// The upper 16 bits of a float, rounded to nearest even; NaN stays NaN.
Value *StatementLowering::toBrain(Value *Single) {
  Value *Bits = B.CreateBitCast(Single, B.getInt32Ty());
  Value *Odd = B.CreateAnd(B.CreateLShr(Bits, 16), 1);
  Value *Rounded = B.CreateAdd(B.CreateAdd(Bits, B.getInt32(0x7fff)), Odd);
  Value *IsNaN = B.CreateFCmpUNO(Single, Single);
  Value *Kept = B.CreateSelect(IsNaN, B.getInt32(0x7fff0000), Rounded);
  return B.CreateTrunc(B.CreateLShr(Kept, 16), B.getInt16Ty());
}

Value *StatementLowering::fromBrain(Value *Bits) {
  Value *Wide = B.CreateShl(B.CreateZExt(Bits, B.getInt32Ty()), 16);
  return B.CreateBitCast(Wide, B.getFloatTy());
}

/// One half of a packed operation on \p V, in half or single precision.
Value *StatementLowering::halfOperation(const PTXStatement &S,
                                        ArrayRef<Value *> V) {
  Type *T = V[0]->getType();
  StringRef N = S.Name;
  Value *R = nullptr;
  if (N == "add" && V.size() == 2)
    R = B.CreateFAdd(V[0], V[1]);
  else if (N == "sub" && V.size() == 2)
    R = B.CreateFSub(V[0], V[1]);
  else if (N == "mul" && V.size() == 2)
    R = B.CreateFMul(V[0], V[1]);
  else if (N == "fma" && V.size() == 3)
    R = B.CreateIntrinsic(Intrinsic::fma, {T}, {V[0], V[1], V[2]});
  else if ((N == "min" || N == "max") && V.size() == 2 && !S.has("xorsign"))
    R = B.CreateBinaryIntrinsic(
        S.has("NaN") ? (N == "min" ? Intrinsic::minimum : Intrinsic::maximum)
                     : (N == "min" ? Intrinsic::minnum : Intrinsic::maxnum),
        V[0], V[1]);
  else if (N == "neg" && V.size() == 1)
    R = B.CreateFNeg(V[0]);
  else if (N == "abs" && V.size() == 1)
    R = B.CreateUnaryIntrinsic(Intrinsic::fabs, V[0]);
  else if ((N == "ex2" || N == "tanh") && V.size() == 1)
    R = B.CreateFPCast(
        B.CreateUnaryIntrinsic(N == "ex2" ? Intrinsic::exp2 : Intrinsic::tanh,
                               B.CreateFPCast(V[0], B.getFloatTy())),
        T);
  if (R && (S.has("sat") || S.has("relu")))
    R = B.CreateBinaryIntrinsic(Intrinsic::maxnum, R, ConstantFP::get(T, 0.0));
  if (R && S.has("sat"))
    R = B.CreateBinaryIntrinsic(Intrinsic::minnum, R, ConstantFP::get(T, 1.0));
  return R;
}

bool StatementLowering::lowerPacked(const PTXStatement &S) {
  bool Brain = StringRef(S.Suffix).starts_with("bf16");
  unsigned Halves = StringRef(S.Suffix).ends_with("x2") ? 2 : 1;
  Type *Register = B.getIntNTy(16 * Halves);
  if (S.Operands.size() < 2 || S.Operands.size() > 4)
    return false;
  SmallVector<Value *, 3> Operands;
  for (StringRef Text : drop_begin(S.Operands)) {
    Operands.push_back(operand(Text, Register));
    if (!Operands.back())
      return false;
  }
  Value *Result = ConstantInt::get(Register, 0);
  for (unsigned Half = 0; Half < Halves; ++Half) {
    SmallVector<Value *, 3> Parts;
    for (Value *V : Operands) {
      Value *Bits = B.CreateTrunc(B.CreateLShr(V, 16 * Half), B.getInt16Ty());
      Parts.push_back(Brain ? fromBrain(Bits)
                            : B.CreateBitCast(Bits, B.getHalfTy()));
    }
    Value *R = halfOperation(S, Parts);
    if (!R)
      return false;
    R = Brain ? toBrain(R) : B.CreateBitCast(R, B.getInt16Ty());
    Result =
        B.CreateOr(Result, B.CreateShl(B.CreateZExt(R, Register), 16 * Half));
  }
  return assign(S.Operands[0], Result);
}

/// set.CMP.f16x2.f16x2 d, a, b and its like: 1.0 or 0 in each half; all bits
/// or none of it with .u32 and .s32.
bool StatementLowering::lowerPackedSet(const PTXStatement &S) {
  const bool Brain = StringRef(S.Suffix).starts_with("bf16");
  const unsigned Halves = StringRef(S.Suffix).ends_with("x2") ? 2 : 1;
  const CmpInst::Predicate P = predicateOf(S, /*Float=*/true);
  if (S.Operands.size() != 3 || S.Modifiers.size() < 2 ||
      P == CmpInst::BAD_ICMP_PREDICATE)
    return false;
  const StringRef To = S.Modifiers.back();
  const bool Masks = Halves == 2 && (To == "u32" || To == "s32");
  if (To != S.Suffix && !Masks)
    return false;
  Type *Register = B.getIntNTy(16 * Halves);
  Value *X = operand(S.Operands[1], Register),
        *Y = operand(S.Operands[2], Register);
  if (!X || !Y)
    return false;
  Value *Result = ConstantInt::get(Register, 0);
  for (unsigned Half = 0; Half < Halves; ++Half) {
    auto Part = [&](Value *V) {
      Value *Bits = B.CreateTrunc(B.CreateLShr(V, 16 * Half), B.getInt16Ty());
      return Brain ? fromBrain(Bits) : B.CreateBitCast(Bits, B.getHalfTy());
    };
    const uint64_t One = Masks ? 0xffff : Brain ? 0x3f80 : 0x3c00;
    Result = B.CreateOr(
        Result, B.CreateSelect(B.CreateFCmp(P, Part(X), Part(Y)),
                               ConstantInt::get(Register, One << (16 * Half)),
                               ConstantInt::get(Register, 0)));
  }
  return assign(S.Operands[0], Result);
}

/// cvt.rn.f16x2.f32 d, high, low; the same for bf16x2; cvt.rn.bf16.f32;
/// cvt.f32.bf16.
bool StatementLowering::lowerPackedConversion(const PTXStatement &S) {
  StringRef To = S.Modifiers.back(), From = S.Suffix;
  bool Brain = To.starts_with("bf16");
  auto Narrow = [&](StringRef Text) -> Value * {
    Value *V = operand(Text, B.getFloatTy());
    if (!V)
      return nullptr;
    if (S.has("relu"))
      V = B.CreateBinaryIntrinsic(Intrinsic::maxnum, V,
                                  ConstantFP::get(B.getFloatTy(), 0.0));
    return Brain ? toBrain(V)
                 : B.CreateBitCast(B.CreateFPTrunc(V, B.getHalfTy()),
                                   B.getInt16Ty());
  };
  if (From == "bf16" && To == "f32" && S.Operands.size() == 2) {
    Value *V = operand(S.Operands[1], B.getInt16Ty());
    return V && assign(S.Operands[0], fromBrain(V));
  }
  if (From != "f32" || S.has("rz") || S.has("satfinite"))
    return false;
  if (To == "bf16" && S.Operands.size() == 2)
    return assign(S.Operands[0], Narrow(S.Operands[1]));
  if (!To.ends_with("16x2") || S.Operands.size() != 3)
    return false;
  Value *High = Narrow(S.Operands[1]), *Low = Narrow(S.Operands[2]);
  if (!High || !Low)
    return false;
  Type *I32 = B.getInt32Ty();
  return assign(S.Operands[0],
                B.CreateOr(B.CreateShl(B.CreateZExt(High, I32), 16),
                           B.CreateZExt(Low, I32)));
}

} // namespace heddle
