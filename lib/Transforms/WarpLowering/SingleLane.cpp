//===- SingleLane.cpp - Loops lowered for one lane at a time --------------===//
//
// A second body of a loop (LaneLoop) beside the one in lockstep: at the header,
// if few lanes are active, each runs to the exit by itself. In the body every
// value is one scalar, as if its shape were uniform. Where the rounds of a lane
// wait for each other (LaneLoop::InTurns), two lanes run in turns, so that the
// host has work in the meantime. Counters and hooks see warps, so functions
// with any have no such bodies.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

/// A function that gives the value of \p V in a lane, for use in forEachLane.
/// What it reads is written here, before.
WarpBuilder::LanePicker WarpBuilder::pickLane(Value *V) {
  Shape S = shape(V);
  if (S.Kind == Shape::Uniform)
    return [Whole = scalar(V)](Value *) { return Whole; };
  if (S.Kind == Shape::Affine && Geometry.Segments == 1)
    return [this, Base = bases(V)[0], S](Value *Lane) {
      bool IsPointer = Base->getType()->isPointerTy();
      Type *Ty = IsPointer ? I64 : Base->getType();
      Value *Step = B.CreateMul(B.CreateZExtOrTrunc(Lane, Ty),
                                ConstantInt::getSigned(Ty, S.Stride, true));
      return IsPointer ? B.CreateGEP(I8, Base, Step) : B.CreateAdd(Base, Step);
    };
  SmallVector<LanePicker, 1> Components;
  for (Value *Part : allLanes(V)) {
    if (Part->getType() == lanesOf(I1)) {
      Components.push_back([this, Bits = bitsOf(Part)](Value *Lane) {
        return B.CreateTrunc(B.CreateLShr(Bits, Lane), I1);
      });
      continue;
    }
    Components.push_back([this, Array = spillLanes(Part),
                          Ty = Part->getType()->getScalarType()](Value *Lane) {
      return B.CreateLoad(Ty, laneSlot(Array, Lane));
    });
  }
  if (!V->getType()->isVectorTy())
    return Components.front();
  return [this, Components, Ty = hostType(V->getType())](Value *Lane) {
    Value *Whole = PoisonValue::get(Ty);
    for (unsigned N = 0; N < Components.size(); ++N)
      Whole = B.CreateInsertElement(Whole, Components[N](Lane), N);
    return Whole;
  };
}

/// Where lanes that leave the loop put the values of \p Phi.
WarpBuilder::LaneSink WarpBuilder::makeLaneSink(PHINode &Phi) {
  LaneSink Sink = {&Phi, {}};
  for (AllocaInst *Slot : Slots[&Phi]) {
    Value *Old = B.CreateLoad(Slot->getAllocatedType(), Slot);
    if (shape(&Phi).Kind == Shape::Lanes && Old->getType() != lanesOf(I1)) {
      Sink.Places.push_back(spillLanes(Old));
      continue;
    }
    if (Old->getType() == lanesOf(I1))
      Old = bitsOf(Old);
    Sink.Places.push_back(entryAlloca(Old->getType(), "left"));
    B.CreateStore(Old, Sink.Places.back());
  }
  return Sink;
}

/// Moves what lanes have left into the slots of the phis.
void WarpBuilder::drainLaneSink(const LaneSink &Sink) {
  for (auto [Place, Slot] : zip_equal(Sink.Places, Slots[Sink.Phi])) {
    Type *Ty = Slot->getAllocatedType();
    Value *V = Ty == lanesOf(I1) ? maskLanes(B.CreateLoad(I32, Place))
               : Place->getAllocatedType()->isArrayTy()
                   ? reloadLanes(Place)
                   : B.CreateLoad(Ty, Place);
    B.CreateStore(V, Slot);
  }
}

/// A body without code. Outside of it nothing of it is in use.
WarpBuilder::LaneBody WarpBuilder::makeLaneBody(const LaneLoopState &State) {
  LaneBody Body;
  Body.Lane = entryAlloca(I32, "lane");
  Body.Steps = entryAlloca(I64, "lane.steps");
  Body.Left = BasicBlock::Create(Ctx, "lone.left", Fn);
  for (BasicBlock *Block : State.Loop.Blocks)
    Body.Blocks[Block] =
        BasicBlock::Create(Ctx, Block->getName() + ".lone", Fn);
  SingleLane Here{State, Body};
  Single = &Here;
  std::swap(Slots, Body.Slots);
  for (BasicBlock *Block : State.Loop.Blocks)
    for (Instruction &I : *Block)
      createSlot(I);
  for (auto &[I, Pick] : State.LiveIns)
    if (!Slots.contains(I))
      Slots[I].push_back(entryAlloca(hostType(I->getType()), I->getName()));
  std::swap(Slots, Body.Slots);
  Single = nullptr;
  return Body;
}

