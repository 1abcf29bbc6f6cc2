//===- StatementArithmetic.cpp - Arithmetic of PTX as IR -----------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// Operands that \p Name reads; 0 if it is not known here.
static unsigned numberOfSources(StringRef Name) {
  return StringSwitch<unsigned>(Name)
      .Cases({"mov", "not", "neg", "abs", "popc", "brev", "clz", "bfind"}, 1)
      .Cases({"sqrt", "rsqrt", "rcp", "sin", "cos", "ex2", "lg2", "tanh"}, 1)
      .Case("cnot", 1)
      .Cases({"add", "sub", "mul", "mul24", "div", "rem", "min", "max"}, 2)
      .Cases({"and", "or", "xor", "shl", "shr", "bmsk", "copysign"}, 2)
      .Cases({"mad", "fma", "selp", "dp4a", "prmt", "sad", "bfe"}, 3)
      .Cases({"mad24", "dp2a", "slct"}, 3)
      .Cases({"bfi", "lop3"}, 4)
      .Default(0);
}

/// Whether PTX has \p Name for values of type \p T.
static bool takes(StringRef Name, const Type *T) {
  bool OnAny = Name == "mov";
  bool OnBits = Name == "not" || Name == "and" || Name == "or" || Name == "xor";
  bool OnNumbers = StringSwitch<bool>(Name)
                       .Cases({"add", "sub", "mul", "mad", "div", "min"}, true)
                       .Cases({"max", "neg", "abs", "selp", "slct"}, true)
                       .Default(false);
  bool OnFloats = StringSwitch<bool>(Name)
                      .Cases({"fma", "sqrt", "rsqrt", "rcp", "sin"}, true)
                      .Cases({"cos", "ex2", "lg2", "tanh"}, true)
                      .Case("copysign", true)
                      .Default(false);
  if (T->isIntegerTy(1))
    return OnAny || OnBits;
  return T->isFloatingPointTy() ? OnAny || OnNumbers || OnFloats : !OnFloats;
}

/// Whether all words between the name and the type mean something here. To
/// ignore one would be another operation.
static bool heedsModifiers(const PTXStatement &S) {
  static constexpr StringLiteral Known[] = {
      "lo",   "hi",  "wide", "rn",  "rz",    "rm",       "rp",  "ftz", "approx",
      "full", "sat", "relu", "NaN", "clamp", "shiftamt", "s32", "u32", "b32"};
  return all_of(S.Modifiers, [](const std::string &Word) {
    return is_contained(Known, Word);
  });
}

