//===- LoopExits.cpp - How often until one exit is taken ------------------===//

#include "LoopExits.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

static bool dependsOn(const Expr *E, SpecialValue First, unsigned Depth = 0) {
  if (E->Op == ExprOp::Special && E->Payload >= uint64_t(First) &&
      E->Payload < uint64_t(First) + 3)
    return true;
  return Depth < 12 &&
         any_of(
             E->Operands,
             [&](const Expr *O) { return dependsOn(O, First, Depth + 1); });
}

static bool contains(const Expr *E, ExprOp Op, unsigned Depth = 0) {
  return E->Op == Op || (Depth < 24 && any_of(
                                           E->Operands,
                                           [&](const Expr *O) {
                                             return contains(O, Op, Depth + 1);
                                           }));
}

static bool isUnsigned(CmpInst::Predicate P) { return CmpInst::isUnsigned(P); }

/// a + c n  P  b with everything but n fixed.
static ExitBound affineExit(const Expr *Stay, unsigned Loop,
                            KernelExpressions &X) {
  ExprPool &Pool = X.pool();
  auto P = CmpInst::Predicate(unsigned(Stay->Payload));
  const Expr *A = Stay->Operands[0], *B = Stay->Operands[1];
  if (!CmpInst::isIntPredicate(P))
    return {};
  bool Signed = !isUnsigned(P);
  AffineForm FormA, FormB;
  if (!affineForm(A, OnIteration, Pool, FormA, Signed) ||
      !affineForm(B, OnIteration, Pool, FormB, Signed))
    return {};
  const Expr *N = Pool.iteration(Loop);
  const Expr *Zero = Pool.constant(0, 64), *One = Pool.constant(1, 64);
  const Expr *CA = FormA.factorOf(N), *CB = FormB.factorOf(N);
  const Expr *Step = CA ? CA : Zero;
  if (CB)
    Step = Pool.sub(Step, CB);
  if (Step->isConstant(0))
    return {};
  // What is left to go: b - a at iteration 0, outer iterations included.
  auto Start = [&](const AffineForm &Form) {
    const Expr *E = Form.Rest;
    for (const AffineForm::Term &T : Form.Terms)
      if (T.Variable != N)
        E = Pool.binary(ExprOp::Add, E,
                        Pool.binary(ExprOp::Mul, T.Variable, T.Factor));
    return E;
  };
  const Expr *Distance = Pool.sub(Start(FormB), Start(FormA));
  bool Down = Step->isConstant() && Step->signedValue() < 0;
  switch (P) {
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
    if (Step->isConstant() && !Down)
      return {}; // moves away from the end
    Down = true;
    break;
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    if (Down)
      return {};
    break;
  default:
    break;
  }
  if (Down) {
    Distance = Pool.sub(Zero, Distance);
    Step = Pool.sub(Zero, Step);
  }
  // Steps that the launch decides are taken for positive, as the loop would
  // else not end; one that is zero gives no value.
  ExitBound Result;
  Result.Source = BoundSource::Induction;
  if (dependsOn(Step, SpecialValue::GridDimX))
    Result.Source = BoundSource::GridStride;
  else if (dependsOn(Step, SpecialValue::BlockDimX))
    Result.Source = BoundSource::BlockStride;
  // A constant step of the block's or grid's size is not told apart.
  Result.WrapAssumed = FormA.WrapAssumed || FormB.WrapAssumed;
  const Expr *Count = nullptr;
  switch (P) {
  case CmpInst::ICMP_EQ:
    Count =
        Pool.select(Pool.compare(CmpInst::ICMP_EQ, Distance, Zero), One, Zero);
    break;
  case CmpInst::ICMP_NE:
    Count = Pool.binary(ExprOp::SDiv, Distance, Step);
    break;
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
    Count =
        Pool.binary(ExprOp::SDiv,
                    Pool.binary(ExprOp::SMax,
                                Pool.binary(ExprOp::Add, Distance, Step), Zero),
                    Step);
    break;
  default: {
    const Expr *Up = Pool.binary(ExprOp::Add, Distance, Pool.sub(Step, One));
    Count =
        Pool.binary(ExprOp::SDiv, Pool.binary(ExprOp::SMax, Up, Zero), Step);
  }
  }
  Result.Backedges = Count;
  return Result;
}

static ExitBound steppedExit(const Expr *Stay, unsigned Loop,
                             KernelExpressions &X) {
  if (!Stay->dependsOnLoop(Loop))
    return {};
  ExitBound Result;
  Result.Source = contains(Stay, ExprOp::StateAt) ? BoundSource::Recurrence
                                                  : BoundSource::Geometric;
  Result.Backedges = X.pool().firstTrue(Loop, X.pool().logicalNot(Stay));
  return Result;
}

