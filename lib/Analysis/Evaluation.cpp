//===- Evaluation.cpp - Formulas as numbers of a launch -------------------===//

#include "heddle/Analysis/Evaluation.h"

#include "ExpressionFold.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace heddle {

WarpEvaluator::WarpEvaluator(const ExprPool &Pool, const LaunchValues &Launch)
    : Pool(Pool), Launch(Launch) {
  setWarp(0, 0);
}

void WarpEvaluator::setWarp(uint64_t Block, unsigned Warp) {
  uint64_t GridX = std::max(Launch.Grid[0], 1u);
  uint64_t GridY = std::max(Launch.Grid[1], 1u);
  BlockId = {uint32_t(Block % GridX), uint32_t(Block / GridX % GridY),
             uint32_t(Block / GridX / GridY)};
  WarpId = Warp;
  unsigned Threads = Launch.threadsPerBlock();
  unsigned First = Warp * 32;
  FullMask = First >= Threads
                 ? 0
                 : maskTrailingOnes<uint32_t>(std::min(32u, Threads - First));
  Iterations.clear();
  Epoch = ++LastEpoch;
}

void WarpEvaluator::setIteration(unsigned Loop, const Lanes &Values) {
  if (Iterations.size() <= Loop)
    Iterations.resize(Loop + 1);
  Iterations[Loop] = Values;
  Epoch = ++LastEpoch;
}

void WarpEvaluator::setIteration(unsigned Loop, uint64_t Iteration) {
  Lanes Values;
  Values.fill(Iteration);
  setIteration(Loop, Values);
}

bool WarpEvaluator::special(SpecialValue Value, Lanes &Out) const {
  using enum SpecialValue;
  const uint32_t BX = std::max(Launch.Block[0], 1u);
  const uint32_t BY = std::max(Launch.Block[1], 1u);
  auto from = [Value](SpecialValue X) { return unsigned(Value) - unsigned(X); };
  auto ofLane = [&](unsigned Number) -> uint64_t {
    const uint32_t Thread = WarpId * 32 + Number;
    const uint32_t Bit = uint32_t(1) << Number;
    switch (Value) {
    case ThreadX:
      return Thread % BX;
    case ThreadY:
      return Thread / BX % BY;
    case ThreadZ:
      return Thread / BX / BY;
    case BlockX:
    case BlockY:
    case BlockZ:
      return BlockId[from(BlockX)];
    case BlockDimX:
    case BlockDimY:
    case BlockDimZ:
      return Launch.Block[from(BlockDimX)];
    case GridDimX:
    case GridDimY:
    case GridDimZ:
      return Launch.Grid[from(GridDimX)];
    case GlobalOffsetX:
    case GlobalOffsetY:
    case GlobalOffsetZ:
      return Launch.GlobalOffset[from(GlobalOffsetX)];
    case WorkDim:
      return Launch.WorkDim;
    case Lane:
      return Number;
    case Warp:
      return WarpId;
    case WarpSize:
      return 32;
    case LaneMaskEq:
      return Bit;
    case LaneMaskLt:
      return Bit - 1;
    case LaneMaskLe:
      return Bit | (Bit - 1);
    case LaneMaskGt:
      return ~(Bit | (Bit - 1));
    case LaneMaskGe:
      return ~(Bit - 1);
    }
    return 0;
  };
  for (unsigned Number = 0; Number < 32; ++Number)
    Out[Number] = ofLane(Number);
  return true;
}

bool WarpEvaluator::leaf(const Expr *E, Lanes &Out) {
  switch (E->Op) {
  case ExprOp::Constant:
    Out.fill(E->Payload);
    return true;
  case ExprOp::Argument: {
    if (E->Payload >= Launch.Arguments.size() || !Launch.Arguments[E->Payload])
      return false;
    Out.fill(*Launch.Arguments[E->Payload] &
             maskTrailingOnes<uint64_t>(E->Bits));
    return true;
  }
  case ExprOp::Field: {
    uint64_t Number = E->Payload >> 32, Offset = uint32_t(E->Payload);
    if (Number >= Launch.Structs.size() ||
        Launch.Structs[Number].size() < Offset + E->Bits / 8)
      return false;
    uint64_t Value = 0;
    for (unsigned Byte = 0; Byte < E->Bits / 8; ++Byte)
      Value |= uint64_t(Launch.Structs[Number][Offset + Byte]) << (8 * Byte);
    Out.fill(Value);
    return true;
  }
  case ExprOp::Object: {
    auto It = Launch.Objects.find(E->Source);
    if (It == Launch.Objects.end())
      return false;
    Out.fill(It->second);
    return true;
  }
  case ExprOp::Special:
    return special(SpecialValue(E->Payload), Out);
  case ExprOp::Iteration:
    if (E->Payload >= Iterations.size() || !Iterations[E->Payload])
      return false;
    Out = *Iterations[E->Payload];
    return true;
  case ExprOp::State: {
    unsigned Number = E->Payload >> 32;
    if (Number >= Recurrences.size() ||
        uint32_t(E->Payload) >= Recurrences[Number].States.size())
      return false;
    Out = Recurrences[Number].States[uint32_t(E->Payload)];
    return true;
  }
  default:
    return OnUnknown && OnUnknown(*E, Out);
  }
}

