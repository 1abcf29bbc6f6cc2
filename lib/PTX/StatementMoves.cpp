//===- StatementMoves.cpp - Moves, conversions, comparisons of PTX -------===//

#include "heddle/PTX/StatementLowering.h"

#include "heddle/Analysis/DeviceCall.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// Moves between registers, or one and the parts that it is made of.
bool StatementLowering::lowerMove(const PTXStatement &S) {
  Type *T = typeOf(S.Suffix);
  if (S.Operands.size() != 2)
    return false;
  Type *Bits = B.getIntNTy(T->getPrimitiveSizeInBits());
  auto Fit = [&](ArrayRef<StringRef> Names) {
    return Names.size() > 1 && isPowerOf2_64(Names.size()) &&
           8 * Names.size() <= Bits->getIntegerBitWidth();
  };
  if (S.Operands[0].starts_with("{")) {
    auto Names = registersOf(S.Operands[0]);
    Value *V = operand(S.Operands[1], Bits);
    if (!V || !Fit(Names))
      return false;
    unsigned Width = Bits->getIntegerBitWidth() / Names.size();
    for (auto [N, Name] : enumerate(Names))
      if (!assign(Name, B.CreateTrunc(B.CreateLShr(V, N * Width),
                                      B.getIntNTy(Width))))
        return false;
    return true;
  }
  if (S.Operands[1].starts_with("{")) {
    auto Names = registersOf(S.Operands[1]);
    if (!Fit(Names))
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
  Value *V = operand(S.Operands[1], T);
  if (!V && S.Suffix == "b64") // "mov.b64 %rd1, 1.5"
    V = operand(S.Operands[1], B.getDoubleTy());
  return V && assign(S.Operands[0], V);
}

/// mov.v4 {a, b, c, d}, %tid: the fourth is 0. Or of as many as there are.
bool StatementLowering::lowerVectorMove(const PTXStatement &S) {
  if (S.Operands.size() != 2 || !S.Operands[0].starts_with("{"))
    return false;
  Type *T = typeOf(S.Suffix);
  const auto Names = registersOf(S.Operands[0]);
  const StringRef Source = S.Operands[1];
  const bool IsList = Source.starts_with("{");
  const auto Parts = registersOf(Source);
  const size_t Elements = S.has("v2") ? 2 : 4;
  if (Names.size() != Elements || (IsList ? Parts.size() : 4) != Elements)
    return false;
  SmallVector<Value *, 4> Values;
  for (size_t I = 0; I != Elements; ++I) {
    const std::string Text = IsList   ? Parts[I].str()
                             : I == 3 ? "0"
                                      : (Source + "." + Twine("xyz"[I])).str();
    Values.push_back(operand(Text, T));
    if (!Values.back())
      return false;
  }
  return all_of(zip(Names, Values), [&](auto Pair) {
    return assign(std::get<0>(Pair), std::get<1>(Pair));
  });
}

/// Only shared, constant and local memory have addresses of their own beside
/// the generic ones.
bool StatementLowering::lowerAddressConversion(const PTXStatement &S) {
  if (S.Operands.size() != 2)
    return false;
  unsigned Space = S.has("shared::cluster")
                       ? NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER
                   : S.has("shared") ? NVPTXAS::ADDRESS_SPACE_SHARED
                   : S.has("const")  ? NVPTXAS::ADDRESS_SPACE_CONST
                   : S.has("local")  ? NVPTXAS::ADDRESS_SPACE_LOCAL
                                     : NVPTXAS::ADDRESS_SPACE_GENERIC;
  Type *From = B.getPtrTy(S.has("to") ? NVPTXAS::ADDRESS_SPACE_GENERIC : Space);
  Type *To = B.getPtrTy(S.has("to") ? Space : NVPTXAS::ADDRESS_SPACE_GENERIC);
  if (Space == NVPTXAS::ADDRESS_SPACE_GENERIC)
    return assign(S.Operands[0], operand(S.Operands[1], B.getInt64Ty()));
  Value *V = operand(S.Operands[1], From);
  return V && assign(S.Operands[0], B.CreateAddrSpaceCast(V, To));
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

static void markPure(Function &F) {
  F.setDoesNotAccessMemory();
  F.setDoesNotThrow();
  F.setWillReturn();
  F.setSpeculatable();
}

/// Pseudo instructions of PTXEmitter: "math.exp.f32 %d, %a" and
/// "special.globaloffset.x %d".
bool StatementLowering::lowerMath(const PTXStatement &S) {
  Module &M = *B.GetInsertBlock()->getModule();
  bool IsMath = S.Name == "math";
  Type *T = IsMath ? typeOf(S.Suffix) : B.getInt32Ty();
  if (!T || S.Operands.empty() || (IsMath && S.Modifiers.empty()))
    return false;
  const StringRef Which = IsMath ? S.Modifiers[0] : "";
  SmallVector<Value *, 3> Args;
  SmallVector<Type *, 3> Types;
  for (StringRef Text : drop_begin(S.Operands)) {
    bool Exponent = Which == "ldexp" && Args.size() == 1;
    Args.push_back(operand(Text, Exponent ? B.getInt32Ty() : T));
    if (!Args.back())
      return false;
    Types.push_back(Args.back()->getType());
  }
  const std::string Name = ("heddle." + S.Opcode).str();
  Type *Result = Which == "ilogb" ? B.getInt32Ty() : T;
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false));
  markPure(*cast<Function>(Callee.getCallee()));
  return assign(S.Operands[0], B.CreateCall(Callee, Args));
}

