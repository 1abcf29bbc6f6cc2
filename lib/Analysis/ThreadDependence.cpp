//===- ThreadDependence.cpp - What values depend on -----------------------===//

#include "heddle/Analysis/ThreadDependence.h"

#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/TextureOperation.h"
#include "heddle/Analysis/WarpGroup.h"

#include "heddle/Analysis/LoopBounds.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle {

AnalysisKey ThreadDependenceAnalysis::Key;

ThreadDependence ThreadDependenceAnalysis::run(Function &F,
                                               FunctionAnalysisManager &AM) {
  // Bounds first: values that loops leave behind are then formulas.
  AM.getResult<LoopBoundsAnalysis>(F);
  return ThreadDependence(AM.getResult<KernelExpressionsAnalysis>(F));
}

StringRef nameOf(ValueClass Class) {
  static constexpr const char *Names[] = {
      "uniform", "by block", "affine", "by thread", "data", "data by thread"};
  return Names[unsigned(Class)];
}

static const Value *conditionOf(const BasicBlock &B) {
  const Instruction *End = B.getTerminator();
  if (const auto *Branch = dyn_cast<BranchInst>(End))
    return Branch->isConditional() ? Branch->getCondition() : nullptr;
  if (const auto *Switch = dyn_cast<SwitchInst>(End))
    return Switch->getCondition();
  return nullptr;
}

/// The branches between \p Merge and its immediate dominator.
static SmallVector<const Value *, 4> conditionsOf(const BasicBlock &Merge,
                                                  const KernelExpressions &X) {
  SmallVector<const Value *, 4> Conditions;
  const DomTreeNode *Node = X.dominators().getNode(&Merge);
  if (!Node || !Node->getIDom())
    return Conditions;
  const BasicBlock *Top = Node->getIDom()->getBlock();
  const Loop *L = X.loopInfo().getLoopFor(&Merge);
  bool IsHeader = L && L->getHeader() == &Merge;
  SmallSetVector<const BasicBlock *, 16> Region;
  for (const BasicBlock *P : predecessors(&Merge))
    // Which iteration it is is the same for all threads that are in it.
    if (!IsHeader || !L->contains(P))
      Region.insert(P);
  for (unsigned I = 0; I < Region.size(); ++I) {
    if (const Value *Condition = conditionOf(*Region[I]))
      Conditions.push_back(Condition);
    if (Region[I] != Top)
      Region.insert_range(predecessors(Region[I]));
  }
  return Conditions;
}

ThreadDependence::ThreadDependence(KernelExpressions &X) : X(&X) {
  Function &F = X.function();
  for (const BasicBlock &B : F)
    if (isa<PHINode>(B.front()))
      Controls[&B] = conditionsOf(B, X);
  ReversePostOrderTraversal<Function *> Order(&F);
  // Masks only grow, so this ends.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *B : Order)
      for (Instruction &I : *B) {
        unsigned Old = Masks.lookup(&I), New = Old | compute(I);
        if (New == Old)
          continue;
        Masks[&I] = New;
        Changed = true;
      }
  }
}

unsigned ThreadDependence::of(const Value *V) const {
  return isa<Instruction>(V) ? Masks.lookup(V) : 0;
}

unsigned ThreadDependence::controlOf(const BasicBlock &Merge) const {
  unsigned Mask = 0;
  auto It = Controls.find(&Merge);
  if (It != Controls.end())
    for (const Value *Condition : It->second)
      Mask |= of(Condition);
  return Mask;
}

