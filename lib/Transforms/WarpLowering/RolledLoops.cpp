//===- RolledLoops.cpp - Undoes unrolling for lanes that go alone ---------===//

#include "RolledLoops.h"

#include "KernelClone.h"
#include "LaneLoops.h"
#include "LoopRound.h"
#include "UnrolledLoop.h"

#include "heddle/ABI/WarpKernel.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

namespace {

class Roller {
public:
  Roller(KernelClone &Clone, const UnrolledLoop &U)
      : Clone(Clone), U(U), T(U.Entry->getDataLayout()),
        Round(T, *U.Remainder.Body),
        B(U.Entry->getContext(), InstSimplifyFolder(U.Entry->getDataLayout())),
        Ty(U.Main.Count.Phi->getType()) {
    B.SetInsertPoint(U.Entry->getTerminator());
  }

  /// The number of rounds of the rolled loop, or null if it takes more than
  /// arithmetic to decide which lanes may run it.
  Value *decide();
  BasicBlock *build(Value *Number);

private:
  struct Rounds {
    Value *Any;    ///< whether the lane enters the loop at all
    Value *Number; ///< of rounds, else 0
  };
  Rounds roundsOf(const UnrolledLoop::Part &Part, const BasicBlock *From);
  Value *atEntry(Value *V);
  Value *afterRemainder(Value *V);
  Value *plus(Value *V, int64_t Offset);
  Value *advance(Value *Start, int64_t Step, Value *Times);
  void requireSame(Value *Start, int64_t Step, int64_t Ahead, Value *Then);
  void require(Value *Condition) { Allowed = B.CreateAnd(Allowed, Condition); }

  KernelClone &Clone;
  const UnrolledLoop &U;
  Terms T;
  const LoopRound Round;
  IRBuilder<InstSimplifyFolder> B;
  Type *Ty;
  Rounds OfRemainder = {}, OfMain = {};
  Value *Allowed = B.getTrue();
  DenseMap<const Value *, Value *> Known;
  /// What is required already, by start and end.
  SmallSet<std::tuple<Value *, int64_t, int64_t, Value *>, 4> Same;
  bool Failed = false;
};

} // namespace

Value *Roller::plus(Value *V, int64_t Offset) {
  if (Offset == 0)
    return V;
  if (V->getType()->isPointerTy())
    return B.CreateConstGEP1_64(B.getInt8Ty(), V, Offset);
  return B.CreateAdd(V, ConstantInt::getSigned(V->getType(), Offset, true));
}

/// \p Start after it has grown by \p Step this many times.
Value *Roller::advance(Value *Start, int64_t Step, Value *Times) {
  Type *Width =
      Start->getType()->isPointerTy() ? B.getInt64Ty() : Start->getType();
  Times = B.CreateZExtOrTrunc(Times, Width);
  Value *By = Step > 0 && isPowerOf2_64(Step)
                  ? B.CreateShl(Times, Log2_64(Step))
                  : B.CreateMul(Times, ConstantInt::getSigned(Width, Step));
  return Start->getType()->isPointerTy() ? B.CreateGEP(B.getInt8Ty(), Start, By)
                                         : B.CreateAdd(Start, By);
}

/// A value of the remainder in its last round, or null.
Value *Roller::afterRemainder(Value *V) {
  for (PHINode &Phi : U.Remainder.Body->phis()) {
    Term At = Round.of(V), Leaf = Round.of(&Phi);
    std::optional<int64_t> Step = Round.step(Phi);
    if (At.Base != Leaf.Base || !Step)
      continue;
    Value *Start = atEntry(U.Remainder.start(Phi));
    return Start ? plus(advance(Start, *Step, OfRemainder.Number),
                        At.Offset - Leaf.Offset - uint64_t(*Step))
                 : nullptr;
  }
  return nullptr;
}

