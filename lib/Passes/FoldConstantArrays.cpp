//===- FoldConstantArrays.cpp - Arrays that are no more than a constant ---===//
//
//   const float w[4] = {1, 2, 3, 4};   // a copy of a constant on the stack
//   sum += w[i];
//
// LLVM's instcombine reads the constant itself. It has to do so before address
// spaces are inferred: afterwards the accesses are known to be local, and a
// cast from global to local memory would stand between them and the constant.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

using namespace llvm;

namespace heddle {

/// Whether an array of \p F may be no more than the constant that it starts as.
static bool copiesConstants(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Copy = dyn_cast<MemTransferInst>(&I);
    const auto *From =
        Copy ? dyn_cast<GlobalVariable>(getUnderlyingObject(Copy->getSource()))
             : nullptr;
    return From &&
           (From->isConstant() ||
            From->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST) &&
           isa<AllocaInst>(getUnderlyingObject(Copy->getDest()));
  });
}

PreservedAnalyses FoldConstantArraysPass::run(Function &F,
                                              FunctionAnalysisManager &AM) {
  if (!copiesConstants(F))
    return PreservedAnalyses::all();
  return InstCombinePass(InstCombineOptions().setVerifyFixpoint(false))
      .run(F, AM);
}

} // namespace heddle