static unsigned ofCall(const CallBase &Call, KernelExpressions &X) {
  if (const Expr *E = X.get(&Call); E->Op != ExprOp::Opaque)
    return E->Depends & (OnThread | OnBlock);
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  // Lanes hand each other values here: what comes back is another thread's.
  if (Name.starts_with("llvm.nvvm.shfl.") ||
      Name.starts_with("llvm.nvvm.match.") || isMatrixOperation(Call) ||
      groupProduct(Call))
    return OnThread;
  if (Name.starts_with("llvm.nvvm.vote.") ||
      Name.starts_with("llvm.nvvm.redux."))
    return OnThread; // one value per warp, not per block
  if (const auto O = textureOperation(Call))
    return O->isQuestion() ? 0 : OnData;
  // Clocks and places on the machine: another value at each warp, or block.
  if (Name.contains(".sreg.clock") || Name.contains(".sreg.globaltimer"))
    return OnOpaque | OnThread;
  if (Name.starts_with("llvm.nvvm.read.ptx.sreg."))
    return OnOpaque | OnBlock;
  if (Call.isInlineAsm() || !isa<IntrinsicInst>(Call))
    return Call.doesNotAccessMemory() ? 0 : OnOpaque | OnThread;
  return 0;
}

unsigned ThreadDependence::compute(const Instruction &I) const {
  unsigned Mask = 0;
  for (const Value *Operand : I.operands()) {
    Mask |= of(Operand);
    // Threads may leave a loop at different iterations.
    const auto *Def = dyn_cast<Instruction>(Operand);
    if (!Def || isa<BasicBlock>(Operand))
      continue;
    const Loop *L = X->loopInfo().getLoopFor(Def->getParent());
    const BasicBlock *User = I.getParent();
    for (; L && !L->contains(User); L = L->getParentLoop()) {
      if (!(of(Operand) & OnIteration))
        continue;
      SmallVector<BasicBlock *, 4> Exiting;
      L->getExitingBlocks(Exiting);
      for (const BasicBlock *B : Exiting)
        if (const Value *Condition = conditionOf(*B))
          Mask |= of(Condition);
    }
  }
  if (isa<PHINode>(I)) {
    Mask |= controlOf(*I.getParent());
    const Loop *L = X->loopInfo().getLoopFor(I.getParent());
    if (L && L->getHeader() == I.getParent())
      Mask |= OnIteration;
  }
  if (isa<LoadInst>(I)) {
    const auto *Arg = dyn_cast<Argument>(getUnderlyingObject(I.getOperand(0)));
    if (!Arg || !Arg->hasByValAttr())
      Mask |= OnData;
    if (isa<AllocaInst>(getUnderlyingObject(I.getOperand(0))))
      Mask |= OnThread;
  }
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
    Mask |= OnData | OnThread;
  if (isa<AllocaInst>(I))
    Mask |= OnThread;
  if (const auto *Call = dyn_cast<CallBase>(&I))
    Mask |= ofCall(*Call, *X);
  return Mask;
}

ValueClass ThreadDependence::classOf(const Value *V) const {
  unsigned Mask = of(V);
  if (Mask & (OnData | OnOpaque))
    return Mask & OnThread ? ValueClass::DataThread : ValueClass::Data;
  if (Mask & OnThread) {
    AffineForm Form;
    const Expr *E = X->get(V);
    return !E->dependsOn(OnOpaque | OnState) &&
                   affineForm(E, OnThread | OnBlock, X->pool(), Form)
               ? ValueClass::Affine
               : ValueClass::ByThread;
  }
  return Mask & OnBlock ? ValueClass::ByBlock : ValueClass::Uniform;
}

void ThreadDependence::print(raw_ostream &OS) const {
  const Function &F = X->function();
  OS << "Thread dependence of " << F.getName() << ":\n";
  for (const Instruction &I : instructions(F)) {
    if (I.getType()->isVoidTy())
      continue;
    OS << "  " << nameOf(classOf(&I));
    if (of(&I) & OnIteration)
      OS << ", by iteration";
    OS << ": ";
    I.printAsOperand(OS, /*PrintType=*/false);
    const Expr *E = X->get(&I);
    if (!E->dependsOn(OnData | OnOpaque | OnState))
      OS << " = " << X->text(E);
    OS << "\n";
  }
}

} // namespace heddle
