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

void relaxAtomics(Function &F, StringRef Arch) {
  unsigned Number = 0;
  constexpr unsigned FirstWithOrders = 70;
  if (!Arch.consume_front("sm_") || Arch.consumeInteger(10, Number) ||
      Number >= FirstWithOrders)
    return;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
      addFences(I, RMW->getOrdering(), RMW->getSyncScopeID());
      RMW->setOrdering(AtomicOrdering::Monotonic);
    } else if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I)) {
      addFences(I, CAS->getMergedOrdering(), CAS->getSyncScopeID());
      CAS->setSuccessOrdering(AtomicOrdering::Monotonic);
      CAS->setFailureOrdering(AtomicOrdering::Monotonic);
    } else if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isAtomic()) {
      addFences(I, Load->getOrdering(), Load->getSyncScopeID());
      Load->setOrdering(AtomicOrdering::Monotonic);
    } else if (auto *Store = dyn_cast<StoreInst>(&I);
               Store && Store->isAtomic()) {
      addFences(I, Store->getOrdering(), Store->getSyncScopeID());
      Store->setOrdering(AtomicOrdering::Monotonic);
    }
  }
}

} // namespace heddle
