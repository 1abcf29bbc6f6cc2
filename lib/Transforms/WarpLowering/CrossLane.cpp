//===- CrossLane.cpp - Shuffles, votes, matches, reductions ---------------===//
//
// Only active lanes take part. A lane that reads one that does not run gets its
// own value; the member mask of a vote is that of the first active lane.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace heddle {

/// Lane l of the result is lane Indices[l] (0 to 31) of \p V, 32 bits each.
Value *WarpBuilder::permute(Value *V, Value *Indices) {
  if (auto *C = dyn_cast<Constant>(Indices)) {
    SmallVector<int> Order;
    for (unsigned L = 0; L < HEDDLE_WARP_SIZE; ++L)
      Order.push_back(
          cast<ConstantInt>(C->getAggregateElement(L))->getZExtValue());
    return B.CreateShuffleVector(V, Order);
  }
  if (!HasScatter) {
    AllocaInst *Array = spillLanes(V);
    Value *At =
        B.CreateInBoundsGEP(I32, Array, B.CreateZExt(Indices, lanesOf(I64)));
    return B.CreateMaskedGather(lanesOf(I32), At, Align(4));
  }
  auto half = [&](Value *Of, unsigned Which) {
    SmallVector<int> Order;
    for (unsigned L = 0; L < 16; ++L)
      Order.push_back(Which * 16 + L);
    return B.CreateShuffleVector(Of, Order);
  };
  Value *Low = half(V, 0), *High = half(V, 1);
  SmallVector<Value *, 2> Halves;
  for (unsigned Which = 0; Which < 2; ++Which)
    Halves.push_back(B.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_d_512,
                                       {}, {Low, half(Indices, Which), High}));
  SmallVector<int> Order;
  for (unsigned L = 0; L < HEDDLE_WARP_SIZE; ++L)
    Order.push_back(L);
  return B.CreateShuffleVector(Halves[0], Halves[1], Order);
}

/// PTX ISA, shfl.sync: operands value, lane, clamp and segment mask.
void WarpBuilder::lowerShuffle(CallInst &I, StringRef Name) {
  unsigned First = Name.consume_front("sync.") ? 1 : 0;
  Value *Operand = I.getArgOperand(First);
  Value *Lane = lanes(I.getArgOperand(First + 1));
  Value *Clamp = lanes(I.getArgOperand(First + 2));
  auto number = [&](uint32_t N) { return splat(B.getInt32(N)); };
  Value *Self = laneConstants([](unsigned L) { return L; });
  Value *Segment = B.CreateAnd(B.CreateLShr(Clamp, number(8)), number(31));
  Lane = B.CreateAnd(Lane, number(31));
  Clamp = B.CreateAnd(Clamp, number(31));
  Value *NotSegment = B.CreateNot(Segment);
  Value *Min = B.CreateAnd(Self, Segment);
  Value *Max = B.CreateOr(Min, B.CreateAnd(Clamp, NotSegment));
  Value *From, *In;
  if (Name.starts_with("up")) {
    From = B.CreateSub(Self, Lane);
    In = B.CreateICmpSGE(From, Max);
  } else {
    From = Name.starts_with("down") ? B.CreateAdd(Self, Lane)
           : Name.starts_with("bfly")
               ? B.CreateXor(Self, Lane)
               : B.CreateOr(Min, B.CreateAnd(Lane, NotSegment));
    In = B.CreateICmpULE(From, Max);
  }
  From = B.CreateAnd(B.CreateSelect(In, From, Self), number(31));

  Type *Ty = hostType(Operand->getType());
  Value *V = lanes(Operand);
  Value *Bits = B.CreateBitCast(V, lanesOf(I32));
  Value *Runs = B.CreateAnd(B.CreateLShr(splat(Mask), From), number(1));
  Value *Result = B.CreateSelect(B.CreateICmpNE(Runs, number(0)),
                                 permute(B.CreateFreeze(Bits), From), Bits);
  Result = B.CreateBitCast(Result, lanesOf(Ty));
  if (I.getType()->isStructTy())
    set(I, {Result, In});
  else
    setLanes(I, Result);
}

/// Active lanes among the members that the first active lane names.
Value *WarpBuilder::membersOf(Value *Members) {
  if (isUniform(Members))
    return B.CreateAnd(Mask, scalar(Members));
  return B.CreateAnd(Mask, firstLane(lanes(Members)));
}

void WarpBuilder::lowerVote(CallInst &I, StringRef Name) {
  bool Sync = Name.ends_with(".sync");
  Value *Members = Sync ? membersOf(I.getArgOperand(0)) : Mask;
  Value *Holds = B.CreateAnd(Members, bitsOf(lanes(I.getArgOperand(Sync))));
  Value *Zero = B.getInt32(0);
  if (Name.starts_with("ballot"))
    return set(I, {Holds});
  Value *None = B.CreateICmpEQ(Holds, Zero);
  Value *All = B.CreateICmpEQ(Holds, Members);
  set(I, {Name.starts_with("any")   ? B.CreateNot(None)
          : Name.starts_with("all") ? All
                                    : B.CreateOr(None, All)});
}