/// What \p V will be, computed at the end of the entry; null if it cannot be.
Value *Roller::atEntry(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  if (I->getParent() == U.Remainder.Body)
    return afterRemainder(I);
  bool IsBetween =
      I->getParent() == U.Join ||
      (I->getParent() != U.Entry && (I->getParent() == U.Remainder.Before ||
                                     I->getParent() == U.Main.Before));
  if (!IsBetween)
    return I;
  if (Value *Done = Known.lookup(I))
    return Done;
  Value *Result = nullptr;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    if (Phi->getParent() != U.Join)
      return nullptr;
    Value *Past = Phi->getIncomingValueForBlock(U.Entry);
    Value *Through = atEntry(Phi->getIncomingValueForBlock(U.Remainder.Body));
    if (Through)
      Result = B.CreateSelect(OfRemainder.Any, Through, Past);
  } else {
    SmallVector<Value *, 4> Operands;
    for (Value *Op : I->operand_values())
      if (Value *Copy = atEntry(Op))
        Operands.push_back(Copy);
      else
        return nullptr;
    Instruction *Copy = I->clone();
    for (auto [N, Op] : enumerate(Operands))
      Copy->setOperand(N, Op);
    B.Insert(Copy, I->getName());
    Result = simplifyInstruction(Copy, Copy->getDataLayout());
    if (Result)
      Copy->eraseFromParent();
    else
      Result = Copy;
  }
  Known[I] = Result;
  return Result;
}

/// The rounds that a lane goes in \p Part, which \p From branches to or past.
/// Requires that the countdown meets zero.
Roller::Rounds Roller::roundsOf(const UnrolledLoop::Part &Part,
                                const BasicBlock *From) {
  const auto *Br = cast<BranchInst>(From->getTerminator());
  const BasicBlock *Into = Part.Before == From ? Part.Body : Part.Before;
  Value *Any = atEntry(Br->getCondition());
  Value *Start = atEntry(Part.start(*Part.Count.Phi));
  if (!Any || !Start) {
    Failed = true;
    return {};
  }
  if (Br->getSuccessor(0) != Into)
    Any = B.CreateNot(Any);
  Value *Zero = ConstantInt::get(Ty, 0);
  Value *Rest = B.CreateAnd(Start, (uint64_t(1) << Part.Count.Shift) - 1);
  Value *Ends =
      B.CreateAnd(B.CreateICmpNE(Start, Zero), B.CreateICmpEQ(Rest, Zero));
  require(B.CreateOr(B.CreateNot(Any), Ends));
  return {Any,
          B.CreateSelect(Any, B.CreateLShr(Start, Part.Count.Shift), Zero)};
}

/// Requires that \p Then is \p Start after the rounds of the remainder, plus
/// \p Ahead, in lanes that enter the main loop.
void Roller::requireSame(Value *Start, int64_t Step, int64_t Ahead,
                         Value *Then) {
  Value *Base, *From, *To;
  const APInt *Constant;
  // Addresses in one buffer are equal if what is added to its address is, and
  // buffers that are walked side by side are asked for once.
  // Narrower offsets might wrap around where addresses do not.
  if (match(Start, m_PtrAdd(m_Value(Base), m_Value(From))) &&
      match(Then, m_PtrAdd(m_Specific(Base), m_Value(To))) &&
      From->getType()->isIntegerTy(64) && To->getType()->isIntegerTy(64))
    return requireSame(From, Step, Ahead, To);
  if (match(Then, m_Add(m_Value(To), m_APInt(Constant))))
    return requireSame(Start, Step, uint64_t(Ahead) - Constant->getSExtValue(),
                       To);
  if (!Same.insert({Start, Step, Ahead, Then}).second)
    return;
  Value *Is = plus(advance(Start, Step, OfRemainder.Number), Ahead);
  require(B.CreateOr(B.CreateNot(OfMain.Any), B.CreateICmpEQ(Is, Then)));
}

/// Deletes what nothing uses from \p First on.
static void deleteUnused(BasicBlock::iterator First, BasicBlock &Block) {
  SmallVector<WeakTrackingVH> Unused;
  for (Instruction &I : make_range(First, Block.end()))
    Unused.push_back(&I);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Unused);
}

