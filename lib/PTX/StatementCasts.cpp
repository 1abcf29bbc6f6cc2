//===- StatementCasts.cpp - Conversions between numbers of PTX ------------===//
//
// From integers and floating numbers to others. Bfloat16 is computed with in
// single precision, of which it is the upper half.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

/// \p V as a double. What a double cannot hold is rounded towards zero and gets
/// an odd last bit, so that rounding it again rounds \p V once.
Value *StatementLowering::exactDouble(Value *V, bool Signed) {
  Type *Double = B.getDoubleTy(), *From = V->getType();
  if (From->isFloatingPointTy())
    return From->isDoubleTy() ? V : B.CreateFPExt(V, Double);
  if (From->getIntegerBitWidth() < 64)
    return Signed ? B.CreateSIToFP(V, Double) : B.CreateUIToFP(V, Double);
  Value *D =
      call(Signed ? Intrinsic::nvvm_ll2d_rz : Intrinsic::nvvm_ull2d_rz, {V});
  Value *Back = Signed ? B.CreateFPToSI(D, From) : B.CreateFPToUI(D, From);
  Value *Bits = B.CreateOr(B.CreateBitCast(D, From),
                           B.CreateZExt(B.CreateICmpNE(Back, V), From));
  return B.CreateBitCast(Bits, Double);
}

/// \p Bits of a narrow format, which are \p Rounded, moved to the neighbour
/// that the rounding of \p S asks for; \p Exact is what was rounded to nearest.
Value *StatementLowering::directed(const PTXStatement &S, Value *Bits,
                                   Value *Rounded, Value *Exact) {
  Value *One = ConstantInt::get(Bits->getType(), 1);
  Value *Smaller = B.CreateSub(Bits, One), *Larger = B.CreateAdd(Bits, One);
  Value *IsNegative =
      B.CreateICmpSLT(Bits, ConstantInt::get(Bits->getType(), 0));
  if (S.has("rm"))
    return B.CreateSelect(B.CreateFCmpOGT(Rounded, Exact),
                          B.CreateSelect(IsNegative, Larger, Smaller), Bits);
  if (S.has("rp"))
    return B.CreateSelect(B.CreateFCmpOLT(Rounded, Exact),
                          B.CreateSelect(IsNegative, Smaller, Larger), Bits);
  if (!S.has("rz"))
    return Bits;
  Value *IsLarger =
      B.CreateFCmpOGT(B.CreateUnaryIntrinsic(Intrinsic::fabs, Rounded),
                      B.CreateUnaryIntrinsic(Intrinsic::fabs, Exact));
  return B.CreateSelect(IsLarger, Smaller, Bits);
}

/// The half next to the double \p V as the rounding of \p S has it.
Value *StatementLowering::roundedHalf(const PTXStatement &S, Value *V) {
  Value *Half = B.CreateFPTrunc(V, B.getHalfTy());
  Value *Bits = directed(S, B.CreateBitCast(Half, B.getInt16Ty()),
                         B.CreateFPExt(Half, B.getDoubleTy()), V);
  return B.CreateBitCast(Bits, B.getHalfTy());
}

/// The float that is the bfloat16 next to the double \p V.
Value *StatementLowering::roundedBrain(const PTXStatement &S, Value *V) {
  Value *Single = call(Intrinsic::nvvm_d2f_rz, {V});
  Value *IsRounded = B.CreateFCmpONE(B.CreateFPExt(Single, B.getDoubleTy()), V);
  Type *I32 = B.getInt32Ty();
  Single = B.CreateBitCast(
      B.CreateOr(B.CreateBitCast(Single, I32), B.CreateZExt(IsRounded, I32)),
      B.getFloatTy());
  Value *Bits = toBrain(Single);
  return fromBrain(directed(S, Bits, fromBrain(Bits), Single));
}

