//===- GridBarrier.cpp - Barriers of all thread blocks --------------------===//

#include "heddle/Analysis/GridBarrier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

bool isGridBarrier(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == GridBarrierName;
}

bool hasGridBarrier(const Function &Kernel) {
  return any_of(instructions(Kernel), isGridBarrier);
}

} // namespace heddle
