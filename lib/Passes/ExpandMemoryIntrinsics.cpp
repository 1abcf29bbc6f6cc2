//===- ExpandMemoryIntrinsics.cpp - memcpy and memset as accesses ---------===//

#include "Passes.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;

namespace heddle {

/// Up to this many bytes the back end emits straight-line code
/// (NVPTXISelLowering.cpp, NVPTXLowerAggrCopies.cpp).
static constexpr uint64_t MaxInlineBytes = 128;

static uint64_t constantLength(const MemIntrinsic &Call) {
  auto *Length = dyn_cast<ConstantInt>(Call.getLength());
  return Length ? Length->getZExtValue() : UINT64_MAX;
}

/// The widest access of at most 8 bytes at \p Offset that is aligned.
static uint64_t accessBytes(uint64_t Offset, uint64_t Left, Align Alignment) {
  uint64_t Bytes =
      std::min<uint64_t>(8, commonAlignment(Alignment, Offset).value());
  while (Bytes > Left)
    Bytes /= 2;
  return Bytes;
}

/// All loads come first, so this does for memmove too.
static void copyInline(MemTransferInst &Copy, uint64_t Length) {
  IRBuilder<> Builder(&Copy);
  Align From = Copy.getSourceAlign().valueOrOne();
  Align To = Copy.getDestAlign().valueOrOne();
  SmallVector<std::pair<uint64_t, Value *>, 16> Loaded;
  for (uint64_t Offset = 0; Offset < Length;) {
    uint64_t Bytes = accessBytes(Offset, Length - Offset, std::min(From, To));
    Value *Source =
        Builder.CreatePtrAdd(Copy.getRawSource(), Builder.getInt64(Offset));
    Loaded.push_back(
        {Offset, Builder.CreateAlignedLoad(Builder.getIntNTy(8 * Bytes), Source,
                                           commonAlignment(From, Offset),
                                           Copy.isVolatile())});
    Offset += Bytes;
  }
  for (auto [Offset, V] : Loaded)
    Builder.CreateAlignedStore(
        V, Builder.CreatePtrAdd(Copy.getRawDest(), Builder.getInt64(Offset)),
        commonAlignment(To, Offset), Copy.isVolatile());
}

static void setInline(MemSetInst &Set, uint64_t Length) {
  IRBuilder<> Builder(&Set);
  Align To = Set.getDestAlign().valueOrOne();
  for (uint64_t Offset = 0; Offset < Length;) {
    uint64_t Bytes = accessBytes(Offset, Length - Offset, To);
    Type *T = Builder.getIntNTy(8 * Bytes);
    // 0x0101...01 times the byte repeats it.
    Value *V = Builder.CreateMul(
        Builder.CreateZExt(Set.getValue(), T),
        ConstantInt::get(T, APInt::getSplat(8 * Bytes, APInt(8, 1))));
    Builder.CreateAlignedStore(
        V, Builder.CreatePtrAdd(Set.getRawDest(), Builder.getInt64(Offset)),
        commonAlignment(To, Offset), Set.isVolatile());
    Offset += Bytes;
  }
}

PreservedAnalyses ExpandMemoryIntrinsicsPass::run(Function &F,
                                                  FunctionAnalysisManager &AM) {
  const auto &TTI = AM.getResult<TargetIRAnalysis>(F);
  SmallVector<MemIntrinsic *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<MemIntrinsic>(&I))
      Calls.push_back(Call);
  for (MemIntrinsic *Call : Calls) {
    uint64_t Length = constantLength(*Call);
    if (auto *Set = dyn_cast<MemSetInst>(Call)) {
      if (Length <= MaxInlineBytes)
        setInline(*Set, Length);
      else
        expandMemSetAsLoop(Set);
    } else if (Length <= MaxInlineBytes) {
      copyInline(*cast<MemTransferInst>(Call), Length);
    } else if (auto *Copy = dyn_cast<MemCpyInst>(Call)) {
      expandMemCpyAsLoop(Copy, TTI);
    } else {
      expandMemMoveAsLoop(cast<MemMoveInst>(Call), TTI);
    }
    Call->eraseFromParent();
  }
  return preserved(!Calls.empty());
}

} // namespace heddle
