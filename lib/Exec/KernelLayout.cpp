//===- KernelLayout.cpp - Offsets of a kernel's memory --------------------===//

#include "heddle/Exec/KernelLayout.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// The shared variables that \p Kernel's instructions reach, through constant
/// expressions and initialisers too.
static SmallPtrSet<const GlobalVariable *, 8>
usedSharedVariables(const Function &Kernel) {
  SmallPtrSet<const GlobalVariable *, 8> Found;
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *, 32> Work;
  for (const Instruction &I : instructions(Kernel))
    for (const Value *Op : I.operands())
      if (isa<Constant>(Op))
        Work.push_back(Op);
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (const auto *GV = dyn_cast<GlobalVariable>(V))
      if (GV->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
        Found.insert(GV);
    if (isa<Function>(V))
      continue;
    for (const Value *Op : cast<User>(V)->operands())
      if (isa<Constant>(Op))
        Work.push_back(Op);
  }
  return Found;
}

KernelLayout::KernelLayout(const Function &Kernel) {
  const Module &M = *Kernel.getParent();
  const DataLayout &DL = M.getDataLayout();

  for (const Argument &A : Kernel.args()) {
    Type *Ty = A.hasByValAttr() ? A.getParamByValType() : A.getType();
    Align Alignment = DL.getABITypeAlign(Ty);
    if (A.hasByValAttr())
      Alignment = std::max(Alignment, A.getParamAlign().valueOrOne());
    uint64_t Size = DL.getTypeAllocSize(Ty);
    ParamBytes = alignTo(ParamBytes, Alignment);
    Params.push_back({&A, Ty, ParamBytes, Size});
    ParamBytes += Size;
  }

  SmallPtrSet<const GlobalVariable *, 8> Used = usedSharedVariables(Kernel);
  for (const GlobalVariable &GV : M.globals()) {
    // An array without size is `extern __shared__`: the dynamic part.
    if (!Used.contains(&GV) || DL.getTypeAllocSize(GV.getValueType()) == 0)
      continue;
    StaticSharedBytes = alignTo(StaticSharedBytes, DL.getPreferredAlign(&GV));
    Shared[&GV] = StaticSharedBytes;
    StaticSharedBytes += DL.getTypeAllocSize(GV.getValueType());
  }
  Align Dynamic(16);
  for (const GlobalVariable *GV : Used)
    if (DL.getTypeAllocSize(GV->getValueType()) == 0)
      Dynamic = std::max(Dynamic, GV->getAlign().valueOrOne());
  DynamicSharedOffset = alignTo(StaticSharedBytes, Dynamic);
  for (const GlobalVariable *GV : Used)
    Shared.try_emplace(GV, DynamicSharedOffset);

  for (const Instruction &I : instructions(Kernel))
    if (const auto *A = dyn_cast<AllocaInst>(&I))
      if (std::optional<TypeSize> Size = A->getAllocationSize(DL)) {
        LocalBytes = alignTo(LocalBytes, A->getAlign());
        Local[A] = LocalBytes;
        LocalBytes += *Size;
      }
  LocalBytes = alignTo(LocalBytes, 16);
}

} // namespace heddle
