//===- LowerDynamicAllocas.cpp - alloca() in a part of the frame ----------===//
//
// Frames have a fixed size here, as traces and engines lay them out. What a
// kernel takes with alloca() comes from a part of its frame of the size that
// the CUDA driver gives a thread's stack; a launch that takes more is refused.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle {

/// cudaLimitStackSize without a call of cudaDeviceSetLimit (CUDA driver API).
static constexpr uint64_t StackBytes = 1024;
static constexpr uint64_t StackAlign = 16;

static bool lowerDynamicAllocas(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<AllocaInst *, 2> Allocas;
  SmallVector<IntrinsicInst *, 4> Marks;
  for (Instruction &I : instructions(F)) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (Alloca && !Alloca->getAllocationSize(DL)) {
      if (Alloca->getAddressSpace() == DL.getAllocaAddrSpace())
        Allocas.push_back(Alloca);
      else
        diagnose(F, Alloca->getDebugLoc(), DS_Remark,
                 "alloca() in address space " +
                     Twine(Alloca->getAddressSpace()) + " stays as it is");
    }
    auto *Mark = dyn_cast<IntrinsicInst>(&I);
    if (Mark && (Mark->getIntrinsicID() == Intrinsic::stacksave ||
                 Mark->getIntrinsicID() == Intrinsic::stackrestore))
      Marks.push_back(Mark);
  }
  if (Allocas.empty())
    return false;
  Align Alignment(StackAlign);
  for (const AllocaInst *Alloca : Allocas)
    Alignment = std::max(Alignment, Alloca->getAlign());
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Type *I64 = B.getInt64Ty();
  AllocaInst *Stack = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), StackBytes));
  Stack->setAlignment(Alignment);
  AllocaInst *Top = B.CreateAlloca(I64);
  B.CreateStore(B.getInt64(0), Top);
  for (IntrinsicInst *Mark : Marks) {
    B.SetInsertPoint(Mark);
    if (Mark->getIntrinsicID() == Intrinsic::stacksave)
      Mark->replaceAllUsesWith(
          B.CreateIntToPtr(B.CreateLoad(I64, Top), Mark->getType()));
    else
      B.CreateStore(B.CreatePtrToInt(Mark->getArgOperand(0), I64), Top);
    Mark->eraseFromParent();
  }
  Function *Placeholder = Function::Create(
      FunctionType::get(B.getVoidTy(), false), GlobalValue::ExternalLinkage,
      "heddle.stack", F.getParent());
  for (AllocaInst *Alloca : Allocas) {
    B.SetInsertPoint(Alloca);
    Value *Begin = B.CreateLoad(I64, Top);
    if (uint64_t More = Alloca->getAlign().value(); More > StackAlign)
      Begin =
          B.CreateAnd(B.CreateAdd(Begin, B.getInt64(More - 1)), ~(More - 1));
    const uint64_t Each = DL.getTypeAllocSize(Alloca->getAllocatedType());
    Value *Bytes = B.CreateMul(B.CreateZExtOrTrunc(Alloca->getArraySize(), I64),
                               B.getInt64(Each));
    Value *End = B.CreateAdd(
        Begin, B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(StackAlign - 1)),
                           ~(StackAlign - 1)));
    // Sizes that wrap around are large too.
    Value *Fits = B.CreateAnd(B.CreateICmpULE(Bytes, B.getInt64(StackBytes)),
                              B.CreateICmpULE(End, B.getInt64(StackBytes)));
    Instruction *Else = SplitBlockAndInsertIfThen(B.CreateNot(Fits), Alloca,
                                                  /*Unreachable=*/false);
    B.SetInsertPoint(Else);
    B.SetCurrentDebugLocation(Alloca->getDebugLoc());
    CallInst *Call = B.CreateCall(Placeholder);
    refuseCall(*Call, StackOverflow,
               "takes more than " + Twine(StackBytes) +
                   " bytes of a thread's stack with alloca()");
    B.SetInsertPoint(Alloca);
    B.CreateStore(End, Top);
    Alloca->replaceAllUsesWith(B.CreatePtrAdd(Stack, Begin));
    Alloca->eraseFromParent();
  }
  Placeholder->eraseFromParent();
  return true;
}

PreservedAnalyses LowerDynamicAllocasPass::run(Module &M,
                                               ModuleAnalysisManager &) {
  bool Changed = false;
  // The functions that are refused come behind those that are there.
  for (Function &F : M)
    Changed |= lowerDynamicAllocas(F);
  return preserved(Changed);
}

} // namespace heddle