bool StatementLowering::lowerArithmetic(const PTXStatement &S, Type *T) {
  // The third operand of slct, of the type that comes last, says which.
  const bool Chooses = S.Name == "slct" && !S.Modifiers.empty();
  Type *const Last = T;
  if (Chooses)
    T = typeOf(S.Modifiers.back());
  if (!T || S.Operands.size() < 2 || !takes(S.Name, T) ||
      (!Chooses && !heedsModifiers(S)) ||
      S.Operands.size() != numberOfSources(S.Name) + 1)
    return false;
  bool Signed = S.Suffix.starts_with("s"), Float = T->isFloatingPointTy();
  unsigned Bits = T->getPrimitiveSizeInBits();
  Value *V[4] = {};
  bool IsMad = S.Name == "mad" && S.has("wide");
  bool IsShift = S.Name == "shl" || S.Name == "shr";
  for (unsigned I = 1; I < S.Operands.size(); ++I) {
    Type *Wanted = T;
    if (IsMad && I == 3)
      Wanted = B.getIntNTy(2 * Bits);
    else if ((IsShift && I == 2) || (S.Name == "bfe" && I > 1) ||
             (S.Name == "bfi" && I > 2))
      Wanted = B.getInt32Ty();
    else if (S.Name == "selp" && I == 3)
      Wanted = B.getInt1Ty();
    else if (Chooses && I == 3)
      Wanted = Last;
    V[I - 1] = operand(S.Operands[I], Wanted);
    if (!V[I - 1])
      return false;
  }
  auto Full = [&](Value *X) {
    Type *Wide = B.getIntNTy(2 * Bits);
    return Signed ? B.CreateSExt(X, Wide) : B.CreateZExt(X, Wide);
  };
  auto Product = [&]() -> Value * {
    if (S.has("wide"))
      return B.CreateMul(Full(V[0]), Full(V[1]));
    if (S.has("hi"))
      return B.CreateTrunc(
          B.CreateLShr(B.CreateMul(Full(V[0]), Full(V[1])), Bits), T);
    return B.CreateMul(V[0], V[1]);
  };
  // Shifts by the width or more give zero or the sign (PTX).
  auto Shift = [&](Instruction::BinaryOps Op, Value *X, Value *N) {
    Value *Wide = toType(N, T);
    Value *Enough = B.CreateICmpUGE(N, B.getInt32(Bits));
    Value *Shifted = B.CreateBinOp(
        Op, X, B.CreateSelect(Enough, ConstantInt::get(T, Bits - 1), Wide));
    if (Op == Instruction::AShr)
      return Shifted;
    return B.CreateSelect(Enough, ConstantInt::get(T, 0), Shifted);
  };
  auto Unary = [&](Intrinsic::ID ID) {
    return B.CreateUnaryIntrinsic(ID, V[0]);
  };
  auto Approximate = [&](Intrinsic::ID ID) -> Value * {
    if (!T->isFloatTy())
      return nullptr;
    auto *Made = cast<Instruction>(Unary(ID));
    Made->setHasApproxFunc(true);
    return Made;
  };
  Value *R = nullptr;
  StringRef N = S.Name;
  const bool Saturates = S.has("sat");
  if (Float && (S.has("rz") || S.has("rm") || S.has("rp"))) {
    R = roundedArithmetic(S, ArrayRef(V, S.Operands.size() - 1));
    if (!R)
      return false;
  } else if (!Float && Saturates) {
    if (S.Suffix != "s32" || (N != "add" && N != "sub"))
      return false;
    R = B.CreateBinaryIntrinsic(
        N == "add" ? Intrinsic::sadd_sat : Intrinsic::ssub_sat, V[0], V[1]);
  } else if (N == "mov")
    R = V[0];
  else if (N == "add")
    R = Float ? B.CreateFAdd(V[0], V[1]) : B.CreateAdd(V[0], V[1]);
  else if (N == "sub")
    R = Float ? B.CreateFSub(V[0], V[1]) : B.CreateSub(V[0], V[1]);
  else if (N == "mul")
    R = Float ? B.CreateFMul(V[0], V[1]) : Product();
  else if (N == "mul24" || N == "mad24") {
    if (!S.has("lo") || Bits != 32)
      return false;
    auto Low = [&](Value *X) {
      X = B.CreateShl(X, 8);
      return Signed ? B.CreateAShr(X, 8) : B.CreateLShr(X, 8);
    };
    R = B.CreateMul(Low(V[0]), Low(V[1]));
    if (N == "mad24")
      R = B.CreateAdd(R, V[2]);
  } else if (N == "mad" && !Float)
    R = B.CreateAdd(Product(), V[2]);
  else if (N == "mad" || N == "fma")
    R = B.CreateIntrinsic(Intrinsic::fma, {T}, {V[0], V[1], V[2]});
  else if (N == "div" && !Float)
    R = Signed ? B.CreateSDiv(V[0], V[1]) : B.CreateUDiv(V[0], V[1]);
  else if (N == "div")
    R = B.CreateFDiv(V[0], V[1]);
  else if (N == "rem")
    R = Signed ? B.CreateSRem(V[0], V[1]) : B.CreateURem(V[0], V[1]);
  else if (N == "min" || N == "max") {
    bool Max = N == "max";
    Intrinsic::ID ID = Float && S.has("NaN")
                           ? (Max ? Intrinsic::maximum : Intrinsic::minimum)
                       : Float  ? (Max ? Intrinsic::maxnum : Intrinsic::minnum)
                       : Signed ? (Max ? Intrinsic::smax : Intrinsic::smin)
                                : (Max ? Intrinsic::umax : Intrinsic::umin);
    R = B.CreateBinaryIntrinsic(ID, V[0], V[1]);
  } else if (N == "and")
    R = B.CreateAnd(V[0], V[1]);
  else if (N == "or")
    R = B.CreateOr(V[0], V[1]);
  else if (N == "xor")
    R = B.CreateXor(V[0], V[1]);
  else if (N == "not")
    R = B.CreateNot(V[0]);
  else if (N == "cnot")
    R = B.CreateZExt(B.CreateICmpEQ(V[0], ConstantInt::get(T, 0)), T);
  else if (N == "copysign") // the sign of the first
    R = B.CreateBinaryIntrinsic(Intrinsic::copysign, V[1], V[0]);
  else if (Chooses) {
    Value *Zero = Constant::getNullValue(Last);
    R = B.CreateSelect(Last->isFloatingPointTy() ? B.CreateFCmpOGE(V[2], Zero)
                                                 : B.CreateICmpSGE(V[2], Zero),
                       V[0], V[1]);
  } else if (N == "neg")
    R = Float ? B.CreateFNeg(V[0]) : B.CreateNeg(V[0]);
  else if (N == "abs")
    R = Float ? Unary(Intrinsic::fabs)
              : B.CreateIntrinsic(Intrinsic::abs, {T}, {V[0], B.getFalse()});
  else if (N == "shl")
    R = Shift(Instruction::Shl, V[0], V[1]);
  else if (N == "shr")
    R = Shift(Signed ? Instruction::AShr : Instruction::LShr, V[0], V[1]);
  else if (N == "selp")
    R = B.CreateSelect(V[2], V[0], V[1]);
  else if (N == "popc")
    R = Unary(Intrinsic::ctpop);
  else if (N == "brev")
    R = Unary(Intrinsic::bitreverse);
  else if (N == "clz")
    R = B.CreateIntrinsic(Intrinsic::ctlz, {T}, {V[0], B.getFalse()});
  else if (N == "bfind") {
    // The highest bit that is not the sign; -1 if there is none.
    Value *X = Signed ? B.CreateXor(V[0], B.CreateAShr(V[0], Bits - 1)) : V[0];
    Value *Zeros = B.CreateIntrinsic(Intrinsic::ctlz, {T}, {X, B.getFalse()});
    Value *Place = S.has("shiftamt")
                       ? Zeros
                       : B.CreateSub(ConstantInt::get(T, Bits - 1), Zeros);
    R = B.CreateSelect(B.CreateICmpEQ(X, ConstantInt::get(T, 0)),
                       B.getInt32(-1), toType(Place, B.getInt32Ty()));
  } else if (N == "dp4a" && T->isIntegerTy(32)) {
    // The type of the second factor is the suffix, of the first the word
    // before.
    R = V[2];
    for (unsigned Byte = 0; Byte < 4; ++Byte) {
      auto Factor = [&](Value *X, bool SignedByte) {
        X = B.CreateTrunc(B.CreateLShr(X, 8 * Byte), B.getInt8Ty());
        return SignedByte ? B.CreateSExt(X, T) : B.CreateZExt(X, T);
      };
      bool FirstSigned = !S.Modifiers.empty() && S.Modifiers.back() == "s32";
      R = B.CreateAdd(
          R, B.CreateMul(Factor(V[0], FirstSigned), Factor(V[1], Signed)));
    }
  } else if (N == "dp2a" && T->isIntegerTy(32) && !S.Modifiers.empty()) {
    // Two halves of the first by two bytes of the second, the low ones or the
    // high ones.
    const bool FirstSigned = S.Modifiers.back() == "s32";
    auto Factor = [&](Value *X, unsigned Shift, Type *Part, bool IsSigned) {
      X = B.CreateTrunc(B.CreateLShr(X, Shift), Part);
      return IsSigned ? B.CreateSExt(X, T) : B.CreateZExt(X, T);
    };
    R = V[2];
    for (unsigned Half = 0; Half < 2; ++Half)
      R = B.CreateAdd(
          R, B.CreateMul(Factor(V[0], 16 * Half, B.getInt16Ty(), FirstSigned),
                         Factor(V[1], 8 * Half + (S.has("hi") ? 16 : 0),
                                B.getInt8Ty(), Signed)));
  } else if (N == "sqrt")
    R = S.has("approx") ? Approximate(Intrinsic::sqrt) : Unary(Intrinsic::sqrt);
  else if (N == "rsqrt" && T->isFloatTy())
    R = call(Intrinsic::nvvm_rsqrt_approx_f, {V[0]});
  else if (N == "rcp") {
    R = B.CreateFDiv(ConstantFP::get(T, 1.0), V[0]);
    if (auto *I = dyn_cast<Instruction>(R); I && S.has("approx"))
      I->setHasApproxFunc(true);
  } else if (N == "sin")
    R = Approximate(Intrinsic::sin);
  else if (N == "cos")
    R = Approximate(Intrinsic::cos);
  else if (N == "ex2")
    R = Approximate(Intrinsic::exp2);
  else if (N == "lg2")
    R = Approximate(Intrinsic::log2);
  else if (N == "tanh")
    R = Unary(Intrinsic::tanh);
  else if (N == "prmt" && T->isIntegerTy(32) && S.Modifiers.empty())
    R = call(Intrinsic::nvvm_prmt, {V[0], V[1], V[2]});
  else if (N == "sad") {
    Value *Max = B.CreateBinaryIntrinsic(
        Signed ? Intrinsic::smax : Intrinsic::umax, V[0], V[1]);
    Value *Min = B.CreateBinaryIntrinsic(
        Signed ? Intrinsic::smin : Intrinsic::umin, V[0], V[1]);
    R = B.CreateAdd(B.CreateSub(Max, Min), V[2]);
  } else if (N == "bfe") {
    // Position and length count 8 bits; past the end come zeros or the sign.
    Value *Start = B.CreateAnd(V[1], 255), *Length = B.CreateAnd(V[2], 255);
    Value *Left = B.CreateSub(B.getInt32(Bits), Length);
    Value *Fits = B.CreateICmpUGE(B.getInt32(Bits), Length);
    Left = B.CreateSelect(Fits, Left, B.getInt32(0));
    Value *Down =
        Shift(Signed ? Instruction::AShr : Instruction::LShr, V[0], Start);
    Value *Up = Shift(Instruction::Shl, Down, Left);
    R = Shift(Signed ? Instruction::AShr : Instruction::LShr, Up, Left);
    R = B.CreateSelect(B.CreateICmpEQ(Length, B.getInt32(0)),
                       ConstantInt::get(T, 0), R);
  } else if (N == "bfi") {
    Value *Start = B.CreateAnd(V[2], 255), *Length = B.CreateAnd(V[3], 255);
    Value *Ones = ConstantInt::getAllOnesValue(T);
    Value *Mask = B.CreateNot(Shift(Instruction::Shl, Ones, Length));
    Mask = Shift(Instruction::Shl, Mask, Start);
    R = B.CreateOr(B.CreateAnd(Shift(Instruction::Shl, V[0], Start), Mask),
                   B.CreateAnd(V[1], B.CreateNot(Mask)));
  } else if (N == "bmsk" && S.has("clamp")) {
    // As many ones as the second operand says, from the bit that the first
    // does.
    Value *Ones = ConstantInt::getAllOnesValue(T);
    R = Shift(Instruction::Shl,
              B.CreateNot(Shift(Instruction::Shl, Ones, V[1])), V[0]);
  } else if (N == "lop3") {
    auto *Table = dyn_cast<ConstantInt>(V[3]);
    if (!Table)
      return false;
    R = ConstantInt::get(T, 0);
    for (unsigned Row = 0; Row < 8; ++Row) {
      if (!(Table->getZExtValue() >> Row & 1))
        continue;
      auto Literal = [&](unsigned I) {
        return Row >> (2 - I) & 1 ? V[I] : B.CreateNot(V[I]);
      };
      R = B.CreateOr(
          R, B.CreateAnd(B.CreateAnd(Literal(0), Literal(1)), Literal(2)));
    }
  }
  if (R && Float && S.has("relu"))
    R = B.CreateBinaryIntrinsic(Intrinsic::maxnum, R, ConstantFP::get(T, 0.0));
  if (R && Float && Saturates)
    R = saturated(R);
  return assign(S.Operands[0], R);
}