/// "call.vprintf" and "call.__assertfail": calls that LowerPrints knows.
bool StatementLowering::lowerPrint(const PTXStatement &S) {
  SmallVector<Value *, 5> Args;
  for (StringRef Text : drop_begin(S.Operands)) {
    Type *T = registerType(Text);
    Value *V = T ? operand(Text, T) : nullptr;
    if (!V)
      return false;
    const bool IsLine = S.has("__assertfail") && Args.size() == 2;
    Args.push_back(
        IsLine || !T->isIntegerTy(64) ? V : B.CreateIntToPtr(V, B.getPtrTy()));
  }
  SmallVector<Type *, 5> Types;
  for (const Value *V : Args)
    Types.push_back(V->getType());
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      S.Suffix, FunctionType::get(B.getInt32Ty(), Types, false));
  Value *Called = B.CreateCall(Callee, Args);
  return S.Operands[0] == "_" || assign(S.Operands[0], Called);
}

/// "call.refused.KIND", a call of what is not executed.
bool StatementLowering::lowerCall(const PTXStatement &S) {
  if (S.Operands.empty())
    return false;
  if (S.Suffix == "vprintf" || S.Suffix == "__assertfail")
    return lowerPrint(S);
  if (!S.has("refused"))
    return false;
  SmallVector<Value *, 4> Args;
  SmallVector<Type *, 4> Types;
  for (StringRef Text : drop_begin(S.Operands)) {
    Type *T = registerType(Text);
    Args.push_back(operand(Text, T ? T : B.getInt32Ty()));
    if (!Args.back())
      return false;
    Types.push_back(Args.back()->getType());
  }
  Type *Result =
      S.Operands[0] == "_" ? B.getVoidTy() : registerType(S.Operands[0]);
  if (!Result)
    return false;
  StringRef Name = S.Opcode;
  Name.consume_front("call.");
  Module &M = *B.GetInsertBlock()->getModule();
  auto *Its = FunctionType::get(Result, Types, false);
  std::string Symbol = ("heddle." + Name).str();
  for (unsigned N = 1; const Function *Other = M.getFunction(Symbol); ++N) {
    if (Other->getFunctionType() == Its)
      break;
    Symbol = ("heddle." + Name + "." + Twine(N)).str();
  }
  FunctionCallee Callee = M.getOrInsertFunction(Symbol, Its);
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  // What CallExpansion and RefuseUnknownCalls leave.
  F->addFnAttr(
      RefusedReason,
      Name.ends_with("recursion") ? "recurses deeper than is written out"
      : Name.ends_with("stack")
          ? "takes more than 1024 bytes of a thread's stack with alloca"
      : Name.ends_with("target")
          ? "calls through a pointer what is no function of the file"
      : Name.ends_with("size") ? "calls more functions than are written out"
                               : "calls what Heddle does not execute");
  Value *Called = B.CreateCall(Callee, Args);
  return Result->isVoidTy() || assign(S.Operands[0], Called);
}

