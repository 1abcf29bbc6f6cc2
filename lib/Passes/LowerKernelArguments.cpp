//===- LowerKernelArguments.cpp - What kernel arguments point to ----------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// \p Pointer, generic by type, is known to point to global memory: all other
/// uses go through a pair of casts that address-space inference dissolves.
static void assumeGlobal(Value *Pointer, Instruction *Before) {
  IRBuilder<> Builder(Before);
  Type *Generic = Pointer->getType();
  auto *Global =
      PointerType::get(Generic->getContext(), NVPTXAS::ADDRESS_SPACE_GLOBAL);
  Value *In = Builder.CreateAddrSpaceCast(Pointer, Global);
  Value *Out = Builder.CreateAddrSpaceCast(In, Generic);
  Pointer->replaceUsesWithIf(Out, [&](Use &U) { return U.getUser() != In; });
}

/// Whether memory behind the byval argument is only read, by plain loads and
/// copies out of it.
static bool isOnlyRead(const Value *Pointer,
                       SmallVectorImpl<LoadInst *> &PointerLoads) {
  for (const User *U : Pointer->users()) {
    if (auto *Load = dyn_cast<LoadInst>(U)) {
      if (Load->getType()->isPointerTy())
        PointerLoads.push_back(const_cast<LoadInst *>(Load));
      continue;
    }
    if (isa<GetElementPtrInst>(U) || isa<AddrSpaceCastInst>(U)) {
      if (!isOnlyRead(U, PointerLoads))
        return false;
      continue;
    }
    if (const auto *Copy = dyn_cast<MemTransferInst>(U);
        Copy && Copy->getRawSource() == Pointer &&
        Copy->getRawDest() != Pointer)
      continue;
    if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(U);
        Intrinsic && Intrinsic->isAssumeLikeIntrinsic())
      continue;
    return false;
  }
  return true;
}

static void copyToLocal(Argument &Arg, Instruction *Before) {
  const DataLayout &DL = Arg.getParent()->getDataLayout();
  IRBuilder<> Builder(Before);
  Type *T = Arg.getParamByValType();
  Align Alignment = Arg.getParamAlign().value_or(DL.getABITypeAlign(T));
  AllocaInst *Copy = Builder.CreateAlloca(T, nullptr, Arg.getName() + ".copy");
  Copy->setAlignment(Alignment);
  Arg.replaceAllUsesWith(Copy);
  Builder.CreateMemCpy(Copy, Alignment, &Arg, Alignment,
                       DL.getTypeAllocSize(T));
}

void lowerKernelArguments(Function &Kernel) {
  Instruction *Before = &*Kernel.getEntryBlock().getFirstInsertionPt();
  for (Argument &Arg : Kernel.args()) {
    if (!Arg.getType()->isPointerTy())
      continue;
    if (!Arg.hasByValAttr()) {
      if (Arg.getType()->getPointerAddressSpace() == 0)
        assumeGlobal(&Arg, Before);
      continue;
    }
    SmallVector<LoadInst *, 4> PointerLoads;
    if (!isOnlyRead(&Arg, PointerLoads)) {
      copyToLocal(Arg, Before);
      continue;
    }
    for (LoadInst *Load : PointerLoads)
      if (Load->getType()->getPointerAddressSpace() == 0)
        assumeGlobal(Load, Load->getNextNode());
  }
}

} // namespace heddle
