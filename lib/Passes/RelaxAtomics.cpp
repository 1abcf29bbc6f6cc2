//===- RelaxAtomics.cpp - Ordered atomics as relaxed ones with fences -----===//
//
// PTX has orders of atomics from sm_70 on. Before, an ordered one is a relaxed
// one between memory barriers, which is how CUDA's own headers write it there.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle {

static void addFences(Instruction &I, AtomicOrdering Ordering,
                      SyncScope::ID Scope) {
  if (!isStrongerThanMonotonic(Ordering))
    return;
  IRBuilder<> B(&I);
  if (isReleaseOrStronger(Ordering))
    B.CreateFence(AtomicOrdering::Release, Scope);
  if (isAcquireOrStronger(Ordering)) {
    B.SetInsertPoint(I.getNextNode());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    B.CreateFence(AtomicOrdering::Acquire, Scope);
  }
}

PreservedAnalyses RelaxAtomicsPass::run(Function &F,
                                        FunctionAnalysisManager &) {
  StringRef Arch = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  constexpr unsigned FirstWithOrders = 70;
  if (!Arch.consume_front("sm_") || Arch.consumeInteger(10, Number) ||
      Number >= FirstWithOrders)
    return PreservedAnalyses::all();
  bool Changed = false;
  auto Relax = [&](auto &Access, AtomicOrdering Ordering, auto Set) {
    if (Ordering == AtomicOrdering::Monotonic ||
        Ordering == AtomicOrdering::Unordered)
      return;
    addFences(Access, Ordering, Access.getSyncScopeID());
    Set(AtomicOrdering::Monotonic);
    Changed = true;
  };
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
      Relax(*RMW, RMW->getOrdering(),
            [&](AtomicOrdering O) { RMW->setOrdering(O); });
    else if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
      Relax(*CAS, CAS->getMergedOrdering(), [&](AtomicOrdering O) {
        CAS->setSuccessOrdering(O);
        CAS->setFailureOrdering(O);
      });
    else if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isAtomic())
      Relax(*Load, Load->getOrdering(),
            [&](AtomicOrdering O) { Load->setOrdering(O); });
    else if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->isAtomic())
      Relax(*Store, Store->getOrdering(),
            [&](AtomicOrdering O) { Store->setOrdering(O); });
  }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
