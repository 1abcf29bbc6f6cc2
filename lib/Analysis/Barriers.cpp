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

std::optional<NamedBarrier> namedBarrierOf(const Instruction &I) {
  StringRef Name = intrinsicName(I);
  if (!Name.consume_front("llvm.nvvm.barrier.cta.") || !Name.ends_with("count"))
    return std::nullopt;
  auto Constant = [&](unsigned Operand) -> std::optional<unsigned> {
    const auto *C = dyn_cast<ConstantInt>(I.getOperand(Operand));
    return C ? std::optional(unsigned(C->getZExtValue())) : std::nullopt;
  };
  return NamedBarrier{Name.starts_with("arrive"), Constant(0), Constant(1)};
}

bool isBarrier(const Instruction &I) {
  return isGridBarrier(I) || isClusterBarrier(I) ||
         intrinsicName(I).starts_with("llvm.nvvm.barrier.cta.");
}

bool hasGridBarrier(const Function &Kernel) {
  return any_of(instructions(Kernel), isGridBarrier);
}

} // namespace heddle
