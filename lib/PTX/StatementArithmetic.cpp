//===- StatementArithmetic.cpp - Arithmetic of PTX as IR -----------------===//
//
// The functions that rows of PTXInstructions.def name as value(F): operands
// come read, the result is written by who calls.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle {

/// selp, whose last operand is a predicate, and slct, whose last is one if it
/// is not negative.
Value *StatementLowering::chosen(const Operation &O) {
  Value *Which = O.V[2];
  Value *Zero = Constant::getNullValue(Which->getType());
  if (Which->getType()->isFloatingPointTy())
    Which = B.CreateFCmpOGE(Which, Zero);
  else if (!Which->getType()->isIntegerTy(1))
    Which = B.CreateICmpSGE(Which, Zero);
  return B.CreateSelect(Which, O.V[0], O.V[1]);
}

Value *StatementLowering::negated(const Operation &O) {
  return B.CreateNeg(O.V[0]);
}

Value *StatementLowering::inverted(const Operation &O) {
  return B.CreateNot(O.V[0]);
}

Value *StatementLowering::isZero(const Operation &O) {
  return B.CreateZExt(B.CreateICmpEQ(O.V[0], ConstantInt::get(O.T, 0)), O.T);
}

Value *StatementLowering::absoluteDifference(const Operation &O) {
  const bool Signed = O.isSigned();
  switch (O.bits()) {
  case 16:
    return call(Signed ? Intrinsic::nvvm_sad_s : Intrinsic::nvvm_sad_us, O.V);
  case 32:
    return call(Signed ? Intrinsic::nvvm_sad_i : Intrinsic::nvvm_sad_ui, O.V);
  default:
    return call(Signed ? Intrinsic::nvvm_sad_ll : Intrinsic::nvvm_sad_ull, O.V);
  }
}

/// Any function of three bits, by its table.
Value *StatementLowering::lookedUp(const Operation &O) {
  auto *Table = dyn_cast<ConstantInt>(O.V[3]);
  if (!Table)
    return nullptr;
  Value *R = ConstantInt::get(O.T, 0);
  for (unsigned Row = 0; Row < 8; ++Row) {
    if (!(Table->getZExtValue() >> Row & 1))
      continue;
    auto Literal = [&](unsigned I) {
      return Row >> (2 - I) & 1 ? O.V[I] : B.CreateNot(O.V[I]);
    };
    R = B.CreateOr(
        R, B.CreateAnd(B.CreateAnd(Literal(0), Literal(1)), Literal(2)));
  }
  return R;
}

/// lop3.BOOL d|p, a, b, c, table, q: p is whether d is not 0, joined with q.
bool StatementLowering::lowerLookup(const PTXStatement &S) {
  if (S.Operands.size() != 6)
    return false;
  SmallVector<Value *, 4> V;
  for (StringRef Text : ArrayRef(S.Operands).slice(1, 4))
    V.push_back(operand(Text, B.getInt32Ty()));
  Value *Other = operand(S.Operands[5], B.getInt1Ty());
  Value *R =
      is_contained(V, nullptr) ? nullptr : lookedUp({S, B.getInt32Ty(), V});
  if (!R || !Other)
    return false;
  Value *Holds = B.CreateIsNotNull(R);
  Holds = S.has("and") ? B.CreateAnd(Holds, Other) : B.CreateOr(Holds, Other);
  auto [Word, Predicate] = S.Operands[0].split('|');
  return assign(Word, R) && assign(Predicate, Holds);
}

/// min and max of magnitudes with the sign of the product.
Value *StatementLowering::signedExtreme(const Operation &O) {
  const bool IsMin = O.S.Name == "min";
  const Intrinsic::ID ID =
      O.S.has("NaN") ? (IsMin ? Intrinsic::minimum : Intrinsic::maximum)
                     : (IsMin ? Intrinsic::minnum : Intrinsic::maxnum);
  auto Magnitude = [&](Value *V) {
    return B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
  };
  Value *R = B.CreateBinaryIntrinsic(ID, Magnitude(O.V[0]), Magnitude(O.V[1]));
  Type *Bits = B.getIntNTy(O.V[0]->getType()->getPrimitiveSizeInBits());
  Value *Signs =
      B.CreateXor(B.CreateBitCast(O.V[0], Bits), B.CreateBitCast(O.V[1], Bits));
  Value *Signed = B.CreateBinaryIntrinsic(Intrinsic::copysign, R,
                                          B.CreateBitCast(Signs, R->getType()));
  return B.CreateSelect(B.CreateFCmpUNO(R, R), R, Signed);
}

