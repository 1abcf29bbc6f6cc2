//===- Memory.cpp - Loads and stores of 32 lanes --------------------------===//

#include "WarpBuilder.h"

#include "heddle/Transforms/ControlSlice.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cstddef>

using namespace llvm;

namespace heddle {

/// Says that \p I, an access of the kernel, touches no counters.
Instruction *WarpBuilder::userAccess(Instruction *I) {
  I->setMetadata(LLVMContext::MD_noalias, CounterScope);
  return I;
}

/// Whether the lanes of each segment access neighbouring elements.
bool WarpBuilder::isContiguous(Value *Pointer, const Leaf &L) const {
  Shape S = shape(Pointer);
  return S.Kind == Shape::Affine && Geometry.Segments &&
         S.Stride == int64_t(DL.getTypeStoreSize(L.Ty).getFixedValue()) &&
         DL.getTypeStoreSizeInBits(L.Ty) == DL.getTypeSizeInBits(L.Ty);
}

/// The base of segment \p S or, if no lane is active there, of another one that
/// has active lanes: an address that may be read.
Value *WarpBuilder::anyActivePointer(ArrayRef<Value *> Bases, unsigned S) {
  unsigned Lanes = Geometry.lanesPerSegment();
  Value *Chosen = Bases[S];
  auto prefer = [&](unsigned N) {
    uint32_t Bits = ((1u << Lanes) - 1) << (N * Lanes);
    Value *Active =
        B.CreateICmpNE(B.CreateAnd(Mask, B.getInt32(Bits)), B.getInt32(0));
    Chosen = B.CreateSelect(Active, Bases[N], Chosen);
  };
  for (unsigned N = 0; N < Bases.size(); ++N)
    if (N != S)
      prefer(N);
  prefer(S); // the segment itself wins
  return Chosen;
}

AllocaInst *WarpBuilder::spillLanes(Value *V) {
  Type *Element = cast<VectorType>(V->getType())->getElementType();
  AllocaInst *Array =
      entryAlloca(ArrayType::get(Element, HEDDLE_WARP_SIZE), "lanes", 64);
  // Elements of odd width have no place of their own in a vector.
  if (DL.getTypeSizeInBits(Element) == DL.getTypeAllocSizeInBits(Element)) {
    B.CreateStore(V, Array);
    return Array;
  }
  for (unsigned L = 0; L < HEDDLE_WARP_SIZE; ++L)
    B.CreateStore(B.CreateExtractElement(V, L), laneSlot(Array, B.getInt32(L)));
  return Array;
}

/// The vector of what is in an array that spillLanes made.
Value *WarpBuilder::reloadLanes(AllocaInst *Array) {
  Type *Element = Array->getAllocatedType()->getArrayElementType();
  if (DL.getTypeSizeInBits(Element) == DL.getTypeAllocSizeInBits(Element))
    return B.CreateLoad(lanesOf(Element), Array);
  Value *V = PoisonValue::get(lanesOf(Element));
  for (unsigned L = 0; L < HEDDLE_WARP_SIZE; ++L)
    V = B.CreateInsertElement(
        V, B.CreateLoad(Element, laneSlot(Array, B.getInt32(L))), L);
  return V;
}

Value *WarpBuilder::laneSlot(AllocaInst *Array, Value *Lane) {
  return B.CreateInBoundsGEP(Array->getAllocatedType(), Array,
                             {B.getInt32(0), Lane});
}

void WarpBuilder::forEachLane(function_ref<void(Value *Lane)> Body) {
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = BasicBlock::Create(Ctx, "lane", Fn);
  BasicBlock *Done = BasicBlock::Create(Ctx, "lanes.done", Fn);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Left = B.CreatePHI(I32, 2);
  Left->addIncoming(Mask, Before);
  Value *Lane = B.CreateBinaryIntrinsic(Intrinsic::cttz, Left, B.getTrue());
  Body(Lane);
  Value *Rest = B.CreateAnd(Left, B.CreateSub(Left, B.getInt32(1)));
  Left->addIncoming(Rest, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpNE(Rest, B.getInt32(0)), Loop, Done);
  B.SetInsertPoint(Done);
}

/// One element from each active lane's address. Elements of 8 and 16 bits,
/// which no gather instruction takes, are cut out of the aligned word around
/// them.
Value *WarpBuilder::gather(Value *Pointers, Type *Ty, Align A) {
  unsigned Bits = DL.getTypeSizeInBits(Ty);
  if (Bits == 32 || Bits == 64) {
    auto *G = B.CreateMaskedGather(lanesOf(Ty), Pointers, A, MaskVector,
                                   Constant::getNullValue(lanesOf(Ty)));
    userAccess(G);
    return G;
  }
  if (Bits == 1) {
    Value *Bytes = gather(Pointers, I8, A);
    return B.CreateTrunc(Bytes, lanesOf(I1));
  }
  if (Bits == 8 || (Bits == 16 && A >= Align(2))) {
    Value *Address = B.CreatePtrToInt(Pointers, lanesOf(I64));
    Value *Down = B.CreateAnd(Address, splat(B.getInt64(~3ull)));
    Value *Words = gather(B.CreateIntToPtr(Down, lanesOf(Ptr)), I32, Align(4));
    Value *Shift = B.CreateShl(
        B.CreateAnd(B.CreateTrunc(Address, lanesOf(I32)), splat(B.getInt32(3))),
        splat(B.getInt32(3)));
    Value *Cut =
        B.CreateTrunc(B.CreateLShr(Words, Shift), lanesOf(B.getIntNTy(Bits)));
    return B.CreateBitCast(Cut, lanesOf(Ty));
  }
  AllocaInst *From = spillLanes(Pointers);
  AllocaInst *To = spillLanes(Constant::getNullValue(lanesOf(Ty)));
  forEachLane([&](Value *Lane) {
    Value *P = B.CreateLoad(Ptr, laneSlot(From, Lane));
    auto *Load = B.CreateAlignedLoad(Ty, P, A);
    userAccess(Load);
    B.CreateStore(Load, laneSlot(To, Lane));
  });
  return reloadLanes(To);
}

void WarpBuilder::scatter(Value *V, Value *Pointers, Align A) {
  Type *Ty = cast<VectorType>(V->getType())->getElementType();
  unsigned Bits = DL.getTypeSizeInBits(Ty);
  if (Bits == 1)
    return scatter(B.CreateZExt(V, lanesOf(I8)), Pointers, A);
  if (HasScatter && (Bits == 32 || Bits == 64)) {
    userAccess(B.CreateMaskedScatter(V, Pointers, A, MaskVector));
    return;
  }
  AllocaInst *Values = spillLanes(V), *To = spillLanes(Pointers);
  forEachLane([&](Value *Lane) {
    Value *P = B.CreateLoad(Ptr, laneSlot(To, Lane));
    userAccess(
        B.CreateAlignedStore(B.CreateLoad(Ty, laneSlot(Values, Lane)), P, A));
  });
}

/// The elements of type \p Ty that the active lanes of each segment have in a
/// row.
Value *WarpBuilder::loadRows(ArrayRef<Value *> Bases, Type *Ty, Align A) {
  auto *RowTy = FixedVectorType::get(Ty, Geometry.lanesPerSegment());
  Parts Segments;
  for (unsigned N = 0; N < Bases.size(); ++N) {
    auto *Load = B.CreateMaskedLoad(RowTy, Bases[N], A, segment(MaskVector, N),
                                    Constant::getNullValue(RowTy));
    userAccess(Load);
    Segments.push_back(Load);
  }
  return joinSegments(Segments);
}

void WarpBuilder::storeRows(ArrayRef<Value *> Bases, Value *V, Align A) {
  for (unsigned N = 0; N < Bases.size(); ++N)
    userAccess(B.CreateMaskedStore(segment(V, N), Bases[N], A,
                                   segment(MaskVector, N)));
}

/// Whether the active lanes of each segment access elements of \p Size bytes in
/// a row, by their addresses.
WarpBuilder::RowsIf WarpBuilder::rowsByAddress(Value *Pointers, int64_t Size) {
  const unsigned Lanes = Geometry.lanesPerSegment();
  RowsIf Rows = {nullptr, Pointers, {}};
  Parts Firsts;
  SmallVector<Constant *> Offsets;
  for (unsigned N = 0; N < Geometry.Segments; ++N) {
    // A lane that is not active may have any address.
    Value *First = B.CreateFreeze(B.CreateExtractElement(Pointers, N * Lanes));
    Rows.Bases.push_back(First);
    Firsts.push_back(B.CreateVectorSplat(Lanes, B.CreatePtrToInt(First, I64)));
    for (unsigned L = 0; L < Lanes; ++L)
      Offsets.push_back(B.getInt64(L * Size));
  }
  Value *Apart = B.CreateSub(B.CreatePtrToInt(Pointers, lanesOf(I64)),
                             joinSegments(Firsts));
  Value *InRow = B.CreateBitCast(
      B.CreateFreeze(B.CreateICmpEQ(Apart, ConstantVector::get(Offsets))), I32);
  Rows.Fits = B.CreateICmpEQ(B.CreateAnd(InRow, Mask), Mask);
  return Rows;
}

/// For an address whose lanes mostly lie in rows, but need not
/// (LaneShapes::steps). What later code may use is computed here, before the
/// paths part.
std::optional<WarpBuilder::RowsIf> WarpBuilder::rowsIfSo(Value *Pointer,
                                                         const Leaf &L) {
  const auto Size = int64_t(DL.getTypeStoreSize(L.Ty).getFixedValue());
  if (Single || L.Ty == I1 || shape(Pointer).Kind != Shape::Lanes ||
      DL.getTypeStoreSizeInBits(L.Ty) != DL.getTypeSizeInBits(L.Ty))
    return std::nullopt;
  const auto Steps = Shapes.steps(Pointer);
  if (!Steps || Steps->Stride != Size)
    return std::nullopt;
  // Each has three host blocks, of which a function may not have too many.
  if (Fn->size() > Options.MaxHostBlocks / 2)
    return std::nullopt;
  Value *Pointers = lanes(Pointer);
  if (L.Offset)
    Pointers = B.CreateConstGEP1_64(I8, Pointers, L.Offset);
  if (Steps->Guess)
    return rowsByAddress(Pointers, Size);
  // What is of another block may be of another round, or not kept until here.
  if (!Steps->Extension || cast<Instruction>(Pointer)->getParent() != Lowered ||
      Steps->Extension->getParent() != Lowered ||
      !Current.contains(Steps->Extension->getOperand(0)))
    return std::nullopt;
  Value *Index = Steps->Extension->getOperand(0);
  const bool Signed = isa<SExtInst>(Steps->Extension);
  const unsigned Lanes = Geometry.lanesPerSegment();
  RowsIf Rows = {B.getTrue(), Pointers, {}};
  for (auto [N, Base] : enumerate(bases(Index))) {
    Value *Last = B.CreateAdd(
        B.CreateIntCast(Base, I64, Signed),
        B.getInt64((Lanes - 1) * uint64_t(Shapes.of(Index).Stride)));
    Value *Kept =
        B.CreateIntCast(B.CreateTrunc(Last, Base->getType()), I64, Signed);
    Rows.Fits = B.CreateAnd(Rows.Fits, B.CreateICmpEQ(Last, Kept));
    Rows.Bases.push_back(B.CreateExtractElement(Rows.Pointers, N * Lanes));
  }
  return Rows;
}

/// One scalar component of each lane's value at \p Pointer (of the kernel).
Value *WarpBuilder::loadLanes(Value *Pointer, const Leaf &L, Align Alignment) {
  Align A = commonAlignment(Alignment, L.Offset);
  Shape S = shape(Pointer);
  auto at = [&](Value *P) {
    return L.Offset ? B.CreateConstGEP1_64(I8, P, L.Offset) : P;
  };
  if (S.Kind == Shape::Affine && L.Ty != I1) {
    Parts Bases = bases(Pointer), Segments;
    unsigned Lanes = Geometry.lanesPerSegment();
    if (S.Stride == 0) {
      for (unsigned N = 0; N < Bases.size(); ++N) {
        auto *Load =
            B.CreateAlignedLoad(L.Ty, at(anyActivePointer(Bases, N)), A);
        userAccess(Load);
        Segments.push_back(B.CreateVectorSplat(Lanes, Load));
      }
      return joinSegments(Segments);
    }
    if (isContiguous(Pointer, L)) {
      for (Value *&Base : Bases)
        Base = at(Base);
      return loadRows(Bases, L.Ty, A);
    }
    if (Geometry.Segments == 1)
      return gather(B.CreateGEP(I8, at(Bases[0]), laneIndices(I64, S.Stride)),
                    L.Ty, A);
  }
  const auto Rows = rowsIfSo(Pointer, L);
  if (!Rows)
    return gather(at(lanes(Pointer)), L.Ty, A);
  BasicBlock *Row = BasicBlock::Create(Ctx, "row", Fn),
             *Each = BasicBlock::Create(Ctx, "each", Fn),
             *Done = BasicBlock::Create(Ctx, "loaded", Fn);
  B.CreateCondBr(Rows->Fits, Row, Each);
  B.SetInsertPoint(Row);
  Value *OfRow = loadRows(Rows->Bases, L.Ty, A);
  Row = B.GetInsertBlock();
  B.CreateBr(Done);
  B.SetInsertPoint(Each);
  Value *OfEach = gather(Rows->Pointers, L.Ty, A);
  Each = B.GetInsertBlock();
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  PHINode *Loaded = B.CreatePHI(OfRow->getType(), 2);
  Loaded->addIncoming(OfRow, Row);
  Loaded->addIncoming(OfEach, Each);
  return Loaded;
}

void WarpBuilder::storeLanes(Value *Pointer, const Leaf &L, Value *V,
                             Align Alignment) {
  Align A = commonAlignment(Alignment, L.Offset);
  Shape S = shape(Pointer);
  auto at = [&](Value *P) {
    return L.Offset ? B.CreateConstGEP1_64(I8, P, L.Offset) : P;
  };
  if (L.Ty != I1 && isContiguous(Pointer, L)) {
    Parts Bases = bases(Pointer);
    for (Value *&Base : Bases)
      Base = at(Base);
    return storeRows(Bases, V, A);
  }
  if (S.Kind == Shape::Affine && S.Stride && Geometry.Segments == 1)
    return scatter(
        V, B.CreateGEP(I8, at(bases(Pointer)[0]), laneIndices(I64, S.Stride)),
        A);
  const auto Rows = rowsIfSo(Pointer, L);
  if (!Rows)
    return scatter(V, at(lanes(Pointer)), A);
  BasicBlock *Row = BasicBlock::Create(Ctx, "row", Fn),
             *Each = BasicBlock::Create(Ctx, "each", Fn),
             *Done = BasicBlock::Create(Ctx, "stored", Fn);
  B.CreateCondBr(Rows->Fits, Row, Each);
  B.SetInsertPoint(Row);
  storeRows(Rows->Bases, V, A);
  B.CreateBr(Done);
  B.SetInsertPoint(Each);
  scatter(V, Rows->Pointers, A);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
}

void WarpBuilder::lowerLoad(LoadInst &I) {
  observeAccess(I);
  if (isAddressOnly(I))
    return;
  Value *Pointer = I.getPointerOperand();
  if (isUniform(Pointer)) {
    Type *Ty = hostType(I.getType());
    auto *Load = B.CreateAlignedLoad(Ty, guarded(scalar(Pointer), Ty),
                                     I.getAlign(), I.isVolatile());
    if (I.isAtomic())
      Load->setAtomic(I.getOrdering());
    userAccess(Load);
    return set(I, {Load});
  }
  // Gathers cannot be volatile; this keeps them where they are.
  if (I.isVolatile() || I.isAtomic())
    B.CreateFence(AtomicOrdering::SequentiallyConsistent,
                  SyncScope::SingleThread);
  Parts Result;
  for (const Leaf &L : leavesOf(I.getType()))
    Result.push_back(loadLanes(Pointer, L, I.getAlign()));
  set(I, Result);
}

void WarpBuilder::lowerStore(StoreInst &I) {
  observeAccess(I);
  if (isAddressOnly(I))
    return;
  Value *Pointer = I.getPointerOperand(), *V = I.getValueOperand();
  if (isUniform(Pointer)) {
    // Lanes write in order, so the last active one remains.
    Value *Last = nullptr;
    if (!isUniform(V))
      Last = B.CreateSub(
          B.getInt32(31),
          B.CreateBinaryIntrinsic(Intrinsic::ctlz, Mask, B.getTrue()));
    if (isUniform(V)) {
      auto *Store = B.CreateAlignedStore(
          scalar(V), guarded(scalar(Pointer), scalar(V)->getType()),
          I.getAlign(), I.isVolatile());
      if (I.isAtomic())
        Store->setAtomic(I.getOrdering());
      userAccess(Store);
      return;
    }
    for (auto [L, Part] : zip_equal(leavesOf(V->getType()), allLanes(V)))
      userAccess(B.CreateAlignedStore(
          B.CreateExtractElement(Part, Last),
          B.CreateConstGEP1_64(I8, scalar(Pointer), L.Offset),
          commonAlignment(I.getAlign(), L.Offset)));
    return;
  }
  for (auto [L, Part] : zip_equal(leavesOf(V->getType()), allLanes(V)))
    storeLanes(Pointer, L, Part, I.getAlign());
}

} // namespace heddle
