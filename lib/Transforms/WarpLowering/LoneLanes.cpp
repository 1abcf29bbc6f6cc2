//===- LoneLanes.cpp - Loops lowered for one lane at a time ---------------===//
//
// A second body of a loop (LaneLoop) beside the one in lockstep: at the header,
// if few lanes are active, each runs to the exit by itself. In the body every
// value is one scalar, as if its shape were uniform. Counters and hooks see
// warps, so functions with any have no such bodies.
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

/// The lane at work leaves the loop from \p From.
void WarpBuilder::leaveLaneLoop(BasicBlock *From) {
  for (const LaneSink &Sink : Lone->Sinks) {
    Value *Whole = scalar(Sink.Phi->getIncomingValueForBlock(From));
    if (Shapes.of(Sink.Phi).Kind == Shape::Uniform) {
      B.CreateStore(Whole, Sink.Places[0]);
      continue;
    }
    for (auto [Place, L] :
         zip_equal(Sink.Places, leavesOf(Sink.Phi->getType()))) {
      Value *V = component(Whole, Whole->getType(), L.Path);
      if (L.Ty != I1) {
        B.CreateStore(V, laneSlot(Place, Lone->Lane));
        continue;
      }
      Value *Bit = B.CreateShl(B.getInt32(1), Lone->Lane);
      Value *Others = B.CreateAnd(B.CreateLoad(I32, Place), B.CreateNot(Bit));
      B.CreateStore(
          B.CreateOr(Others, B.CreateShl(B.CreateZExt(V, I32), Lone->Lane)),
          Place);
    }
  }
  B.CreateBr(Lone->Done);
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

/// The body of \p L for the lane at work, between the current place and
/// Lone->Done. Slots and Blocks are its own.
void WarpBuilder::lowerLaneBody(
    const LaneLoop &L, ArrayRef<std::pair<Instruction *, LanePicker>> LiveIns) {
  for (BasicBlock *Block : L.Blocks) {
    Blocks[Block] = BasicBlock::Create(Ctx, Block->getName() + ".lone", Fn);
    for (Instruction &I : *Block)
      createSlot(I);
  }
  for (auto &[I, Pick] : LiveIns) {
    Value *V = Pick(Lone->Lane);
    if (L.contains(I->getParent())) // a phi of the header
      B.CreateStore(V, Slots[I][0]);
    else
      Lone->Outside[I] = V;
  }
  B.CreateBr(Blocks[L.Blocks.front()]);
  for (BasicBlock *Block : L.Blocks)
    lowerBlock(*Block);
  B.SetInsertPoint(Lone->Done);
}

/// At the start of the header of \p L: goes on where all lanes go together.
void WarpBuilder::lowerLaneLoop(const LaneLoop &L) {
  BasicBlock *Alone = BasicBlock::Create(Ctx, "alone", Fn);
  BasicBlock *Together = BasicBlock::Create(Ctx, "together", Fn);
  Value *Few = B.CreateICmpULE(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Mask),
                               B.getInt32(L.MaxLanes));
  for (auto [First, Second] : L.Differ)
    Few = B.CreateAnd(
        Few, B.CreateICmpNE(Arguments.lookup(First), Arguments.lookup(Second)));
  B.CreateCondBr(Few, Alone, Together);

  B.SetInsertPoint(Alone);
  SmallVector<std::pair<Instruction *, LanePicker>, 8> LiveIns;
  for (Instruction *I : L.liveIns())
    LiveIns.push_back({I, pickLane(I)});
  SmallVector<LaneSink, 4> Sinks;
  for (PHINode &Phi : L.Exit->phis())
    Sinks.push_back(makeLaneSink(Phi));
  // Each lane may take the steps that are left to the warp.
  Value *Steps = B.CreateLoad(I64, StepsSlot);
  AllocaInst *Least = entryAlloca(I64, "steps.least");
  B.CreateStore(Steps, Least);
  forEachLane([&](Value *Lane) {
    LoneLane State{Lane, &L, BasicBlock::Create(Ctx, "lone.done", Fn), Sinks};
    auto OuterSlots = std::move(Slots);
    auto OuterBlocks = std::move(Blocks);
    Value *OuterMask = Mask, *OuterMaskVector = MaskVector;
    Slots.clear();
    Blocks.clear();
    Current.clear();
    Lone = &State;
    B.CreateStore(Steps, StepsSlot);
    lowerLaneBody(L, LiveIns);
    Lone = nullptr;
    Slots = std::move(OuterSlots);
    Blocks = std::move(OuterBlocks);
    Mask = OuterMask;
    MaskVector = OuterMaskVector;
    Current.clear();
    B.CreateStore(B.CreateBinaryIntrinsic(Intrinsic::smin,
                                          B.CreateLoad(I64, StepsSlot),
                                          B.CreateLoad(I64, Least)),
                  Least);
  });
  B.CreateStore(B.CreateLoad(I64, Least), StepsSlot);
  for (const LaneSink &Sink : Sinks)
    drainLaneSink(Sink);
  jump(L.Blocks.front(), L.Exit);

  B.SetInsertPoint(Together);
  Current.clear();
}

} // namespace heddle
