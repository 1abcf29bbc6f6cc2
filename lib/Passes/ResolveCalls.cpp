//===- ResolveCalls.cpp - Function pointers and recursion as plain calls --===//
//
// Kernels are one function each, so what a call reaches must be known. A call
// through a pointer becomes a comparison of the pointer with every function of
// its type whose address is taken, virtual functions included; recursion is
// written out to a depth that a kernel can hold. What lies beyond is a call of
// heddle.refused.*, where execution stops with the reason.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <deque>

using namespace llvm;

namespace heddle {

/// More functions than this behind one pointer are not told apart.
static constexpr size_t MaxTargets = 64;
/// How far recursion is written out: calls in a row, and instructions that it
/// may add to a kernel.
static constexpr unsigned MaxDepth = 16;
static constexpr unsigned MaxAdded = 4096;

static bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

/// Whether values of \p T can be the operands or the result of an opaque call.
static bool fitsRegister(const Type *T) {
  return T->isPointerTy() || T->isFloatTy() || T->isDoubleTy() ||
         T->isHalfTy() || (T->isIntegerTy() && T->getIntegerBitWidth() <= 64);
}

/// Where the source of the user, not Clang's own header, does \p I.
static DebugLoc userLocation(const Instruction &I) {
  const DILocation *Loc = I.getDebugLoc().get();
  while (Loc && Loc->getInlinedAt() &&
         Loc->getFilename().contains("/include/cuda_wrappers/"))
    Loc = Loc->getInlinedAt();
  return Loc;
}

void refuseCall(CallBase &Call, StringRef Kind, const Twine &Reason) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  SmallVector<Value *, 4> Args;
  for (Value *Arg : Call.args())
    if (fitsRegister(Arg->getType()) && !isa<Function>(Arg))
      Args.push_back(Arg);
  SmallVector<Type *, 4> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  bool HasResult = fitsRegister(Call.getType());
  auto *Type = FunctionType::get(HasResult ? Call.getType() : B.getVoidTy(),
                                 Types, /*isVarArg=*/false);
  std::string Name = ("heddle.refused." + Kind).str();
  for (unsigned N = 1; M.getFunction(Name); ++N)
    Name = ("heddle.refused." + Kind + "." + Twine(N)).str();
  Function *Refused =
      Function::Create(Type, GlobalValue::ExternalLinkage, Name, M);
  Refused->setDoesNotThrow();
  Refused->addFnAttr(RefusedReason, Reason.str());
  CallInst *New = B.CreateCall(Refused, Args);
  New->setDebugLoc(userLocation(Call));
  if (!Call.use_empty())
    Call.replaceAllUsesWith(HasResult ? static_cast<Value *>(New)
                                      : Constant::getNullValue(Call.getType()));
  Call.eraseFromParent();
}

/// The functions that a pointer of \p Call's type may point to.
static std::vector<Function *> targetsOf(CallBase &Call, Module &M) {
  std::vector<Function *> Targets;
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F) &&
        F.getFunctionType() == Call.getFunctionType() && F.hasAddressTaken() &&
        isLegalToPromote(Call, &F))
      Targets.push_back(&F);
  return Targets;
}

bool resolvePointers(Module &M) {
  SmallVector<CallBase *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall())
        Calls.push_back(Call);
  bool Found = false;
  for (CallBase *Call : Calls) {
    std::vector<Function *> Targets = targetsOf(*Call, M);
    if (Targets.empty() || Targets.size() > MaxTargets)
      continue;
    for (Function *F : Targets)
      promoteCallWithIfThenElse(*Call, F);
    Found = true;
    refuseCall(*Call, OtherTarget,
               "calls through a pointer to none of the file's functions");
  }
  return Found;
}

void numberFunctions(Module &M) {
  // Small, distinct, and no address of device memory.
  uint64_t Number = 1;
  for (Function &F : M) {
    if (F.isIntrinsic() || !F.hasAddressTaken())
      continue;
    LLVMContext &Context = M.getContext();
    Constant *Value = ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(Context), 16 * Number++),
        F.getType());
    F.replaceUsesWithIf(Value, [](const Use &U) {
      const auto *Call = dyn_cast<CallBase>(U.getUser());
      return !Call || !Call->isCallee(&U);
    });
  }
}

/// Writes out the calls of \p Kernel to functions that are still there, one
/// level after the other.
static bool unrollRecursion(Function &Kernel) {
  struct Site {
    CallBase *Call;
    unsigned Depth;
  };
  std::deque<Site> Sites;
  auto HasBody = [](const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    return Callee && !Callee->isDeclaration();
  };
  for (Instruction &I : instructions(Kernel))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && HasBody(*Call))
      Sites.push_back({Call, 1});
  bool Found = !Sites.empty();
  unsigned Added = 0;
  for (; !Sites.empty(); Sites.pop_front()) {
    auto [Call, Depth] = Sites.front();
    unsigned Size = Call->getCalledFunction()->getInstructionCount();
    InlineFunctionInfo Info;
    if (Depth > MaxDepth || (Added && Added + Size > MaxAdded) ||
        !InlineFunction(*Call, Info).isSuccess()) {
      refuseCall(*Call, "recursion", "recurses deeper than is written out");
      continue;
    }
    Added += Size;
    for (CallBase *Inner : Info.InlinedCallSites)
      if (HasBody(*Inner))
        Sites.push_back({Inner, Depth + 1});
  }
  return Found;
}

bool unrollRecursion(Module &M) {
  bool Found = false;
  for (Function &F : M)
    if (!F.isDeclaration() && isKernel(F))
      Found |= unrollRecursion(F);
  return Found;
}

} // namespace heddle