/// Shifts by the width or more give zero or the sign (PTX).
Value *StatementLowering::shift(Instruction::BinaryOps Op, Value *X, Value *N) {
  Type *T = X->getType();
  const unsigned Bits = T->getIntegerBitWidth();
  Value *Wide = toType(N, T);
  if (auto *C = dyn_cast<ConstantInt>(N); C && C->getValue().ult(Bits))
    return B.CreateBinOp(Op, X, Wide);
  Value *Enough = B.CreateICmpUGE(N, B.getInt32(Bits));
  Value *Shifted = B.CreateBinOp(
      Op, X, B.CreateSelect(Enough, ConstantInt::get(T, Bits - 1), Wide));
  if (Op == Instruction::AShr)
    return Shifted;
  return B.CreateSelect(Enough, ConstantInt::get(T, 0), Shifted);
}

static Instruction::BinaryOps shiftDown(bool Signed) {
  return Signed ? Instruction::AShr : Instruction::LShr;
}

Value *StatementLowering::shifted(const Operation &O) {
  return shift(O.S.Name == "shl" ? Instruction::Shl : shiftDown(O.isSigned()),
               O.V[0], O.V[1]);
}

Value *StatementLowering::funnelShifted(const Operation &O) {
  const bool Left = O.S.has("l");
  Value *Low = O.V[0], *High = O.V[1], *Amount = O.V[2];
  if (!O.S.has("clamp"))
    return B.CreateIntrinsic(Left ? Intrinsic::fshl : Intrinsic::fshr, {O.T},
                             {High, Low, Amount});
  // By 32 and more a clamped shift gives the other word as it is.
  return B.CreateIntrinsic(Left ? Intrinsic::nvvm_fshl_clamp
                                : Intrinsic::nvvm_fshr_clamp,
                           {O.T}, {High, Low, Amount});
}

/// Position and length count 8 bits; past the end come zeros or the sign.
Value *StatementLowering::extracted(const Operation &O) {
  Value *Start = B.CreateAnd(O.V[1], 255), *Length = B.CreateAnd(O.V[2], 255);
  Value *Left = B.CreateSub(B.getInt32(O.bits()), Length);
  Value *Fits = B.CreateICmpUGE(B.getInt32(O.bits()), Length);
  Left = B.CreateSelect(Fits, Left, B.getInt32(0));
  Value *Down = shift(shiftDown(O.isSigned()), O.V[0], Start);
  Value *Up = shift(Instruction::Shl, Down, Left);
  Value *R = shift(shiftDown(O.isSigned()), Up, Left);
  return B.CreateSelect(B.CreateICmpEQ(Length, B.getInt32(0)),
                        ConstantInt::get(O.T, 0), R);
}

Value *StatementLowering::inserted(const Operation &O) {
  Value *Start = B.CreateAnd(O.V[2], 255), *Length = B.CreateAnd(O.V[3], 255);
  Value *Ones = ConstantInt::getAllOnesValue(O.T);
  Value *Mask = B.CreateNot(shift(Instruction::Shl, Ones, Length));
  Mask = shift(Instruction::Shl, Mask, Start);
  return B.CreateOr(B.CreateAnd(shift(Instruction::Shl, O.V[0], Start), Mask),
                    B.CreateAnd(O.V[1], B.CreateNot(Mask)));
}

/// The highest bit that is not the sign; -1 if there is none.
Value *StatementLowering::highestBit(const Operation &O) {
  return B.CreateIntrinsic(O.isSigned() ? Intrinsic::nvvm_flo_s
                                        : Intrinsic::nvvm_flo_u,
                           {O.T}, {O.V[0], B.getInt1(O.S.has("shiftamt"))});
}

/// As many ones as the second operand says, from the bit that the first does.
Value *StatementLowering::bitMask(const Operation &O) {
  return call(O.S.has("clamp") ? Intrinsic::nvvm_bmsk_clamp
                               : Intrinsic::nvvm_bmsk_wrap,
              O.V);
}

/// prmt with a mode, which says what the third operand selects. What copies
/// bytes of one register does not read the second.
Value *StatementLowering::permuted(const Operation &O) {
  const StringRef Mode = O.S.Suffix;
  if (Mode == "f4e" || Mode == "b4e")
    return call(Mode == "f4e" ? Intrinsic::nvvm_prmt_f4e
                              : Intrinsic::nvvm_prmt_b4e,
                O.V);
  return call(Mode == "rc8"   ? Intrinsic::nvvm_prmt_rc8
              : Mode == "ecl" ? Intrinsic::nvvm_prmt_ecl
              : Mode == "ecr" ? Intrinsic::nvvm_prmt_ecr
                              : Intrinsic::nvvm_prmt_rc16,
              {O.V[0], O.V[2]});
}

/// szext: the low bits of the first operand, as many as the second says.
Value *StatementLowering::extended(const Operation &O) {
  const StringRef Kind = O.isSigned() ? "sext" : "zext";
  const StringRef Mode = O.S.has("clamp") ? "clamp" : "wrap";
  return call(
      Intrinsic::lookupIntrinsicID(("llvm.nvvm." + Kind + "." + Mode).str()),
      O.V);
}

