//===- LowerMatrixIntrinsics.cpp - wmma loads and stores ------------------===//
//
// llvm.nvvm.wmma.*.load.* and .store.* become the loads and stores that they
// consist of (PTX/FragmentAccess.h); products stay one call.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "heddle/PTX/FragmentAccess.h"
#include "heddle/Support/Targets.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

static unsigned registersIn(const Type *T) {
  const auto *Struct = dyn_cast<StructType>(T);
  return Struct ? Struct->getNumElements() : 1;
}

static bool hasLoadMatrix(const Function &F) {
  StringRef Arch = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  return Arch.consume_front("sm_") && !Arch.consumeInteger(10, Number) &&
         Number >= 75;
}

/// SHAPE.load.USE.LAYOUT[.stride].TYPE.SPACE(pointer[, stride]) and
/// SHAPE.store.d.LAYOUT[.stride].TYPE.SPACE(pointer, registers...[, stride]).
static bool lowerAccess(CallInst &Call, ArrayRef<StringRef> Words) {
  Fragment F;
  const bool IsStore = Words[1] == "store";
  if (Words.size() < 6 || !parseMatrixShape(Words[0], F.Shape))
    return false;
  const bool HasStride = Words[4] == "stride";
  const auto Type = matrixType(Words[4 + HasStride]);
  if (!Type || (HasStride && Words.size() < 7))
    return false;
  F.Use = Words[2] == "d" ? 'c' : Words[2][0];
  F.IsRowMajor = Words[3] == "row";
  F.Type = *Type;
  F.Pointer = Call.getArgOperand(0);
  F.Stride = HasStride ? Call.getArgOperand(Call.arg_size() - 1) : nullptr;
  if (!F.isKnown())
    return false;
  IRBuilder<> B(&Call);
  if (IsStore) {
    SmallVector<Value *, 8> Registers;
    for (Value *V : drop_begin(drop_end(Call.args(), HasStride)))
      Registers.push_back(B.CreateBitCast(V, F.registerType(B)));
    F.store(B, Registers);
    return true;
  }
  const auto Registers = F.load(B, registersIn(Call.getType()),
                                hasLoadMatrix(*Call.getFunction()));
  Value *All = PoisonValue::get(Call.getType());
  auto *Struct = dyn_cast<StructType>(Call.getType());
  if (!Struct)
    All = B.CreateBitCast(Registers.front(), Call.getType());
  else
    for (auto [N, V] : enumerate(Registers))
      All = B.CreateInsertValue(
          All, B.CreateBitCast(V, Struct->getElementType(N)), N);
  Call.replaceAllUsesWith(All);
  return true;
}

PreservedAnalyses LowerMatrixIntrinsicsPass::run(Module &M,
                                                 ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      StringRef Name = Callee ? Callee->getName() : "";
      if (!Name.consume_front("llvm.nvvm.wmma."))
        continue;
      SmallVector<StringRef, 10> Words;
      Name.split(Words, '.');
      if (Words.size() < 3 || (Words[1] != "load" && Words[1] != "store"))
        continue;
      if (!lowerAccess(*Call, Words)) {
        diagnose(F, Call->getDebugLoc(), DS_Remark,
                 "'" + Callee->getName() + "' stays as it is");
        continue;
      }
      Call->eraseFromParent();
      Changed = true;
    }
  return preserved(Changed);
}

} // namespace heddle
