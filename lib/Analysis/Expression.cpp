//===- Expression.cpp - A pool of formulas --------------------------------===//

#include "heddle/Analysis/Expression.h"

#include "ExpressionFold.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/MathExtras.h"

#include <functional>

using namespace llvm;

namespace heddle {

StringRef nameOf(SpecialValue Value) {
  static constexpr const char *Names[] = {
      "threadIdx.x",    "threadIdx.y",    "threadIdx.z",    "blockIdx.x",
      "blockIdx.y",     "blockIdx.z",     "blockDim.x",     "blockDim.y",
      "blockDim.z",     "gridDim.x",      "gridDim.y",      "gridDim.z",
      "globalOffset.x", "globalOffset.y", "globalOffset.z", "workDim",
      "laneId",         "warpId",         "warpSize",       "laneMaskEq",
      "laneMaskLt",     "laneMaskLe",     "laneMaskGt",     "laneMaskGe"};
  return Names[unsigned(Value)];
}

static uint64_t loopBit(unsigned Loop) {
  return uint64_t(1) << std::min(Loop, 63u);
}

bool Expr::dependsOnLoop(unsigned Loop) const {
  return LoopMask & loopBit(Loop);
}

int64_t Expr::signedValue() const { return SignExtend64(Payload, Bits); }

static size_t hashOf(const Expr &E) {
  hash_code Hash =
      hash_combine(unsigned(E.Op), E.Bits, E.IsFloat, E.Payload, E.Source);
  for (const Expr *Operand : E.Operands)
    Hash = hash_combine(Hash, Operand->Id);
  return Hash;
}

static bool isSame(const Expr &A, const Expr &B) {
  return A.Op == B.Op && A.Bits == B.Bits && A.IsFloat == B.IsFloat &&
         A.Payload == B.Payload && A.Source == B.Source &&
         A.Operands == B.Operands;
}

const Expr *ExprPool::intern(Expr E) {
  size_t Hash = hashOf(E);
  auto [Begin, End] = Index.equal_range(Hash);
  for (auto It = Begin; It != End; ++It)
    if (isSame(*It->second, E))
      return It->second;
  E.Id = Nodes.size();
  Nodes.push_back(std::move(E));
  Index.emplace(Hash, &Nodes.back());
  return &Nodes.back();
}

const Expr *ExprPool::constant(uint64_t Value, unsigned Bits, bool IsFloat) {
  Expr E = {};
  E.Op = ExprOp::Constant;
  E.Bits = Bits;
  E.IsFloat = IsFloat;
  E.Payload = Value & maskTrailingOnes<uint64_t>(Bits);
  return intern(std::move(E));
}

const Expr *ExprPool::leaf(ExprOp Op, uint64_t Payload, unsigned Bits,
                           bool IsFloat, const Value *Source,
                           unsigned Depends) {
  Expr E = {};
  E.Op = Op;
  E.Bits = Bits;
  E.IsFloat = IsFloat;
  E.Payload = Payload;
  E.Source = Source;
  E.Depends = Depends;
  switch (Op) {
  case ExprOp::Iteration:
    E.Depends |= OnIteration;
    E.LoopMask = loopBit(Payload);
    break;
  case ExprOp::State:
    E.Depends |= OnState;
    break;
  case ExprOp::Load:
    E.Depends |= OnData;
    break;
  case ExprOp::Opaque:
    E.Depends |= OnOpaque;
    break;
  default:
    break;
  }
  return intern(std::move(E));
}

const Expr *ExprPool::special(SpecialValue Value, unsigned Bits) {
  const bool ByThread =
      Value <= SpecialValue::ThreadZ || Value == SpecialValue::Lane ||
      Value == SpecialValue::Warp || Value >= SpecialValue::LaneMaskEq;
  const bool ByBlock =
      Value >= SpecialValue::BlockX && Value <= SpecialValue::BlockZ;
  const unsigned Depends = ByThread ? OnThread : ByBlock ? OnBlock : 0;
  const Expr *E =
      leaf(ExprOp::Special, uint64_t(Value), 32, false, nullptr, Depends);
  return resize(E, Bits, /*Signed=*/false);
}

const Expr *ExprPool::iteration(unsigned Loop, unsigned Bits) {
  return resize(leaf(ExprOp::Iteration, Loop, 64), Bits, false);
}

const Expr *ExprPool::node(ExprOp Op, unsigned Bits, bool IsFloat,
                           ArrayRef<const Expr *> Operands, uint64_t Payload) {
  Expr E = {};
  E.Op = Op;
  E.Bits = Bits;
  E.IsFloat = IsFloat;
  E.Payload = Payload;
  E.Operands.assign(Operands.begin(), Operands.end());
  unsigned Depth = 0;
  for (const Expr *Operand : Operands) {
    E.Depends |= Operand->Depends;
    E.LoopMask |= Operand->LoopMask;
    Depth = std::max<unsigned>(Depth, Operand->Depth + 1);
  }
  E.Depth = std::min<unsigned>(Depth, UINT16_MAX);
  if (Op == ExprOp::StateAt) {
    // What the loop carries depends on its start and on what it adds.
    const Recurrence &R = Recurrences[Payload >> 32];
    for (const auto *List : {&R.Starts, &R.Updates})
      for (const Expr *Part : *List) {
        E.Depends |= Part->Depends & ~OnState & ~OnIteration;
        uint64_t Loops = Part->LoopMask;
        if (R.Loop < 63)
          Loops &= ~loopBit(R.Loop);
        E.LoopMask |= Loops;
      }
    if (E.LoopMask)
      E.Depends |= OnIteration;
  }
  if (const Expr *Folded = fold(E))
    return Folded;
  return intern(std::move(E));
}

static bool isCommutative(ExprOp Op) {
  return Op == ExprOp::Add || Op == ExprOp::Mul ||
         (Op >= ExprOp::And && Op <= ExprOp::UMax); // bits, least and greatest
}

const Expr *ExprPool::binary(ExprOp Op, const Expr *A, const Expr *B) {
  // One order for what commutes: constants last.
  if (isCommutative(Op) &&
      (A->isConstant() || (!B->isConstant() && A->Id > B->Id)))
    std::swap(A, B);
  return node(Op, A->Bits, false, {A, B});
}

const Expr *ExprPool::sub(const Expr *A, const Expr *B) {
  return binary(ExprOp::Add, A,
                binary(ExprOp::Mul, B, constant(~uint64_t(0), B->Bits)));
}

const Expr *ExprPool::resize(const Expr *A, unsigned Bits, bool Signed) {
  if (A->Bits == Bits)
    return A;
  if (A->Bits > Bits)
    return node(ExprOp::Trunc, Bits, false, {A});
  return node(Signed ? ExprOp::SExt : ExprOp::ZExt, Bits, false, {A});
}

const Expr *ExprPool::compare(unsigned Predicate, const Expr *A,
                              const Expr *B) {
  return node(ExprOp::Compare, 1, false, {A, B}, Predicate);
}

const Expr *ExprPool::select(const Expr *If, const Expr *Then,
                             const Expr *Else) {
  return node(ExprOp::Select, Then->Bits, Then->IsFloat, {If, Then, Else});
}

const Expr *ExprPool::logicalNot(const Expr *A) {
  if (A->Op == ExprOp::Compare)
    return compare(
        CmpInst::getInversePredicate(CmpInst::Predicate(unsigned(A->Payload))),
        A->Operands[0], A->Operands[1]);
  // De Morgan, so that conditions stay readable.
  if (A->Depth < 16 && (A->Op == ExprOp::And || A->Op == ExprOp::Or))
    return binary(A->Op == ExprOp::And ? ExprOp::Or : ExprOp::And,
                  logicalNot(A->Operands[0]), logicalNot(A->Operands[1]));
  return binary(ExprOp::Xor, A, constant(1, 1));
}

const Expr *ExprPool::firstTrue(unsigned Loop, const Expr *Condition) {
  const Expr *E = node(ExprOp::FirstTrue, 64, false, {Condition}, Loop);
  if (E->Op != ExprOp::FirstTrue || Loop >= 63)
    return E;
  // The iteration of the loop itself is bound here.
  Expr Bound = *E;
  Bound.LoopMask &= ~loopBit(Loop);
  if (!Bound.LoopMask)
    Bound.Depends &= ~OnIteration;
  // Nodes are only reachable through the pool, so this one may be narrowed.
  const_cast<Expr *>(E)->LoopMask = Bound.LoopMask;
  const_cast<Expr *>(E)->Depends = Bound.Depends;
  return E;
}

unsigned ExprPool::addRecurrence(unsigned Loop) {
  Recurrences.push_back({Loop, {}, {}, {}});
  return Recurrences.size() - 1;
}

void ExprPool::setLabel(const Expr *Leaf, std::string Label) {
  Labels[Leaf] = std::move(Label);
}

StringRef ExprPool::label(const Expr *Leaf) const {
  auto It = Labels.find(Leaf);
  return It == Labels.end() ? StringRef() : StringRef(It->second);
}

/// Folds what has only constants, and the identities that come up when
/// formulas are put together.
const Expr *ExprPool::fold(const Expr &E) {
  if (!E.Operands.empty() && E.Op != ExprOp::StateAt &&
      E.Op != ExprOp::FirstTrue &&
      all_of(E.Operands, [](const Expr *O) { return O->isConstant(); })) {
    uint64_t Values[3] = {};
    for (unsigned I = 0; I < E.Operands.size(); ++I)
      Values[I] = E.Operands[I]->Payload;
    const auto Result = applyOperation(E, Values);
    return Result ? constant(*Result, E.Bits, E.IsFloat) : nullptr;
  }
  const Expr *A = E.Operands[0];
  const Expr *B = E.Operands.size() > 1 ? E.Operands[1] : nullptr;
  bool BConstant = B && B->isConstant();
  switch (E.Op) {
  case ExprOp::Add:
    if (BConstant && B->Payload == 0)
      return A;
    // (x + c) + d
    if (BConstant && A->Op == ExprOp::Add && A->Operands[1]->isConstant())
      return binary(ExprOp::Add, A->Operands[0],
                    constant(A->Operands[1]->Payload + B->Payload, E.Bits));
    // x - x
    for (auto [X, Y] : {std::pair(A, B), std::pair(B, A)})
      if (X->Op == ExprOp::Mul && X->Operands[0] == Y &&
          X->Operands[1]->isConstant(maskTrailingOnes<uint64_t>(E.Bits)))
        return constant(0, E.Bits);
    return nullptr;
  case ExprOp::Mul:
    if (BConstant && B->Payload == 1)
      return A;
    if (BConstant && B->Payload == 0)
      return B;
    // -(x + c), so that differences of sums cancel
    if (BConstant && A->Op == ExprOp::Mul && A->Operands[1]->isConstant())
      return binary(ExprOp::Mul, A->Operands[0],
                    constant(A->Operands[1]->Payload * B->Payload, E.Bits));
    return nullptr;
  case ExprOp::UDiv:
  case ExprOp::SDiv:
    return BConstant && B->Payload == 1 ? A : nullptr;
  case ExprOp::Shl:
  case ExprOp::LShr:
  case ExprOp::AShr:
    return BConstant && B->Payload == 0 ? A : nullptr;
  case ExprOp::And:
  case ExprOp::Or:
    if (A == B)
      return A;
    if (BConstant && B->Payload == 0)
      return E.Op == ExprOp::And ? B : A;
    if (BConstant && B->Payload == maskTrailingOnes<uint64_t>(E.Bits))
      return E.Op == ExprOp::And ? A : B;
    return nullptr;
  case ExprOp::Xor:
    if (BConstant && B->Payload == 0)
      return A;
    if (BConstant && E.Bits == 1 && A->Op == ExprOp::Xor &&
        A->Operands[1]->isConstant(1))
      return A->Operands[0];
    return nullptr;
  case ExprOp::SMin:
  case ExprOp::SMax:
  case ExprOp::UMin:
  case ExprOp::UMax:
    return A == B ? A : nullptr;
  case ExprOp::Trunc:
    if (A->Op == ExprOp::ZExt || A->Op == ExprOp::SExt) {
      const Expr *Inner = A->Operands[0];
      return resize(Inner, E.Bits, A->Op == ExprOp::SExt);
    }
    if (A->Op == ExprOp::Trunc)
      return resize(A->Operands[0], E.Bits, false);
    return nullptr;
  case ExprOp::ZExt:
    if (A->Op == ExprOp::ZExt)
      return resize(A->Operands[0], E.Bits, false);
    return nullptr;
  case ExprOp::SExt:
    if (A->Op == ExprOp::SExt || A->Op == ExprOp::ZExt)
      return resize(A->Operands[0], E.Bits, A->Op == ExprOp::SExt);
    return nullptr;
  case ExprOp::Select:
    if (A->isConstant())
      return A->Payload ? B : E.Operands[2];
    return B == E.Operands[2] ? B : nullptr;
  default:
    return nullptr;
  }
}

const Expr *ExprPool::replaceIteration(const Expr *E, unsigned Loop,
                                       const Expr *With) {
  std::unordered_map<const Expr *, const Expr *> Done;
  size_t Limit = Nodes.size() + 4096;
  std::function<const Expr *(const Expr *)> Visit =
      [&](const Expr *X) -> const Expr * {
    if (X->isLeaf())
      return X->Op == ExprOp::Iteration && X->Payload == Loop ? With : X;
    if (!X->dependsOnLoop(Loop))
      return X;
    if (X->Depth > 512 || Nodes.size() > Limit)
      return nullptr;
    if (auto It = Done.find(X); It != Done.end())
      return It->second;
    SmallVector<const Expr *, 3> Operands;
    for (const Expr *Operand : X->Operands) {
      const Expr *New = Visit(Operand);
      if (!New)
        return nullptr;
      Operands.push_back(New);
    }
    const Expr *Result = node(X->Op, X->Bits, X->IsFloat, Operands, X->Payload);
    if (X->Op == ExprOp::FirstTrue)
      Result = firstTrue(X->Payload, Operands[0]);
    Done[X] = Result;
    return Result;
  };
  return Visit(E);
}

} // namespace heddle