/// The low, the high or both halves of a product, and a third operand added.
Value *StatementLowering::product(const Operation &O) {
  Type *Wide = B.getIntNTy(2 * O.bits());
  auto Full = [&](Value *X) {
    return O.isSigned() ? B.CreateSExt(X, Wide) : B.CreateZExt(X, Wide);
  };
  Value *R = O.S.has("lo") ? B.CreateMul(O.V[0], O.V[1])
                           : B.CreateMul(Full(O.V[0]), Full(O.V[1]));
  if (O.S.has("hi"))
    R = B.CreateTrunc(B.CreateLShr(R, O.bits()), O.T);
  return O.V.size() == 3 ? B.CreateAdd(R, O.V[2]) : R;
}

/// The same of the low 24 bits of the factors.
Value *StatementLowering::product24(const Operation &O) {
  SmallVector<Value *, 3> V(O.V);
  for (Value *&Factor : MutableArrayRef(V).take_front(2))
    Factor = B.CreateBinOp(shiftDown(O.isSigned()), B.CreateShl(Factor, 8),
                           B.getInt32(8));
  return product({O.S, O.T, V});
}

/// dp4a and dp2a. The type of the second factor comes last, that of the first
/// before it.
Value *StatementLowering::dotProduct(const Operation &O) {
  const bool IsPair = O.S.Name == "dp2a";
  const StringRef First = O.S.Modifiers.back();
  SmallVector<Value *, 4> Args(O.V);
  if (IsPair)
    Args.insert(Args.begin() + 2, B.getInt1(O.S.has("hi")));
  return call(Intrinsic::lookupIntrinsicID(("llvm.nvvm.i" + O.S.Name + "." +
                                            First.take_front() + "." +
                                            O.S.Suffix.take_front())
                                               .str()),
              Args);
}

Value *StatementLowering::reciprocal(const Operation &O) {
  Value *R = B.CreateFDiv(ConstantFP::get(O.T, 1.0), O.V[0]);
  if (auto *I = dyn_cast<Instruction>(R); I && O.S.has("approx"))
    I->setHasApproxFunc(true);
  return R;
}

Value *StatementLowering::reciprocalRoot(const Operation &O) {
  return B.CreateFDiv(ConstantFP::get(O.T, 1.0),
                      B.CreateUnaryIntrinsic(Intrinsic::sqrt, O.V[0]));
}

StringRef directionOf(const PTXStatement &S) {
  for (StringRef Mode : {"rz", "rm", "rp"})
    if (S.has(Mode))
      return Mode;
  return "";
}

/// Arithmetic on float or double that does not round to the nearest.
Value *StatementLowering::rounded(const Operation &O) {
  const StringRef Name = StringSwitch<StringRef>(O.S.Name)
                             .Case("sub", "add")
                             .Case("mad", "fma")
                             .Default(O.S.Name);
  SmallVector<Value *, 3> Args(O.V);
  if (O.S.Name == "sub")
    Args[1] = B.CreateFNeg(Args[1]);
  const Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(
      ("llvm.nvvm." + Name + "." + directionOf(O.S) +
       (O.T->isFloatTy() ? ".f" : ".d"))
          .str());
  return ID ? call(ID, Args) : nullptr;
}

/// add.cc, addc, sub.cc, subc, mad.cc and madc hand a carry from one statement
/// to the next, and from one inline assembly to the next. It is a variable of
/// the function, which later passes make a value.
AllocaInst *StatementLowering::carryFlag() {
  static constexpr char CarryName[] = "heddle.carry";
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  for (Instruction &I : Entry)
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->hasMetadata(CarryName))
      return A;
  IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
  AllocaInst *Flag = AtEntry.CreateAlloca(AtEntry.getInt1Ty());
  AtEntry.CreateStore(AtEntry.getFalse(), Flag);
  Flag->setMetadata(CarryName, MDNode::get(B.getContext(), {}));
  return Flag;
}

Value *StatementLowering::carried(const Operation &O) {
  const StringRef N = O.S.Name;
  Value *X = O.V[0], *Y = O.V[1];
  if (N.starts_with("mad")) {
    X = product({O.S, O.T, O.V.take_front(2)});
    Y = O.V[2];
  }
  const Intrinsic::ID ID = N.starts_with("sub") ? Intrinsic::usub_with_overflow
                                                : Intrinsic::uadd_with_overflow;
  Value *Pair = B.CreateBinaryIntrinsic(ID, X, Y);
  Value *Result = B.CreateExtractValue(Pair, 0);
  Value *Carry = B.CreateExtractValue(Pair, 1);
  if (N.ends_with("c")) {
    Value *In = B.CreateZExt(B.CreateLoad(B.getInt1Ty(), carryFlag()), O.T);
    Pair = B.CreateBinaryIntrinsic(ID, Result, In);
    Result = B.CreateExtractValue(Pair, 0);
    Carry = B.CreateOr(Carry, B.CreateExtractValue(Pair, 1));
  }
  if (O.S.has("cc"))
    B.CreateStore(Carry, carryFlag());
  return Result;
}

} // namespace heddle
