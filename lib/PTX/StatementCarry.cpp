//===- StatementCarry.cpp - Long arithmetic of PTX as IR ------------------===//
//
// add.cc, addc, sub.cc, subc, mad.cc and madc hand a carry from one statement
// to the next, and from one inline assembly to the next. It is a variable of
// the function, which later passes make a value.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

using namespace llvm;

namespace heddle {

static constexpr char CarryName[] = "heddle.carry";

AllocaInst *StatementLowering::carryFlag() {
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

bool StatementLowering::usesCarry(const PTXStatement &S) {
  return S.has("cc") || S.Name == "addc" || S.Name == "subc" ||
         S.Name == "madc";
}

bool StatementLowering::lowerCarry(const PTXStatement &S, Type *T) {
  const StringRef N = S.Name;
  const bool Multiplies = N == "mad" || N == "madc";
  const bool Subtracts = N == "sub" || N == "subc";
  if (!T || !T->isIntegerTy() ||
      (!Multiplies && !Subtracts && N != "add" && N != "addc") ||
      S.Operands.size() != (Multiplies ? 4 : 3))
    return false;
  SmallVector<Value *, 3> V;
  for (StringRef Text : drop_begin(S.Operands)) {
    V.push_back(operand(Text, T));
    if (!V.back())
      return false;
  }
  if (Multiplies) {
    Value *Product = nullptr;
    if (S.has("hi")) {
      const unsigned Bits = T->getIntegerBitWidth();
      Type *Wide = B.getIntNTy(2 * Bits);
      auto Full = [&](Value *X) {
        return StringRef(S.Suffix).starts_with("s") ? B.CreateSExt(X, Wide)
                                                    : B.CreateZExt(X, Wide);
      };
      Product = B.CreateTrunc(
          B.CreateLShr(B.CreateMul(Full(V[0]), Full(V[1])), Bits), T);
    } else if (S.has("lo")) {
      Product = B.CreateMul(V[0], V[1]);
    } else {
      return false;
    }
    V = {Product, V[2]};
  }
  const Intrinsic::ID ID =
      Subtracts ? Intrinsic::usub_with_overflow : Intrinsic::uadd_with_overflow;
  Value *Pair = B.CreateBinaryIntrinsic(ID, V[0], V[1]);
  Value *Result = B.CreateExtractValue(Pair, 0);
  Value *Carry = B.CreateExtractValue(Pair, 1);
  if (N.ends_with("c")) {
    Value *In = B.CreateZExt(B.CreateLoad(B.getInt1Ty(), carryFlag()), T);
    Pair = B.CreateBinaryIntrinsic(ID, Result, In);
    Result = B.CreateExtractValue(Pair, 0);
    Carry = B.CreateOr(Carry, B.CreateExtractValue(Pair, 1));
  }
  if (S.has("cc"))
    B.CreateStore(Carry, carryFlag());
  return assign(S.Operands[0], Result);
}

} // namespace heddle
