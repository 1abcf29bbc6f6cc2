//===- StatementRounding.cpp - Rounding modes and saturation of PTX -------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle {

/// "rz", "rm" or "rp"; empty for the nearest, which is what IR does.
static StringRef directionOf(const PTXStatement &S) {
  for (StringRef Mode : {"rz", "rm", "rp"})
    if (S.has(Mode))
      return Mode;
  return "";
}

/// Arithmetic on float or double that does not round to the nearest; null if
/// there is none of that kind, or \p S rounds to the nearest.
Value *StatementLowering::roundedArithmetic(const PTXStatement &S,
                                            ArrayRef<Value *> V) {
  Type *T = V[0]->getType();
  const StringRef Mode = directionOf(S);
  const StringRef Name = StringSwitch<StringRef>(S.Name)
                             .Cases({"add", "sub"}, "add")
                             .Case("mul", "mul")
                             .Cases({"fma", "mad"}, "fma")
                             .Case("div", "div")
                             .Case("sqrt", "sqrt")
                             .Case("rcp", "rcp")
                             .Default("");
  if (Mode.empty() || Name.empty() || (!T->isFloatTy() && !T->isDoubleTy()))
    return nullptr;
  SmallVector<Value *, 3> Args(V);
  if (S.Name == "sub")
    Args[1] = B.CreateFNeg(Args[1]);
  const Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(
      ("llvm.nvvm." + Name + "." + Mode + (T->isFloatTy() ? ".f" : ".d"))
          .str());
  return ID ? call(ID, Args) : nullptr;
}

/// Integer to float or double, or double to float, not to the nearest; null
/// where that is not known.
Value *StatementLowering::roundedConversion(const PTXStatement &S, Value *V) {
  const StringRef From = StringSwitch<StringRef>(S.Suffix)
                             .Case("s32", "i")
                             .Case("u32", "ui")
                             .Case("s64", "ll")
                             .Case("u64", "ull")
                             .Case("f64", "d")
                             .Default("");
  const StringRef To = StringSwitch<StringRef>(S.Modifiers.back())
                           .Case("f32", "f")
                           .Case("f64", "d")
                           .Default("");
  if (From.empty() || To.empty())
    return nullptr;
  const Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(
      ("llvm.nvvm." + From + "2" + To + "." + directionOf(S)).str());
  return ID ? call(ID, {V}) : nullptr;
}

/// Between 0 and 1; what is no number becomes 0.
Value *StatementLowering::saturated(Value *V) {
  Type *T = V->getType();
  V = B.CreateBinaryIntrinsic(Intrinsic::maxnum, V, ConstantFP::get(T, 0.0));
  return B.CreateBinaryIntrinsic(Intrinsic::minnum, V, ConstantFP::get(T, 1.0));
}

/// An integer cut to what one of \p ToBits can hold, in its own width or wider.
Value *StatementLowering::saturated(Value *V, bool FromSigned, bool ToSigned,
                                    unsigned ToBits) {
  Type *Wide = B.getIntNTy(128);
  Value *X = FromSigned ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide);
  const APInt Least = ToSigned ? APInt::getSignedMinValue(ToBits).sext(128)
                               : APInt::getZero(128);
  const APInt Most = ToSigned ? APInt::getSignedMaxValue(ToBits).zext(128)
                              : APInt::getMaxValue(ToBits).zext(128);
  X = B.CreateBinaryIntrinsic(Intrinsic::smax, X,
                              ConstantInt::get(Wide, Least));
  X = B.CreateBinaryIntrinsic(Intrinsic::smin, X, ConstantInt::get(Wide, Most));
  return B.CreateTrunc(X, B.getIntNTy(ToBits));
}

} // namespace heddle
