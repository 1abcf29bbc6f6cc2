//===- NumberFunctions.cpp - Addresses of functions as numbers ------------===//

#include "Passes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

PreservedAnalyses NumberFunctionsPass::run(Module &M, ModuleAnalysisManager &) {
  // Small, distinct, and no address of device memory.
  uint64_t Number = 1;
  for (Function &F : M) {
    if (F.isIntrinsic() || !F.hasAddressTaken())
      continue;
    LLVMContext &Context = M.getContext();
    Constant *Value = ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(Context), 16 * Number++),
        F.getType());
    F.replaceUsesWithIf(Value, [](const Use &U) {
      const auto *Call = dyn_cast<CallBase>(U.getUser());
      return !Call || !Call->isCallee(&U);
    });
  }
  return preserved(Number != 1);
}

} // namespace heddle