ExitBound boundOfExit(const Expr *Stay, unsigned Loop, KernelExpressions &X,
                      bool &IsUpper) {
  ExprPool &Pool = X.pool();
  const Expr *Zero = Pool.constant(0, 64);
  if (Stay->isConstant(0))
    return {Zero, BoundSource::Constant, false};
  if (Stay->isConstant())
    return {};
  bool Known = !Stay->dependsOn(OnData | OnOpaque | OnState);
  if (Known && Stay->Op == ExprOp::Compare)
    if (ExitBound E = affineExit(Stay, Loop, X); E.Backedges)
      return E;
  // Goes on while both hold: the first that fails ends it.
  if (Stay->Op == ExprOp::And && Stay->Bits == 1 && Stay->Depth < 40) {
    bool UpperA = false, UpperB = false;
    ExitBound A = boundOfExit(Stay->Operands[0], Loop, X, UpperA);
    ExitBound B = boundOfExit(Stay->Operands[1], Loop, X, UpperB);
    if (A.Backedges && B.Backedges) {
      IsUpper |= UpperA || UpperB;
      A.Backedges = Pool.binary(ExprOp::SMin, A.Backedges, B.Backedges);
      A.WrapAssumed |= B.WrapAssumed;
      A.Source = std::max(A.Source, B.Source);
      return A;
    }
    if (A.Backedges || B.Backedges) {
      IsUpper = true;
      return A.Backedges ? A : B;
    }
  }
  // A condition that no iteration changes: at once or never. The source means
  // the loop to end.
  if (Known && !Stay->dependsOnLoop(Loop))
    return {};
  return Known ? steppedExit(Stay, Loop, X) : ExitBound();
}

ExitBound boundOfMemoryInduction(const Value *Condition, bool StayIfTrue,
                                 const Loop &L, KernelExpressions &X) {
  const auto *Cmp = dyn_cast<ICmpInst>(Condition);
  if (!Cmp)
    return {};
  const LoadInst *Load = nullptr;
  for (const Value *Operand : Cmp->operands())
    if (const auto *Found = dyn_cast<LoadInst>(Operand);
        Found && L.contains(Found) && !Load)
      Load = Found;
  if (!Load || Load->isVolatile() || !Load->getType()->isIntegerTy())
    return {};
  const Value *Place = Load->getPointerOperand();
  if (!isa<AllocaInst>(Place))
    return {}; // others may write it
  const StoreInst *Inside = nullptr, *Before = nullptr;
  for (const User *U : Place->users()) {
    if (isa<LoadInst>(U))
      continue;
    const auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getPointerOperand() != Place)
      return {};
    if (L.contains(Store)) {
      if (Inside)
        return {};
      Inside = Store;
    } else if (X.dominators().dominates(Store->getParent(), L.getHeader()) &&
               (!Before || X.dominators().dominates(Before, Store))) {
      Before = Store;
    }
  }
  if (!Inside || !Before || !L.getLoopLatch() ||
      !X.dominators().dominates(Inside->getParent(), L.getLoopLatch()))
    return {};
  const auto *Update = dyn_cast<BinaryOperator>(Inside->getValueOperand());
  if (!Update || (Update->getOpcode() != Instruction::Add &&
                  Update->getOpcode() != Instruction::Sub))
    return {};
  const auto *Old = dyn_cast<LoadInst>(Update->getOperand(0));
  if (!Old || Old->getPointerOperand() != Place || !L.contains(Old))
    return {};
  ExprPool &Pool = X.pool();
  unsigned Loop = X.loopNumber(&L);
  const Expr *Step = X.get(Update->getOperand(1));
  if (Update->getOpcode() == Instruction::Sub)
    Step = Pool.sub(Pool.constant(0, Step->Bits), Step);
  const Expr *N = Pool.iteration(Loop, Step->Bits);
  if (X.dominators().dominates(Inside, Load))
    N = Pool.binary(ExprOp::Add, N, Pool.constant(1, Step->Bits));
  const Expr *Value = Pool.binary(ExprOp::Add, X.get(Before->getValueOperand()),
                                  Pool.binary(ExprOp::Mul, N, Step));
  auto Side = [&](unsigned I) {
    const auto *Other = dyn_cast<LoadInst>(Cmp->getOperand(I));
    return Other == Load ? Value : X.get(Cmp->getOperand(I));
  };
  const Expr *Stay = Pool.compare(Cmp->getPredicate(), Side(0), Side(1));
  if (!StayIfTrue)
    Stay = Pool.logicalNot(Stay);
  bool IsUpper = false;
  ExitBound E = boundOfExit(Stay, Loop, X, IsUpper);
  if (E.Backedges)
    E.Source = BoundSource::MemoryInduction;
  return E;
}

} // namespace heddle
