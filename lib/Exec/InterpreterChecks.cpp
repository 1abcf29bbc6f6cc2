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
      if (const auto *Phi = dyn_cast<PHINode>(&I))
        followPhi(*Phi);
    }
  }
}

/// What is known of \p V, of whose scalars no wgmma may be in flight if it is
/// not followed.
Decoder::History Decoder::historyOf(const Value *V) {
  const auto Found = Histories.find(V);
  if (Found != Histories.end())
    return Found->second;
  const Slots &Own = slots(V);
  return {Own, Own, Slots(Own.size(), constantInt(Ty::U64, 0))};
}

void Decoder::followPhi(const PHINode &Phi) {
  History &H = Histories[&Phi];
  for (const Scalar &S : scalars(Phi.getType())) {
    H.Shown.push_back(allocate(container(S.Type)));
    H.Before.push_back(allocate(container(S.Type)));
    H.Sums.push_back(allocate(Ty::U64));
  }
}

/// Asks --check which of the wgmma of \p Of are in flight.
Decoder::Flight Decoder::tellSums(std::pair<Slot, Slot> Of, bool IsUse,
                                  Slot Adding) {
  const Flight F = {scratch(Ty::U8), scratch(Ty::U8), scratch(Ty::U8)};
  emit(OpKind::CheckSums, Ty::U64, F.InFlight, Of.first, Of.second, Adding,
       IsUse);
  return F;
}

/// The registers of \p V as reads see them now. \p Tell asks --check.
Decoder::Slots
Decoder::showSums(const Value *V,
                  function_ref<Flight(std::pair<Slot, Slot>)> Tell) {
  const History H = historyOf(V);
  Slots Result;
  for (const auto &[N, S] : enumerate(scalars(V->getType()))) {
    const Flight F = Tell({Sums.at(V), H.Sums[N]});
    const Ty T = container(S.Type);
    const Slot Old = scratch(T);
    emit(OpKind::Select, T, Old, F.BeforeToo, H.Shown[N], H.Before[N]);
    Result.push_back(scratch(T));
    emit(OpKind::Select, T, Result.back(), F.InFlight, Old, slot(V, N));
  }
  return Result;
}

/// \p I hands on the history of its operand, as it hands on the operand.
void Decoder::renameHistory(const Instruction &I) {
  const Value *From = I.getOperand(0);
  if (!Histories.contains(From))
    return;
  auto rename = [&](Slots Of) {
    std::swap(Values[From], Of);
    renames(I) ? decodeRenaming(I) : decodeBitCast(I);
    commit();
    std::swap(Values[From], Of);
    const Slots Result = Values[&I];
    Values.erase(&I);
    return Result;
  };
  const History Old = historyOf(From);
  History New = {rename(Old.Shown), rename(Old.Before), {}};
  if (isa<ExtractValueInst>(I))
    New.Sums = rename(Old.Sums);
  else
    New.Sums.assign(New.Shown.size(), Old.Sums.front());
  Histories[&I] = std::move(New);
}

/// Notes what the registers of the wgmma \p I, whose CheckProduct was emitted,
/// show while it is in flight; \p C: what it adds to. The wgmma of one group
/// end together.
void Decoder::noteHistory(const CallInst &I, ArrayRef<const Value *> C) {
  std::map<std::pair<Slot, Slot>, Flight> Asked;
  History New;
  for (const Value *V : C) {
    const Ty T = container(V->getType());
    Slot Shown = slot(V), Before = Shown, Sum = constantInt(Ty::U64, 0);
    if (Histories.contains(V)) {
      Flight F = {};
      Shown = showSums(V, [&](std::pair<Slot, Slot> Of) {
        auto [It, IsNew] = Asked.try_emplace(Of);
        if (IsNew)
          It->second = tellSums(Of, false, Sums.at(&I));
        return F = It->second;
      })[0];
      const History Old = historyOf(V);
      auto join = [&](Ty T, Slot OfGroup, Slot Other) {
        const Slot To = scratch(T);
        emit(OpKind::Select, T, To, F.InGroup, OfGroup, Other);
        return To;
      };
      Shown = join(T, Old.Shown[0], Shown);
      Before = join(T, Old.Before[0], Before);
      Sum = join(Ty::U64, Old.Sums[0], Sums.at(V));
    }
    auto keep = [&](Slots &To, Ty T, Slot From) {
      emit(OpKind::Copy, T, To.emplace_back(allocate(T)), From);
    };
    keep(New.Shown, T, Shown);
    keep(New.Before, T, Before);
    keep(New.Sums, Ty::U64, Sum);
  }
  Histories[&I] = std::move(New);
}

/// Tells --check of the sums that \p I reads. A wgmma may add to those of one
/// in flight. Until endUses(), they are what registers show.
void Decoder::tellUses(const Instruction &I) {
  if (Sums.empty())
    return;
  if (isSameRegister(I))
    return renameHistory(I);
  const auto *Call = dyn_cast<CallInst>(&I);
  const auto Product = Call ? groupProduct(*Call) : std::nullopt;
  std::map<std::pair<Slot, Slot>, Flight> Asked;
  for (const auto &[N, U] : enumerate(I.operands())) {
    const Value *V = U.get();
    const auto Sum = Sums.find(V);
    if (Sum == Sums.end() || Writes.contains(Sum->second) ||
        !Histories.contains(V) || (Product && N >= Product->numA()) ||
        any_of(Used, [&](const auto &Other) { return Other.first == V; }))
      continue;
    Used.emplace_back(V, showSums(V, [&](std::pair<Slot, Slot> Of) {
                        auto [It, IsNew] = Asked.try_emplace(Of);
                        if (IsNew)
                          It->second = tellSums(Of, true, Of.first);
                        return It->second;
                      }));
  }
  for (auto &[V, Old] : Used)
    std::swap(Values[V], Old);
}

/// Values are again what they will be when all has been waited for.
void Decoder::endUses() {
  for (auto &[V, Old] : Used)
    std::swap(Values[V], Old);
  Used.clear();
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
