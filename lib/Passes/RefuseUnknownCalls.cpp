//===- RefuseUnknownCalls.cpp - What kernels may call ---------------------===//

#include "Passes.h"

#include "heddle/Analysis/DeviceCall.h"
#include "heddle/Analysis/WarpGroup.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstdlib>
#include <memory>

using namespace llvm;

namespace heddle {

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

Function *refuseCall(CallBase &Call, StringRef Kind, const Twine &Reason) {
  Module &M = *Call.getModule();
  // No exceptions here: a call that may throw is one that does not.
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    return refuseCall(*changeToCall(Invoke), Kind, Reason);
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
  return Refused;
}

static bool isAllocator(const Function &F) {
  return is_contained({"malloc", "_Znwm", "_Znam"}, F.getName());
}

/// What comes after an allocation, where execution has stopped.
static bool isDeallocator(const Function &F) {
  return is_contained({"free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"},
                      F.getName());
}

/// The device runtime's part in "kernel<<<...>>>" in device code.
static bool isLaunch(const Function &F) {
  return F.getName().starts_with("cudaLaunchDevice") ||
         F.getName().starts_with("__enqueue_kernel");
}

/// OpenCL 2's pipes, as Clang calls them.
static bool isPipe(const Function &F) {
  return F.getName().starts_with("__") && F.getName().contains("_pipe");
}

/// The name of \p F without parameters and result, as its caller writes it.
static std::string baseName(const Function &F) {
  ItaniumPartialDemangler D;
  const std::string Name = F.getName().str();
  if (D.partialDemangle(Name.c_str()) || !D.isFunction())
    return Name;
  std::unique_ptr<char, decltype(&std::free)> Base(
      D.getFunctionBaseName(nullptr, nullptr), std::free);
  return Base ? Base.get() : Name;
}

/// Whether \p Call was setmaxnreg that cannot be.
static bool refuseRegisterChange(CallBase &Call) {
  const uint16_t Change = registerChange(Call);
  if (!Change)
    return false;
  const std::string Problem = registerChangeProblem(
      cast<ConstantInt>(Call.getArgOperand(0))->getZExtValue(),
      *Call.getFunction());
  if (Problem.empty())
    return false;
  refuseCall(Call, "setmaxnreg", Problem);
  return true;
}

/// Whether \p Call was one of what is not there.
static bool refuseUnknown(CallBase &Call) {
  if (refuseRegisterChange(Call))
    return true;
  const Function *Callee = Call.getCalledFunction();
  if (Call.isInlineAsm() ||
      (Callee && (Callee->isIntrinsic() || !Callee->isDeclaration() ||
                  Callee->getName().starts_with("heddle."))))
    return false;
  if (!Callee)
    return refuseCall(Call, "pointer",
                      "calls through a function pointer that is not known at "
                      "compile time");
  if (isDeallocator(*Callee) && isa<CallInst>(Call)) {
    Call.eraseFromParent();
    return true;
  }
  if (isAllocator(*Callee))
    return refuseCall(Call, "heap",
                      "allocates memory with '" + demangle(Callee->getName()) +
                          "', which is not modelled; pass it a buffer");
  if (isPipe(*Callee))
    return refuseCall(Call, "pipe", "uses a pipe");
  if (isLaunch(*Callee))
    return refuseCall(Call, "launch",
                      "launches a kernel itself (dynamic parallelism)");
  std::string Name = demangle(Callee->getName());
  // __attribute__((error("..."))), of our headers or the program's.
  if (StringRef Reason =
          Callee->getFnAttribute("dontcall-error").getValueAsString();
      !Reason.empty()) {
    const Function &Caller = *Call.getFunction();
    StringRef Arch = Caller.getFnAttribute("target-cpu").getValueAsString();
    return refuseCall(
        Call, "error",
        "calls '" + baseName(*Callee) + "': " + Reason.str() +
            (Arch.empty() ? "" : " (compiled for " + Arch.str() + ")"));
  }
  refuseCall(Call, "body",
             "calls '" + Name +
                 "', which has no body here and is no known device function")
      ->addFnAttr(MissingBody, Name);
  return true;
}

PreservedAnalyses RefuseUnknownCallsPass::run(Module &M,
                                              ModuleAnalysisManager &) {
  SmallVector<CallBase *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Calls.push_back(Call);
  bool Changed = false;
  for (CallBase *Call : Calls)
    Changed |= refuseUnknown(*Call);
  return preserved(Changed);
}

} // namespace heddle
