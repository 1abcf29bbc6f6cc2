//===- WarpGroups.cpp - Matrix instructions of warp groups ----------------===//
//
// wgmma is one call of the runtime for each warp (ABI/GroupProduct.h), and so
// is setmaxnreg, which changes no value. Fences and groups of wgmma do nothing,
// since products are computed at once.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/Analysis/WarpGroup.h"

#include "llvm/IR/InstrTypes.h"

#include <bit>

using namespace llvm;

namespace heddle {

/// Ends the warp with \p With if \p Error is that.
void WarpBuilder::failIfEqual(Value *Error, HeddleWarpError With, CallInst &I) {
  BasicBlock *Wrong = BasicBlock::Create(Ctx, "wrong", Fn);
  BasicBlock *Go = BasicBlock::Create(Ctx, "", Fn);
  B.CreateCondBr(B.CreateICmpEQ(Error, B.getInt32(With)), Wrong, Go);
  B.SetInsertPoint(Wrong);
  failAtRunTime(With, &I);
  B.SetInsertPoint(Go);
}

bool WarpBuilder::lowerWarpGroup(CallInst &I) {
  if (const uint16_t Change = registerChange(I)) {
    requireWholeWarp(I);
    Value *Error =
        callHost(hostFunction("heddleSetRegisters", heddleSetRegisters), I32,
                 {Warp, B.getInt32(Change), B.getInt32(Clone.instNumber(&I))});
    failIfEqual(Error, HEDDLE_ERROR_WARP_GROUP, I);
    failIfEqual(Error, HEDDLE_ERROR_REGISTERS, I);
    return true;
  }
  const auto P = groupProduct(I);
  if (!P)
    return isGroupFence(I);
  requireWholeWarp(I);
  const SmallVector<Value *, 140> All(I.args());
  const ArrayRef<Value *> Args = All;
  const unsigned NumA = P->numA();
  Value *A = spillRegisters(Args.take_front(NumA), P->isShared() ? I64 : I32);
  Value *Second = spillRegisters(Args[NumA], I64);
  Value *Adds =
      B.CreateBitCast(B.CreateTrunc(lanes(Args[NumA + 1]), lanesOf(I1)), I32);
  Value *C = spillRegisters(Args.drop_front(NumA + 2), I32);
  AllocaInst *D = entryAlloca(ArrayType::get(I32, P->numD() * HEDDLE_WARP_SIZE),
                              "matrix", 64);
  Value *Error =
      callHost(hostFunction("heddleGroupProduct", heddleGroupProduct), I32,
               {Warp, B.getInt64(std::bit_cast<uint64_t>(P->Shape)), D, A,
                Second, Adds, C});
  failIfEqual(Error, HEDDLE_ERROR_WARP_GROUP, I);
  failIfEqual(Error, HEDDLE_ERROR_DESCRIPTOR, I);
  set(I, reloadRegisters(I.getType(), D, I32));
  return true;
}

} // namespace heddle
