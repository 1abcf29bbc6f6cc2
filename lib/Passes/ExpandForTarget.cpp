//===- ExpandForTarget.cpp - What the architecture has no instruction for -===//

#include "Passes.h"

#include "llvm/CodeGen/AtomicExpand.h"
#include "llvm/CodeGen/ExpandIRInsts.h"
#include "llvm/CodeGen/LibcallLoweringInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace heddle {

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
  return createModuleToFunctionPassAdaptor(std::move(FPM)).run(M, AM);
}

} // namespace heddle
