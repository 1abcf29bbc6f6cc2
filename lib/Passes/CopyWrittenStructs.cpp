//===- CopyWrittenStructs.cpp - Struct arguments as local variables -------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

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

PreservedAnalyses CopyWrittenStructsPass::run(Function &F,
                                              FunctionAnalysisManager &) {
  if (!isKernel(F))
    return PreservedAnalyses::all();
  const DataLayout &DL = F.getDataLayout();
  IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
  bool Changed = false;
  for (Argument &Arg : F.args()) {
    // Where the argument says that it lies in PARAM, nothing writes it.
    if (!Arg.hasByValAttr() || Arg.getType() != Builder.getPtrTy() ||
        isOnlyRead(&Arg))
      continue;
    Type *T = Arg.getParamByValType();
    Align Alignment = Arg.getParamAlign().value_or(DL.getABITypeAlign(T));
    AllocaInst *Copy =
        Builder.CreateAlloca(T, nullptr, Arg.getName() + ".copy");
    Copy->setAlignment(Alignment);
    Arg.replaceAllUsesWith(
        Builder.CreateAddrSpaceCast(Copy, Builder.getPtrTy()));
    Builder.CreateMemCpy(Copy, Alignment, &Arg, Alignment,
                         DL.getTypeAllocSize(T));
    Changed = true;
  }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
