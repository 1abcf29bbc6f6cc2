//===- StatementMoves.cpp - Moves, comparisons, functions of PTX ---------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

/// Moves between a register and the parts that it is made of, and the funnel
/// shift.
bool StatementLowering::lowerMove(const PTXStatement &S, Type *T) {
  if (S.Name == "mov" && T && S.Operands.size() == 2) {
    Type *Bits = B.getIntNTy(T->getPrimitiveSizeInBits());
    auto fit = [&](ArrayRef<StringRef> Names) {
      return Names.size() > 1 && isPowerOf2_64(Names.size()) &&
             8 * Names.size() <= Bits->getIntegerBitWidth();
    };
    if (StringRef(S.Operands[0]).starts_with("{")) {
      auto Names = registersOf(S.Operands[0]);
      Value *V = operand(S.Operands[1], Bits);
      if (!V || !fit(Names))
        return false;
      unsigned Width = Bits->getIntegerBitWidth() / Names.size();
      for (auto [N, Name] : enumerate(Names))
        if (!assign(Name, B.CreateTrunc(B.CreateLShr(V, N * Width),
                                        B.getIntNTy(Width))))
          return false;
      return true;
    }
    if (StringRef(S.Operands[1]).starts_with("{")) {
      auto Names = registersOf(S.Operands[1]);
      if (!fit(Names))
        return false;
      unsigned Width = Bits->getIntegerBitWidth() / Names.size();
      Value *V = ConstantInt::get(Bits, 0);
      for (auto [N, Name] : enumerate(Names)) {
        Value *Part = operand(Name, B.getIntNTy(Width));
        if (!Part)
          return false;
        V = B.CreateOr(V, B.CreateShl(B.CreateZExt(Part, Bits), N * Width));
      }
      return assign(S.Operands[0], V);
    }
  }
  if (S.Name == "shf" && S.Operands.size() == 4) {
    Type *I32 = B.getInt32Ty();
    Value *Low = operand(S.Operands[1], I32),
          *High = operand(S.Operands[2], I32),
          *Amount = operand(S.Operands[3], I32);
    if (!Low || !High || !Amount || (!S.has("wrap") && !S.has("clamp")))
      return false;
    Value *Shifted =
        B.CreateIntrinsic(S.has("l") ? Intrinsic::fshl : Intrinsic::fshr, {I32},
                          {High, Low, Amount});
    // By 32 and more a clamped shift gives the other word as it is.
    if (S.has("clamp"))
      Shifted = B.CreateSelect(B.CreateICmpUGE(Amount, B.getInt32(32)),
                               S.has("l") ? Low : High, Shifted);
    return assign(S.Operands[0], Shifted);
  }
  return false;
}

/// Pseudo instructions of PTXEmitter: "math.exp.f32 %d, %a" and
/// "special.globaloffset.x %d".
bool StatementLowering::lowerMath(const PTXStatement &S) {
  Module &M = *B.GetInsertBlock()->getModule();
  bool IsMath = S.Name == "math";
  Type *T = IsMath ? typeOf(S.Suffix) : B.getInt32Ty();
  if (!T || S.Operands.empty() || S.Modifiers.empty())
    return false;
  SmallVector<Value *, 3> Args;
  SmallVector<Type *, 3> Types;
  for (StringRef Text : drop_begin(S.Operands)) {
    bool Exponent = S.Modifiers[0] == "ldexp" && Args.size() == 1;
    Args.push_back(operand(Text, Exponent ? B.getInt32Ty() : T));
    if (!Args.back())
      return false;
    Types.push_back(Args.back()->getType());
  }
  std::string Name = "heddle." + S.Name;
  for (const std::string &Part : S.Modifiers)
    Name += "." + Part;
  if (!S.Suffix.empty())
    Name += "." + S.Suffix;
  Type *Result = S.Modifiers[0] == "ilogb" ? B.getInt32Ty() : T;
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setSpeculatable();
  return assign(S.Operands[0], B.CreateCall(Callee, Args));
}