/// A floating \p V, or an integer of the type that the statement names, as a
/// number of type \p To, rounded as the statement says.
Value *StatementLowering::roundedConversion(const PTXStatement &S, Value *V,
                                            Type *To) {
  const bool Signed = S.Suffix.starts_with("s");
  if (To->isHalfTy())
    return roundedHalf(S, exactDouble(V, Signed));
  if (V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 16)
    return Signed ? B.CreateSIToFP(V, To) : B.CreateUIToFP(V, To);
  const StringRef From = StringSwitch<StringRef>(S.Suffix)
                             .Case("s32", "i")
                             .Case("u32", "ui")
                             .Case("s64", "ll")
                             .Case("u64", "ull")
                             .Case("f64", "d")
                             .Default("");
  if (From.empty())
    return nullptr;
  const StringRef Name = To->isFloatTy() ? "2f." : "2d.";
  const Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(
      ("llvm.nvvm." + From + Name + directionOf(S)).str());
  return ID ? call(ID, {V}) : nullptr;
}

/// How a conversion to a whole number rounds.
static Intrinsic::ID wholeOf(const PTXStatement &S, Intrinsic::ID Default) {
  return S.has("rni")   ? Intrinsic::rint
         : S.has("rzi") ? Intrinsic::trunc
         : S.has("rmi") ? Intrinsic::floor
         : S.has("rpi") ? Intrinsic::ceil
                        : Default;
}

/// \p V, of the type that the statement names, as a floating number of type
/// \p To, which with \p Brain is a bfloat16.
Value *StatementLowering::toFloating(const PTXStatement &S, Value *V, Type *To,
                                     bool Brain) {
  const bool FromFloat = V->getType()->isFloatingPointTy();
  const bool Signed = S.Suffix.starts_with("s");
  if (FromFloat)
    if (const Intrinsic::ID Round = wholeOf(S, Intrinsic::not_intrinsic))
      V = B.CreateUnaryIntrinsic(Round, V);
  if (Brain && S.Suffix != "bf16")
    return roundedBrain(S, exactDouble(V, Signed));
  if (S.has("rz") || S.has("rm") || S.has("rp"))
    return roundedConversion(S, V, To);
  if (FromFloat)
    return B.CreateFPCast(V, To);
  return Signed ? B.CreateSIToFP(V, To) : B.CreateUIToFP(V, To);
}

/// \p V, of the type that the statement names, as an integer of type \p To.
Value *StatementLowering::toInteger(const PTXStatement &S, Value *V, Type *To) {
  const bool Signed = S.Suffix.starts_with("s");
  const bool ToSigned = S.Modifiers.back().starts_with("s");
  if (V->getType()->isFloatingPointTy()) {
    V = B.CreateUnaryIntrinsic(wholeOf(S, Intrinsic::trunc), V);
    // The back end has no conversion to 8 bits, where what is beyond them is
    // the last number too.
    const unsigned Bits = To->getIntegerBitWidth();
    To = B.getIntNTy(std::max(Bits, 16u));
    V = ToSigned ? B.CreateFPToSI(V, To) : B.CreateFPToUI(V, To);
    return Bits < 16 ? saturated(V, ToSigned, ToSigned, Bits) : V;
  }
  if (S.has("sat"))
    return saturated(V, Signed, ToSigned, To->getIntegerBitWidth());
  return Signed ? B.CreateSExtOrTrunc(V, To) : B.CreateZExtOrTrunc(V, To);
}

bool StatementLowering::lowerConversion(const PTXStatement &S) {
  if (S.Operands.size() != 2 || S.Modifiers.empty())
    return false;
  StringRef ToName = S.Modifiers.back(), FromName = S.Suffix;
  if (ToName == "tf32") {
    Value *V = operand(S.Operands[1], B.getFloatTy());
    return V && assign(S.Operands[0], roundToTF32(V, S.has("satfinite")));
  }
  const bool ToBrain = ToName == "bf16", FromBrain = FromName == "bf16";
  Type *To = ToBrain ? B.getFloatTy() : typeOf(ToName);
  Type *From = FromBrain ? B.getInt16Ty() : typeOf(FromName);
  Value *V = To && From ? operand(S.Operands[1], From) : nullptr;
  if (!V)
    return false;
  if (FromBrain)
    V = fromBrain(V);
  const bool ToFloat = To->isFloatingPointTy();
  V = ToFloat ? toFloating(S, V, To, ToBrain) : toInteger(S, V, To);
  if (!V)
    return false;
  if (ToFloat && S.has("sat"))
    V = clamped(V, /*OneToo=*/true);
  return assignWide(S.Operands[0], ToBrain ? this->toBrain(V) : V, ToName);
}

} // namespace heddle
