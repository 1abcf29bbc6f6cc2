//===- ThreadRanges.cpp - What nvcc knows of threadIdx --------------------===//
//
//   for (int i = threadIdx.x; i < 256; i += 128)
//   lane = threadIdx.x % 32
//
// LLVM knows that threadIdx is below 1024, or below the largest block of the
// kernel. It finds that the loop runs at most twice, and that the remainder
// needs no sign. nvcc 12.4 and 13.0 and ptxas do without what they might know
// of the special registers, even that they are not negative: the iterations are
// counted when the kernel runs, and the remainder takes five instructions.
//
//   a[threadIdx.x + 8]
//
// One use of the range nvcc has: this is always 8 elements behind
// a[threadIdx.x], as the sum does not wrap. It says nothing of blockIdx.x *
// blockDim.x + threadIdx.x. In shared memory, whose addresses have 32 bits in
// its code, there are no other sums.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

static bool readsRegister(const Function &F) {
  return F.getName().starts_with("llvm.nvvm.read.ptx.sreg.");
}

PreservedAnalyses ForgetThreadRangesPass::run(Module &M,
                                              ModuleAnalysisManager &) {
  for (Function &F : M) {
    if (!readsRegister(F))
      continue;
    F.removeRetAttr(Attribute::Range);
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Call->removeRetAttr(Attribute::Range);
  }
  return PreservedAnalyses::none();
}

namespace {

/// While it lives, reads of special registers in a function have the ranges
/// that hold for all kernels.
class KnownRanges {
public:
  explicit KnownRanges(Function &F) {
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      if (!Call || !readsRegister(*Call->getCalledFunction()) ||
          Call->hasRetAttr(Attribute::Range))
        continue;
      const Attribute Range =
          Intrinsic::getAttributes(I.getContext(), Call->getIntrinsicID(),
                                   Call->getFunctionType())
              .getRetAttr(Attribute::Range);
      if (!Range.isValid())
        continue;
      Call->addRetAttr(Range);
      Marked.push_back(Call);
    }
  }
  ~KnownRanges() {
    for (CallBase *Call : Marked)
      Call->removeRetAttr(Attribute::Range);
  }

private:
  SmallVector<CallBase *, 8> Marked;
};

} // namespace

/// The sums and products that \p Index, a part of an address, is made of in
/// fewer bits.
static void findParts(Value *Index, SmallPtrSetImpl<Instruction *> &Parts) {
  auto *I = dyn_cast<Instruction>(Index);
  if (!I || Parts.contains(I))
    return;
  const unsigned Opcode = I->getOpcode();
  if (Opcode == Instruction::Add || Opcode == Instruction::Mul ||
      Opcode == Instruction::Shl)
    Parts.insert(I);
  else if (Opcode != Instruction::ZExt)
    return;
  for (Value *Operand : I->operands())
    findParts(Operand, Parts);
}

static bool mayWrap(const Instruction &I, const SimplifyQuery &Q) {
  const Value *A = I.getOperand(0), *B = I.getOperand(1);
  switch (I.getOpcode()) {
  case Instruction::Add:
    return computeOverflowForUnsignedAdd(A, B, Q) !=
           OverflowResult::NeverOverflows;
  case Instruction::Mul:
    return computeOverflowForUnsignedMul(A, B, Q) !=
           OverflowResult::NeverOverflows;
  default:
    const auto *By = dyn_cast<ConstantInt>(B);
    return !By || By->getValue().uge(
                      computeKnownBits(A, Q).countMinLeadingZeros() + 1);
  }
}

PreservedAnalyses BoundOffsetsPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  SmallPtrSet<Instruction *, 16> Parts;
  for (Instruction &I : instructions(F))
    if (auto *Address = dyn_cast<GetElementPtrInst>(&I))
      for (Value *Index : Address->indices())
        if (isa<ZExtInst>(Index))
          findParts(Index, Parts);
  if (Parts.empty())
    return PreservedAnalyses::all();
  const KnownRanges Ranges(F);
  const SimplifyQuery Q(F.getDataLayout(),
                        &FAM.getResult<DominatorTreeAnalysis>(F),
                        &FAM.getResult<AssumptionAnalysis>(F));
  bool Changed = false;
  for (Instruction &I : instructions(F))
    if (Parts.contains(&I) && !I.hasNoUnsignedWrap() &&
        !mayWrap(I, Q.getWithInstruction(&I))) {
      I.setHasNoUnsignedWrap();
      Changed = true;
    }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