/// The rolled loop beside the unrolled one.
BasicBlock *Roller::build(Value *Number) {
  BasicBlock *Body = U.Remainder.Body;
  BasicBlock *Rolled = BasicBlock::Create(Body->getContext(), "rolled",
                                          Body->getParent(), U.Exit);
  // A round too many is found as in the remainder.
  Clone.copyNumbers(Body, Rolled);
  ValueToValueMapTy Map;
  IRBuilder<> In(Rolled);
  PHINode *Count = In.CreatePHI(Ty, 2, "rounds");
  for (PHINode &Phi : Body->phis()) {
    PHINode *Copy = In.CreatePHI(Phi.getType(), 2, Phi.getName());
    Copy->addIncoming(atEntry(U.Remainder.start(Phi)), U.Entry);
    Map[&Phi] = Copy;
  }
  for (Instruction &I : *Body) {
    if (isa<PHINode>(I) || I.isTerminator())
      continue;
    Instruction *Copy = In.Insert(I.clone(), I.getName());
    Map[&I] = Copy;
    Clone.copyNumbers(&I, Copy);
    RemapInstruction(Copy, Map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  }
  auto mapped = [&](Value *V) {
    Value *Copy = Map.lookup(V);
    return Copy ? Copy : V;
  };
  for (PHINode &Phi : Body->phis())
    cast<PHINode>(mapped(&Phi))
        ->addIncoming(mapped(U.Remainder.next(Phi)), Rolled);
  Value *Rest = In.CreateAdd(Count, ConstantInt::getAllOnesValue(Ty));
  In.CreateCondBr(In.CreateICmpEQ(Rest, ConstantInt::get(Ty, 0)), U.Exit,
                  Rolled);
  Count->addIncoming(Number, U.Entry);
  Count->addIncoming(Rest, Rolled);
  for (auto [Phi, Result] : U.Results)
    Phi->addIncoming(mapped(Result), Rolled);
  BasicBlock *Unrolled =
      U.Entry->splitBasicBlock(U.Entry->getTerminator(), "unrolled");
  U.Entry->getTerminator()->eraseFromParent();
  BranchInst::Create(Rolled, Unrolled, Allowed, U.Entry);
  deleteUnused(Rolled->begin(), *Rolled);
  DeleteDeadPHIs(Rolled);
  return Rolled;
}

Value *Roller::decide() {
  OfRemainder = roundsOf(U.Remainder, U.Entry);
  if (!Failed)
    OfMain = roundsOf(U.Main, U.Join);
  if (Failed)
    return nullptr;
  for (const UnrolledLoop::Carried &C : U.State)
    if (C.Step) {
      Value *Then = atEntry(U.Main.start(*C.Main));
      if (!Then)
        return nullptr;
      requireSame(atEntry(U.Remainder.start(*C.Remainder)), *C.Step, C.Ahead,
                  Then);
    }
  Value *InMain = B.CreateShl(OfMain.Number, U.FactorShift);
  Value *Number = B.CreateAdd(OfRemainder.Number, InMain);
  require(B.CreateICmpUGE(Number, InMain));
  require(B.CreateICmpNE(Number, ConstantInt::get(Ty, 0)));

  return Number;
}

/// The rolled loop beside \p U, or null.
static BasicBlock *roll(KernelClone &Clone, const UnrolledLoop &U) {
  Instruction *Before = U.Entry->getTerminator()->getPrevNode();
  Roller R(Clone, U);
  Value *Number = R.decide();
  BasicBlock *Rolled = Number ? R.build(Number) : nullptr;
  deleteUnused(Before ? std::next(Before->getIterator()) : U.Entry->begin(),
               *U.Entry);
  return Rolled;
}

RolledLoops rollLoops(KernelClone &Clone, const LaneLoops &Loops) {
  auto runsAlone = [&](const BasicBlock *Body) {
    const LaneLoop *L = Loops.at(Body);
    return L && L->InTurns && L->MaxLanes == HEDDLE_WARP_SIZE;
  };
  RolledLoops Result;
  SmallVector<BasicBlock *> Bodies;
  for (BasicBlock &Block : Clone.function())
    if (runsAlone(&Block) && findCountdown(Block))
      Bodies.push_back(&Block);
  for (BasicBlock *Body : Bodies)
    if (auto U = findUnrolledLoop(*Body); U && runsAlone(U->Remainder.Body))
      if (BasicBlock *Rolled = roll(Clone, *U))
        Result[Rolled] = U->FactorShift;
  return Result;
}

} // namespace heddle
