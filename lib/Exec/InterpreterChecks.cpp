//===- InterpreterChecks.cpp - What --check is told -----------------------===//

#include "InterpreterDecoder.h"

#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/WarpGroup.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle::interp {

/// Whether \p I hands registers on as they are.
static bool isSameRegister(const Instruction &I) {
  return isa<ExtractValueInst, BitCastInst, FreezeInst>(I);
}

/// Visits the arguments of \p Call, a \p P, that are registers: A and D.
static void forEachRegister(const CallInst &Call, const GroupProduct &P,
                            function_ref<void(const Value *)> Visit) {
  for (const auto &[N, V] : enumerate(Call.args()))
    if (P.isShared() ? N > P.numA() + 1 : N < P.numA() || N > P.numA() + 1)
      Visit(V);
}

/// Finds the instructions that write registers of the wgmma \p Found, which are
/// added, and gives one slot to those of a block that no wgmma.fence and no
/// wgmma parts. The last of these fills it.
void Decoder::findWrites(SmallVectorImpl<const Value *> &Found) {
  SmallSetVector<const Value *, 32> From;
  for (const Value *Product : Found) {
    const auto &Call = cast<CallInst>(*Product);
    forEachRegister(Call, *groupProduct(Call),
                    [&](const Value *V) { From.insert(V); });
  }
  SmallPtrSet<const BasicBlock *, 8> Blocks;
  SmallPtrSet<const Instruction *, 32> Writing;
  for (size_t N = 0; N < From.size(); ++N) {
    const auto *I = dyn_cast<Instruction>(From[N]);
    if (!I || Sums.contains(I))
      continue;
    if (isa<PHINode>(I) || isSameRegister(*I)) {
      for (const Use &U : I->operands())
        From.insert(U);
      continue;
    }
    Writing.insert(I);
    Blocks.insert(I->getParent());
    Found.push_back(I);
  }
  for (const BasicBlock *B : Blocks) {
    const Instruction *Last = nullptr;
    for (const Instruction &I : *B) {
      const auto *Call = dyn_cast<CallInst>(&I);
      if (Call && (isGroupFence(*Call) || Sums.contains(Call)))
        Last = nullptr;
      if (!Writing.contains(&I))
        continue;
      const Slot Of = Last ? Sums.at(Last) : allocate(Ty::U64);
      if (Last)
        Writes.erase(Of);
      Sums[&I] = Of;
      Writes[Of] = &I;
      Last = &I;
    }
  }
}

/// Tells --check that \p I, which was decoded, has written registers.
void Decoder::tellWritten(const Instruction &I) {
  const auto Sum = Sums.find(&I);
  if (Sum == Sums.end())
    return;
  const auto Write = Writes.find(Sum->second);
  if (Write != Writes.end() && Write->second == &I)
    emit(OpKind::CheckWritten, Ty::U64, Sum->second);
}

/// Tells --check of the registers that the wgmma \p I takes.
void Decoder::tellRegisters(const CallInst &I, const GroupProduct &P) {
  SmallSetVector<Slot, 4> Taken;
  forEachRegister(I, P, [&](const Value *V) {
    if (const auto Sum = Sums.find(V); Sum != Sums.end())
      Taken.insert(Sum->second);
  });
  for (Slot Of : Taken)
    emit(OpKind::CheckTaken, Ty::U64, 0, Of);
}

/// Finds what is made of the sums of wgmma without an instruction of its own.
/// Phis have slots of their own, since they may get sums of an earlier wgmma.
void Decoder::followSums() {
  SmallVector<const Value *, 16> Found;
  for (const Instruction &I : instructions(Kernel))
    if (const auto *Call = dyn_cast<CallInst>(&I); Call && groupProduct(*Call))
      Found.push_back(&I);
  for (const Value *Product : Found)
    Sums[Product] = allocate(Ty::U64);
  findWrites(Found);
  while (!Found.empty()) {
    const Value *V = Found.pop_back_val();
    for (const User *U : V->users()) {
      const auto &I = *cast<Instruction>(U);
      if (Sums.contains(&I) || !(isa<PHINode>(I) || isSameRegister(I)))
        continue;
      Sums[&I] = isa<PHINode>(I) ? allocate(Ty::U64) : Sums.at(V);
      Found.push_back(&I);
    }
  }
}

/// Tells --check of the sums that \p I reads. A wgmma may add to those of one
/// in flight.
void Decoder::tellUses(const Instruction &I) {
  if (Sums.empty() || isSameRegister(I))
    return;
  const auto *Call = dyn_cast<CallInst>(&I);
  const auto Product = Call ? groupProduct(*Call) : std::nullopt;
  SmallSetVector<Slot, 4> Used;
  for (const auto &[N, V] : enumerate(I.operands()))
    if (auto Sum = Sums.find(V.get()); Sum != Sums.end() &&
                                       !Writes.contains(Sum->second) &&
                                       (!Product || N < Product->numA()))
      Used.insert(Sum->second);
  for (Slot Of : Used)
    emit(OpKind::CheckSums, Ty::U64, 0, Of);
}

void Decoder::tell(HeddleCheckEvent Event, uint64_t Value) {
  emit(OpKind::CheckEvent, Ty::U64, 0, 0, 0, 0,
       uint64_t(Event) << 32 | uint32_t(Value));
}

/// Tells --check that a group of copies ends, or how many are left.
void Decoder::tellCopies(uint64_t Left) {
  if (Left == 0) // with those that no group has yet
    tell(HEDDLE_CHECK_COPIES, GroupEnds);
  tell(HEDDLE_CHECK_COPIES, Left);
}

/// Tells --check of a fence, or that a group of bulk copies or of wgmma ends,
/// or how many are left.
void Decoder::tellFence(const CallInst &I) {
  if (!Options.OnCheck)
    return;
  auto left = [&] {
    return cast<ConstantInt>(I.getArgOperand(0))->getZExtValue();
  };
  switch (I.getIntrinsicID()) {
  case Intrinsic::nvvm_cp_async_bulk_commit_group:
    return tell(HEDDLE_CHECK_STORES, GroupEnds);
  case Intrinsic::nvvm_cp_async_bulk_wait_group:
    return tell(HEDDLE_CHECK_STORES, left());
  case Intrinsic::nvvm_cp_async_bulk_wait_group_read:
    return tell(HEDDLE_CHECK_READS, left());
  case Intrinsic::nvvm_fence_proxy_async:
  case Intrinsic::nvvm_fence_proxy_async_shared_cta:
  case Intrinsic::nvvm_fence_proxy_async_shared_cluster:
    return tell(HEDDLE_CHECK_PROXY_FENCE, 0);
  case Intrinsic::nvvm_wgmma_fence_sync_aligned:
    return tell(HEDDLE_CHECK_PRODUCT_FENCE, 0);
  case Intrinsic::nvvm_wgmma_commit_group_sync_aligned:
    return tell(HEDDLE_CHECK_PRODUCTS, GroupEnds);
  case Intrinsic::nvvm_wgmma_wait_group_sync_aligned:
    return tell(HEDDLE_CHECK_PRODUCTS, left());
  default:
    return;
  }
}

} // namespace heddle::interp
