//===- InferAllAddressSpaces.cpp - Address spaces of volatile accesses too ===//

#include "Passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

using namespace llvm;

namespace heddle {

PreservedAnalyses InferAllAddressSpacesPass::run(Function &F,
                                                 FunctionAnalysisManager &AM) {
  SmallVector<Instruction *, 8> Volatile;
  bool Changed = false;
  auto SetVolatile = [](Instruction &I, bool To) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->setVolatile(To);
    cast<StoreInst>(I).setVolatile(To);
  };
  for (Instruction &I : instructions(F)) {
    if ((isa<LoadInst, StoreInst>(I)) && I.isVolatile()) {
      Volatile.push_back(&I);
      SetVolatile(I, false);
    } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
      Changed |= RMW->isVolatile();
      RMW->setVolatile(false); // means nothing more for an atomic
    } else if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I)) {
      Changed |= CAS->isVolatile();
      CAS->setVolatile(false);
    }
  }
  PreservedAnalyses Preserved = InferAddressSpacesPass().run(F, AM);
  // That pass gives accesses other operands and makes no new ones.
  for (Instruction *I : Volatile)
    SetVolatile(*I, true);
  if (Changed)
    Preserved.intersect(preserved(true, /*KeepsFlow=*/true));
  return Preserved;
}

} // namespace heddle
