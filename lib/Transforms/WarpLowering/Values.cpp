//===- Values.cpp - The parts of values in the host function --------------===//

#include "WarpBuilder.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {

Type *WarpBuilder::hostType(Type *Ty) {
  if (Ty->isPointerTy())
    return Ptr;
  if (auto *V = dyn_cast<FixedVectorType>(Ty))
    return FixedVectorType::get(hostType(V->getElementType()),
                                V->getNumElements());
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return ArrayType::get(hostType(A->getElementType()), A->getNumElements());
  if (auto *S = dyn_cast<StructType>(Ty)) {
    SmallVector<Type *> Elements;
    for (Type *E : S->elements())
      Elements.push_back(hostType(E));
    return StructType::get(Ctx, Elements, S->isPacked());
  }
  return Ty;
}

FixedVectorType *WarpBuilder::lanesOf(Type *Leaf) {
  return FixedVectorType::get(Leaf, HEDDLE_WARP_SIZE);
}

SmallVector<WarpBuilder::Leaf, 4> WarpBuilder::leavesOf(Type *Ty) {
  SmallVector<Leaf, 4> Result;
  // Offsets are those of the kernel's data layout.
  const DataLayout &KernelDL = Clone.function().getParent()->getDataLayout();
  auto nested = [&](Type *Inner, uint64_t Offset, unsigned Index) {
    for (Leaf L : leavesOf(Inner)) {
      L.Offset += Offset;
      L.Path.insert(L.Path.begin(), Index);
      Result.push_back(std::move(L));
    }
  };
  if (auto *S = dyn_cast<StructType>(Ty)) {
    const StructLayout *Layout = KernelDL.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      nested(S->getElementType(I), Layout->getElementOffset(I), I);
  } else if (auto *A = dyn_cast<ArrayType>(Ty)) {
    uint64_t Size = KernelDL.getTypeAllocSize(A->getElementType());
    for (unsigned I = 0; I < A->getNumElements(); ++I)
      nested(A->getElementType(), I * Size, I);
  } else if (auto *V = dyn_cast<FixedVectorType>(Ty)) {
    uint64_t Size = KernelDL.getTypeStoreSize(V->getElementType());
    for (unsigned I = 0; I < V->getNumElements(); ++I)
      Result.push_back({hostType(V->getElementType()), I * Size, {I}});
  } else {
    Result.push_back({hostType(Ty), 0, {}});
  }
  return Result;
}

Value *WarpBuilder::splat(Value *V) {
  return B.CreateVectorSplat(HEDDLE_WARP_SIZE, V);
}

/// Lane l holds Stride times its place in its segment.
Constant *WarpBuilder::laneIndices(Type *IntTy, int64_t Stride) {
  SmallVector<Constant *> Elements;
  for (unsigned L = 0; L < HEDDLE_WARP_SIZE; ++L)
    Elements.push_back(ConstantInt::getSigned(
        IntTy, Stride * int64_t(L % Geometry.lanesPerSegment()), true));
  return ConstantVector::get(Elements);
}

Value *WarpBuilder::joinSegments(ArrayRef<Value *> Segments) {
  if (Segments.size() == 1)
    return Segments[0];
  SmallVector<Value *> Level(Segments);
  while (Level.size() > 1) {
    SmallVector<Value *> Next;
    for (unsigned I = 0; I < Level.size(); I += 2) {
      unsigned N = cast<FixedVectorType>(Level[I]->getType())->getNumElements();
      SmallVector<int> Order;
      for (unsigned E = 0; E < 2 * N; ++E)
        Order.push_back(E);
      Next.push_back(B.CreateShuffleVector(Level[I], Level[I + 1], Order));
    }
    Level = Next;
  }
  return Level[0];
}

Value *WarpBuilder::segment(Value *V, unsigned S) {
  if (Geometry.Segments <= 1)
    return V;
  SmallVector<int> Order;
  for (unsigned L = 0; L < Geometry.lanesPerSegment(); ++L)
    Order.push_back(S * Geometry.lanesPerSegment() + L);
  return B.CreateShuffleVector(V, Order);
}

Value *WarpBuilder::affineLanes(ArrayRef<Value *> Bases, int64_t Stride) {
  SmallVector<Value *> Splats;
  for (Value *Base : Bases)
    Splats.push_back(
        B.CreateVectorSplat(HEDDLE_WARP_SIZE / Bases.size(), Base));
  Value *V = joinSegments(Splats);
  if (!Stride)
    return V;
  if (V->getType()->getScalarType()->isPointerTy())
    return B.CreateGEP(I8, V, laneIndices(I64, Stride));
  return B.CreateAdd(V, laneIndices(V->getType()->getScalarType(), Stride));
}

Value *WarpBuilder::component(Value *Aggregate, Type *Ty,
                              ArrayRef<unsigned> Path) {
  if (Path.empty())
    return Aggregate;
  if (isa<FixedVectorType>(Ty))
    return B.CreateExtractElement(Aggregate, Path[0]);
  Value *Inner = B.CreateExtractValue(Aggregate, Path[0]);
  return component(Inner, Inner->getType(), Path.drop_front());
}

Value *WarpBuilder::maskLanes(Value *Bits) {
  return B.CreateBitCast(Bits, lanesOf(I1));
}