Value *WarpBuilder::isAnyWaiting(const LaneLoopState &State) {
  return B.CreateICmpNE(B.CreateLoad(I32, State.Waiting), B.getInt32(0));
}

/// The next lane that waits, of which there is one, enters \p Body.
void WarpBuilder::takeLane(const LaneLoopState &State, const LaneBody &Body) {
  Value *Waiting = B.CreateLoad(I32, State.Waiting);
  B.CreateStore(B.CreateAnd(Waiting, B.CreateSub(Waiting, B.getInt32(1))),
                State.Waiting);
  Value *Lane = B.CreateBinaryIntrinsic(Intrinsic::cttz, Waiting, B.getTrue());
  B.CreateStore(Lane, Body.Lane);
  B.CreateStore(State.Steps, Body.Steps);
  for (auto &[I, Pick] : State.LiveIns)
    B.CreateStore(Pick(Lane), Body.Slots.find(I)->second[0]);
}

/// The lane of one body goes on in another, at the header.
void WarpBuilder::handOver(const LaneLoopState &State, const LaneBody &From,
                           const LaneBody &To) {
  auto copy = [&](AllocaInst *Source, AllocaInst *Target) {
    B.CreateStore(B.CreateLoad(Source->getAllocatedType(), Source), Target);
  };
  copy(From.Lane, To.Lane);
  copy(From.Steps, To.Steps);
  for (auto &[I, Pick] : State.LiveIns)
    copy(From.Slots.at(I)[0], To.Slots.at(I)[0]);
}

void WarpBuilder::lowerLaneBody(const LaneLoopState &State,
                                const LaneBody &Body) {
  SingleLane Here{State, Body};
  auto OuterSlots = std::exchange(Slots, Body.Slots);
  auto OuterBlocks = std::exchange(Blocks, Body.Blocks);
  AllocaInst *OuterSteps = std::exchange(StepsSlot, Body.Steps);
  Value *OuterMask = Mask, *OuterMaskVector = MaskVector;
  Single = &Here;
  for (BasicBlock *Block : State.Loop.Blocks)
    if (!Here.Merged.contains(Block))
      lowerBlock(*Block);
    else
      Blocks[Block]->eraseFromParent();
  Single = nullptr;
  Slots = std::move(OuterSlots);
  Blocks = std::move(OuterBlocks);
  StepsSlot = OuterSteps;
  Mask = OuterMask;
  MaskVector = OuterMaskVector;
  Current.clear();
}

/// The lane at work leaves the loop from \p From: what it takes along goes into
/// the sinks.
void WarpBuilder::leaveLaneLoop(BasicBlock *From) {
  const LaneBody &Body = Single->Body;
  Value *Lane = B.CreateLoad(I32, Body.Lane);
  for (const LaneSink &Sink : Single->State.Sinks) {
    Value *Whole = scalar(Sink.Phi->getIncomingValueForBlock(From));
    if (Shapes.of(Sink.Phi).Kind == Shape::Uniform) {
      B.CreateStore(Whole, Sink.Places[0]);
      continue;
    }
    for (auto [Place, L] :
         zip_equal(Sink.Places, leavesOf(Sink.Phi->getType()))) {
      Value *V = component(Whole, Whole->getType(), L.Path);
      if (L.Ty != I1) {
        B.CreateStore(V, laneSlot(Place, Lane));
        continue;
      }
      Value *Bit = B.CreateShl(B.getInt32(1), Lane);
      Value *Others = B.CreateAnd(B.CreateLoad(I32, Place), B.CreateNot(Bit));
      B.CreateStore(B.CreateOr(Others, B.CreateShl(B.CreateZExt(V, I32), Lane)),
                    Place);
    }
  }
  B.CreateStore(
      B.CreateBinaryIntrinsic(Intrinsic::smin, B.CreateLoad(I64, Body.Steps),
                              B.CreateLoad(I64, Single->State.Fewest)),
      Single->State.Fewest);
  B.CreateBr(Body.Left);
}

