//===- InterpreterMatrix.cpp - Matrix instructions, asynchronous copies ---===//

#include "InterpreterDecoder.h"

#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/WarpGroup.h"
#include "heddle/Transforms/ControlSlice.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include <bit>
#include <optional>

using namespace llvm;

namespace heddle::interp {

/// Whether only matrix instructions of its block read \p I, as a register.
static bool isReadAsRegister(const Instruction &I) {
  return !I.use_empty() && all_of(I.users(), [&](const User *U) {
    const auto *Call = dyn_cast<CallInst>(U);
    return Call && Call->getParent() == I.getParent() &&
           isMatrixOperation(*Call);
  });
}

/// Whether \p I gives two halves that stay together in their register.
bool Decoder::keepsRegister(const Instruction &I) {
  if (Sums.contains(&I)) // its halves may be replaced
    return false;
  if (const auto *Cast = dyn_cast<BitCastInst>(&I))
    return Cast->getSrcTy()->isIntegerTy(32) &&
           Cast->getDestTy()->isVectorTy() && isReadAsRegister(I);
  const auto *Extract = dyn_cast<ExtractValueInst>(&I);
  if (!Extract || !I.getType()->isVectorTy())
    return false;
  const auto *Call = dyn_cast<CallInst>(Extract->getAggregateOperand());
  return Call && Call->getParent() == I.getParent() &&
         isMatrixOperation(*Call) && isReadAsRegister(I);
}

/// The register in which the halves of \p Arg lie together, if they do.
std::optional<Decoder::Slot> Decoder::wholeRegister(const Value *Arg) {
  const auto *I = dyn_cast<Instruction>(Arg);
  if (!I || !keepsRegister(*I))
    return std::nullopt;
  if (isa<BitCastInst>(I))
    return slot(I->getOperand(0));
  const auto &Extract = cast<ExtractValueInst>(*I);
  return Registers.at(Extract.getAggregateOperand()) +
         Extract.getIndices()[0] * 32 * sizeOf(Ty::U32);
}

/// The values of \p Args as registers of type \p T, one after the other.
Decoder::Slot Decoder::packRegisters(ArrayRef<const Value *> Args, Ty T) {
  SmallVector<Slot, 16> Row;
  for (size_t N = 0; N < std::max<size_t>(Args.size(), 1); ++N)
    Row.push_back(scratch(T));
  for (auto [To, Arg] : zip(Row, Args)) {
    if (const auto Whole = wholeRegister(Arg)) {
      emit(OpKind::Copy, T, To, *Whole);
      continue;
    }
    const Slots In = slots(Arg);
    if (In.size() == 1) {
      emit(OpKind::Copy, T, To, In[0]);
      continue;
    }
    emit(OpKind::JoinHalves, T, To, In[0], In[1]);
  }
  return Row.front();
}

/// Gives the registers at \p Row to the results of \p I.
void Decoder::unpackRegisters(const CallInst &I, ArrayRef<Slot> Row, Ty T) {
  auto *Struct = dyn_cast<StructType>(I.getType());
  unsigned Result = 0;
  Registers[&I] = Row.front();
  const bool Whole = Struct && all_of(I.users(), [this](const User *U) {
                       return keepsRegister(cast<Instruction>(*U));
                     });
  for (auto [N, From] : enumerate(Row)) {
    Type *Of = Struct ? Struct->getElementType(N) : I.getType();
    if (!Of->isVectorTy()) {
      emit(OpKind::Copy, T, define(I, Result++, T), From);
      continue;
    }
    for (unsigned Half = 0; Half < 2 && !Whole; ++Half) {
      Slot Shifted = Half ? scratch(Ty::U32) : From;
      if (Half)
        emit(OpKind::LShr, Ty::U32, Shifted, From, constantInt(Ty::U32, 16));
      emit(OpKind::TruncInt, Ty::U32, define(I, Result++, Ty::U16), Shifted, 0,
           0, 0, Ty::U16);
    }
  }
}

bool Decoder::decodeMatrix(const CallInst &I) {
  if (!isMatrixOperation(I))
    return false;
  emit(OpKind::WholeWarp, Ty::U8, 0);
  const SmallVector<const Value *, 32> All(I.args());
  ArrayRef<const Value *> Args = All;
  auto registers = [&](unsigned Count, Ty T) {
    SmallVector<Slot, 8> Row;
    for (unsigned N = 0; N < Count; ++N)
      Row.push_back(scratch(T));
    return Row;
  };
  if (const auto P = matrixProduct(I)) {
    const Ty T = P->isDouble() ? Ty::U64 : Ty::U32;
    SmallVector<const Value *, 8> OfA(Args.take_front(P->NumA));
    if (P->IsSparse) // the metadata in front
      OfA.insert(OfA.begin(), Args[P->NumA + P->NumB + P->NumC]);
    Slot A = packRegisters(OfA, T);
    Slot B = packRegisters(Args.slice(P->NumA, P->NumB), T);
    Slot C = packRegisters(Args.slice(P->NumA + P->NumB, P->NumC), T);
    auto D = registers(P->NumD, T);
    emit(P->IsSparse ? OpKind::SparseProduct : OpKind::MatrixProduct, T, D[0],
         A, B, C, std::bit_cast<uint64_t>(P->Shape));
    unpackRegisters(I, D, T);
    return true;
  }
  const auto A = matrixAccess(I);
  if (!A) {
    auto D = registers(1, Ty::U32);
    emit(OpKind::MatrixMove, Ty::U32, D[0], packRegisters(Args, Ty::U32));
    unpackRegisters(I, D, Ty::U32);
    return true;
  }
  Slot Lines = slot(A->Pointer), Addresses = scratch(Ty::U64);
  emit(OpKind::MatrixAddresses, Ty::U64, Addresses, Lines, 0, 0, A->Count);
  const uint64_t How = A->Count | uint64_t(A->IsTransposed) << 8;
  beginAccess(I, Addresses);
  if (isAddressOnly(I)) {
    endAccess(I);
    if (!A->IsStore)
      unpackRegisters(I, registers(A->Count, Ty::U32), Ty::U32);
    return true;
  }
  if (A->IsStore) {
    emit(OpKind::MatrixStore, Ty::U32, 0, Lines,
         packRegisters(Args.drop_front(), Ty::U32), 0, How);
    endAccess(I);
    return true;
  }
  auto D = registers(A->Count, Ty::U32);
  emit(OpKind::MatrixLoad, Ty::U32, D[0], Lines, 0, 0, How);
  endAccess(I);
  unpackRegisters(I, D, Ty::U32);
  return true;
}

/// wgmma; what fences it is nothing here, since it is done at once. And
/// setmaxnreg.
bool Decoder::decodeWarpGroup(const CallInst &I) {
  if (const uint16_t Change = registerChange(I)) {
    emit(OpKind::WholeWarp, Ty::U8, 0);
    emit(OpKind::SetRegisters, Ty::U8, 0, 0, 0, 0, Change);
    return true;
  }
  const auto P = groupProduct(I);
  if (!P) {
    if (isGroupFence(I))
      tellFence(I);
    return isGroupFence(I);
  }
  emit(OpKind::WholeWarp, Ty::U8, 0);
  const SmallVector<const Value *, 140> All(I.args());
  const ArrayRef<const Value *> Args = All;
  const Slot A = packRegisters(Args.take_front(P->numA()),
                               P->isShared() ? Ty::U64 : Ty::U32);
  const Slot B[] = {scratch(Ty::U64), scratch(Ty::U64)};
  emit(OpKind::Copy, Ty::U64, B[0], slot(Args[P->numA()]));
  emit(OpKind::ZExt, Ty::U8, B[1], slot(Args[P->numA() + 1]), 0, 0, 1, Ty::U64);
  endUses(); // sums in flight go on adding up
  const Slot C = packRegisters(Args.drop_front(P->numA() + 2), Ty::U32);
  SmallVector<Slot, 128> D;
  for (unsigned N = 0; N < P->numD(); ++N)
    D.push_back(scratch(Ty::U32));
  const auto Shape = std::bit_cast<uint64_t>(P->Shape);
  if (Options.OnCheck) {
    emit(OpKind::CheckProduct, Ty::U64, Sums.at(&I), A, B[0],
         constantInt(Ty::U64, Shape));
    tellRegisters(I, *P);
    noteHistory(I, Args.drop_front(P->numA() + 2));
  }
  emit(OpKind::GroupProduct, Ty::U32, D[0], A, B[0], C, Shape);
  unpackRegisters(I, D, Ty::U32);
  return true;
}

/// The lanes' values of an integer as words of 64 bits; of null: ones.
Decoder::Slot Decoder::numberSlot(const Value *V) {
  if (!V)
    return constantInt(Ty::U64, 1);
  if (V->getType()->isIntegerTy(64))
    return slot(V);
  Slot Wide = scratch(Ty::U64);
  emit(OpKind::ZExt, container(V->getType()), Wide, slot(V), 0, 0,
       V->getType()->getIntegerBitWidth(), Ty::U64);
  return Wide;
}

/// Operands and records are rows of their own, one after the other.
void Decoder::decodeBulk(const CallInst &I, const BulkOperation &O) {
  SmallVector<Slot, HEDDLE_BULK_OPERANDS> Operands;
  SmallVector<Slot, HEDDLE_BULK_RECORDS> Records;
  for (unsigned N = 0; N < HEDDLE_BULK_OPERANDS; ++N)
    Operands.push_back(scratch(Ty::U64));
  for (unsigned N = 0; N < HEDDLE_BULK_RECORDS; ++N)
    Records.push_back(scratch(Ty::U64));
  for (auto [N, To] : enumerate(Operands)) {
    const Value *V = O.operand(N);
    Slot From = !V                            ? constantInt(Ty::U64, 0)
                : V->getType()->isPointerTy() ? slot(V)
                                              : numberSlot(V);
    emit(OpKind::Copy, Ty::U64, To, From);
  }
  const uint64_t First = Out.Accesses.size();
  const unsigned Record = Numbering.memoryNumber(&I);
  for (unsigned Part = 0; Part < O.numRecords(); ++Part) {
    const MemoryRecord &M = Numbering.memory()[Record + Part];
    Out.Accesses.push_back({Record + Part, M.AccessBytes, M.Space});
  }
  emit(OpKind::BulkCopy, Ty::U64, Records[0], Operands[0],
       constantInt(Ty::U64, O.shapeBits()), 0, First);
  if (Options.Counters || Options.OnMemory)
    for (unsigned Part = 0; Part < O.numRecords(); ++Part)
      emit(OpKind::Observe, Ty::U64, 0, Records[Part], 0, 0, First + Part);
}

bool Decoder::decodeAsyncBarrier(const CallInst &I) {
  if (I.getIntrinsicID() == Intrinsic::nvvm_mbarrier_pending_count) {
    const Slot Pending = scratch(Ty::U64);
    emit(OpKind::And, Ty::U64, Pending, slot(I.getArgOperand(0)),
         constantInt(Ty::U64, HEDDLE_MBARRIER_PENDING));
    emit(OpKind::TruncInt, Ty::U64, define(I, 0, Ty::U32), Pending, 0, 0, 0,
         Ty::U32);
    return true;
  }
  const unsigned Record = Numbering.memoryNumber(&I);
  auto access = [&](unsigned Part) {
    const MemoryRecord &M = Numbering.memory()[Record + Part];
    Out.Accesses.push_back({Record + Part, M.AccessBytes, M.Space});
    return uint64_t(Out.Accesses.size() - 1);
  };
  auto observe = [&](OpKind Kind, unsigned Part, Slot Words, Slot Some = 0) {
    if (Options.Counters || Options.OnMemory)
      emit(Kind, Ty::U64, 0, Words, Some, 0, access(Part));
  };
  if (const auto Bulk = bulkOperation(I)) {
    decodeBulk(I, *Bulk);
    return true;
  }
  if (bulkFence(I)) {
    tellFence(I);
    return true;
  }
  const auto O = barrierOperation(I);
  if (!O)
    return false;
  const Slot Barrier = slot(O->Barrier), Number = numberSlot(O->Number);
  const bool Tests = heddleIsPhaseTest(O->Action);
  observe(OpKind::Observe, 0, Barrier);
  if (!Tests)
    observe(OpKind::Observe, 1, Number);
  const Slot Results = scratch(Ty::U64);
  emit(OpKind::BarrierAction, Ty::U64, Results, Barrier, Number, 0, O->Action);
  if (Tests)
    observe(OpKind::ObserveSome, 1, Number, Results);
  if (I.getType()->isIntegerTy(64))
    emit(OpKind::Copy, Ty::U64, define(I, 0, Ty::U64), Results);
  if (!I.getType()->isIntegerTy(1))
    return true;
  // Lanes that do not run have no result; a mask is made of all.
  const Slot Ended = scratch(Ty::U64);
  emit(OpKind::And, Ty::U64, Ended, Results, constantInt(Ty::U64, 1));
  emit(OpKind::TruncInt, Ty::U64, define(I, 0, Ty::U8), Ended, 0, 0, 0, Ty::U8);
  return true;
}

/// cp.async that reads less than it writes: one operation.
bool Decoder::decodePartCopy(const CallInst &I, const AsyncCopy &C) {
  const unsigned Record = Numbering.memoryNumber(&I);
  const uint64_t Info = Out.Accesses.size();
  for (unsigned Part = 0; Part < 2; ++Part) {
    const MemoryRecord &M = Numbering.memory()[Record + Part];
    Out.Accesses.push_back({Record + Part, M.AccessBytes, M.Space});
  }
  emit(isAddressOnly(I) ? OpKind::ObserveCopy : OpKind::CopyPart, Ty::U32, 0,
       slot(C.To), slot(C.From), slot(C.Read), Info);
  return true;
}

/// cp.async, at once: loads, then stores.
bool Decoder::decodeAsyncCopy(const CallInst &I) {
  const auto C = asyncCopy(I);
  if (!C) {
    const auto Left = groupsInFlight(I);
    if (Left && Options.OnCheck)
      tellCopies(*Left);
    return Left.has_value();
  }
  if (C->Read)
    return decodePartCopy(I, *C);
  const bool Copies = !isAddressOnly(I);
  Slot From = slot(C->From), To = slot(C->To);
  SmallVector<Slot, 4> Words;
  for (unsigned N = 0; N < C->Bytes / 4; ++N)
    Words.push_back(scratch(Ty::U32));
  if (Options.OnCheck) // lanes that it leaves out read zero
    for (Slot Word : Words)
      emit(OpKind::Copy, Ty::U32, Word, constantInt(Ty::U32, 0));
  beginAccess(I, From);
  for (auto [N, Word] : enumerate(Words))
    if (Copies)
      emit(OpKind::Load, Ty::U32, Word, From, 0, 0, 4 * N);
  endAccess(I);
  beginAccess(I, To, 1);
  for (auto [N, Word] : enumerate(Words))
    if (Copies)
      emit(OpKind::Store, Ty::U32, 0, To, Word, 0, 4 * N);
  endAccess(I);
  return true;
}

} // namespace heddle::interp
