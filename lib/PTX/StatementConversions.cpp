//===- StatementConversions.cpp - Conversions to narrow types of PTX ------===//
//
// Numbers of 8 bits, pairs of 16, and integers packed into one register.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

namespace {

/// A format of 8 bits (PTX ISA, "Alternate Floating-Point Data Formats").
struct ByteFormat {
  unsigned Mantissa; ///< bits
  int Bias;
  uint8_t Largest; ///< finite code; 0x7f is no number

  static ByteFormat of(StringRef Name) {
    return Name.starts_with("e4m3") ? ByteFormat{3, 7, 0x7e}
                                    : ByteFormat{2, 15, 0x7b};
  }
};

} // namespace

/// The code of a float in \p F, to nearest even; what is too large becomes the
/// largest.
static Value *toByte(IRBuilder<> &B, Value *V, const ByteFormat &F) {
  Type *I32 = B.getInt32Ty();
  Value *Bits = B.CreateBitCast(V, I32);
  Value *Size = B.CreateAnd(Bits, 0x7fffffff);
  const unsigned Dropped = 23 - F.Mantissa;
  Value *Odd = B.CreateAnd(B.CreateLShr(Size, Dropped), 1);
  Value *Rounded = B.CreateAdd(
      B.CreateAdd(Size, B.getInt32((1u << (Dropped - 1)) - 1)), Odd);
  Value *Normal = B.CreateSub(B.CreateLShr(Rounded, Dropped),
                              B.getInt32(unsigned(127 - F.Bias) << F.Mantissa));
  // Below the least normal number codes are multiples of the least of all.
  Value *Scaled = B.CreateFMul(
      B.CreateBitCast(Size, B.getFloatTy()),
      ConstantFP::get(B.getFloatTy(),
                      double(1u << (unsigned(F.Bias) - 1 + F.Mantissa))));
  Value *IsSmall =
      B.CreateICmpULT(Size, B.getInt32(unsigned(128 - F.Bias) << 23));
  Scaled =
      B.CreateSelect(IsSmall, Scaled, ConstantFP::get(B.getFloatTy(), 0.0));
  Value *Small =
      B.CreateFPToUI(B.CreateUnaryIntrinsic(Intrinsic::rint, Scaled), I32);
  Value *Code = B.CreateBinaryIntrinsic(Intrinsic::umin,
                                        B.CreateSelect(IsSmall, Small, Normal),
                                        B.getInt32(F.Largest));
  Value *IsNaN = B.CreateICmpUGT(Size, B.getInt32(0x7f800000));
  Value *Signed = B.CreateOr(Code, B.CreateAnd(B.CreateLShr(Bits, 24), 0x80));
  return B.CreateSelect(IsNaN, B.getInt32(0x7f), Signed);
}

/// The bits of the half that code \p Byte, of 16 bits, stands for.
static Value *fromByte(IRBuilder<> &B, Value *Byte, const ByteFormat &F) {
  if (F.Mantissa == 2) // the upper half of one
    return B.CreateShl(Byte, 8);
  Value *Code = B.CreateZExt(B.CreateAnd(Byte, 0x7f), B.getInt32Ty());
  Value *Least = ConstantFP::get(B.getFloatTy(), 1.0 / 512);
  Value *Small = B.CreateFMul(B.CreateUIToFP(Code, B.getFloatTy()), Least);
  Value *Normal = B.CreateBitCast(
      B.CreateAdd(B.CreateShl(Code, 20), B.getInt32(unsigned(127 - 7) << 23)),
      B.getFloatTy());
  Value *Size =
      B.CreateSelect(B.CreateICmpULT(Code, B.getInt32(8)), Small, Normal);
  Value *Half =
      B.CreateBitCast(B.CreateFPTrunc(Size, B.getHalfTy()), B.getInt16Ty());
  Half = B.CreateSelect(B.CreateICmpEQ(Code, B.getInt32(0x7f)),
                        B.getInt16(0x7fff), Half);
  return B.CreateOr(Half, B.CreateShl(B.CreateAnd(Byte, 0x80), 8));
}

/// cvt.rn.satfinite[.relu].e4m3x2.f32 d, high, low; of .f16x2; and back to
/// .f16x2.
bool StatementLowering::lowerByteConversion(const PTXStatement &S) {
  const StringRef To = S.Modifiers.back(), From = S.Suffix;
  const bool Widens = To == "f16x2";
  const ByteFormat F = ByteFormat::of(Widens ? From : To);
  const size_t Sources = From == "f32" ? 2 : 1;
  if (S.Operands.size() != 1 + Sources)
    return false;
  if (Widens) {
    Value *Pair = operand(S.Operands[1], B.getInt16Ty());
    if (!Pair)
      return false;
    Value *Low = fromByte(B, B.CreateAnd(Pair, 0xff), F),
          *High = fromByte(B, B.CreateLShr(Pair, 8), F);
    if (S.has("relu"))
      for (Value **V : {&Low, &High})
        *V = B.CreateBitCast(
            clamped(B.CreateBitCast(*V, B.getHalfTy()), /*OneToo=*/false),
            B.getInt16Ty());
    Type *I32 = B.getInt32Ty();
    return assign(S.Operands[0],
                  B.CreateOr(B.CreateShl(B.CreateZExt(High, I32), 16),
                             B.CreateZExt(Low, I32)));
  }
  SmallVector<Value *, 2> Parts; // high, low
  if (From == "f32") {
    Parts = {operand(S.Operands[1], B.getFloatTy()),
             operand(S.Operands[2], B.getFloatTy())};
  } else if (Value *Pair = operand(S.Operands[1], B.getInt32Ty())) {
    for (unsigned N : {1, 0})
      Parts.push_back(
          B.CreateFPExt(half(Pair, N, /*Brain=*/false), B.getFloatTy()));
  }
  if (Parts.empty() || is_contained(Parts, nullptr))
    return false;
  for (Value *&V : Parts)
    V = toByte(B, S.has("relu") ? clamped(V, /*OneToo=*/false) : V, F);
  return assign(S.Operands[0],
                B.CreateTrunc(B.CreateOr(B.CreateShl(Parts[0], 8), Parts[1]),
                              B.getInt16Ty()));
}