/// Differences of bytes or halves: a call of the function of that name.
bool StatementLowering::lowerPartDifference(const PTXStatement &S) {
  Type *T = B.getInt32Ty();
  SmallVector<Value *, 3> Args;
  for (StringRef Text : drop_begin(S.Operands))
    Args.push_back(operand(Text, T));
  if (Args.size() != 3 || is_contained(Args, nullptr))
    return false;
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Callee =
      M.getOrInsertFunction((InstructionPrefix + S.Opcode).str(),
                            FunctionType::get(T, {T, T, T}, false));
  markPure(*cast<Function>(Callee.getCallee()));
  return assign(S.Operands[0], B.CreateCall(Callee, Args));
}

/// What the comparison of \p S means; BAD_ICMP_PREDICATE if nothing.
static CmpInst::Predicate predicateOf(const PTXStatement &S, bool Float) {
  struct Meaning {
    StringLiteral Name;
    CmpInst::Predicate Float, Signed, Unsigned;
  };
  constexpr auto None = CmpInst::BAD_ICMP_PREDICATE;
  static constexpr Meaning Meanings[] = {
      {"eq", CmpInst::FCMP_OEQ, CmpInst::ICMP_EQ, CmpInst::ICMP_EQ},
      {"ne", CmpInst::FCMP_ONE, CmpInst::ICMP_NE, CmpInst::ICMP_NE},
      {"lt", CmpInst::FCMP_OLT, CmpInst::ICMP_SLT, CmpInst::ICMP_ULT},
      {"le", CmpInst::FCMP_OLE, CmpInst::ICMP_SLE, CmpInst::ICMP_ULE},
      {"gt", CmpInst::FCMP_OGT, CmpInst::ICMP_SGT, CmpInst::ICMP_UGT},
      {"ge", CmpInst::FCMP_OGE, CmpInst::ICMP_SGE, CmpInst::ICMP_UGE},
      {"equ", CmpInst::FCMP_UEQ, None, None},
      {"neu", CmpInst::FCMP_UNE, None, None},
      {"ltu", CmpInst::FCMP_ULT, None, None},
      {"leu", CmpInst::FCMP_ULE, None, None},
      {"gtu", CmpInst::FCMP_UGT, None, None},
      {"geu", CmpInst::FCMP_UGE, None, None},
      {"num", CmpInst::FCMP_ORD, None, None},
      {"nan", CmpInst::FCMP_UNO, None, None},
      {"lo", None, CmpInst::ICMP_ULT, CmpInst::ICMP_ULT},
      {"ls", None, CmpInst::ICMP_ULE, CmpInst::ICMP_ULE},
      {"hi", None, CmpInst::ICMP_UGT, CmpInst::ICMP_UGT},
      {"hs", None, CmpInst::ICMP_UGE, CmpInst::ICMP_UGE},
  };
  for (const Meaning &M : Meanings)
    if (S.has(M.Name))
      return Float                       ? M.Float
             : S.Suffix.starts_with("s") ? M.Signed
                                         : M.Unsigned;
  return None;
}

/// Whether the comparison of \p S holds, joined with its last operand where it
/// has one; \p Fails the same for the opposite. Null if it is not known.
Value *StatementLowering::compare(const PTXStatement &S, Value *&Fails) {
  Type *T = typeOf(S.Suffix);
  if (S.Operands.size() < 3)
    return nullptr;
  Value *X = operand(S.Operands[1], T), *Y = operand(S.Operands[2], T);
  const CmpInst::Predicate P = predicateOf(S, T->isFloatingPointTy());
  if (!X || !Y || P == CmpInst::BAD_ICMP_PREDICATE)
    return nullptr;
  Value *Holds = B.CreateCmp(P, X, Y);
  Fails = B.CreateNot(Holds);
  return joinWithLast(S, Holds) && joinWithLast(S, Fails) ? Holds : nullptr;
}

