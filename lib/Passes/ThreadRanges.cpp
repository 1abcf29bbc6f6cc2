//===- ThreadRanges.cpp - What nvcc knows of threadIdx --------------------===//
//
//   for (int i = threadIdx.x; i < 256; i += 128)
//
// LLVM knows that threadIdx is below 1024, or below the largest block of the
// kernel, and finds that this loop runs at most twice. nvcc 12.4 and 13.0 use
// nothing of that, not even that threadIdx is not negative; they count the
// iterations when the kernel runs.
//
//   a[threadIdx.x + 8]
//
// The back end knows it again. nvcc splits constants off the addresses of
// global memory, too, if threadIdx is all that is added, although a sum of 32
// bits might wrap. (Of shared memory it splits off all: SplitSharedOffsets.)
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

static bool readsRegister(const Function &F) {
  return F.getName().starts_with("llvm.nvvm.read.ptx.sreg.");
}

PreservedAnalyses ForgetThreadRangesPass::run(Module &M,
                                              ModuleAnalysisManager &) {
  for (Function &F : M) {
    if (!readsRegister(F))
      continue;
    F.removeRetAttr(Attribute::Range);
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Call->removeRetAttr(Attribute::Range);
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses RecallThreadRangesPass::run(Function &F,
                                              FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    // The size of a warp is known to no one.
    if (!Call || !readsRegister(*Call->getCalledFunction()) ||
        Call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_warpsize)
      continue;
    const Attribute Range =
        Intrinsic::getAttributes(I.getContext(), Call->getIntrinsicID(),
                                 Call->getFunctionType())
            .getRetAttr(Attribute::Range);
    if (!Range.isValid())
      continue;
    Call->addRetAttr(Range);
    Changed = true;
  }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
