//===- Clusters.cpp - Addresses in the shared memory of a cluster ---------===//
//
// mapa, getctarank and isspacep: a few operations on the address, since the
// windows of a cluster lie one after the other (ABI/WarpKernel.h).
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/ABI/AddressMap.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cstddef>

using namespace llvm;

namespace heddle {

/// The address that \p Address has in the block of rank \p Rank. Ranks that the
/// cluster does not have end where every access faults.
Value *WarpBuilder::mapAddress(Value *Address, Value *Rank) {
  Type *Ty = Address->getType();
  auto same = [&](Value *V) {
    return Ty->isVectorTy()
               ? B.CreateVectorSplat(cast<VectorType>(Ty)->getElementCount(), V)
               : V;
  };
  Value *Blocks = same(
      B.CreateZExt(loadField(offsetof(HeddleWarp, ClusterBlocks), I32), I64));
  Value *Shift =
      B.CreateZExt(loadField(offsetof(HeddleWarp, WindowShift), I32), I64);
  Value *Base = loadField(offsetof(HeddleWarp, ClusterShared), I64);
  Value *Inside = B.CreateSub(B.CreateShl(B.getInt64(1), Shift), B.getInt64(1));
  Value *Wide = B.CreateZExt(Rank, Ty);
  Value *Within = B.CreateSelect(B.CreateICmpULT(Wide, Blocks), Wide, Blocks);
  return B.CreateAdd(B.CreateAdd(same(Base), B.CreateShl(Within, same(Shift))),
                     B.CreateAnd(Address, same(Inside)));
}

/// The rank of the block that \p Address lies in.
Value *WarpBuilder::rankOf(Value *Address) {
  Type *Ty = Address->getType();
  auto same = [&](Value *V) {
    return Ty->isVectorTy()
               ? B.CreateVectorSplat(cast<VectorType>(Ty)->getElementCount(), V)
               : V;
  };
  Value *Shift =
      B.CreateZExt(loadField(offsetof(HeddleWarp, WindowShift), I32), I64);
  Value *Base = loadField(offsetof(HeddleWarp, ClusterShared), I64);
  return B.CreateLShr(B.CreateSub(Address, same(Base)), same(Shift));
}

bool WarpBuilder::lowerClusterAddress(CallInst &I) {
  const Intrinsic::ID ID = I.getIntrinsicID();
  const bool Maps =
      ID == Intrinsic::nvvm_mapa || ID == Intrinsic::nvvm_mapa_shared_cluster;
  const bool Asks = ID == Intrinsic::nvvm_getctarank ||
                    ID == Intrinsic::nvvm_getctarank_shared_cluster;
  const bool Own = ID == Intrinsic::nvvm_isspacep_shared;
  if (!Maps && !Asks && !Own)
    return false;
  auto compute = [&](Value *P, Value *Rank) -> Value * {
    Type *Ty = P->getType()->getWithNewType(I64);
    Value *Address = B.CreatePtrToInt(P, Ty);
    if (Maps)
      return B.CreateIntToPtr(mapAddress(Address, Rank), P->getType());
    if (Asks)
      return B.CreateTrunc(rankOf(Address), Ty->getWithNewType(I32));
    Value *Mine =
        B.CreateZExt(loadField(offsetof(HeddleWarp, ClusterRank), I32), I64);
    if (Ty->isVectorTy())
      Mine = B.CreateVectorSplat(cast<VectorType>(Ty)->getElementCount(), Mine);
    return B.CreateICmpEQ(rankOf(Address), Mine);
  };
  Value *P = I.getArgOperand(0), *Rank = Maps ? I.getArgOperand(1) : nullptr;
  if (shape(&I).Kind == Shape::Uniform)
    set(I, {compute(scalar(P), Rank ? scalar(Rank) : nullptr)});
  else
    setLanes(I, compute(lanes(P), Rank ? lanes(Rank) : nullptr));
  return true;
}

} // namespace heddle
