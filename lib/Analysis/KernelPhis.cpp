//===- KernelPhis.cpp - What merges and loops carry, as formulas ----------===//
//
// A phi of a merge is a chain of selects over the conditions of the paths; a
// phi of a loop is a formula of the iteration number if ScalarEvolution or a
// shift pattern says so, and else a state of a recurrence, which is evaluated
// by stepping.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/KernelExpressions.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

const Expr *KernelExpressions::buildPhi(const PHINode &Phi) {
  const BasicBlock *B = Phi.getParent();
  if (Phi.getNumIncomingValues() == 1)
    return get(Phi.getIncomingValue(0), B);
  const Loop *L = LI->getLoopFor(B);
  bool IsHeader = L && L->getHeader() == B;
  if (SE->isSCEVable(Phi.getType()) && Building.empty()) {
    const SCEV *S = SE->getSCEV(const_cast<PHINode *>(&Phi));
    if (!isa<SCEVUnknown>(S))
      if (const Expr *E = get(S))
        return E;
  }
  if (!IsHeader)
    return buildMerge(Phi);
  for (const Open &O : Building)
    if (O.L == L)
      return buildRecurrence(Phi, *L); // joins it
  if (SE->isSCEVable(Phi.getType())) {
    const SCEV *S = SE->getSCEV(const_cast<PHINode *>(&Phi));
    if (isa<SCEVAddRecExpr>(S))
      if (const Expr *E = get(S))
        return E;
  }
  return buildRecurrence(Phi, *L);
}

/// The condition under which control comes from \p From to \p To, without
/// going around a loop.
namespace {
class PathConditions {
public:
  PathConditions(KernelExpressions &X, const BasicBlock *From) : X(X) {
    Reached[From] = X.pool().constant(1, 1);
  }
  /// Null if the region is too large or has loops that leave anywhere.
  const Expr *of(const BasicBlock *B, const BasicBlock *Successor) {
    const Expr *Here = reach(B);
    if (!Here)
      return nullptr;
    const Expr *Edge = X.edgeCondition(B, Successor);
    // A loop on the way is left sooner or later, whatever its condition says
    // in one iteration.
    const Loop *L = X.loopInfo().getLoopFor(B);
    if (L && !L->contains(Successor)) {
      if (!L->getUniqueExitBlock())
        return nullptr;
      Edge = X.pool().constant(1, 1);
    }
    return X.pool().binary(ExprOp::And, Here, Edge);
  }

private:
  const Expr *reach(const BasicBlock *B) {
    if (auto It = Reached.find(B); It != Reached.end())
      return It->second;
    if (++Steps > 48 || !Visiting.insert(B).second)
      return nullptr;
    const Expr *Any = X.pool().constant(0, 1);
    const Loop *L = X.loopInfo().getLoopFor(B);
    for (const BasicBlock *P : predecessors(B)) {
      if (L && L->getHeader() == B && L->contains(P))
        continue;
      const Expr *One = of(P, B);
      if (!One)
        return nullptr;
      Any = X.pool().binary(ExprOp::Or, Any, One);
    }
    Visiting.erase(B);
    return Reached[B] = Any;
  }

  KernelExpressions &X;
  DenseMap<const BasicBlock *, const Expr *> Reached;
  SmallPtrSet<const BasicBlock *, 16> Visiting;
  unsigned Steps = 0;
};
} // namespace

const Expr *KernelExpressions::buildMerge(const PHINode &Phi) {
  const BasicBlock *B = Phi.getParent();
  const DomTreeNode *Node = DT->getNode(B);
  if (!Node || !Node->getIDom())
    return opaque(&Phi);
  const BasicBlock *Top = Node->getIDom()->getBlock();
  // The block before the branch may be in a loop that the phi is not in.
  if (const Loop *L = LI->getLoopFor(Top); L && !L->contains(B))
    return opaque(&Phi);
  PathConditions Paths(*this, Top);
  const Expr *Result = nullptr;
  for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;) {
    const Expr *In = get(Phi.getIncomingValue(I), B);
    if (!Result) {
      Result = In;
      continue;
    }
    const Expr *If = Paths.of(Phi.getIncomingBlock(I), B);
    if (!If)
      return opaque(&Phi);
    Result = Pool->select(If, In, Result);
  }
  return Result ? Result : opaque(&Phi);
}

/// start << n * k and the like; null if \p Update is none of these.
static const Expr *geometric(ExprPool &Pool, const Expr *State,
                             const Expr *Start, const Expr *Update,
                             unsigned Loop) {
  if (Update->Operands.size() != 2 || Update->Operands[0] != State ||
      !Update->Operands[1]->isConstant())
    return nullptr;
  const Expr *By = Update->Operands[1];
  const Expr *N = Pool.iteration(Loop, State->Bits);
  switch (Update->Op) {
  case ExprOp::Shl:
  case ExprOp::LShr:
  case ExprOp::AShr:
    return Pool.binary(Update->Op, Start, Pool.binary(ExprOp::Mul, N, By));
  case ExprOp::Mul:
    return Pool.binary(ExprOp::Mul, Pool.binary(ExprOp::Pow, By, N), Start);
  default:
    return nullptr;
  }
}

