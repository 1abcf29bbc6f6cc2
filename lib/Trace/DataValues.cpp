//===- DataValues.cpp - What depends on loaded data -----------------------===//

#include "DataValues.h"

#include "heddle/Trace/StaticTrace.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle::statics {

bool readsKnown(const LoadInst &Load, const KernelNumbering &Numbering) {
  const Type *T = Load.getType();
  const bool Kept = (T->isIntegerTy() && T->getIntegerBitWidth() <= 64) ||
                    T->isPointerTy() || T->isFloatTy() || T->isDoubleTy();
  if (!Kept)
    return false;
  if (Numbering.memoryNumber(&Load) == HEDDLE_NO_MEMORY)
    return true; // parameters
  const auto *GV = dyn_cast<GlobalVariable>(
      getUnderlyingObject(Load.getPointerOperand(), 0));
  // __constant__ variables hold their initialisers: launches do not set them.
  return GV && GV->hasInitializer() &&
         (GV->isConstant() ||
          GV->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST);
}

DataValues::DataValues(const Function &Kernel,
                       const KernelNumbering &Numbering) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Instruction &I : instructions(Kernel)) {
      if (I.getType()->isVoidTy() || Values.contains(&I))
        continue;
      bool IsData = isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
      if (const auto *Load = dyn_cast<LoadInst>(&I))
        IsData = !readsKnown(*Load, Numbering);
      for (const Value *Op : I.operands())
        IsData |= Values.contains(Op);
      if (IsData)
        Changed |= Values.insert(&I).second;
    }
  }
}

} // namespace heddle::statics

namespace heddle {

const Instruction *firstDataDecision(const Function &Kernel) {
  const KernelNumbering Numbering(Kernel);
  const statics::DataValues Data(Kernel, Numbering);
  for (const Instruction &I : instructions(Kernel)) {
    if (const auto *Br = dyn_cast<BranchInst>(&I);
        Br && Br->isConditional() && Data.contains(Br->getCondition()))
      return &I;
    if (const unsigned Record = Numbering.memoryNumber(&I);
        Record != HEDDLE_NO_MEMORY &&
        Data.contains(Numbering.memory()[Record].Pointer))
      return &I;
  }
  return nullptr;
}

} // namespace heddle