void WarpBuilder::lowerMatch(CallInst &I, StringRef Name) {
  Value *Members = membersOf(I.getArgOperand(0));
  Value *V = B.CreateFreeze(lanes(I.getArgOperand(1)));
  if (Name.starts_with("all")) {
    // With no member at all nothing differs, and the mask is empty anyway.
    Value *First =
        B.CreateBinaryIntrinsic(Intrinsic::cttz, Members, B.getFalse());
    Value *Same =
        splat(B.CreateExtractElement(V, B.CreateAnd(First, B.getInt32(31))));
    Value *Differs =
        B.CreateAnd(B.CreateBitCast(B.CreateICmpNE(V, Same), I32), Members);
    Value *All = B.CreateICmpEQ(Differs, B.getInt32(0));
    Value *Result = B.CreateSelect(All, Members, B.getInt32(0));
    return set(I, {splat(Result), splat(All)});
  }
  // One round for each distinct value among the active lanes.
  AllocaInst *Found = spillLanes(Constant::getNullValue(lanesOf(I32)));
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Round = BasicBlock::Create(Ctx, "match", Fn);
  BasicBlock *Done = BasicBlock::Create(Ctx, "matched", Fn);
  B.CreateBr(Round);
  B.SetInsertPoint(Round);
  PHINode *Left = B.CreatePHI(I32, 2);
  Left->addIncoming(Mask, Before);
  Value *Lane = B.CreateBinaryIntrinsic(Intrinsic::cttz, Left, B.getTrue());
  Value *Same = B.CreateICmpEQ(V, splat(B.CreateExtractElement(V, Lane)));
  Value *SameBits = B.CreateBitCast(Same, I32);
  B.CreateStore(B.CreateSelect(Same, splat(B.CreateAnd(SameBits, Members)),
                               B.CreateLoad(lanesOf(I32), Found)),
                Found);
  Value *Rest = B.CreateAnd(Left, B.CreateNot(SameBits));
  Left->addIncoming(Rest, Round);
  B.CreateCondBr(B.CreateICmpNE(Rest, B.getInt32(0)), Round, Done);
  B.SetInsertPoint(Done);
  setLanes(I, B.CreateLoad(lanesOf(I32), Found));
}

/// llvm.nvvm.redux.sync.OP: value, members.
bool WarpBuilder::lowerReduction(CallInst &I, StringRef Name) {
  Intrinsic::ID Reduce = StringSwitch<Intrinsic::ID>(Name)
                             .Case("add", Intrinsic::vector_reduce_add)
                             .Case("and", Intrinsic::vector_reduce_and)
                             .Case("or", Intrinsic::vector_reduce_or)
                             .Case("xor", Intrinsic::vector_reduce_xor)
                             .Case("max", Intrinsic::vector_reduce_smax)
                             .Case("min", Intrinsic::vector_reduce_smin)
                             .Case("umax", Intrinsic::vector_reduce_umax)
                             .Case("umin", Intrinsic::vector_reduce_umin)
                             .Default(Intrinsic::not_intrinsic);
  if (Reduce == Intrinsic::not_intrinsic)
    return false;
  Value *V = B.CreateFreeze(lanes(I.getArgOperand(0)));
  Value *Members = membersOf(I.getArgOperand(1));
  Value *First = B.CreateAnd(
      B.CreateBinaryIntrinsic(Intrinsic::cttz, Members, B.getFalse()),
      B.getInt32(31));
  bool Sum = Name == "add" || Name == "xor";
  Value *Idle = Sum ? Constant::getNullValue(V->getType())
                    : splat(B.CreateExtractElement(V, First));
  V = B.CreateSelect(maskLanes(Members), V, Idle);
  Value *Result = B.CreateUnaryIntrinsic(Reduce, V);
  Result = B.CreateSelect(B.CreateICmpEQ(Members, B.getInt32(0)), B.getInt32(0),
                          Result);
  set(I, {Result});
  return true;
}

bool WarpBuilder::lowerCrossLane(CallInst &I, StringRef Name) {
  if (Name.consume_front("shfl.")) {
    lowerShuffle(I, Name);
    return true;
  }
  if (Name.consume_front("vote.")) {
    lowerVote(I, Name);
    return true;
  }
  if (Name.consume_front("match.")) {
    lowerMatch(I, Name);
    return true;
  }
  if (Name.consume_front("redux.sync."))
    return lowerReduction(I, Name);
  if (Name == "activemask") {
    set(I, {Mask});
    return true;
  }
  if (Name == "elect.sync") {
    Value *Members = membersOf(I.getArgOperand(0));
    Value *First = B.CreateSelect(
        B.CreateICmpEQ(Members, B.getInt32(0)), B.getInt32(0),
        B.CreateBinaryIntrinsic(Intrinsic::cttz, Members, B.getFalse()));
    set(I, {splat(First),
            B.CreateICmpEQ(laneConstants([](unsigned L) { return L; }),
                           splat(First))});
    return true;
  }
  return false;
}

} // namespace heddle
