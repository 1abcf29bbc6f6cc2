//===- SpecialRegisters.cpp - Kinds of device intrinsics ------------------===//

#include "SpecialRegisters.h"

#include "heddle/ABI/WarpKernel.h"
#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/TextureOperation.h"
#include "heddle/Analysis/WarpGroup.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <cstddef>

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
  if (isMatrixOperation(Call) || groupProduct(Call) || barrierOperation(Call) ||
      textureOperation(Call))
    return true;
  StringRef Name = calleeName(Call);
  if (!Name.consume_front("llvm.nvvm."))
    return false;
  return Name.starts_with("shfl.") || Name.starts_with("match.") ||
         Name.starts_with("redux.") || Name.starts_with("vote.") ||
         Name.starts_with("elect.");
}

LaunchRanges::LaunchRanges(Function &F, const WarpGeometry &Geometry,
                           bool SmallGrid) {
  if (!Geometry.isKnown())
    return;
  auto promise = [&](size_t Offset, uint32_t Most) {
    if (none_of(Bounds, [&](const Bound &B) { return B.Offset == Offset; }))
      Bounds.push_back({Offset, Most});
  };
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !I.getType()->isIntegerTy(32))
      continue;
    auto [Name, Dimension] = specialRegister(*Call).split('.');
    if (Dimension.size() != 1 || Dimension[0] < 'x' || Dimension[0] > 'z')
      continue;
    unsigned D = Dimension[0] - 'x';
    uint32_t Threads = Geometry.BlockDim[D], MostBlocks = MaxThreads / Threads;
    auto within = [&](uint32_t First, uint32_t Last) {
      Call->addRangeRetAttr(
          ConstantRange(APInt(32, First), APInt(32, Last) + 1));
    };
    if (Name == "ntid")
      I.replaceAllUsesWith(ConstantInt::get(I.getType(), Threads));
    else if (Name == "tid")
      within(0, Threads - 1);
    if (!SmallGrid)
      continue;
    if (Name == "ctaid" || Name == "nctaid") {
      within(Name == "nctaid", Name == "nctaid" ? MostBlocks : MostBlocks - 1);
      promise(offsetof(HeddleWarp, GridDim) + 4 * D, MostBlocks);
    } else if (Name == "globaloffset") {
      within(0, MaxThreads);
      promise(offsetof(HeddleWarp, GlobalOffset) + 4 * D, MaxThreads);
    }
  }
}

Value *LaunchRanges::check(IRBuilder<> &B,
                           function_ref<Value *(size_t)> Load) const {
  Value *Holds = B.getTrue();
  for (const Bound &Each : Bounds)
    Holds = B.CreateAnd(
        Holds, B.CreateICmpULE(Load(Each.Offset), B.getInt32(Each.Most)));
  return Holds;
}

} // namespace heddle