/// The 10 bits of the fraction that tf32 has, to nearest, ties away from zero.
Value *StatementLowering::roundToTF32(Value *V) {
  if (!V)
    return nullptr;
  Value *Bits = B.CreateBitCast(V, B.getInt32Ty());
  Value *Rounded = B.CreateAnd(B.CreateAdd(Bits, B.getInt32(0x1000)),
                               B.getInt32(0xffffe000));
  return B.CreateSelect(B.CreateFCmpUNO(V, V), B.getInt32(0x7fffffff), Rounded);
}

bool StatementLowering::lowerConversion(const PTXStatement &S) {
  if (S.Operands.size() != 2 || S.Modifiers.empty())
    return false;
  StringRef ToName = S.Modifiers.back(), FromName = S.Suffix;
  if (ToName == "tf32" && FromName == "f32" && S.has("rna") && !S.has("relu"))
    return assign(S.Operands[0],
                  roundToTF32(operand(S.Operands[1], B.getFloatTy())));
  Type *To = typeOf(ToName), *From = typeOf(FromName);
  if (!To || !From)
    return false;
  Value *V = operand(S.Operands[1], From);
  if (!V)
    return false;
  bool ToFloat = To->isFloatingPointTy(), FromFloat = From->isFloatingPointTy();
  const bool Directed = S.has("rz") || S.has("rm") || S.has("rp");
  if (ToFloat && Directed) {
    V = roundedConversion(S, V);
    if (!V)
      return false;
  } else if (ToFloat && FromFloat) {
    if (Intrinsic::ID Round = S.has("rni")   ? Intrinsic::rint
                              : S.has("rzi") ? Intrinsic::trunc
                              : S.has("rmi") ? Intrinsic::floor
                              : S.has("rpi") ? Intrinsic::ceil
                                             : Intrinsic::not_intrinsic)
      V = B.CreateUnaryIntrinsic(Round, V);
    V = B.CreateFPCast(V, To);
  } else if (ToFloat) {
    V = FromName.starts_with("s") ? B.CreateSIToFP(V, To)
                                  : B.CreateUIToFP(V, To);
  } else if (FromFloat) {
    Intrinsic::ID Round = S.has("rni")   ? Intrinsic::rint
                          : S.has("rmi") ? Intrinsic::floor
                          : S.has("rpi") ? Intrinsic::ceil
                                         : Intrinsic::trunc;
    V = B.CreateUnaryIntrinsic(Round, V);
    V = ToName.starts_with("s") ? B.CreateFPToSI(V, To) : B.CreateFPToUI(V, To);
  } else if (S.has("sat")) {
    V = saturated(V, FromName.starts_with("s"), ToName.starts_with("s"),
                  To->getIntegerBitWidth());
  } else {
    V = FromName.starts_with("s") ? B.CreateSExtOrTrunc(V, To)
                                  : B.CreateZExtOrTrunc(V, To);
  }
  if (ToFloat && S.has("sat"))
    V = saturated(V);
  return assignWide(S.Operands[0], V, ToName);
}

} // namespace heddle
