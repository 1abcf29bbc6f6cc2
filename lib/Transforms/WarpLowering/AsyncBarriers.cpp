//===- AsyncBarriers.cpp - mbarriers and bulk copies ----------------------===//
//
// Calls of the runtime (ABI/AsyncOps.h), one for all lanes.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/ABI/AsyncOps.h"
#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Transforms/ControlSlice.h"

#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace heddle {

/// The lanes' values of an integer as words of 64 bits; of null: ones.
Value *WarpBuilder::numberArray(const Value *V) {
  Value *Lanes = V ? lanes(const_cast<Value *>(V)) : splat(B.getInt32(1));
  return spillLanes(B.CreateZExt(Lanes, lanesOf(I64)));
}

/// Ends the warp with an error if \p Lanes has any.
void WarpBuilder::failIfAny(Value *Lanes, CallInst &I) {
  BasicBlock *Wrong = BasicBlock::Create(Ctx, "wrong", Fn);
  BasicBlock *Go = BasicBlock::Create(Ctx, "", Fn);
  B.CreateCondBr(B.CreateIsNotNull(Lanes), Wrong, Go);
  B.SetInsertPoint(Wrong);
  failAtRunTime(HEDDLE_ERROR_MBARRIER, &I);
  B.SetInsertPoint(Go);
}

bool WarpBuilder::lowerAsyncBarrier(CallInst &I) {
  const unsigned Record = Clone.memoryNumber(&I);
  Value *Inst = B.getInt32(Clone.instNumber(&I));
  if (const auto C = bulkCopy(I)) {
    Value *To = addressArray(const_cast<Value *>(C->To)),
          *From = addressArray(const_cast<Value *>(C->From)),
          *Bytes = numberArray(C->Bytes),
          *Barrier = addressArray(const_cast<Value *>(C->Barrier));
    unsigned At = Record;
    for (Value *Words : {From, Bytes, To, Barrier})
      observeLanes(At++, Words, Mask);
    failIfAny(callHost(reinterpret_cast<const void *>(heddleBulkCopy), I32,
                       {Warp, Inst, Mask, To, From, Bytes, Barrier}),
              I);
    return true;
  }
  const auto O = barrierOperation(I);
  if (!O)
    return false;
  Value *Barrier = addressArray(const_cast<Value *>(O->Barrier)),
        *Number = numberArray(O->Number);
  AllocaInst *Results =
      entryAlloca(ArrayType::get(I64, HEDDLE_WARP_SIZE), "phase", 64);
  observeLanes(Record, Barrier, Mask);
  observeLanes(Record + 1, Number, Mask);
  failIfAny(callHost(reinterpret_cast<const void *>(heddleBarrierAction), I32,
                     {Warp, B.getInt32(O->Action), Inst, Mask, Barrier, Number,
                      Results}),
            I);
  if (!I.getType()->isVoidTy())
    setLanes(I, B.CreateTrunc(reloadLanes(Results), lanesOf(I.getType())));
  return true;
}

} // namespace heddle
