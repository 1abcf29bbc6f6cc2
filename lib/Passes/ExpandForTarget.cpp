//===- ExpandForTarget.cpp - What the architecture has no instruction for -===//

#include "Passes.h"

#include "llvm/CodeGen/AtomicExpand.h"
#include "llvm/CodeGen/ExpandIRInsts.h"
#include "llvm/CodeGen/LibcallLoweringInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace heddle {

/// The word around a half whose atomic operation is expanded, in the one
/// spelling of such an address.
static void expandMasks(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || Call->getIntrinsicID() != Intrinsic::ptrmask)
      continue;
    IRBuilder<> B(Call);
    Value *Mask = Call->getArgOperand(1);
    Value *Address = B.CreatePtrToInt(Call->getArgOperand(0), Mask->getType());
    Call->replaceAllUsesWith(
        B.CreateIntToPtr(B.CreateAnd(Address, Mask), Call->getType()));
    Call->eraseFromParent();
  }
}

PreservedAnalyses ExpandForTargetPass::run(Module &M,
                                           ModuleAnalysisManager &AM) {
  std::unique_ptr<TargetMachine> TM = targetMachineOf(M);
  if (!TM)
    return PreservedAnalyses::all();
  // Function passes may only look at what a module analysis has found before;
  // without it the expansion of atomics reports an error and does nothing.
  AM.getResult<LibcallLoweringModuleAnalysis>(M);
  FunctionPassManager FPM;
  FPM.addPass(ExpandIRInstsPass(*TM, TM->getOptLevel()));
  FPM.addPass(AtomicExpandPass(*TM));
  PreservedAnalyses Kept =
      createModuleToFunctionPassAdaptor(std::move(FPM)).run(M, AM);
  for (Function &F : M)
    expandMasks(F);
  return Kept;
}

} // namespace heddle
