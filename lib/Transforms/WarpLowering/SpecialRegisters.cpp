//===- SpecialRegisters.cpp - Kinds of device intrinsics ------------------===//

#include "SpecialRegisters.h"

#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/WarpGroup.h"

#include "llvm/IR/Function.h"

using namespace llvm;

namespace heddle {

static StringRef calleeName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? Callee->getName() : StringRef();
}

StringRef specialRegister(const CallBase &Call) {
  StringRef Name = calleeName(Call);
  if (Name.consume_front("llvm.nvvm.read.ptx.sreg.") ||
      Name.consume_front("heddle.special."))
    return Name;
  return Name.consume_front("llvm.nvvm.is_explicit_cluster")
             ? "is_explicit_cluster"
             : StringRef();
}

bool isClock(const CallBase &Call) {
  StringRef Name = specialRegister(Call);
  return Name == "clock" || Name == "clock64" || Name == "globaltimer";
}

bool isCrossLane(const CallBase &Call) {
  if (isMatrixOperation(Call) || groupProduct(Call) || barrierOperation(Call))
    return true;
  StringRef Name = calleeName(Call);
  if (!Name.consume_front("llvm.nvvm."))
    return false;
  return Name.starts_with("shfl.") || Name.starts_with("match.") ||
         Name.starts_with("redux.") || Name.starts_with("vote.") ||
         Name.starts_with("elect.");
}

} // namespace heddle
