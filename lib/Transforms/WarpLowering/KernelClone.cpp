//===- KernelClone.cpp - The kernel in the form to lower ------------------===//

#include "KernelClone.h"

#include "heddle/Analysis/Barriers.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace heddle {

KernelClone::KernelClone(const Function &Kernel) : Numbering(Kernel) {
  ValueToValueMapTy VMap;
  M = CloneModule(*Kernel.getParent(), VMap,
                  [&](const GlobalValue *GV) { return GV == &Kernel; });
  F = cast<Function>(VMap[&Kernel]);
  auto remember = [&](const Value *Original) {
    if (const Value *Copy = VMap.lookup(Original))
      Originals[Copy] = Original;
  };
  for (const Argument &A : Kernel.args())
    remember(&A);
  for (const BasicBlock &B : Kernel) {
    BlockNumbers[cast<BasicBlock>(VMap[&B])] = Numbering.number(&B);
    for (const Instruction &I : B) {
      auto *Copy = cast<Instruction>(VMap[&I]);
      Originals[Copy] = &I;
      InstNumbers[Copy] = Numbering.number(&I);
      unsigned Memory = Numbering.memoryNumber(&I);
      if (Memory != HEDDLE_NO_MEMORY)
        MemoryNumbers[Copy] = Memory;
    }
  }

  SmallVector<Constant *> Globals;
  for (GlobalVariable &GV : M->globals())
    Globals.push_back(&GV);
  convertUsersOfConstantsToInstructions(Globals, F,
                                        /*RemoveDeadConstants=*/false);

  splitAtBarriers();
  // Where nothing comes to, an address may be made of itself.
  EliminateUnreachableBlocks(*F);
  sinkAddresses();
  DominatorTree DT(*F);
  LoopInfo LI(DT);
  for (Loop *L : LI)
    formLCSSARecursively(*L, DT, &LI, nullptr);
}

void KernelClone::splitAtBarriers() {
  SmallVector<Instruction *> Barriers;
  for (Instruction &I : instructions(*F))
    if (isBarrier(I))
      Barriers.push_back(&I);
  for (Instruction *I : Barriers)
    I->getParent()->splitBasicBlock(std::next(I->getIterator()));
}

/// Whether copying \p I to its use is cheaper than keeping its value: address
/// arithmetic whose operands are as small as its result.
static bool isAddressArithmetic(const Instruction &I) {
  if (isa<GetElementPtrInst>(I) || isa<AddrSpaceCastInst>(I))
    return true;
  return isa<SExtInst>(I) || isa<ZExtInst>(I);
}

/// Values that cross blocks are kept lane by lane; a 64-bit address is twice as
/// large as the index it is made of, and the gather instructions of the host
/// take base and index apart. So the last steps of each address move next to
/// its use.
void KernelClone::sinkAddresses() {
  SmallVector<Instruction *> Work;
  for (Instruction &I : instructions(*F))
    if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
      Work.push_back(&I);
  SmallPtrSet<Instruction *, 32> Visited;
  while (!Work.empty()) {
    Instruction *User = Work.pop_back_val();
    if (!Visited.insert(User).second)
      continue;
    bool IsAccess = User->mayReadOrWriteMemory();
    DenseMap<Instruction *, Instruction *> Copies;
    for (Use &U : User->operands()) {
      auto *Def = dyn_cast<Instruction>(U.get());
      if (!Def || !isAddressArithmetic(*Def) ||
          (IsAccess && !U->getType()->isPointerTy()) ||
          (IsAccess && U.get() != getLoadStorePointerOperand(User) &&
           !isa<AtomicRMWInst, AtomicCmpXchgInst>(User)))
        continue;
      if (Def->getParent() != User->getParent()) {
        Instruction *&Copy = Copies[Def];
        if (!Copy) {
          Copy = Def->clone();
          Copy->insertBefore(User->getIterator());
        }
        U.set(Copy);
        Def = Copy;
      }
      Work.push_back(Def);
    }
  }
  SmallVector<Instruction *> Dead;
  for (Instruction &I : instructions(*F))
    if (isAddressArithmetic(I))
      Dead.push_back(&I);
  for (Instruction *I : reverse(Dead))
    if (I->use_empty()) {
      Originals.erase(I);
      InstNumbers.erase(I);
      I->eraseFromParent();
    }
}

} // namespace heddle
