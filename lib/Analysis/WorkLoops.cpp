//===- WorkLoops.cpp - Loops that take work from a counter ----------------===//

#include "heddle/Analysis/WorkLoops.h"

#include "heddle/Analysis/PollingLoops.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

static bool isCounter(const AtomicRMWInst &RMW) {
  switch (RMW.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::UIncWrap:
  case AtomicRMWInst::UDecWrap:
    return !RMW.use_empty();
  default:
    return false;
  }
}

namespace {
/// What follows from the result of an atomic: values, and what is read where
/// such a value was written in the memory of a block.
class Followers {
public:
  explicit Followers(const AtomicRMWInst &From) {
    Values.insert(&From);
    for (unsigned N = 0; N < Values.size(); ++N)
      for (const User *U : Values[N]->users())
        if (const auto *I = dyn_cast<Instruction>(U))
          follow(*I, *Values[N]);
  }
  bool contains(const Value *V) const { return Values.contains(V); }

private:
  void follow(const Instruction &I, const Value &Of);
  void followFlags(const BasicBlock &From, const BasicBlock &To);

  SmallSetVector<const Value *, 32> Values;
};
} // namespace

/// \p I uses \p Of, which follows.
void Followers::follow(const Instruction &I, const Value &Of) {
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    if (Store->getValueOperand() != &Of ||
        !pointsIntoBlock(Store->getPointerOperand()))
      return;
    const Value *Object = getUnderlyingObject(Store->getPointerOperand());
    const bool IsKnown = isa<GlobalVariable, AllocaInst>(Object);
    for (const Instruction &Other : instructions(*I.getFunction()))
      if (const auto *Load = dyn_cast<LoadInst>(&Other);
          Load && pointsIntoBlock(Load->getPointerOperand()) &&
          (!IsKnown ||
           getUnderlyingObject(Load->getPointerOperand()) == Object))
        Values.insert(Load);
    return;
  }
  const auto *Br = dyn_cast<BranchInst>(&I);
  if (!Br) {
    Values.insert(&I);
    return;
  }
  for (const BasicBlock *To : Br->successors()) {
    followFlags(*Br->getParent(), *To);
    for (const BasicBlock *Joined : successors(To))
      followFlags(*To, *Joined);
  }
}

/// What is constant where control comes to \p To from \p From: a flag that says
/// which way was gone.
void Followers::followFlags(const BasicBlock &From, const BasicBlock &To) {
  for (const PHINode &Phi : To.phis())
    if (isa<ConstantInt>(Phi.getIncomingValueForBlock(&From)))
      Values.insert(&Phi);
}

static bool decidesAnotherRound(const Followers &Result, const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return any_of(Exiting, [&](const BasicBlock *B) {
    const auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    return Br && Br->isConditional() && Result.contains(Br->getCondition());
  });
}

SmallVector<WorkLoop, 2> workLoops(const Function &Kernel) {
  SmallVector<WorkLoop, 2> Found;
  auto MayCount = [](const Instruction &I) {
    const auto *RMW = dyn_cast<AtomicRMWInst>(&I);
    return RMW && isCounter(*RMW);
  };
  if (none_of(instructions(Kernel), MayCount))
    return Found;
  DominatorTree DT(const_cast<Function &>(Kernel));
  LoopInfo Loops(DT);
  for (const Instruction &I : instructions(Kernel)) {
    if (!MayCount(I))
      continue;
    const auto &Counter = cast<AtomicRMWInst>(I);
    const Followers Result(Counter);
    for (const Loop *L = Loops.getLoopFor(I.getParent()); L;
         L = L->getParentLoop())
      if (isSameInRounds(Counter.getPointerOperand(), *L) &&
          decidesAnotherRound(Result, *L)) {
        Found.push_back({L->getHeader(), &Counter});
        break;
      }
  }
  return Found;
}

bool sharesWork(const Function &Kernel) {
  return any_of(workLoops(Kernel), [](const WorkLoop &L) {
    return !pointsIntoBlock(L.Counter->getPointerOperand());
  });
}

} // namespace heddle
