//===- Counters.cpp - Counting and reporting what blocks access -----------===//
//
// The counters are defined by heddleCountAccess (ABI/AccessCounters.h).
// Accesses to one address or to neighbouring elements, most of all, are counted
// by a few scalar instructions; the rest calls that function.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/ABI/AccessCounters.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {

Value *WarpBuilder::hostPointer(const void *P) {
  return ConstantExpr::getIntToPtr(
      ConstantInt::get(I64, reinterpret_cast<uintptr_t>(P)), Ptr);
}

Value *WarpBuilder::callHost(const void *Function, Type *ResultTy,
                             ArrayRef<Value *> Args) {
  SmallVector<Type *> Types;
  for (Value *A : Args)
    Types.push_back(A->getType());
  return B.CreateCall(FunctionType::get(ResultTy, Types, false),
                      hostPointer(Function), Args);
}

Value *WarpBuilder::counterRow(Value *Base, unsigned Row, unsigned Columns) {
  return B.CreateConstInBoundsGEP1_64(I64, Base, uint64_t(Row) * Columns);
}

/// Adds to counters in memory. They alias nothing that the kernel accesses, so
/// that a loop may keep them in registers.
void WarpBuilder::addCounter(Value *Pointer, Value *Amount) {
  auto *Old = B.CreateAlignedLoad(Amount->getType(), Pointer, Align(8));
  Old->setMetadata(LLVMContext::MD_alias_scope, CounterScope);
  auto *New = B.CreateAlignedStore(B.CreateAdd(Old, Amount), Pointer, Align(8));
  New->setMetadata(LLVMContext::MD_alias_scope, CounterScope);
}

/// The addresses of all lanes in memory, for functions of the host.
Value *WarpBuilder::addressArray(Value *Pointer) {
  return spillLanes(B.CreatePtrToInt(lanes(Pointer), lanesOf(I64)));
}

void WarpBuilder::observeAccess(Instruction &I) {
  unsigned Record = Clone.memoryNumber(&I);
  if (Record == KernelClone::None)
    return;
  if (Options.Counters)
    countAccess(I, Record);
  if (Options.OnMemory) {
    Value *Addresses =
        addressArray(const_cast<Value *>(getPointerOperandOf(I)));
    callHost(reinterpret_cast<const void *>(Options.OnMemory), B.getVoidTy(),
             {Warp, B.getInt32(Record), Mask, Addresses});
  }
}

const Value *WarpBuilder::getPointerOperandOf(const Instruction &I) {
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getPointerOperand();
  if (const auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
    return CAS->getPointerOperand();
  return getLoadStorePointerOperand(&I);
}

/// The number of groups of \p Lanes neighbouring bits of \p Bits (i64) of which
/// any is set.
Value *WarpBuilder::countGroups(Value *Bits, unsigned Lanes) {
  for (unsigned Step = 1; Step < Lanes; Step *= 2)
    Bits = B.CreateOr(Bits, B.CreateLShr(Bits, Step));
  uint64_t First = 0;
  for (unsigned At = 0; At < 64; At += Lanes)
    First |= uint64_t(1) << At;
  return B.CreateUnaryIntrinsic(Intrinsic::ctpop,
                                B.CreateAnd(Bits, B.getInt64(First)));
}

void WarpBuilder::countAccess(Instruction &I, unsigned Record) {
  const MemoryRecord &R = Clone.numbering().memory()[Record];
  Value *Pointer = const_cast<Value *>(getPointerOperandOf(I));
  Shape S = shape(Pointer);
  unsigned Bytes = R.AccessBytes;
  bool Lines = R.Space == HEDDLE_SPACE_GLOBAL || R.Space == HEDDLE_SPACE_CONST;
  bool Banks = R.Space == HEDDLE_SPACE_SHARED;
  Align A =
      isa<LoadInst, StoreInst>(I) ? getLoadStoreAlignment(&I) : Align(Bytes);
  bool Simple = isPowerOf2_32(Bytes) && Bytes <= 16 && A >= Align(Bytes) &&
                (Lines || Banks);
  bool One = S.Kind == Shape::Uniform;
  bool Row = S.Kind == Shape::Affine && Geometry.Segments == 1 &&
             S.Stride == int64_t(Bytes);
  Value *Counter =
      counterRow(MemoryCounters, Record, HEDDLE_NUM_MEMORY_COUNTERS);
  if (!Simple || !(One || Row)) {
    callHost(reinterpret_cast<const void *>(&heddleCountAccess), B.getVoidTy(),
             {Warp, B.getInt32(Record), Mask, addressArray(Pointer),
              B.getInt32(Bytes), B.getInt32(R.Space)});
    return;
  }
  Value *Wide = B.CreateZExt(Mask, I64);
  Value *Lanes = B.CreateUnaryIntrinsic(Intrinsic::ctpop, Wide);
  auto row = [&](ArrayRef<Value *> Amounts) {
    Value *V =
        Constant::getNullValue(FixedVectorType::get(I64, Amounts.size()));
    for (unsigned N = 0; N < Amounts.size(); ++N)
      V = B.CreateInsertElement(V, Amounts[N], N);
    return V;
  };
  static_assert(HEDDLE_MEM_REQUESTS == 0 && HEDDLE_MEM_LANES == 1 &&
                HEDDLE_MEM_SECTORS == 2 && HEDDLE_MEM_LINES == 3);
  if (Banks) {
    // No two words in one bank; wide accesses go by half or quarter warps.
    Value *Passes =
        Bytes <= 4 ? B.getInt64(1) : countGroups(Wide, Bytes == 8 ? 16 : 8);
    addCounter(Counter, row({B.getInt64(1), Lanes}));
    addCounter(B.CreateConstGEP1_64(I64, Counter, HEDDLE_MEM_BANK_PASSES),
               Passes);
    return;
  }
  if (One) {
    addCounter(Counter,
               row({B.getInt64(1), Lanes, B.getInt64(1), B.getInt64(1)}));
    return;
  }
  Value *Base = B.CreatePtrToInt(bases(Pointer)[0], I64);
  Value *Element = B.CreateLShr(Base, Log2_32(Bytes));
  auto groups = [&](unsigned UnitBytes) {
    unsigned PerUnit = UnitBytes / Bytes;
    Value *Shift = B.CreateAnd(Element, B.getInt64(PerUnit - 1));
    return countGroups(B.CreateShl(Wide, Shift), PerUnit);
  };
  Value *NumLines;
  if (Bytes > 4) {
    NumLines = groups(128);
  } else {
    // At most two lines: those of the first and the last lane.
    Value *First =
        B.CreateIntrinsic(Intrinsic::cttz, {I64}, {Wide, B.getTrue()});
    Value *Last =
        B.CreateSub(B.getInt64(63), B.CreateIntrinsic(Intrinsic::ctlz, {I64},
                                                      {Wide, B.getTrue()}));
    auto line = [&](Value *Lane) {
      return B.CreateLShr(
          B.CreateAdd(Base, B.CreateMul(Lane, B.getInt64(Bytes))), 7);
    };
    NumLines = B.CreateAdd(B.CreateSub(line(Last), line(First)), B.getInt64(1));
  }
  addCounter(Counter, row({B.getInt64(1), Lanes, groups(32), NumLines}));
}

} // namespace heddle
