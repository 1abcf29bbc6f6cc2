//===- KernelArguments.cpp - What kernel arguments point to ---------------===//

#include "Passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// Whether memory behind the byval argument is only read, by plain loads and
/// copies out of it.
static bool isOnlyRead(const Value *Pointer) {
  return all_of(Pointer->users(), [&](const User *U) {
    if (isa<LoadInst>(U))
      return true;
    if (isa<GetElementPtrInst>(U) || isa<AddrSpaceCastInst>(U))
      return isOnlyRead(U);
    if (const auto *Copy = dyn_cast<MemTransferInst>(U))
      return Copy->getRawSource() == Pointer && Copy->getRawDest() != Pointer;
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(U);
    return Intrinsic && Intrinsic->isAssumeLikeIntrinsic();
  });
}

void copyWrittenStructs(Function &Kernel) {
  const DataLayout &DL = Kernel.getDataLayout();
  IRBuilder<> Builder(&*Kernel.getEntryBlock().getFirstInsertionPt());
  for (Argument &Arg : Kernel.args()) {
    if (!Arg.hasByValAttr() || isOnlyRead(&Arg))
      continue;
    Type *T = Arg.getParamByValType();
    Align Alignment = Arg.getParamAlign().value_or(DL.getABITypeAlign(T));
    AllocaInst *Copy =
        Builder.CreateAlloca(T, nullptr, Arg.getName() + ".copy");
    Copy->setAlignment(Alignment);
    Arg.replaceAllUsesWith(Copy);
    Builder.CreateMemCpy(Copy, Alignment, &Arg, Alignment,
                         DL.getTypeAllocSize(T));
  }
}

/// All uses of the generic pointer \p Pointer go through a pair of casts, which
/// address-space inference dissolves.
static void assumeGlobal(Instruction *Pointer) {
  IRBuilder<> Builder(Pointer->getNextNode());
  Type *Generic = Pointer->getType();
  auto *Global =
      PointerType::get(Generic->getContext(), NVPTXAS::ADDRESS_SPACE_GLOBAL);
  Value *In = Builder.CreateAddrSpaceCast(Pointer, Global);
  Value *Out = Builder.CreateAddrSpaceCast(In, Generic);
  Pointer->replaceUsesWithIf(Out, [&](Use &U) { return U.getUser() != In; });
}

void assumeGlobalMembers(Function &Kernel) {
  SmallVector<LoadInst *, 8> Members;
  for (Instruction &I : instructions(Kernel)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->getType()->isPointerTy() ||
        Load->getType()->getPointerAddressSpace() != 0)
      continue;
    auto *Arg =
        dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()));
    if (Arg && Arg->hasByValAttr())
      Members.push_back(Load);
  }
  for (LoadInst *Load : Members)
    assumeGlobal(Load);
}

} // namespace heddle
