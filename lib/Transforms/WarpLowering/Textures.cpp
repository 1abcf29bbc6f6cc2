//===- Textures.cpp - Texture and surface instructions --------------------===//
//
// One call of the runtime for all lanes (ABI/TextureOps.h).
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/Analysis/TextureOperation.h"
#include "heddle/Transforms/ControlSlice.h"

#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace heddle {

/// The lanes' values \p Of, each a row of \p Element's; of null: zeros.
AllocaInst *WarpBuilder::spillRows(ArrayRef<const Value *> Of, Type *Element) {
  Type *Row = ArrayType::get(Element, HEDDLE_WARP_SIZE);
  AllocaInst *Rows = entryAlloca(
      ArrayType::get(Row, std::max<size_t>(Of.size(), 1)), "texture", 64);
  for (auto [N, Given] : enumerate(Of)) {
    auto *V = const_cast<Value *>(Given);
    Value *Words = Constant::getNullValue(lanesOf(Element));
    if (V && V->getType()->isFloatTy())
      Words = B.CreateBitCast(lanes(V), lanesOf(Element));
    else if (V)
      Words = B.CreateZExt(lanes(V), lanesOf(Element));
    B.CreateAlignedStore(Words, B.CreateConstInBoundsGEP1_64(Row, Rows, N),
                         Align(64));
  }
  return Rows;
}

/// The registers that a load of a surface writes, from rows of 64-bit words.
Parts WarpBuilder::reloadRows(Type *Ty, AllocaInst *Rows) {
  SmallVector<Type *, 4> Registers(1, Ty);
  if (auto *Struct = dyn_cast<StructType>(Ty))
    Registers.assign(Struct->element_begin(), Struct->element_end());
  Type *Row = ArrayType::get(I64, HEDDLE_WARP_SIZE);
  Parts Result;
  for (auto [N, Of] : enumerate(Registers)) {
    Value *V = B.CreateAlignedLoad(
        lanesOf(I64), B.CreateConstInBoundsGEP1_64(Row, Rows, N), Align(64));
    Result.push_back(B.CreateTrunc(V, lanesOf(Of)));
  }
  return Result;
}

bool WarpBuilder::lowerTexture(CallInst &I) {
  const auto O = textureOperation(I);
  if (!O)
    return false;
  const bool Observes =
      O->numRecords() && (Options.Counters || Options.OnMemory);
  if (isAddressOnly(I) && !Observes)
    return true;
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  Value *Data = None, *Records = None;
  if (!isAddressOnly(I))
    Data = O->isStore() ? spillRows(O->Data, I64)
           : O->isSurface()
               ? spillRows(SmallVector<const Value *>(O->Shape.Elements), I64)
               : spillRows(SmallVector<const Value *>(4), I32);
  if (Observes)
    Records =
        spillRows(SmallVector<const Value *>(HEDDLE_TEXTURE_RECORDS), I64);
  Value *Traps = callHost(hostFunction("heddleTexture", heddleTexture), I32,
                          {B.getInt64(O->shapeBits()), Mask,
                           spillRows({O->Handle, O->Sampler}, I64),
                           spillRows(O->Coordinates, I32), Data, Records});
  if (O->isSurface() && O->Shape.Mode == HEDDLE_SURFACE_TRAP)
    failIfAny(Traps, I, HEDDLE_ERROR_TRAP);
  for (unsigned N = 0; Observes && N < O->numRecords(); ++N)
    observeLanes(Clone.memoryNumber(&I) + N,
                 B.CreateConstInBoundsGEP1_64(
                     ArrayType::get(I64, HEDDLE_WARP_SIZE), Records, N),
                 Mask);
  if (isAddressOnly(I) || I.getType()->isVoidTy())
    return true;
  auto *Rows = cast<AllocaInst>(Data);
  set(I, O->isSurface() ? reloadRows(I.getType(), Rows)
                        : reloadRegisters(I.getType(), Rows, I32));
  return true;
}

} // namespace heddle
