//===- CheckCalls.cpp - What kernels may call -----------------------------===//

#include "Passes.h"

#include "heddle/Analysis/MissingBody.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <cstdlib>
#include <memory>
#include <set>
#include <tuple>

using namespace llvm;

namespace heddle {

std::string sourcePosition(const Instruction &I) {
  const DILocation *Loc = I.getDebugLoc().get();
  while (Loc && Loc->getInlinedAt() && Loc->getLine() == 0)
    Loc = Loc->getInlinedAt();
  if (!Loc)
    return "";
  return (Loc->getFilename() + ":" + Twine(Loc->getLine())).str();
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

static void refuseUnknown(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (Call.isInlineAsm() ||
      (Callee && (Callee->isIntrinsic() || !Callee->isDeclaration() ||
                  Callee->getName().starts_with("heddle."))))
    return;
  if (!Callee)
    return refuseCall(Call, "pointer",
                      "calls through a function pointer that is not known at "
                      "compile time");
  if (isDeallocator(*Callee)) {
    Call.eraseFromParent();
    return;
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
  if (StringRef Why =
          Callee->getFnAttribute("dontcall-error").getValueAsString();
      !Why.empty()) {
    const Function &Caller = *Call.getFunction();
    StringRef Arch = Caller.getFnAttribute("target-cpu").getValueAsString();
    return refuseCall(
        Call, "error",
        "calls '" + baseName(*Callee) + "': " + Why.str() +
            (Arch.empty() ? "" : " (compiled for " + Arch.str() + ")"));
  }
  Module &M = *Call.getModule();
  refuseCall(Call, "body",
             "calls '" + Name +
                 "', which has no body here and is no known device function");
  // The declaration that was just made is the module's last.
  M.getFunctionList().back().addFnAttr(MissingBody, Name);
}

void refuseUnknownCalls(Module &M) {
  SmallVector<CallBase *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Calls.push_back(Call);
  for (CallBase *Call : Calls)
    refuseUnknown(*Call);
}

std::vector<RefusedCall> refusedCalls(const Module &M) {
  std::vector<RefusedCall> Found;
  std::set<std::tuple<std::string, std::string, std::string>> Known;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Callee->hasFnAttribute(RefusedReason) ||
          Callee->getName().starts_with(
              ("heddle.refused." + OtherTarget).str()) ||
          Callee->getName().starts_with(
              ("heddle.refused." + StackOverflow).str()))
        continue;
      RefusedCall R{
          demangle(F.getName()), sourcePosition(I),
          Callee->getFnAttribute(RefusedReason).getValueAsString().str(),
          Callee->getFnAttribute(MissingBody).getValueAsString().str()};
      if (Known.insert({R.Kernel, R.Position, R.Reason}).second)
        Found.push_back(std::move(R));
    }
  return Found;
}

} // namespace heddle