Value *WarpBuilder::bitsOf(Value *Lanes) {
  // Inactive lanes may be poison, which must not spread to the others.
  return B.CreateBitCast(B.CreateFreeze(Lanes), I32);
}

/// The value of the first active lane.
Value *WarpBuilder::firstLane(Value *Lanes) {
  Value *Lane = B.CreateBinaryIntrinsic(Intrinsic::cttz, Mask, B.getTrue());
  return B.CreateExtractElement(Lanes, Lane);
}

/// Constants in the host's types. Undefined values become zero, so that every
/// run and every engine sees the same.
Value *WarpBuilder::hostConstant(Constant *C) {
  Type *Ty = hostType(C->getType());
  if (isa<UndefValue>(C) || isa<ConstantPointerNull>(C) ||
      isa<ConstantAggregateZero>(C))
    return Constant::getNullValue(Ty);
  if (auto *GV = dyn_cast<GlobalVariable>(C)) {
    uint64_t Address = Options.GlobalAddress(GV->getName());
    if (GV->getAddressSpace() == 3)
      return B.CreateConstInBoundsGEP1_64(I8, Shared, Address);
    return ConstantExpr::getIntToPtr(ConstantInt::get(I64, Address), Ptr);
  }
  if (auto *E = dyn_cast<ConstantExpr>(C)) {
    Value *Op = hostConstant(E->getOperand(0));
    if (E->getOpcode() == Instruction::AddrSpaceCast)
      return Op;
    if (E->isCast())
      return B.CreateCast(Instruction::CastOps(E->getOpcode()), Op, Ty);
    if (auto *GEP = dyn_cast<GEPOperator>(E)) {
      SmallVector<Value *> Indices;
      for (Value *Index : GEP->indices())
        Indices.push_back(hostConstant(cast<Constant>(Index)));
      return B.CreateGEP(hostType(GEP->getSourceElementType()), Op, Indices);
    }
    if (E->getNumOperands() == 2)
      return B.CreateBinOp(Instruction::BinaryOps(E->getOpcode()), Op,
                           hostConstant(E->getOperand(1)));
  }
  if (isa<ConstantAggregate>(C)) {
    Value *Result = Constant::getNullValue(Ty);
    for (unsigned I = 0; I < C->getNumOperands(); ++I) {
      Value *Element = hostConstant(cast<Constant>(C->getOperand(I)));
      Result = Ty->isVectorTy() ? B.CreateInsertElement(Result, Element, I)
                                : B.CreateInsertValue(Result, Element, I);
    }
    return Result;
  }
  return C;
}

Parts WarpBuilder::parts(Value *V) {
  if (auto *C = dyn_cast<Constant>(V))
    return {hostConstant(C)};
  if (isa<Argument>(V))
    return {Arguments.lookup(V)};
  auto It = Current.find(V);
  if (It != Current.end())
    return It->second;
  Parts P;
  for (AllocaInst *Slot : Slots.lookup(V))
    P.push_back(B.CreateLoad(Slot->getAllocatedType(), Slot));
  Current[V] = P;
  return P;
}

Value *WarpBuilder::scalar(Value *V) { return parts(V)[0]; }

Parts WarpBuilder::bases(Value *V) {
  Parts P = parts(V);
  if (shape(V).Kind == Shape::Uniform)
    P.assign(std::max(1u, Geometry.Segments), P[0]);
  return P;
}

Value *WarpBuilder::lanes(Value *V, unsigned LeafIndex) {
  Shape S = shape(V);
  if (S.Kind == Shape::Uniform) {
    Value *Whole = scalar(V);
    return splat(component(Whole, Whole->getType(),
                           leavesOf(V->getType())[LeafIndex].Path));
  }
  Parts P = parts(V);
  return S.Kind == Shape::Affine ? affineLanes(P, S.Stride) : P[LeafIndex];
}

Parts WarpBuilder::allLanes(Value *V) {
  if (shape(V).Kind == Shape::Lanes)
    return parts(V);
  Parts P;
  for (unsigned I = 0, E = leavesOf(V->getType()).size(); I < E; ++I)
    P.push_back(lanes(V, I));
  return P;
}

void WarpBuilder::storeSlot(const Value *V, ArrayRef<Value *> P,
                            Value *BlendMask) {
  auto It = Slots.find(V);
  if (It == Slots.end())
    return;
  for (auto [Slot, Part] : zip_equal(It->second, P)) {
    Value *New = Part;
    if (BlendMask && New->getType()->isVectorTy() &&
        shape(V).Kind == Shape::Lanes)
      New = B.CreateSelect(BlendMask, New,
                           B.CreateLoad(Slot->getAllocatedType(), Slot));
    B.CreateStore(New, Slot);
  }
}

void WarpBuilder::set(Instruction &I, Parts P) {
  // Computed as a scalar but kept by lane.
  if (shape(&I).Kind == Shape::Lanes && P.size() == 1 &&
      P[0]->getType() == hostType(I.getType())) {
    Value *Whole = P[0];
    P.clear();
    for (const Leaf &Each : leavesOf(I.getType()))
      P.push_back(splat(component(Whole, Whole->getType(), Each.Path)));
  }
  bool Blends = !Single && Flow.isOverrun(I.getParent());
  storeSlot(&I, P, Blends ? MaskVector : nullptr);
  Current[&I] = std::move(P);
}

} // namespace heddle
