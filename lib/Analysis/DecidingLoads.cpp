//===- DecidingLoads.cpp - What data a value depends on -------------------===//

#include "heddle/Analysis/LoopBounds.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {

/// Conditions of the branches between \p Phi's block and its dominator.
static void addControl(const PHINode &Phi, const DominatorTree &DT,
                       SmallVectorImpl<const Value *> &Out) {
  const DomTreeNode *Node = DT.getNode(Phi.getParent());
  if (!Node || !Node->getIDom())
    return;
  const BasicBlock *Top = Node->getIDom()->getBlock();
  // At the head of a loop with one way in and one around, nothing is chosen:
  // each iteration has its value.
  if (Phi.getNumIncomingValues() == 2 &&
      any_of(predecessors(Phi.getParent()), [&](const BasicBlock *P) {
        return DT.dominates(Phi.getParent(), P);
      }))
    return;
  SmallSetVector<const BasicBlock *, 16> Region;
  Region.insert_range(predecessors(Phi.getParent()));
  for (unsigned I = 0; I < Region.size() && I < 256; ++I) {
    const Instruction *End = Region[I]->getTerminator();
    if (const auto *Branch = dyn_cast<BranchInst>(End);
        Branch && Branch->isConditional())
      Out.push_back(Branch->getCondition());
    else if (const auto *Switch = dyn_cast<SwitchInst>(End))
      Out.push_back(Switch->getCondition());
    if (Region[I] != Top)
      Region.insert_range(predecessors(Region[I]));
  }
}

static bool isParameterLoad(const Instruction &I) {
  const auto *Arg = dyn_cast<Argument>(getUnderlyingObject(I.getOperand(0)));
  return isa<LoadInst>(I) && Arg && Arg->hasByValAttr();
}

std::vector<const Instruction *> decidingLoads(ArrayRef<const Value *> Roots,
                                               const DominatorTree &DT,
                                               unsigned Limit) {
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *, 64> Work(Roots.begin(), Roots.end());
  std::vector<const Instruction *> Found, Calls;
  for (unsigned Steps = 0; !Work.empty() && Steps < 20000; ++Steps) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I) ||
        (isa<LoadInst>(I) && !isParameterLoad(*I))) {
      Found.push_back(I);
      continue;
    }
    if (const auto *Phi = dyn_cast<PHINode>(I))
      addControl(*Phi, DT, Work);
    if (const auto *Call = dyn_cast<CallBase>(I))
      if (Call->isInlineAsm() ||
          (!isa<IntrinsicInst>(Call) && !Call->doesNotAccessMemory()))
        Calls.push_back(I);
    for (const Value *Operand : I->operands())
      Work.push_back(Operand);
  }
  // Memory that only a call has seen is named by the call.
  if (Found.empty())
    Found = std::move(Calls);
  // In the order of the source, to be read and compared.
  DenseMap<const Instruction *, unsigned> Order;
  for (const Instruction *I : Found)
    Order.try_emplace(I, Order.size());
  auto Key = [&](const Instruction *I) {
    const DebugLoc &Loc = I->getDebugLoc();
    return std::pair(Loc ? Loc.getLine() : 0, Order[I]);
  };
  llvm::sort(Found, [&](const Instruction *A, const Instruction *B) {
    return Key(A) < Key(B);
  });
  if (Found.size() > Limit)
    Found.resize(Limit);
  return Found;
}

std::string describeLoad(const Instruction &I, KernelExpressions &X) {
  const Expr *E = X.get(&I);
  std::string Text = X.pool().label(E).str();
  if (Text.empty())
    Text = isa<CallBase>(I) ? "call" : "load";
  std::string Line = sourceLineOf(I);
  return Line.empty() ? Text : Text + " at " + Line;
}

} // namespace heddle
