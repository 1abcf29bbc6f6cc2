//===- CheckCalls.cpp - What kernels may call -----------------------------===//

#include "Passes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

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

static std::string displayName(const Function &F) {
  return demangle(F.getName());
}

static Error fail(const CallBase &Call, const Twine &Message) {
  std::string Position = sourcePosition(Call);
  return createStringError((Position.empty() ? Twine() : Position + ": ") +
                           Message);
}

/// Functions on the way from a kernel to the call being looked at.
using Path = SmallVector<const Function *, 8>;

static Error checkBody(const Function &F, Path &Callers);

static Error checkCall(const CallBase &Call, Path &Callers) {
  const std::string Kernel = displayName(*Callers.front());
  if (Call.isInlineAsm())
    return Error::success();
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return fail(Call,
                "kernel '" + Kernel +
                    "' calls through a function pointer "
                    "that is not known at compile time; call the function "
                    "by name or make the pointer a template argument");
  if (Callee->isIntrinsic() || Callee->getName().starts_with("heddle."))
    return Error::success();
  if (Callee->isDeclaration() &&
      is_contained({"malloc", "free", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv",
                    "_ZdlPvm", "_ZdaPvm"},
                   Callee->getName()))
    return fail(Call, "kernel '" + Kernel + "' allocates memory with '" +
                          displayName(*Callee) +
                          "', which is not modelled; pass it a buffer");
  if (Callee->isDeclaration())
    return fail(Call, "kernel '" + Kernel + "' calls '" + displayName(*Callee) +
                          "', which has no body here and is no known device "
                          "function");
  if (is_contained(Callers, Callee)) {
    std::string Chain;
    for (const Function *F : Callers)
      Chain += displayName(*F) + " -> ";
    return fail(Call, "recursion cannot run on the modelled machines: " +
                          Chain + displayName(*Callee));
  }
  return checkBody(*Callee, Callers);
}

static Error checkBody(const Function &F, Path &Callers) {
  Callers.push_back(&F);
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (Error E = checkCall(*Call, Callers))
        return E;
  Callers.pop_back();
  return Error::success();
}

Error checkCalls(Module &M, std::vector<RefusedKernel> &Refused) {
  size_t Before = Refused.size();
  bool AnyLeft = false;
  for (Function &F : make_early_inc_range(M)) {
    if (F.isDeclaration() || F.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    Path Callers;
    Error E = checkBody(F, Callers);
    if (!E) {
      AnyLeft = true;
      continue;
    }
    RefusedKernel &R = Refused.emplace_back();
    R.Name = displayName(F);
    if (const DISubprogram *Program = F.getSubprogram())
      R.Position =
          (Program->getFilename() + ":" + Twine(Program->getLine())).str();
    R.Reason = toString(std::move(E));
    F.deleteBody();
    if (F.use_empty())
      F.eraseFromParent();
  }
  if (AnyLeft)
    return Error::success();
  std::string Text;
  for (size_t I = Before; I < Refused.size(); ++I)
    Text += (Text.empty() ? "" : "\n") + Refused[I].Reason;
  return createStringError(Text);
}

} // namespace heddle
