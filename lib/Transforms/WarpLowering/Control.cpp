//===- Control.cpp - Branches, joins, barriers, ends ----------------------===//
//
// docs/Rationale/Divergence.md in host code. Lanes that wait at a join are a
// mask variable of the join; the FALSE side of a branch that waits for its TRUE
// side is one of the branch, or an entry of a small stack.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/Analysis/Barriers.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cstddef>

using namespace llvm;

namespace heddle {

/// Reads what the phis of \p To get when control comes from \p From.
void WarpBuilder::collectEdge(BasicBlock *From, BasicBlock *To,
                              EdgeWrites &Out) {
  for (PHINode &Phi : To->phis()) {
    Value *In = Phi.getIncomingValueForBlock(From);
    switch (shape(&Phi).Kind) {
    case Shape::Lanes:
      Out.push_back({&Phi, allLanes(In)});
      break;
    case Shape::Affine:
      Out.push_back({&Phi, bases(In)});
      break;
    default:
      Out.push_back({&Phi, {scalar(In)}});
      break;
    }
  }
}

void WarpBuilder::writeEdge(const EdgeWrites &Writes, Value *EdgeMask) {
  Value *Blend = nullptr;
  for (const EdgeWrite &W : Writes) {
    const BasicBlock *To = W.Phi->getParent();
    bool Blends = !Single && (Flow.isMixed(To) || Flow.isOverrun(To));
    if (Blends && !Blend)
      Blend = maskLanes(EdgeMask);
    storeSlot(W.Phi, W.Incoming, Blends ? Blend : nullptr);
  }
}

/// Goes from the end of a path to the lanes that wait at \p Join, which all
/// lanes of \p From have reached: first the FALSE sides, last the join.
void WarpBuilder::popWaiting(BasicBlock *From, BasicBlock *Join) {
  const JoinGroup *G = Flow.group(Join);
  if (!G)
    return;
  auto Waiting = Flow.waiting(*G, From);
  if (Waiting.empty())
    return;
  BasicBlock *None = BasicBlock::Create(Ctx, "joined", Fn);
  if (G->NeedsStack) {
    const Stack &S = Stacks[G];
    BasicBlock *Pop = BasicBlock::Create(Ctx, "pop", Fn);
    Value *Depth = B.CreateLoad(I32, S.Depth);
    B.CreateCondBr(B.CreateICmpEQ(Depth, B.getInt32(0)), None, Pop);
    B.SetInsertPoint(Pop);
    Value *Top = B.CreateSub(Depth, B.getInt32(1));
    B.CreateStore(Top, S.Depth);
    Type *Array = S.Masks->getAllocatedType();
    auto entry = [&](AllocaInst *A) {
      return B.CreateLoad(I32, B.CreateGEP(Array, A, {B.getInt32(0), Top}));
    };
    B.CreateStore(entry(S.Masks), MaskSlot);
    Value *Target = entry(S.Targets);
    auto *Switch = B.CreateSwitch(Target, resumed(*G->Waiting.front()));
    for (unsigned I = 1; I < G->Waiting.size(); ++I)
      Switch->addCase(B.getInt32(I), resumed(*G->Waiting[I]));
    B.SetInsertPoint(None);
    return;
  }
  for (const DivergentBranch *D : reverse(Waiting)) {
    BasicBlock *Pop = BasicBlock::Create(Ctx, "pop", Fn);
    BasicBlock *Next =
        D == Waiting.front() ? None : BasicBlock::Create(Ctx, "next", Fn);
    Value *Left = B.CreateLoad(I32, FalseMasks[D]);
    B.CreateCondBr(B.CreateICmpEQ(Left, B.getInt32(0)), Next, Pop);
    B.SetInsertPoint(Pop);
    B.CreateStore(B.getInt32(0), FalseMasks[D]);
    B.CreateStore(Left, MaskSlot);
    B.CreateBr(resumed(*D));
    B.SetInsertPoint(Next);
  }
}

/// Where the FALSE side of \p D goes on. Behind a side that leaves the kernel
/// that may be a join of branches around it.
BasicBlock *WarpBuilder::resumed(const DivergentBranch &D) {
  if (!Flow.mayWait(D.Block, D.False))
    return Blocks[D.False];
  IRBuilder<>::InsertPointGuard Guard(B);
  BasicBlock *Resume = BasicBlock::Create(Ctx, "resume", Fn);
  B.SetInsertPoint(Resume);
  jump(D.Block, D.False);
  return Resume;
}

/// Lanes have left the kernel: goes on with those that wait for them.
void WarpBuilder::goOnBehind(BasicBlock *Return, BasicBlock *Join,
                             Value *Exited) {
  BasicBlock *Left = BasicBlock::Create(Ctx, "left", Fn);
  BasicBlock *None = BasicBlock::Create(Ctx, "none", Fn);
  Value *Waiting =
      B.CreateAnd(B.CreateLoad(I32, JoinMasks[Join]), B.CreateNot(Exited));
  B.CreateCondBr(B.CreateICmpEQ(Waiting, B.getInt32(0)), None, Left);
  B.SetInsertPoint(Left);
  popWaiting(Return, Join);
  B.CreateStore(Waiting, MaskSlot);
  B.CreateStore(B.getInt32(0), JoinMasks[Join]);
  B.CreateBr(Blocks[Join]);
  B.SetInsertPoint(None);
}

/// Goes from \p From to \p To with the lanes of MaskSlot, the phis of \p To
/// being written.
void WarpBuilder::jump(BasicBlock *From, BasicBlock *To) {
  if (!Single && Flow.mayWait(From, To)) {
    popWaiting(From, To);
    AllocaInst *Joined = JoinMasks[To];
    Value *Waiting = B.CreateLoad(I32, Joined);
    if (Flow.leavesBefore(To))
      Waiting =
          B.CreateAnd(Waiting, B.CreateNot(B.CreateLoad(I32, ExitedSlot)));
    B.CreateStore(B.CreateOr(B.CreateLoad(I32, MaskSlot), Waiting), MaskSlot);
    B.CreateStore(B.getInt32(0), Joined);
  }
  bool Turns =
      Single && Single->Body.Next && To == Single->State.Loop.Blocks.front();
  B.CreateBr(Turns ? Single->Body.Next : Blocks[To]);
}

void WarpBuilder::lowerBranch(BranchInst &Br) {
  BasicBlock *From = Br.getParent();
  const DivergentBranch *D = Single ? nullptr : Flow.branch(From);
  if (D)
    return lowerDivergentBranch(Br, *D);
  auto goTo = [&](BasicBlock *To) {
    if (Single && To == Single->State.Loop.Exit)
      return leaveLaneLoop(From);
    EdgeWrites Writes;
    collectEdge(From, To, Writes);
    writeEdge(Writes, Mask);
    jump(From, To);
  };
  if (Br.isUnconditional() || Br.getSuccessor(0) == Br.getSuccessor(1))
    return goTo(Br.getSuccessor(0));
  if (Single && lowerGuarded(Br))
    return;
  BasicBlock *True = BasicBlock::Create(Ctx, "true", Fn);
  BasicBlock *False = BasicBlock::Create(Ctx, "false", Fn);
  B.CreateCondBr(B.CreateFreeze(scalar(Br.getCondition())), True, False);
  auto Known = Current;
  B.SetInsertPoint(True);
  goTo(Br.getSuccessor(0));
  Current = std::move(Known);
  B.SetInsertPoint(False);
  goTo(Br.getSuccessor(1));
}

/// Lets the lanes of \p False wait until the TRUE side has come to the join.
/// With a real stack nothing may be pushed for an empty side.
void WarpBuilder::pushWaiting(const DivergentBranch &D, Value *True,
                              Value *False) {
  const JoinGroup *G = Flow.group(D.Join);
  if (!G->NeedsStack) {
    B.CreateStore(False, FalseMasks[&D]);
    return;
  }
  const Stack &S = Stacks[G];
  Type *Array = S.Masks->getAllocatedType();
  unsigned Number = find(G->Waiting, &D) - G->Waiting.begin();
  BasicBlock *Push = BasicBlock::Create(Ctx, "push", Fn);
  BasicBlock *Done = BasicBlock::Create(Ctx, "pushed", Fn);
  B.CreateCondBr(B.CreateICmpEQ(False, B.getInt32(0)), Done, Push);
  B.SetInsertPoint(Push);
  Value *Depth = B.CreateLoad(I32, S.Depth);
  B.CreateStore(False, B.CreateGEP(Array, S.Masks, {B.getInt32(0), Depth}));
  B.CreateStore(B.getInt32(Number),
                B.CreateGEP(Array, S.Targets, {B.getInt32(0), Depth}));
  B.CreateStore(B.CreateAdd(Depth, B.getInt32(1)), S.Depth);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
}

void WarpBuilder::lowerDivergentBranch(BranchInst &Br,
                                       const DivergentBranch &D) {
  BasicBlock *From = Br.getParent();
  Value *Bits = bitsOf(lanes(Br.getCondition()));
  if (D.Inverted)
    Bits = B.CreateNot(Bits);
  Value *True = B.CreateAnd(Mask, Bits),
        *False = B.CreateAnd(Mask, B.CreateNot(Bits));

  EdgeWrites TrueWrites, FalseWrites;
  collectEdge(From, D.True, TrueWrites);
  collectEdge(From, D.False, FalseWrites);
  if (D.Join) {
    Value *Waiting = B.CreateLoad(I32, JoinMasks[D.Join]);
    B.CreateStore(B.CreateOr(Waiting, Mask), JoinMasks[D.Join]);
  }
  BasicBlock *First = BasicBlock::Create(Ctx, "first", Fn);
  BasicBlock *Second = BasicBlock::Create(Ctx, "second", Fn);
  bool TrueFirst = D.True != D.Join;
  Value *Runs = TrueFirst ? True : False, *Rests = TrueFirst ? False : True;
  B.CreateCondBr(B.CreateICmpNE(Runs, B.getInt32(0)), First, Second);

  // Some lanes run the side that goes first; the others wait.
  B.SetInsertPoint(First);
  writeEdge(TrueFirst ? FalseWrites : TrueWrites, Rests);
  writeEdge(TrueFirst ? TrueWrites : FalseWrites, Runs);
  if (D.falseWaits())
    pushWaiting(D, True, False);
  B.CreateStore(Runs, MaskSlot);
  B.CreateBr(Blocks[TrueFirst ? D.True : D.False]);

  // All lanes go the other way.
  B.SetInsertPoint(Second);
  writeEdge(TrueFirst ? FalseWrites : TrueWrites, Rests);
  jump(From, TrueFirst ? D.False : D.True);
}

void WarpBuilder::returnStatus(HeddleWarpStatus Status) {
  setField(offsetof(HeddleWarp, StepsLeft), B.CreateLoad(I64, StepsSlot));
  setField(offsetof(HeddleWarp, ExitedMask), B.CreateLoad(I32, ExitedSlot));
  B.CreateRet(B.getInt32(Status));
}

void WarpBuilder::failAtRunTime(HeddleWarpError Error, const Instruction *At) {
  unsigned Inst = KernelClone::None, Block = KernelClone::None;
  // The rest of a block after a barrier has no number of its own.
  for (const Instruction *I = At; I && Inst == KernelClone::None;
       I = I->getNextNode())
    Inst = Clone.instNumber(I);
  if (Inst != KernelClone::None)
    Block = Clone.numbering().number(Clone.numbering().inst(Inst)->getParent());
  setField(offsetof(HeddleWarp, Error), B.getInt32(Error));
  setField(offsetof(HeddleWarp, ErrorBlock), B.getInt32(Block));
  setField(offsetof(HeddleWarp, ErrorInst), B.getInt32(Inst));
  setField(offsetof(HeddleWarp, ActiveMask), B.CreateLoad(I32, MaskSlot));
  returnStatus(HEDDLE_WARP_FAILED);
}

void WarpBuilder::lowerReturn(BasicBlock *From) {
  Value *Exited = B.CreateOr(B.CreateLoad(I32, ExitedSlot), Mask);
  B.CreateStore(Exited, ExitedSlot);
  popWaiting(From, nullptr);
  for (BasicBlock *Join : Flow.joinsBehind(From))
    goOnBehind(From, Join, Exited);
  returnStatus(HEDDLE_WARP_DONE);
}

/// Copies between a slot and its place in the frame.
void WarpBuilder::copySlot(AllocaInst *Slot, uint64_t FrameOffset, bool Save) {
  Value *At = B.CreateConstInBoundsGEP1_64(I8, Frame, FrameOffset);
  Type *Ty = Slot->getAllocatedType();
  if (Ty->isArrayTy()) {
    B.CreateMemCpy(Save ? At : Slot, Save ? Align(64) : Slot->getAlign(),
                   Save ? Slot : At, Save ? Slot->getAlign() : Align(64),
                   DL.getTypeAllocSize(Ty));
    return;
  }
  // Vectors of i1 have no bytes of their own in memory.
  Type *InMemory = Ty == lanesOf(I1) ? I32 : Ty;
  if (Save)
    B.CreateAlignedStore(B.CreateBitCast(B.CreateLoad(Ty, Slot), InMemory), At,
                         Align(64));
  else
    B.CreateStore(
        B.CreateBitCast(B.CreateAlignedLoad(InMemory, At, Align(64)), Ty),
        Slot);
}

/// Gives everything that crosses blocks a place in the frame: at a poll, unlike
/// at a barrier, other lanes of the warp may wait anywhere.
void WarpBuilder::placeState() {
  auto place = [&](AllocaInst *Slot) {
    FrameBytes = alignTo(FrameBytes, 64);
    State.push_back({Slot, FrameBytes});
    FrameBytes += DL.getTypeAllocSize(Slot->getAllocatedType());
  };
  place(MaskSlot);
  for (Instruction &I : instructions(Clone.function()))
    if (auto It = Slots.find(&I); It != Slots.end())
      for (AllocaInst *Slot : It->second)
        place(Slot);
  for (auto &[Join, G] : Flow.groups()) {
    if (Join)
      place(JoinMasks[Join]);
    if (G.NeedsStack) {
      const Stack &S = Stacks[&G];
      for (AllocaInst *Slot : {S.Masks, S.Targets, S.Depth})
        place(Slot);
    } else {
      for (const DivergentBranch *D : G.Waiting)
        place(FalseMasks[D]);
    }
  }
}

/// At the start of a loop that waits for other warps: where lanes come to it a
/// second time the warp has polled without success, and the others have their
/// turn.
void WarpBuilder::lowerPoll() {
  BasicBlock *Again = BasicBlock::Create(Ctx, "polls", Fn);
  BasicBlock *Go = BasicBlock::Create(Ctx, "", Fn);
  Value *Polls = B.CreateAdd(B.CreateLoad(I32, PollsSlot), B.getInt32(1));
  B.CreateStore(Polls, PollsSlot);
  B.CreateCondBr(B.CreateICmpUGT(Polls, B.getInt32(1)), Again, Go);

  B.SetInsertPoint(Again);
  leaveAndResume(HEDDLE_WARP_POLLS);
  B.CreateStore(B.getInt32(1), PollsSlot);
  B.CreateBr(Go);

  B.SetInsertPoint(Go);
  Mask = B.CreateLoad(I32, MaskSlot, "mask");
  MaskVector = maskLanes(Mask);
}

/// At the start of a loop that takes work from a counter: in every round, so
/// that the runtime decides which warp takes work next.
void WarpBuilder::lowerTurn() {
  leaveAndResume(HEDDLE_WARP_TURN);
  Mask = B.CreateLoad(I32, MaskSlot, "mask");
  MaskVector = maskLanes(Mask);
}

/// Saves all that lanes may need, returns to the runtime, and goes on when
/// called again.
void WarpBuilder::leaveAndResume(HeddleWarpStatus Status) {
  for (auto [Slot, Offset] : State)
    copySlot(Slot, Offset, /*Save=*/true);
  unsigned Number = Resume->getNumCases() + 1;
  setField(offsetof(HeddleWarp, ResumeBlock), B.getInt32(Number));
  returnStatus(Status);

  BasicBlock *Resumed = BasicBlock::Create(Ctx, "resumed", Fn);
  Resume->addCase(B.getInt32(Number), Resumed);
  B.SetInsertPoint(Resumed);
  for (auto [Slot, Offset] : State)
    copySlot(Slot, Offset, /*Save=*/false);
  Current.clear();
}

/// Saves what lives on, returns to the runtime, and goes on when called again.
/// All lanes are here or have returned, so none waits anywhere.
void WarpBuilder::lowerBarrier(CallInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  Name.consume_front("llvm.nvvm.barrier.cta.");
  bool Counted = Name.ends_with(".count");
  HeddleBarrierOp Op = isGridBarrier(I)      ? HEDDLE_BARRIER_GRID
                       : isClusterArrive(I)  ? HEDDLE_BARRIER_CLUSTER_ARRIVE
                       : isClusterBarrier(I) ? HEDDLE_BARRIER_CLUSTER_WAIT
                       : Name.starts_with("red.popc") ? HEDDLE_BARRIER_POPC
                       : Name.starts_with("red.and")  ? HEDDLE_BARRIER_AND
                       : Name.starts_with("red.or")   ? HEDDLE_BARRIER_OR
                       : Name.starts_with("arrive")   ? HEDDLE_BARRIER_ARRIVE
                                                      : HEDDLE_BARRIER_SYNC;
  for (Value *Arg : I.args())
    if (!isa<Function>(Arg) && Arg->getType() == I32 && !isUniform(Arg))
      return fail(I, "barrier whose number differs by lane");

  Value *Expected =
      B.CreateAnd(LiveMask, B.CreateNot(B.CreateLoad(I32, ExitedSlot)));
  BasicBlock *Divergent = BasicBlock::Create(Ctx, "divergent", Fn);
  BasicBlock *Wait = BasicBlock::Create(Ctx, "wait", Fn);
  B.CreateCondBr(B.CreateICmpEQ(Mask, Expected), Wait, Divergent);
  B.SetInsertPoint(Divergent);
  failAtRunTime(HEDDLE_ERROR_DIVERGENT_BARRIER, &I);

  B.SetInsertPoint(Wait);
  setField(offsetof(HeddleWarp, BarrierOp), B.getInt32(Op));
  if (isClusterBarrier(I)) // if it never opens
    setField(offsetof(HeddleWarp, ErrorInst), B.getInt32(Clone.instNumber(&I)));
  setField(offsetof(HeddleWarp, BarrierId),
           I.arg_empty() ? B.getInt32(0) : scalar(I.getArgOperand(0)));
  setField(offsetof(HeddleWarp, BarrierThreads),
           Counted ? scalar(I.getArgOperand(1)) : B.getInt32(0));
  if (!I.getType()->isVoidTy()) {
    Value *Holds =
        B.CreateAnd(Mask, bitsOf(lanes(I.getArgOperand(Counted ? 2 : 1))));
    setField(offsetof(HeddleWarp, BarrierValue), Holds);
  }
  BasicBlock *After = I.getParent()->getSingleSuccessor();
  auto copyLiveSlots = [&](bool Save) {
    for (Instruction *V : LiveIn[After]) {
      uint64_t Offset = FrameOffsets[V];
      for (AllocaInst *Slot : Slots[V]) {
        copySlot(Slot, Offset, Save);
        Offset += alignTo(DL.getTypeAllocSize(Slot->getAllocatedType()), 64);
      }
    }
  };
  copyLiveSlots(/*Save=*/true);
  unsigned Number = Resume->getNumCases() + 1;
  setField(offsetof(HeddleWarp, ResumeBlock), B.getInt32(Number));
  returnStatus(HEDDLE_WARP_BARRIER);

  BasicBlock *Resumed = BasicBlock::Create(Ctx, "resumed", Fn);
  Resume->addCase(B.getInt32(Number), Resumed);
  B.SetInsertPoint(Resumed);
  copyLiveSlots(/*Save=*/false);
  Current.clear();
  Mask = B.CreateLoad(I32, MaskSlot, "mask");
  MaskVector = maskLanes(Mask);
  if (!I.getType()->isVoidTy()) {
    Value *Result = loadField(offsetof(HeddleWarp, BarrierResult), I32);
    if (I.getType() == I1)
      Result = B.CreateICmpNE(Result, B.getInt32(0));
    set(I, {Result});
  }
}

} // namespace heddle