/// One lane after the other.
void WarpBuilder::runLanes(const LaneLoopState &State, BasicBlock *Done) {
  LaneBody Body = makeLaneBody(State);
  BasicBlock *Take = BasicBlock::Create(Ctx, "take", Fn);
  B.CreateBr(Take);
  B.SetInsertPoint(Take);
  takeLane(State, Body);
  B.CreateBr(Body.Blocks[State.Loop.Blocks.front()]);
  lowerLaneBody(State, Body);
  B.SetInsertPoint(Body.Left);
  B.CreateCondBr(isAnyWaiting(State), Take, Done);
}

/// Two lanes at a time take turns, round by round; the last one runs alone.
void WarpBuilder::runLanesInTurns(const LaneLoopState &State,
                                  BasicBlock *Done) {
  BasicBlock *Front = State.Loop.Blocks.front();
  LaneBody Bodies[] = {makeLaneBody(State), makeLaneBody(State)},
           Last = makeLaneBody(State);
  Bodies[0].Next = Bodies[1].Blocks[Front];
  Bodies[1].Next = Bodies[0].Blocks[Front];
  BasicBlock *Two = BasicBlock::Create(Ctx, "two", Fn);
  BasicBlock *One = BasicBlock::Create(Ctx, "one", Fn);
  takeLane(State, Bodies[0]);
  B.CreateCondBr(isAnyWaiting(State), Two, One);
  B.SetInsertPoint(Two);
  takeLane(State, Bodies[1]);
  B.CreateBr(Bodies[0].Blocks[Front]);
  B.SetInsertPoint(One);
  handOver(State, Bodies[0], Last);
  B.CreateBr(Last.Blocks[Front]);
  for (unsigned N = 0; N < 2; ++N) {
    lowerLaneBody(State, Bodies[N]);
    B.SetInsertPoint(Bodies[N].Left);
    BasicBlock *Take = BasicBlock::Create(Ctx, "take", Fn);
    BasicBlock *Leave = BasicBlock::Create(Ctx, "leave", Fn);
    B.CreateCondBr(isAnyWaiting(State), Take, Leave);
    B.SetInsertPoint(Take);
    takeLane(State, Bodies[N]);
    B.CreateBr(Bodies[N].Blocks[Front]);
    B.SetInsertPoint(Leave);
    handOver(State, Bodies[1 - N], Last);
    B.CreateBr(Last.Blocks[Front]);
  }
  lowerLaneBody(State, Last);
  B.SetInsertPoint(Last.Left);
  B.CreateBr(Done);
}

/// At the start of the header of \p L: goes on where all lanes go together.
void WarpBuilder::lowerLaneLoop(const LaneLoop &L) {
  BasicBlock *Alone = BasicBlock::Create(Ctx, "alone", Fn);
  BasicBlock *Done = BasicBlock::Create(Ctx, "lone.done", Fn);
  BasicBlock *Together = BasicBlock::Create(Ctx, "together", Fn);
  Value *Few = B.CreateICmpULE(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Mask),
                               B.getInt32(L.MaxLanes));
  for (auto [First, Second] : L.Differ)
    Few = B.CreateAnd(
        Few, B.CreateICmpNE(Arguments.lookup(First), Arguments.lookup(Second)));
  B.CreateCondBr(Few, Alone, Together);

  B.SetInsertPoint(Alone);
  LaneLoopState State{L,
                      {},
                      {},
                      B.CreateLoad(I64, StepsSlot),
                      entryAlloca(I32, "waiting"),
                      entryAlloca(I64, "steps.fewest")};
  for (Instruction *I : L.liveIns())
    State.LiveIns.push_back({I, pickLane(I)});
  for (PHINode &Phi : L.Exit->phis())
    State.Sinks.push_back(makeLaneSink(Phi));
  // Each lane may take the steps that are left to the warp.
  B.CreateStore(State.Steps, State.Fewest);
  B.CreateStore(Mask, State.Waiting);
  if (L.InTurns)
    runLanesInTurns(State, Done);
  else
    runLanes(State, Done);

  B.SetInsertPoint(Done);
  B.CreateStore(B.CreateLoad(I64, State.Fewest), StepsSlot);
  for (const LaneSink &Sink : State.Sinks)
    drainLaneSink(Sink);
  jump(L.Blocks.front(), L.Exit);

  B.SetInsertPoint(Together);
  Current.clear();
}

} // namespace heddle
