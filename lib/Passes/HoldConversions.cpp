//===- HoldConversions.cpp - Each conversion of a half for itself ---------===//
//
//   sum += __half2float(x);   // first loop
//   ...
//   d = __half2float(x) - mean;   // second loop
//
// LLVM converts once and keeps the result in a register from one loop to the
// other. In the toolkit's header, and so in ours, conversions are assembly,
// which nvcc moves out of loops but never merges: only the half is kept.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "heddle/PTX/BackEnd.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

static constexpr StringLiteral NumberOperand = ",n";

/// The assembly that \p Call is, if that is no more than the conversion.
static const InlineAsm *conversionOf(const CallInst &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  const bool Converts =
      Asm && !Asm->hasSideEffects() &&
      Asm->getAsmString().trim("{} \t\n;") == "cvt.f32.f16 $0, $1" &&
      Call.getType()->isFloatTy() && !Call.arg_empty() &&
      Call.getArgOperand(0)->getType()->isIntegerTy(16);
  return Converts ? Asm : nullptr;
}

bool isHeldConversion(const CallInst &Call) {
  const InlineAsm *Asm = conversionOf(Call);
  return Asm && Asm->getConstraintString().ends_with(NumberOperand);
}

static void hold(CallInst &Call, const InlineAsm &Asm, unsigned Number) {
  IRBuilder<> B(&Call);
  Value *Half = Call.getArgOperand(0);
  auto *Type = FunctionType::get(Call.getType(),
                                 {Half->getType(), B.getInt32Ty()}, false);
  CallInst *Held = B.CreateCall(
      InlineAsm::get(Type, Asm.getAsmString(),
                     (Asm.getConstraintString() + NumberOperand).str(),
                     /*hasSideEffects=*/false),
      {Half, B.getInt32(Number)});
  Held->setDoesNotAccessMemory();
  Held->setDoesNotThrow();
  Held->addFnAttr(Attribute::WillReturn);
  Call.replaceAllUsesWith(Held);
  Call.eraseFromParent();
}

PreservedAnalyses HoldConversionsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  unsigned Number = 0;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const InlineAsm *Asm = conversionOf(*Call);
            Asm && Call->arg_size() == 1) {
          hold(*Call, *Asm, Number++);
          Changed = true;
        }
  return preserved(Changed, /*KeepsFlow=*/true);
}

static void release(CallInst &Call) {
  IRBuilder<> B(&Call);
  Value *Half = B.CreateBitCast(Call.getArgOperand(0), B.getHalfTy());
  Value *Single = B.CreateFPExt(Half, Call.getType());
  if (auto *Conversion = dyn_cast<Instruction>(Single))
    Conversion->setMetadata(OwnConversion, MDNode::get(B.getContext(), {}));
  Single->takeName(&Call);
  Call.replaceAllUsesWith(Single);
  Call.eraseFromParent();
}

/// Puts what takes the half out of a word in front of its conversion, but into
/// no loop. LLVM does so for a cast, and leaves it for assembly where the word
/// was written: it may be one that a wgmma still has to bring.
static void sinkOperand(CallInst &Call, const LoopInfo &Loops) {
  Instruction *To = &Call;
  while (auto *I = dyn_cast<Instruction>(To->getOperand(0))) {
    const bool Takes = isa<TruncInst, BitCastInst, ExtractElementInst>(I) ||
                       I->getOpcode() == Instruction::LShr;
    if (!Takes || !I->hasOneUse() ||
        Loops.getLoopFor(I->getParent()) != Loops.getLoopFor(To->getParent()))
      return;
    I->moveBefore(To->getIterator());
    I->setDebugLoc(Call.getDebugLoc());
    To = I;
  }
}

PreservedAnalyses ReleaseConversionsPass::run(Module &M,
                                              ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<CallInst *, 8> Held;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && isHeldConversion(*Call))
        Held.push_back(Call);
    if (Held.empty())
      continue;
    Changed = true;
    const LoopInfo Loops{DominatorTree(F)};
    for (CallInst *Call : Held) {
      sinkOperand(*Call, Loops);
      release(*Call);
    }
  }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