/// What the comparison of \p S means; BAD_ICMP_PREDICATE if nothing.
CmpInst::Predicate StatementLowering::predicateOf(const PTXStatement &S,
                                                  bool Float) {
  const bool Signed = StringRef(S.Suffix).starts_with("s");
  auto Integer = [&](CmpInst::Predicate IfSigned, CmpInst::Predicate Else) {
    return Signed ? IfSigned : Else;
  };
  if (S.Modifiers.empty())
    return CmpInst::BAD_ICMP_PREDICATE;
  const StringRef Name = S.Modifiers.front();
  auto P =
      StringSwitch<CmpInst::Predicate>(Name)
          .Case("eq", Float ? CmpInst::FCMP_OEQ : CmpInst::ICMP_EQ)
          .Case("ne", Float ? CmpInst::FCMP_ONE : CmpInst::ICMP_NE)
          .Case("lt", Float ? CmpInst::FCMP_OLT
                            : Integer(CmpInst::ICMP_SLT, CmpInst::ICMP_ULT))
          .Case("le", Float ? CmpInst::FCMP_OLE
                            : Integer(CmpInst::ICMP_SLE, CmpInst::ICMP_ULE))
          .Case("gt", Float ? CmpInst::FCMP_OGT
                            : Integer(CmpInst::ICMP_SGT, CmpInst::ICMP_UGT))
          .Case("ge", Float ? CmpInst::FCMP_OGE
                            : Integer(CmpInst::ICMP_SGE, CmpInst::ICMP_UGE))
          .Default(CmpInst::BAD_ICMP_PREDICATE);
  if (P != CmpInst::BAD_ICMP_PREDICATE)
    return P;
  return Float ? StringSwitch<CmpInst::Predicate>(Name)
                     .Case("equ", CmpInst::FCMP_UEQ)
                     .Case("neu", CmpInst::FCMP_UNE)
                     .Case("ltu", CmpInst::FCMP_ULT)
                     .Case("leu", CmpInst::FCMP_ULE)
                     .Case("gtu", CmpInst::FCMP_UGT)
                     .Case("geu", CmpInst::FCMP_UGE)
                     .Case("num", CmpInst::FCMP_ORD)
                     .Case("nan", CmpInst::FCMP_UNO)
                     .Default(P)
               : StringSwitch<CmpInst::Predicate>(Name)
                     .Case("lo", CmpInst::ICMP_ULT)
                     .Case("ls", CmpInst::ICMP_ULE)
                     .Case("hi", CmpInst::ICMP_UGT)
                     .Case("hs", CmpInst::ICMP_UGE)
                     .Default(P);
}

/// Whether the comparison of \p S holds, joined with its last operand where it
/// has one; \p Fails the same for the opposite. Null if it is not known.
Value *StatementLowering::compare(const PTXStatement &S, Type *T,
                                  Value *&Fails) {
  if (S.Operands.size() < 3 || !T)
    return nullptr;
  Value *X = operand(S.Operands[1], T), *Y = operand(S.Operands[2], T);
  const CmpInst::Predicate P = predicateOf(S, T->isFloatingPointTy());
  if (!X || !Y || P == CmpInst::BAD_ICMP_PREDICATE)
    return nullptr;
  Value *Holds = B.CreateCmp(P, X, Y);
  Fails = B.CreateNot(Holds);
  if (S.Operands.size() != 4)
    return Holds;
  Value *Other = operand(S.Operands[3], B.getInt1Ty());
  if (!Other)
    return nullptr;
  auto Join = [&](Value *V) -> Value * {
    return S.has("and")  ? B.CreateAnd(V, Other)
           : S.has("or") ? B.CreateOr(V, Other)
                         : B.CreateXor(V, Other);
  };
  Fails = Join(Fails);
  return Join(Holds);
}

/// setp.CMP[.BOOL].TYPE p[|q], a, b[, [!]c]
bool StatementLowering::lowerComparison(const PTXStatement &S, Type *T) {
  Value *Fails = nullptr, *Holds = compare(S, T, Fails);
  if (!Holds)
    return false;
  auto [First, Second] = StringRef(S.Operands[0]).split('|');
  return assign(First, Holds) && (Second.empty() || assign(Second, Fails));
}

/// set.CMP[.BOOL].TO.TYPE d, a, b[, [!]c]: all bits of an integer, or 1.0.
bool StatementLowering::lowerSet(const PTXStatement &S, Type *T) {
  Type *To = S.Modifiers.size() < 2 ? nullptr : typeOf(S.Modifiers.back());
  Value *Fails = nullptr, *Holds = To ? compare(S, T, Fails) : nullptr;
  if (!Holds)
    return false;
  return assign(S.Operands[0], To->isFloatingPointTy()
                                   ? B.CreateUIToFP(Holds, To)
                                   : B.CreateSExt(Holds, To));
}

} // namespace heddle
