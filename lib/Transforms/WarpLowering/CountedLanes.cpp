//===- CountedLanes.cpp - Lanes that run a known number of rounds ---------===//
//
// Where each lane knows at the start how many rounds it stays in a loop
// (LaneLoop::Count), two lanes go together for as many rounds as both have
// left, without asking after each. The one that is done leaves and the next one
// takes its place: one jump that the host cannot predict for each lane, and
// nothing but the loop's own work in a round.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace heddle {

/// The rounds that each lane has to go, and the most of any; returns whether
/// they are right for all active lanes and within the steps that are left.
Value *WarpBuilder::countRounds(const LaneLoop &L, Value *&Rounds,
                                Value *&Most) {
  Value *Left = lanes(L.Count->Phi);
  auto *Ty = cast<VectorType>(Left->getType());
  Value *Zero = Constant::getNullValue(Ty);
  auto number = [&](uint64_t N) { return ConstantInt::get(Ty, N); };
  Rounds = B.CreateLShr(Left, number(L.Count->Shift));
  Value *Rest = B.CreateAnd(Left, number((1ull << L.Count->Shift) - 1));
  Value *Ends =
      B.CreateAnd(B.CreateICmpNE(Left, Zero), B.CreateICmpEQ(Rest, Zero));
  Value *Endless = bitsOf(B.CreateAnd(MaskVector, B.CreateNot(Ends)));
  Most = B.CreateIntMaxReduce(B.CreateSelect(MaskVector, Rounds, Zero));
  Most = B.CreateLShr(B.CreateZExt(Most, I64), L.RoundsPerStepShift);
  return B.CreateAnd(B.CreateICmpEQ(Endless, B.getInt32(0)),
                     B.CreateICmpULT(Most, B.CreateLoad(I64, StepsSlot)));
}

/// What a lane keeps: live-ins, and values of the loop that leave it.
WarpBuilder::CountedLane
WarpBuilder::makeCountedLane(const LaneLoopState &State, Type *Ty) {
  CountedLane Made{LaneBody(), entryAlloca(Ty, "rounds")};
  Made.Body.Lane = entryAlloca(I32, "lane");
  auto add = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && !Made.Body.Slots.contains(I))
      Made.Body.Slots[I].push_back(
          entryAlloca(hostType(I->getType()), I->getName()));
  };
  for (auto &[I, Pick] : State.LiveIns)
    add(I);
  for (PHINode &Phi : State.Loop.Exit->phis())
    add(Phi.getIncomingValueForBlock(State.Loop.Blocks.front()));
  return Made;
}

/// The next lane that waits, of which there is one, takes its place in \p To.
void WarpBuilder::takeCountedLane(const LaneLoopState &State,
                                  const CountedLane &To, AllocaInst *Rounds) {
  Value *Lane = nextWaiting(State);
  B.CreateStore(Lane, To.Body.Lane);
  for (auto &[I, Pick] : State.LiveIns)
    B.CreateStore(Pick(Lane), To.Body.Slots.find(I)->second[0]);
  B.CreateStore(
      B.CreateLoad(To.Rounds->getAllocatedType(), laneSlot(Rounds, Lane)),
      To.Rounds);
}

/// Lowers what \p Do does as work of the lane in \p Body.
void WarpBuilder::inLaneBody(const LaneLoopState &State, const LaneBody &Body,
                             function_ref<void()> Do) {
  SingleLane Here{State, Body};
  auto Outer = std::exchange(Slots, Body.Slots);
  Single = &Here;
  Current.clear();
  Do();
  Current.clear();
  Single = nullptr;
  Slots = std::move(Outer);
}

void WarpBuilder::lowerRound(const LaneLoopState &State,
                             const CountedLane &Of) {
  BasicBlock *Block = State.Loop.Blocks.front();
  inLaneBody(State, Of.Body, [&] {
    for (Instruction &I : *Block)
      if (!I.isTerminator() && !Failure)
        lower(I);
    EdgeWrites Writes;
    collectEdge(Block, Block, Writes);
    writeEdge(Writes, Mask);
  });
}

void WarpBuilder::leaveCounted(const LaneLoopState &State,
                               const CountedLane &Of) {
  inLaneBody(State, Of.Body, [&] { fillLaneSinks(State.Loop.Blocks.front()); });
}

/// Calls \p Do with all that belongs to a lane, in two places.
void WarpBuilder::combineCounted(
    const CountedLane &A, const CountedLane &C,
    function_ref<void(AllocaInst *, AllocaInst *)> Do) {
  Do(A.Rounds, C.Rounds);
  Do(A.Body.Lane, C.Body.Lane);
  for (auto &[I, Slot] : A.Body.Slots)
    Do(Slot[0], C.Body.Slots.find(I)->second[0]);
}

