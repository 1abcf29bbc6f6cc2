//===- Matrices.cpp - Matrix instructions and asynchronous copies ---------===//
//
// One call of the runtime for the whole fragment (ABI/MatrixOps.h). Registers
// go through arrays of 32 lanes each.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/ABI/AccessCounters.h"
#include "heddle/ABI/AsyncOps.h"
#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Transforms/ControlSlice.h"

#include "llvm/IR/InstrTypes.h"

#include <bit>

using namespace llvm;

namespace heddle {

/// Register \p N of an array of them.
static Value *registerAt(IRBuilder<> &B, Value *Registers, unsigned N,
                         Type *Element) {
  return B.CreateConstInBoundsGEP1_64(Element, Registers,
                                      uint64_t(N) * HEDDLE_WARP_SIZE);
}

/// The registers that \p Values are, of type \p Element, one after the other.
AllocaInst *WarpBuilder::spillRegisters(ArrayRef<Value *> Values,
                                        Type *Element) {
  AllocaInst *Array = entryAlloca(
      ArrayType::get(Element, Values.size() * HEDDLE_WARP_SIZE), "matrix", 64);
  for (auto [N, V] : enumerate(Values)) {
    Parts P = allLanes(V);
    Value *Bits = nullptr;
    if (P.size() == 2) { // halves
      auto part = [&](unsigned At) {
        return B.CreateZExt(B.CreateBitCast(P[At], lanesOf(I16)), lanesOf(I32));
      };
      Bits = B.CreateOr(part(0), B.CreateShl(part(1), splat(B.getInt32(16))));
    } else {
      Bits = B.CreateBitCast(P[0], lanesOf(Element));
    }
    B.CreateAlignedStore(Bits, registerAt(B, Array, N, Element), Align(64));
  }
  return Array;
}

/// The parts of a value of type \p Ty of the registers in \p Array.
Parts WarpBuilder::reloadRegisters(Type *Ty, AllocaInst *Array, Type *Element) {
  Parts Result;
  unsigned N = 0;
  auto reload = [&](Type *Of) {
    Value *V = B.CreateAlignedLoad(
        lanesOf(Element), registerAt(B, Array, N++, Element), Align(64));
    if (!Of->isVectorTy()) {
      Result.push_back(B.CreateBitCast(V, lanesOf(Of)));
      return;
    }
    for (unsigned Half = 0; Half < 2; ++Half) {
      Value *Bits = B.CreateTrunc(B.CreateLShr(V, splat(B.getInt32(16 * Half))),
                                  lanesOf(I16));
      Result.push_back(
          B.CreateBitCast(Bits, lanesOf(hostType(Of->getScalarType()))));
    }
  };
  if (auto *Struct = dyn_cast<StructType>(Ty))
    for (Type *Of : Struct->elements())
      reload(Of);
  else
    reload(Ty);
  return Result;
}

/// The instruction has no meaning unless all lanes execute it.
void WarpBuilder::requireWholeWarp(CallInst &I) {
  BasicBlock *Divergent = BasicBlock::Create(Ctx, "divergent", Fn);
  BasicBlock *Whole = BasicBlock::Create(Ctx, "whole", Fn);
  B.CreateCondBr(B.CreateICmpEQ(Mask, B.getInt32(-1)), Whole, Divergent);
  B.SetInsertPoint(Divergent);
  failAtRunTime(HEDDLE_ERROR_PARTIAL_WARP, &I);
  B.SetInsertPoint(Whole);
}

void WarpBuilder::lowerMatrixProduct(CallInst &I, const MatrixProduct &P) {
  Type *Element = P.isDouble() ? I64 : I32;
  SmallVector<Value *, 32> Args(I.args());
  ArrayRef<Value *> Left = Args;
  AllocaInst *A = spillRegisters(Left.take_front(P.NumA), Element);
  Left = Left.drop_front(P.NumA);
  AllocaInst *Second = spillRegisters(Left.take_front(P.NumB), Element);
  Left = Left.drop_front(P.NumB);
  AllocaInst *C = spillRegisters(Left.take_front(P.NumC), Element);
  AllocaInst *D = entryAlloca(
      ArrayType::get(Element, P.NumD * HEDDLE_WARP_SIZE), "matrix", 64);
  Value *Shape = B.getInt64(std::bit_cast<uint64_t>(P.Shape));
  if (P.IsSparse)
    callHost(hostFunction("heddleSparseProduct", heddleSparseProduct),
             B.getVoidTy(),
             {Shape, D, A, Second, C, spillRegisters(Left[P.NumC], I32)});
  else
    callHost(hostFunction("heddleMatrixProduct", heddleMatrixProduct),
             B.getVoidTy(), {Shape, D, A, Second, C});
  set(I, reloadRegisters(I.getType(), D, Element));
}

/// The addresses at which \p A's lanes access what is dealt to them.
Value *WarpBuilder::matrixAddresses(const MatrixAccess &A) {
  Value *Lines = lanes(const_cast<Value *>(A.Pointer));
  SmallVector<int> Order;
  SmallVector<Constant *> Offsets;
  for (unsigned L = 0; L < HEDDLE_WARP_SIZE; ++L) {
    Order.push_back(A.lineOf(L));
    Offsets.push_back(ConstantInt::get(I64, A.offsetOf(L)));
  }
  return B.CreateGEP(I8, B.CreateShuffleVector(Lines, Order),
                     ConstantVector::get(Offsets));
}

/// Counts and reports accesses of \p Record by the lanes of \p Active to the
/// array \p Addresses.
void WarpBuilder::observeLanes(unsigned Record, Value *Addresses,
                               Value *Active) {
  if (Options.Counters &&
      Clone.numbering().memory()[Record].Space != HEDDLE_SPACE_PARAM) {
    const MemoryRecord &R = Clone.numbering().memory()[Record];
    callHost(hostFunction("heddleCountAccess", heddleCountAccess),
             B.getVoidTy(),
             {Warp, B.getInt32(Record), Active, Addresses,
              B.getInt32(R.AccessBytes), B.getInt32(R.Space)});
  }
  if (Options.OnMemory)
    callHost(hostFunction("heddleOnMemory", Options.OnMemory), B.getVoidTy(),
             {Warp, B.getInt32(Record), Active, Addresses});
}

/// The same where \p Active may be none.
void WarpBuilder::observeSome(unsigned Record, Value *Addresses,
                              Value *Active) {
  eitherWay(
      B.CreateIsNull(Active), [] {},
      [&] { observeLanes(Record, Addresses, Active); });
}

/// cp.async, at once: word by word for all lanes, or lane by lane.
bool WarpBuilder::lowerAsyncCopy(CallInst &I) {
  const auto C = asyncCopy(I);
  if (!C)
    return isCopyGroup(I);
  auto *To = const_cast<Value *>(C->To), *From = const_cast<Value *>(C->From),
       *Read = const_cast<Value *>(C->Read);
  const unsigned Record = Clone.memoryNumber(&I);
  if (Options.Counters || Options.OnMemory) {
    if (Read) {
      Value *Reads = B.CreateBitCast(B.CreateIsNotNull(lanes(Read)), I32);
      observeSome(Record, addressArray(From), B.CreateAnd(Mask, Reads));
    } else {
      observeLanes(Record, addressArray(From), Mask);
    }
    observeLanes(Record + 1, addressArray(To), Mask);
  }
  if (isAddressOnly(I))
    return true;
  if (Read) {
    callHost(hostFunction("heddleCopyPart", heddleCopyPart), B.getVoidTy(),
             {B.getInt32(C->Bytes), Mask, addressArray(To), addressArray(From),
              spillLanes(lanes(Read))});
    return true;
  }
  for (unsigned Offset = 0; Offset < C->Bytes; Offset += 4) {
    const Leaf Word = {I32, Offset, {}};
    storeLanes(To, Word, loadLanes(From, Word, Align(C->Bytes)),
               Align(C->Bytes));
  }
  return true;
}

void WarpBuilder::lowerMatrixAccess(CallInst &I, const MatrixAccess &A) {
  Value *Addresses =
      spillLanes(B.CreatePtrToInt(matrixAddresses(A), lanesOf(I64)));
  observeLanes(Clone.memoryNumber(&I), Addresses, Mask);
  if (isAddressOnly(I))
    return;
  Value *Lines = addressArray(const_cast<Value *>(A.Pointer));
  Value *Count = B.getInt32(A.Count), *Transposed = B.getInt32(A.IsTransposed);
  if (A.IsStore) {
    SmallVector<Value *, 4> Values(drop_begin(I.args()));
    callHost(hostFunction("heddleStoreMatrices", heddleStoreMatrices),
             B.getVoidTy(),
             {Count, Transposed, Lines, spillRegisters(Values, I32)});
    return;
  }
  AllocaInst *To = entryAlloca(ArrayType::get(I32, A.Count * HEDDLE_WARP_SIZE),
                               "matrix", 64);
  callHost(hostFunction("heddleLoadMatrices", heddleLoadMatrices),
           B.getVoidTy(), {Count, Transposed, Lines, To});
  set(I, reloadRegisters(I.getType(), To, I32));
}

bool WarpBuilder::lowerMatrix(CallInst &I) {
  if (!isMatrixOperation(I))
    return false;
  requireWholeWarp(I);
  if (auto P = matrixProduct(I)) {
    lowerMatrixProduct(I, *P);
  } else if (auto A = matrixAccess(I)) {
    lowerMatrixAccess(I, *A);
  } else {
    AllocaInst *To =
        entryAlloca(ArrayType::get(I32, HEDDLE_WARP_SIZE), "matrix", 64);
    callHost(hostFunction("heddleTransposeMatrix", heddleTransposeMatrix),
             B.getVoidTy(), {To, spillRegisters({I.getArgOperand(0)}, I32)});
    set(I, reloadRegisters(I.getType(), To, I32));
  }
  return true;
}

} // namespace heddle