/// A half, or with \p Brain the same of bfloat16, that is not above \p Single
/// in size and next to it.
Value *StatementLowering::towardZero(Value *Single, bool Brain) {
  Value *Bits = Brain ? toBrain(Single)
                      : B.CreateBitCast(B.CreateFPTrunc(Single, B.getHalfTy()),
                                        B.getInt16Ty());
  Value *Back = Brain ? fromBrain(Bits)
                      : B.CreateFPExt(B.CreateBitCast(Bits, B.getHalfTy()),
                                      B.getFloatTy());
  Value *IsLarger =
      B.CreateFCmpOGT(B.CreateUnaryIntrinsic(Intrinsic::fabs, Back),
                      B.CreateUnaryIntrinsic(Intrinsic::fabs, Single));
  return B.CreateSub(Bits, B.CreateZExt(IsLarger, B.getInt16Ty()));
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
      V = clamped(V, /*OneToo=*/false);
    if (S.has("rz"))
      return towardZero(V, Brain);
    return Brain ? toBrain(V)
                 : B.CreateBitCast(B.CreateFPTrunc(V, B.getHalfTy()),
                                   B.getInt16Ty());
  };
  if (From == "bf16" && To == "f32" && S.Operands.size() == 2) {
    Value *V = operand(S.Operands[1], B.getInt16Ty());
    return V && assign(S.Operands[0], fromBrain(V));
  }
  if ((To == "bf16" || To == "f16") && S.Operands.size() == 2)
    return assign(S.Operands[0], Narrow(S.Operands[1]));
  if (S.Operands.size() != 3)
    return false;
  Value *High = Narrow(S.Operands[1]), *Low = Narrow(S.Operands[2]);
  if (!High || !Low)
    return false;
  Type *I32 = B.getInt32Ty();
  return assign(S.Operands[0],
                B.CreateOr(B.CreateShl(B.CreateZExt(High, I32), 16),
                           B.CreateZExt(Low, I32)));
}

/// The 10 bits of the fraction that tf32 has, to nearest, ties away from zero.
Value *StatementLowering::roundToTF32(Value *V, bool Saturates) {
  Value *Bits = B.CreateBitCast(V, B.getInt32Ty());
  Value *Rounded = B.CreateAnd(B.CreateAdd(Bits, B.getInt32(0x1000)),
                               B.getInt32(0xffffe000));
  if (Saturates) {
    Value *Size = B.CreateBinaryIntrinsic(Intrinsic::umin,
                                          B.CreateAnd(Rounded, 0x7fffffff),
                                          B.getInt32(0x7f7fe000));
    Rounded = B.CreateOr(Size, B.CreateAnd(Bits, B.getInt32(0x80000000)));
  }
  return B.CreateSelect(B.CreateFCmpUNO(V, V), B.getInt32(0x7fffffff), Rounded);
}

/// cvt.pack.sat.TYPE.s32[.b32] d, high, low[, above]
bool StatementLowering::lowerPack(const PTXStatement &S) {
  const bool HasThird = S.Suffix == "b32";
  const StringRef To =
      S.Modifiers[HasThird ? S.Modifiers.size() - 2 : S.Modifiers.size() - 1];
  unsigned Bits;
  if (S.Operands.size() != (HasThird ? 4u : 3u) ||
      To.drop_front().getAsInteger(10, Bits))
    return false;
  Value *Result =
      HasThird ? operand(S.Operands[3], B.getInt32Ty()) : B.getInt32(0);
  for (unsigned N : {1, 2}) {
    Value *V = operand(S.Operands[N], B.getInt32Ty());
    if (!V || !Result)
      return false;
    V = saturated(V, /*FromSigned=*/true, To.starts_with("s"), Bits);
    Result =
        B.CreateOr(B.CreateShl(Result, Bits), B.CreateZExt(V, B.getInt32Ty()));
  }
  return assign(S.Operands[0], Result);
}

/// testp: which kind of number the operand is; zero counts as normal.
Value *StatementLowering::tested(const Operation &O) {
  Type *Bits = B.getIntNTy(O.bits());
  const APInt Top =
      O.T->isFloatTy() ? APInt(32, 0x7f800000) : APInt(64, 0x7ff0000000000000);
  Value *Infinity = ConstantInt::get(Bits, Top);
  Value *Size = B.CreateAnd(B.CreateBitCast(O.V[0], Bits),
                            APInt::getSignedMaxValue(O.bits()));
  Value *HasExponent =
      B.CreateICmpNE(B.CreateAnd(Size, Infinity), ConstantInt::get(Bits, 0));
  Value *IsZero = B.CreateICmpEQ(Size, ConstantInt::get(Bits, 0));
  Value *IsFinite = B.CreateICmpULT(Size, Infinity);
  if (O.S.has("finite"))
    return IsFinite;
  if (O.S.has("infinite"))
    return B.CreateICmpEQ(Size, Infinity);
  if (O.S.has("number"))
    return B.CreateICmpULE(Size, Infinity);
  if (O.S.has("notanumber"))
    return B.CreateICmpUGT(Size, Infinity);
  if (O.S.has("normal"))
    return B.CreateAnd(IsFinite, B.CreateOr(HasExponent, IsZero));
  return B.CreateNot(B.CreateOr(HasExponent, IsZero));
}

} // namespace heddle