void WarpBuilder::runCountedLanes(const LaneLoopState &State, Value *Rounds,
                                  Value *Most, BasicBlock *Done) {
  Type *Ty = cast<VectorType>(Rounds->getType())->getElementType();
  AllocaInst *RoundsOfLanes = spillLanes(Rounds);
  AllocaInst *Together = entryAlloca(Ty, "rounds.together");
  CountedLane First = makeCountedLane(State, Ty),
              Second = makeCountedLane(State, Ty);
  auto block = [&](const char *Name) {
    return BasicBlock::Create(Ctx, Name, Fn);
  };
  BasicBlock *Two = block("two"), *Pair = block("pair"),
             *Round = block("round"), *Leave = block("leave"),
             *Next = block("next"), *Both = block("both"),
             *Again = block("again"), *Alone = block("one"),
             *Last = block("last"), *Left = block("left");
  auto load = [&](AllocaInst *A) {
    return B.CreateLoad(A->getAllocatedType(), A);
  };
  // Only the lane in First stays.
  auto moveDown = [&] {
    combineCounted(First, Second, [&](AllocaInst *A, AllocaInst *C) {
      B.CreateStore(load(C), A);
    });
  };
  Value *Zero = ConstantInt::get(Ty, 0), *One = ConstantInt::get(Ty, 1);
  MDNode *Unlikely = MDBuilder(Ctx).createUnlikelyBranchWeights();
  B.CreateStore(B.CreateSub(State.Steps, Most), State.Fewest);
  takeCountedLane(State, First, RoundsOfLanes);
  B.CreateCondBr(isAnyWaiting(State), Two, Alone);

  B.SetInsertPoint(Two);
  takeCountedLane(State, Second, RoundsOfLanes);
  B.CreateBr(Pair);

  B.SetInsertPoint(Pair);
  Value *A = load(First.Rounds), *C = load(Second.Rounds);
  Value *Fewer = B.CreateBinaryIntrinsic(Intrinsic::umin, A, C);
  B.CreateStore(B.CreateSub(A, Fewer), First.Rounds);
  B.CreateStore(B.CreateSub(C, Fewer), Second.Rounds);
  B.CreateStore(Fewer, Together);
  B.CreateBr(Round);

  B.SetInsertPoint(Round);
  lowerRound(State, First);
  lowerRound(State, Second);
  Value *Rest = B.CreateSub(load(Together), One);
  B.CreateStore(Rest, Together);
  B.CreateCondBr(B.CreateICmpNE(Rest, Zero), Round, Leave);

  // The lane that is done changes places with the first without a jump, which
  // the host would mispredict every other time.
  B.SetInsertPoint(Leave);
  Value *IsFirst = B.CreateICmpEQ(load(First.Rounds), Zero);
  combineCounted(First, Second, [&](AllocaInst *X, AllocaInst *Y) {
    Value *P = load(X), *Q = load(Y);
    B.CreateStore(unpredictable(IsFirst, P, Q), X);
    B.CreateStore(unpredictable(IsFirst, Q, P), Y);
  });
  leaveCounted(State, First);
  BasicBlock *Drained = block("drained");
  B.CreateCondBr(isAnyWaiting(State), Next, Drained);
  B.SetInsertPoint(Drained);
  moveDown();
  B.CreateBr(Last);

  B.SetInsertPoint(Next);
  takeCountedLane(State, First, RoundsOfLanes);
  B.CreateCondBr(B.CreateICmpEQ(load(Second.Rounds), Zero), Both, Pair,
                 Unlikely);
  B.SetInsertPoint(Both);
  leaveCounted(State, Second);
  B.CreateCondBr(isAnyWaiting(State), Two, Alone);

  // One lane, which has a round to go in any case.
  B.SetInsertPoint(Alone);
  B.CreateBr(Again);
  B.SetInsertPoint(Again);
  lowerRound(State, First);
  Value *Remaining = B.CreateSub(load(First.Rounds), One);
  B.CreateStore(Remaining, First.Rounds);
  B.CreateBr(Last);
  B.SetInsertPoint(Last);
  B.CreateCondBr(B.CreateICmpNE(load(First.Rounds), Zero), Again, Left);
  B.SetInsertPoint(Left);
  leaveCounted(State, First);
  B.CreateBr(Done);
}

} // namespace heddle
