//===- RunBackEnd.cpp - The IR half of the NVPTX back end as a pass -------===//

#include "Passes.h"

#include "heddle/PTX/BackEnd.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle {

PreservedAnalyses RunBackEndPass::run(Module &M, ModuleAnalysisManager &) {
  std::unique_ptr<TargetMachine> TM = targetMachineOf(M);
  if (!TM)
    return PreservedAnalyses::all();
  if (Error E = runBackEndIRPasses(M, TM->getTargetCPU()))
    M.getContext().diagnose(
        PassDiagnostic(DS_Error, "", toString(std::move(E))));
  // A loop that is run through less often than it was unrolled leaves its body.
  for (Function &F : M)
    if (!F.isDeclaration())
      EliminateUnreachableBlocks(F);
  return PreservedAnalyses::none();
}

} // namespace heddle