/// Loop \p Loop stands at another iteration: what other loops carried starts
/// again.
void WarpEvaluator::restartInner(unsigned Loop) {
  Epoch = ++LastEpoch;
  for (unsigned N = 0; N < Recurrences.size(); ++N)
    if (Pool.recurrence(N).Loop != Loop)
      Recurrences[N].IsValid = false;
}

/// Steps the recurrence until its states are those of iteration \p Target.
bool WarpEvaluator::runRecurrence(unsigned Number, uint32_t Mask,
                                  uint64_t Target) {
  const Recurrence &R = Pool.recurrence(Number);
  if (Recurrences.size() < Pool.numRecurrences())
    Recurrences.resize(Pool.numRecurrences());
  unsigned Count = R.Starts.size();
  uint64_t OuterEpoch = Epoch;
  bool CanContinue = Recurrences[Number].IsValid &&
                     Recurrences[Number].At <= Target &&
                     (Mask & ~Recurrences[Number].Mask) == 0;
  if (!CanContinue) {
    std::vector<Lanes> States(Count);
    for (unsigned I = 0; I < Count; ++I)
      if (!compute(R.Starts[I], Mask, States[I]))
        return false;
    Recurrences[Number].States = std::move(States);
    Recurrences[Number].At = 0;
    Recurrences[Number].Mask = Mask;
    Recurrences[Number].IsValid = true;
  }
  if (Iterations.size() <= R.Loop)
    Iterations.resize(R.Loop + 1);
  std::optional<Lanes> Saved = Iterations[R.Loop];
  bool Good = true;
  while (Good && Recurrences[Number].At < Target) {
    Lanes Now;
    Now.fill(Recurrences[Number].At);
    Iterations[R.Loop] = Now;
    restartInner(R.Loop);
    std::vector<Lanes> Next(Count);
    for (unsigned I = 0; Good && I < Count; ++I)
      Good = compute(R.Updates[I], Mask, Next[I]);
    Recurrences[Number].States = std::move(Next);
    ++Recurrences[Number].At;
  }
  if (!Good)
    Recurrences[Number].IsValid = false;
  Iterations[R.Loop] = Saved;
  Epoch = OuterEpoch;
  return Good;
}

bool WarpEvaluator::stateAt(const Expr *E, uint32_t Mask, Lanes &Out) {
  Lanes Target;
  if (!compute(E->Operands[0], Mask, Target))
    return false;
  unsigned Number = E->Payload >> 32;
  uint32_t Index = uint32_t(E->Payload);
  // Lanes may stand at different iterations: smallest first.
  for (uint32_t Left = Mask; Left;) {
    uint64_t Least = UINT64_MAX;
    for (unsigned Lane = 0; Lane < 32; ++Lane)
      if (Left >> Lane & 1)
        Least = std::min(Least, Target[Lane]);
    if (!runRecurrence(Number, Mask, Least))
      return false;
    for (unsigned Lane = 0; Lane < 32; ++Lane)
      if ((Left >> Lane & 1) && Target[Lane] == Least) {
        Out[Lane] = Recurrences[Number].States[Index][Lane];
        Left &= ~(uint32_t(1) << Lane);
      }
  }
  return true;
}

bool WarpEvaluator::firstTrue(const Expr *E, uint32_t Mask, Lanes &Out) {
  unsigned Loop = E->Payload;
  if (Iterations.size() <= Loop)
    Iterations.resize(Loop + 1);
  std::optional<Lanes> Saved = Iterations[Loop];
  uint64_t OuterEpoch = Epoch;
  uint32_t Left = Mask;
  bool Good = true;
  for (uint64_t N = 0; Left && Good; ++N) {
    Lanes Now, Holds;
    Now.fill(N);
    Iterations[Loop] = Now;
    restartInner(Loop);
    Good = compute(E->Operands[0], Left, Holds);
    for (unsigned Lane = 0; Good && Lane < 32; ++Lane)
      if ((Left >> Lane & 1) && Holds[Lane]) {
        Out[Lane] = N;
        Left &= ~(uint32_t(1) << Lane);
      }
  }
  Iterations[Loop] = Saved;
  Epoch = OuterEpoch;
  return Good;
}