/// Joins \p V with the fourth operand, if there is one; false if that is not
/// known.
bool StatementLowering::joinWithLast(const PTXStatement &S, Value *&V) {
  if (S.Operands.size() != 4)
    return true;
  Value *Other = operand(S.Operands[3], B.getInt1Ty());
  if (!Other)
    return false;
  V = S.has("and")  ? B.CreateAnd(V, Other)
      : S.has("or") ? B.CreateOr(V, Other)
                    : B.CreateXor(V, Other);
  return true;
}

/// setp on bf16, whose second result is the opposite, and on pairs, whose
/// results are those of the lower and the upper half.
bool StatementLowering::lowerPackedComparison(const PTXStatement &S) {
  const bool Brain = S.Suffix.starts_with("bf16"),
             IsPair = S.Suffix.ends_with("x2");
  const CmpInst::Predicate P = predicateOf(S, /*Float=*/true);
  if (S.Operands.size() < 3)
    return false;
  Type *Register = B.getIntNTy(IsPair ? 32 : 16);
  Value *X = operand(S.Operands[1], Register),
        *Y = operand(S.Operands[2], Register);
  if (!X || !Y)
    return false;
  Value *First = B.CreateFCmp(P, half(X, 0, Brain), half(Y, 0, Brain));
  Value *Second = IsPair ? B.CreateFCmp(P, half(X, 1, Brain), half(Y, 1, Brain))
                         : B.CreateNot(First);
  auto [FirstName, SecondName] = S.Operands[0].split('|');
  return joinWithLast(S, First) && joinWithLast(S, Second) &&
         assign(FirstName, First) &&
         (SecondName.empty() || assign(SecondName, Second));
}

/// setp.CMP[.BOOL].TYPE p[|q], a, b[, [!]c]
bool StatementLowering::lowerComparison(const PTXStatement &S) {
  Value *Fails = nullptr, *Holds = compare(S, Fails);
  if (!Holds)
    return false;
  auto [First, Second] = S.Operands[0].split('|');
  return assign(First, Holds) && (Second.empty() || assign(Second, Fails));
}

/// set.CMP[.BOOL].TO.TYPE d, a, b[, [!]c]: all bits of an integer, or 1.0.
bool StatementLowering::lowerSet(const PTXStatement &S) {
  Type *To = typeOf(S.Modifiers.back());
  Value *Fails = nullptr, *Holds = compare(S, Fails);
  if (!Holds)
    return false;
  return assign(S.Operands[0], To->isFloatingPointTy()
                                   ? B.CreateUIToFP(Holds, To)
                                   : B.CreateSExt(Holds, To));
}

/// set.CMP.f16x2.f16x2 d, a, b and its like: 1.0 or 0 in each half; all bits
/// or none of it with .u32 and .s32.
bool StatementLowering::lowerPackedSet(const PTXStatement &S) {
  const bool Brain = S.Suffix.starts_with("bf16");
  const unsigned Halves = S.Suffix.ends_with("x2") ? 2 : 1;
  const CmpInst::Predicate P = predicateOf(S, /*Float=*/true);
  const bool Masks = S.Modifiers.back() != S.Suffix;
  if (S.Operands.size() != 3)
    return false;
  Type *Register = B.getIntNTy(16 * Halves);
  Value *X = operand(S.Operands[1], Register),
        *Y = operand(S.Operands[2], Register);
  if (!X || !Y)
    return false;
  Value *Result = ConstantInt::get(Register, 0);
  const uint64_t One = Masks ? 0xffff : Brain ? 0x3f80 : 0x3c00;
  for (unsigned N = 0; N < Halves; ++N)
    Result = B.CreateOr(
        Result,
        B.CreateSelect(B.CreateFCmp(P, half(X, N, Brain), half(Y, N, Brain)),
                       ConstantInt::get(Register, One << (16 * N)),
                       ConstantInt::get(Register, 0)));
  return assign(S.Operands[0], Result);
}

} // namespace heddle
