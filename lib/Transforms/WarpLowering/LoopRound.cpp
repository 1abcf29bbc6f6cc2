//===- LoopRound.cpp - What one round of a loop computes ------------------===//

#include "LoopRound.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

/// Bits in which a constant is added to a value of this type; 0: not at all.
static unsigned offsetBits(const Type *Ty, const DataLayout &DL) {
  if (const auto *Int = dyn_cast<IntegerType>(Ty))
    return Int->getBitWidth() <= 64 ? Int->getBitWidth() : 0;
  if (Ty->isPointerTy())
    return DL.getIndexSizeInBits(Ty->getPointerAddressSpace());
  return 0;
}

uint64_t Terms::mask(const Type *Ty) const {
  return maskTrailingOnes<uint64_t>(offsetBits(Ty, DL));
}

Term Terms::plus(Term T, uint64_t Offset, const Type *Ty) const {
  return {T.Base, (T.Offset + Offset) & mask(Ty)};
}

Term Terms::leaf(const Value *V) {
  uint64_t Offset = 0;
  if (const auto *Int = dyn_cast<ConstantInt>(V);
      Int && offsetBits(Int->getType(), DL)) {
    Offset = Int->getZExtValue();
    V = ConstantInt::get(Int->getType(), 0);
  }
  auto [It, New] = Leaves.try_emplace(V, Next);
  Next += New;
  return {It->second, Offset};
}

Term Terms::compute(const Instruction &I, Operands Of) {
  const APInt *Constant;
  const Value *X;
  if (offsetBits(I.getType(), DL) &&
      match(&I, m_Add(m_Value(X), m_APInt(Constant))))
    return plus(Of(X), Constant->getZExtValue(), I.getType());
  if (const auto *GEP = dyn_cast<GEPOperator>(&I);
      GEP && offsetBits(GEP->getType(), DL)) {
    APInt Offset(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
    if (GEP->accumulateConstantOffset(DL, Offset))
      return plus(Of(GEP->getPointerOperand()), Offset.getZExtValue(),
                  I.getType());
  }

  Expression Made{&I, {}, 0};
  for (const Value *Op : I.operand_values())
    Made.Operands.push_back(Of(Op));
  if (isa<BinaryOperator>(I) && I.isCommutative() &&
      I.getType()->isIntOrIntVectorTy())
    llvm::sort(Made.Operands, [](const Term &A, const Term &B) {
      return std::tie(A.Base, A.Offset) < std::tie(B.Base, B.Offset);
    });
  size_t Hash = hash_combine(I.getOpcode(), I.getType());
  for (const Term &Op : Made.Operands)
    Hash = hash_combine(Hash, Op.Base, Op.Offset);
  auto [From, To] = Expressions.equal_range(Hash);
  for (auto It = From; It != To; ++It)
    if (It->second.Operands == Made.Operands &&
        I.isSameOperationAs(It->second.Like,
                            Instruction::CompareIgnoringAlignment))
      return {It->second.Number, 0};
  Made.Number = Next++;
  Expressions.emplace(Hash, Made);
  return {Made.Number, 0};
}

LoopRound::LoopRound(Terms &T, BasicBlock &Block, const State &Start)
    : T(T), Block(Block) {
  for (const PHINode &Phi : Block.phis()) {
    auto It = Start.find(&Phi);
    Values[&Phi] = It == Start.end() ? T.leaf(&Phi) : It->second;
  }
  for (const Instruction &I : Block)
    if (!isa<PHINode>(I) && !I.isTerminator())
      Values[&I] = T.compute(I, [&](const Value *V) { return of(V); });
}

Term LoopRound::of(const Value *V) const {
  auto It = Values.find(V);
  return It == Values.end() ? T.leaf(V) : It->second;
}

LoopRound::State LoopRound::next() const {
  State Result;
  for (const PHINode &Phi : Block.phis())
    Result[&Phi] = of(Phi.getIncomingValueForBlock(&Block));
  return Result;
}

static int64_t asSigned(uint64_t Offset, const Type *Ty, const DataLayout &DL) {
  unsigned Bits = offsetBits(Ty, DL);
  return Bits ? SignExtend64(Offset, Bits) : 0;
}

std::optional<int64_t> LoopRound::step(const PHINode &Phi) const {
  Term Before = of(&Phi), After = of(Phi.getIncomingValueForBlock(&Block));
  if (Before.Base != After.Base ||
      !offsetBits(Phi.getType(), Block.getDataLayout()))
    return std::nullopt;
  return asSigned(After.Offset - Before.Offset, Phi.getType(),
                  Block.getDataLayout());
}

SmallVector<int64_t, 8> LoopRound::offsets(const PHINode &Phi) const {
  SmallVector<int64_t, 8> Found;
  const unsigned Leaf = of(&Phi).Base;
  for (const Instruction &I : Block) {
    // What only adds a constant is no use by itself.
    if (isa<PHINode>(I) || I.isTerminator() || of(&I).Base == Leaf)
      continue;
    for (const Value *Op : I.operand_values())
      if (Term At = of(Op); At.Base == Leaf)
        Found.push_back(
            asSigned(At.Offset, Op->getType(), Block.getDataLayout()));
  }
  return Found;
}

} // namespace heddle