bool WarpEvaluator::compute(const Expr *E, uint32_t Mask, Lanes &Out) {
  if (++Steps > AllowedSteps)
    return false;
  if (E->isLeaf())
    return leaf(E, Out);
  if (Memo.size() <= E->Id)
    Memo.resize(std::max<size_t>(E->Id + 1, Pool.size()));
  if (Memo[E->Id].Epoch == Epoch && (Mask & ~Memo[E->Id].Mask) == 0) {
    Out = Memo[E->Id].Value;
    return true;
  }
  if (++Nesting > 2000) {
    --Nesting;
    return false;
  }
  bool Good = true;
  if (E->Op == ExprOp::FirstTrue) {
    Good = firstTrue(E, Mask, Out);
  } else if (E->Op == ExprOp::StateAt) {
    Good = stateAt(E, Mask, Out);
  } else if (E->Op == ExprOp::Select) {
    // Only the side that counts needs a value.
    Lanes If, Then = {}, Else = {};
    Good = compute(E->Operands[0], Mask, If);
    uint32_t True = 0;
    for (unsigned Lane = 0; Good && Lane < 32; ++Lane)
      True |= uint32_t(If[Lane] & 1) << Lane;
    Good = Good &&
           (!(Mask & True) || compute(E->Operands[1], Mask & True, Then)) &&
           (!(Mask & ~True) || compute(E->Operands[2], Mask & ~True, Else));
    for (unsigned Lane = 0; Good && Lane < 32; ++Lane)
      Out[Lane] = True >> Lane & 1 ? Then[Lane] : Else[Lane];
  } else {
    Lanes Values[3];
    for (unsigned I = 0; Good && I < E->Operands.size(); ++I)
      Good = compute(E->Operands[I], Mask, Values[I]);
    for (unsigned Lane = 0; Good && Lane < 32; ++Lane) {
      Out[Lane] = 0;
      if (!(Mask >> Lane & 1))
        continue;
      uint64_t Operands[3];
      for (unsigned I = 0; I < E->Operands.size(); ++I)
        Operands[I] = Values[I][Lane];
      const auto Result = applyOperation(*E, Operands);
      Out[Lane] = Result.value_or(0);
      Good = Result.has_value();
    }
  }
  --Nesting;
  if (Good) {
    Stored &S = Memo[E->Id];
    S.Epoch = Epoch;
    S.Mask = Mask;
    S.Value = Out;
  }
  return Good;
}

bool WarpEvaluator::evaluate(const Expr *E, uint32_t Mask, Lanes &Out) {
  Steps = 0;
  EvaluationBudget *Budget = Launch.Budget;
  AllowedSteps = Budget ? std::min(MaxSteps, Budget->Left) : MaxSteps;
  // Iterations may have changed since a recurrence last ran.
  for (Running &R : Recurrences)
    R.IsValid = false;
  const bool Good = compute(E, Mask, Out);
  if (Budget) {
    Budget->Left -= std::min(Budget->Left, Steps);
    Budget->GivenUp += Steps > AllowedSteps;
  }
  return Good;
}

std::optional<int64_t> WarpEvaluator::evaluate(const Expr *E) {
  uint32_t One = FullMask & (0 - FullMask);
  Lanes Out;
  if (!One || !evaluate(E, One, Out))
    return std::nullopt;
  return SignExtend64(Out[llvm::countr_zero(One)], E->Bits);
}

std::optional<uint32_t> WarpEvaluator::mask(const Expr *E, uint32_t Mask) {
  Lanes Out;
  if (!evaluate(E, Mask, Out))
    return std::nullopt;
  uint32_t Result = 0;
  for (unsigned Lane = 0; Lane < 32; ++Lane)
    Result |= uint32_t(Out[Lane] & 1) << Lane;
  return Result & Mask;
}

std::optional<int64_t> evaluate(const Expr *E, const ExprPool &Pool,
                                const LaunchValues &Launch, uint64_t Block,
                                unsigned Thread, ArrayRef<int64_t> Iterations) {
  WarpEvaluator Evaluator(Pool, Launch);
  Evaluator.setWarp(Block, Thread / 32);
  for (unsigned Loop = 0; Loop < Iterations.size(); ++Loop)
    if (Iterations[Loop] >= 0)
      Evaluator.setIteration(Loop, uint64_t(Iterations[Loop]));
  uint32_t Mask = uint32_t(1) << (Thread % 32);
  WarpEvaluator::Lanes Out;
  if (!(Mask & Evaluator.fullMask()) || !Evaluator.evaluate(E, Mask, Out))
    return std::nullopt;
  return SignExtend64(Out[Thread % 32], E->Bits);
}

} // namespace heddle
