//===- Barriers.cpp - Where warps wait for each other ---------------------===//

#include "heddle/Analysis/Barriers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {

bool isGridBarrier(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == GridBarrierName;
}

static StringRef intrinsicName(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call ? Intrinsic::getBaseName(Call->getIntrinsicID()) : "";
}

bool isClusterBarrier(const Instruction &I) {
  return intrinsicName(I).starts_with("llvm.nvvm.barrier.cluster.");
}

bool isClusterArrive(const Instruction &I) {
  return intrinsicName(I).starts_with("llvm.nvvm.barrier.cluster.arrive");
}

bool isBarrier(const Instruction &I) {
  return isGridBarrier(I) || isClusterBarrier(I) ||
         intrinsicName(I).starts_with("llvm.nvvm.barrier.cta.");
}

bool hasGridBarrier(const Function &Kernel) {
  return any_of(instructions(Kernel), isGridBarrier);
}

} // namespace heddle
