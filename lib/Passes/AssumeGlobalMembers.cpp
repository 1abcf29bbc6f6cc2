//===- AssumeGlobalMembers.cpp - What pointers in arguments point to ------===//

#include "Passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

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

PreservedAnalyses AssumeGlobalMembersPass::run(Function &F,
                                               FunctionAnalysisManager &) {
  if (!isKernel(F))
    return PreservedAnalyses::all();
  SmallVector<LoadInst *, 8> Members;
  for (Instruction &I : instructions(F)) {
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
  return preserved(!Members.empty(), /*KeepsFlow=*/true);
}

} // namespace heddle
