//===- Atomics.cpp - Read-modify-write by 32 lanes ------------------------===//
//
// Lanes go one after the other, lowest first. Only what another host thread may
// see at the same time takes the host's atomic instructions.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/Transforms/ControlSlice.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace heddle {

/// The reduction over lanes that one operation on memory can stand for, or
/// not_intrinsic. Floating-point sums depend on their order.
static Intrinsic::ID reductionOf(AtomicRMWInst::BinOp Op) {
  switch (Op) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return Intrinsic::vector_reduce_add;
  case AtomicRMWInst::And:
    return Intrinsic::vector_reduce_and;
  case AtomicRMWInst::Or:
    return Intrinsic::vector_reduce_or;
  case AtomicRMWInst::Xor:
    return Intrinsic::vector_reduce_xor;
  case AtomicRMWInst::Max:
    return Intrinsic::vector_reduce_smax;
  case AtomicRMWInst::Min:
    return Intrinsic::vector_reduce_smin;
  case AtomicRMWInst::UMax:
    return Intrinsic::vector_reduce_umax;
  case AtomicRMWInst::UMin:
    return Intrinsic::vector_reduce_umin;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// Whether another host thread may access the place at the same time. No other
/// one sees the shared memory of this block.
bool WarpBuilder::isShared(const Instruction &Atomic) const {
  const HeddleMemorySpace Space = memorySpaceOf(getPointerOperandOf(Atomic));
  return Options.ConcurrentBlocks && Space != HEDDLE_SPACE_SHARED &&
         Space != HEDDLE_SPACE_CLUSTER;
}

void WarpBuilder::lowerAtomic(Instruction &I) {
  observeAccess(I);
  if (isAddressOnly(I))
    return;
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I);
  Value *Pointer = RMW ? RMW->getPointerOperand() : CAS->getPointerOperand();
  Align A = RMW ? RMW->getAlign() : CAS->getAlign();
  bool Real = isShared(I);

  auto modify = [&](Value *P, Value *V) -> Value * {
    if (Real)
      return userAccess(B.CreateAtomicRMW(RMW->getOperation(), P, V, A,
                                          AtomicOrdering::Monotonic));
    auto *Old = B.CreateAlignedLoad(V->getType(), P, A);
    userAccess(Old);
    Value *New = buildAtomicRMWValue(RMW->getOperation(), B, Old, V);
    userAccess(B.CreateAlignedStore(New, P, A));
    return Old;
  };

  if (Single) { // its loop holds nothing else
    Value *V = scalar(RMW->getValOperand());
    modify(guarded(scalar(Pointer), V->getType()), V);
    return;
  }
  if (RMW && RMW->use_empty() && isUniform(Pointer) &&
      reductionOf(RMW->getOperation()) != Intrinsic::not_intrinsic) {
    Value *V = lanes(RMW->getValOperand());
    Intrinsic::ID Reduce = reductionOf(RMW->getOperation());
    // Inactive lanes repeat the first active one, or add nothing.
    Value *Idle = Reduce == Intrinsic::vector_reduce_add ||
                          Reduce == Intrinsic::vector_reduce_xor
                      ? Constant::getNullValue(V->getType())
                      : splat(firstLane(V));
    V = B.CreateSelect(MaskVector, V, Idle);
    modify(scalar(Pointer), B.CreateUnaryIntrinsic(Reduce, V));
    return;
  }

  Type *Ty =
      hostType(RMW ? RMW->getType() : CAS->getCompareOperand()->getType());
  if (Ty->isVectorTy())
    return fail(I, "atomic operation on a vector");
  AllocaInst *Pointers = spillLanes(lanes(Pointer));
  AllocaInst *Values =
      spillLanes(lanes(RMW ? RMW->getValOperand() : CAS->getNewValOperand()));
  AllocaInst *Compares =
      CAS ? spillLanes(lanes(CAS->getCompareOperand())) : nullptr;
  AllocaInst *Olds = nullptr;
  if (!I.use_empty())
    Olds = spillLanes(Constant::getNullValue(lanesOf(Ty)));
  forEachLane([&](Value *Lane) {
    Value *P = B.CreateLoad(Ptr, laneSlot(Pointers, Lane));
    Value *V = B.CreateLoad(Ty, laneSlot(Values, Lane));
    Value *Old;
    if (RMW) {
      Old = modify(P, V);
    } else {
      Value *Expected = B.CreateLoad(Ty, laneSlot(Compares, Lane));
      if (Real) {
        Old = B.CreateExtractValue(
            userAccess(B.CreateAtomicCmpXchg(P, Expected, V, A,
                                             AtomicOrdering::Monotonic,
                                             AtomicOrdering::Monotonic)),
            0);
      } else {
        auto *Load = B.CreateAlignedLoad(Ty, P, A);
        userAccess(Load);
        Old = Load;
        Value *New = B.CreateSelect(B.CreateICmpEQ(Old, Expected), V, Old);
        userAccess(B.CreateAlignedStore(New, P, A));
      }
    }
    if (Olds)
      B.CreateStore(Old, laneSlot(Olds, Lane));
  });
  if (!Olds)
    return;
  Value *Old = B.CreateLoad(lanesOf(Ty), Olds);
  if (RMW)
    return setLanes(I, Old);
  set(I, {Old, B.CreateICmpEQ(Old, lanes(CAS->getCompareOperand()))});
}

} // namespace heddle