const Expr *KernelExpressions::buildRecurrence(const PHINode &Phi,
                                               const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  const BasicBlock *Entry = L.getLoopPredecessor();
  auto Refuse = [&] {
    if (!Building.empty())
      Building.back().Failed = true;
    return opaque(&Phi);
  };
  if (!Latch || !Entry || Building.size() > 3)
    return Refuse();
  unsigned Bits = Phi.getType()->isPointerTy()
                      ? 64
                      : unsigned(Phi.getType()->getPrimitiveSizeInBits());
  bool IsFloat = Phi.getType()->isFloatingPointTy();
  auto AddState = [&](Open &O) {
    unsigned Index = O.Phis.size();
    O.Phis.push_back(&Phi);
    return Pool->leaf(ExprOp::State, uint64_t(O.Number) << 32 | Index, Bits,
                      IsFloat);
  };
  for (unsigned I = 0; I < Building.size(); ++I)
    if (Building[I].L == &L) {
      if (Building[I].Phis.size() >= 16)
        return Refuse();
      return AddState(Building[I]);
    }
  size_t OuterScopes = Scopes.size();
  unsigned Number = Pool->addRecurrence(loopNumber(&L));
  Building.push_back({&L, Number, {}});
  Scopes.emplace_back();
  // The states that are open already must not be taken for this loop's.
  const Expr *State = AddState(Building.back());
  Scopes.back()[&Phi] = State;
  size_t Mine = Building.size() - 1;
  std::vector<const Expr *> Starts, Updates;
  std::vector<std::string> StateNames;
  for (unsigned I = 0; I < Building[Mine].Phis.size(); ++I) {
    const PHINode *P = Building[Mine].Phis[I];
    Starts.push_back(get(P->getIncomingValueForBlock(Entry), Entry));
    Updates.push_back(get(P->getIncomingValueForBlock(Latch), Latch));
    StateNames.push_back(P->hasName() ? P->getName().str()
                                      : "s" + std::to_string(Number) +
                                            (I ? "." + std::to_string(I) : ""));
  }
  bool Failed = Building[Mine].Failed;
  Scopes.resize(OuterScopes);
  Building.resize(Mine);
  for (const Expr *E : Updates)
    Failed |= E->dependsOn(OnOpaque);
  for (const Expr *E : Starts)
    Failed |= E->dependsOn(OnOpaque);
  if (Failed)
    return Refuse();
  unsigned LoopNo = loopNumber(&L);
  if (Starts.size() == 1)
    if (const Expr *E = geometric(*Pool, State, Starts[0], Updates[0], LoopNo))
      return E;
  Recurrence &R = Pool->recurrence(Number);
  R.Starts = std::move(Starts);
  R.Updates = std::move(Updates);
  R.Names = std::move(StateNames);
  return Pool->node(ExprOp::StateAt, Bits, IsFloat, {Pool->iteration(LoopNo)},
                    uint64_t(Number) << 32);
}

const Expr *KernelExpressions::get(const SCEV *S) {
  if (auto It = SCEVMemo.find(S); It != SCEVMemo.end() && Building.empty())
    return It->second;
  if (Depth >= 300)
    return nullptr;
  ++Depth;
  const Expr *E = buildSCEV(S);
  --Depth;
  if (Building.empty())
    SCEVMemo[S] = E;
  return E;
}

const Expr *KernelExpressions::buildSCEV(const SCEV *S) {
  SmallVector<const Expr *, 4> Operands;
  if (isa<SCEVCouldNotCompute>(S) || S->getExpressionSize() > 2000)
    return nullptr;
  Type *T = S->getType();
  if (!T->isPointerTy() && (!T->isIntegerTy() || T->getIntegerBitWidth() > 64))
    return nullptr;
  unsigned Bits = T->isPointerTy() ? 64 : T->getIntegerBitWidth();
  if (const auto *U = dyn_cast<SCEVUnknown>(S))
    return get(U->getValue());
  if (const auto *C = dyn_cast<SCEVConstant>(S))
    return Pool->constant(C->getAPInt().getZExtValue(), Bits);
  for (const SCEV *Operand : S->operands()) {
    const Expr *E = get(Operand);
    if (!E)
      return nullptr;
    Operands.push_back(E);
  }
  auto Chain = [&](ExprOp Op) {
    const Expr *E = Operands[0];
    for (const Expr *Operand : drop_begin(Operands))
      E = Pool->binary(Op, E, Operand);
    return E;
  };
  switch (S->getSCEVType()) {
  case scTruncate:
  case scZeroExtend:
  case scPtrToInt:
    return Pool->resize(Operands[0], Bits, false);
  case scSignExtend:
    return Pool->resize(Operands[0], Bits, true);
  case scAddExpr:
    return Chain(ExprOp::Add);
  case scMulExpr:
    return Chain(ExprOp::Mul);
  case scUDivExpr:
    return Chain(ExprOp::UDiv);
  case scSMaxExpr:
    return Chain(ExprOp::SMax);
  case scUMaxExpr:
    return Chain(ExprOp::UMax);
  case scSMinExpr:
    return Chain(ExprOp::SMin);
  case scUMinExpr:
  case scSequentialUMinExpr:
    return Chain(ExprOp::UMin);
  case scAddRecExpr: {
    const auto *AddRec = cast<SCEVAddRecExpr>(S);
    if (Operands.size() > 3 || !Numbers.count(AddRec->getLoop()))
      return nullptr;
    unsigned L = loopNumber(AddRec->getLoop());
    const Expr *N = Pool->iteration(L, Bits);
    const Expr *E = Pool->binary(ExprOp::Add, Operands[0],
                                 Pool->binary(ExprOp::Mul, N, Operands[1]));
    if (Operands.size() == 2)
      return E;
    // a + b n + c n (n - 1) / 2
    const Expr *Wide = Pool->iteration(L, 64);
    const Expr *Pairs = Pool->binary(
        ExprOp::LShr,
        Pool->binary(ExprOp::Mul, Wide, Pool->sub(Wide, Pool->constant(1, 64))),
        Pool->constant(1, 64));
    return Pool->binary(ExprOp::Add, E,
                        Pool->binary(ExprOp::Mul,
                                     Pool->resize(Pairs, Bits, false),
                                     Operands[2]));
  }
  default:
    return nullptr;
  }
}

} // namespace heddle
