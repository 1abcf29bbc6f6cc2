//===- AsyncBarriers.cpp - mbarriers and bulk copies ----------------------===//
//
// Calls of the runtime (ABI/AsyncOps.h, BulkOps.h), one for all lanes.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/ABI/AsyncOps.h"
#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Transforms/ControlSlice.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

/// The lanes' values of an integer as words of 64 bits; of null: ones.
Value *WarpBuilder::numberArray(const Value *V) {
  Value *Lanes = V ? lanes(const_cast<Value *>(V)) : splat(B.getInt32(1));
  return spillLanes(B.CreateZExt(Lanes, lanesOf(I64)));
}

/// Ends the warp with an error if \p Lanes has any.
void WarpBuilder::failIfAny(Value *Lanes, CallInst &I, HeddleWarpError With) {
  BasicBlock *Wrong = BasicBlock::Create(Ctx, "wrong", Fn);
  BasicBlock *Go = BasicBlock::Create(Ctx, "", Fn);
  B.CreateCondBr(B.CreateIsNotNull(Lanes), Wrong, Go);
  B.SetInsertPoint(Wrong);
  failAtRunTime(With, &I);
  B.SetInsertPoint(Go);
}

void WarpBuilder::lowerBulk(CallInst &I, const BulkOperation &O) {
  Type *Row = ArrayType::get(I64, HEDDLE_WARP_SIZE);
  AllocaInst *Operands = entryAlloca(ArrayType::get(Row, HEDDLE_BULK_OPERANDS),
                                     "bulk", 64),
             *Records = entryAlloca(ArrayType::get(Row, HEDDLE_BULK_RECORDS),
                                    "bulk", 64);
  for (unsigned N = 0; N < HEDDLE_BULK_OPERANDS; ++N) {
    auto *V = const_cast<Value *>(O.operand(N));
    Value *Words = Constant::getNullValue(lanesOf(I64));
    if (V && V->getType()->isPointerTy())
      Words = B.CreatePtrToInt(lanes(V), lanesOf(I64));
    else if (V)
      Words = B.CreateZExt(lanes(V), lanesOf(I64));
    B.CreateAlignedStore(Words, B.CreateConstInBoundsGEP1_64(Row, Operands, N),
                         Align(64));
  }
  Value *Inst = B.getInt32(Clone.instNumber(&I));
  failIfAny(callHost(hostFunction("heddleBulkTransfer", heddleBulkTransfer),
                     I32,
                     {Warp, B.getInt64(O.shapeBits()), Inst, Mask, Operands,
                      Records}),
            I);
  for (unsigned N = 0; N < O.numRecords(); ++N)
    observeLanes(Clone.memoryNumber(&I) + N,
                 B.CreateConstInBoundsGEP1_64(Row, Records, N), Mask);
}

bool WarpBuilder::lowerAsyncBarrier(CallInst &I) {
  if (I.getIntrinsicID() == Intrinsic::nvvm_mbarrier_pending_count) {
    Value *State = lanes(I.getArgOperand(0));
    Value *Pending = B.CreateTrunc(
        B.CreateAnd(
            State, ConstantInt::get(State->getType(), HEDDLE_MBARRIER_PENDING)),
        lanesOf(I32));
    if (shape(&I).Kind == Shape::Uniform)
      set(I, {B.CreateExtractElement(Pending, uint64_t(0))});
    else
      setLanes(I, Pending);
    return true;
  }
  const unsigned Record = Clone.memoryNumber(&I);
  Value *Inst = B.getInt32(Clone.instNumber(&I));
  if (const auto O = bulkOperation(I)) {
    lowerBulk(I, *O);
    return true;
  }
  if (bulkFence(I)) // nothing is under way
    return true;
  const auto O = barrierOperation(I);
  if (!O)
    return false;
  Value *Barrier = addressArray(const_cast<Value *>(O->Barrier)),
        *Number = numberArray(O->Number);
  AllocaInst *Results =
      entryAlloca(ArrayType::get(I64, HEDDLE_WARP_SIZE), "phase", 64);
  observeLanes(Record, Barrier, Mask);
  const bool Tests = heddleIsPhaseTest(O->Action);
  if (!Tests)
    observeLanes(Record + 1, Number, Mask);
  failIfAny(callHost(hostFunction("heddleBarrierAction", heddleBarrierAction),
                     I32,
                     {Warp, B.getInt32(O->Action), Inst, Mask, Barrier, Number,
                      Results}),
            I);
  if (I.getType()->isVoidTy())
    return true;
  Value *Result = B.CreateTrunc(reloadLanes(Results), lanesOf(I.getType()));
  setLanes(I, Result);
  if (Tests && (Options.Counters || Options.OnMemory))
    observeSome(Record + 1, Number, B.CreateAnd(Mask, bitsOf(Result)));
  return true;
}

} // namespace heddle
