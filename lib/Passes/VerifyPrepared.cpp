//===- VerifyPrepared.cpp - What a prepared module does not execute -------===//

#include "Passes.h"

#include "heddle/Analysis/DeviceCall.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

#include <set>
#include <tuple>

using namespace llvm;

namespace heddle {

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
          demangle(F.getName()), sourcePosition(I.getDebugLoc()),
          Callee->getFnAttribute(RefusedReason).getValueAsString().str(),
          Callee->getFnAttribute(MissingBody).getValueAsString().str()};
      if (Known.insert({R.Kernel, R.Position, R.Reason}).second)
        Found.push_back(std::move(R));
    }
  return Found;
}

PreservedAnalyses VerifyPreparedPass::run(Module &M, ModuleAnalysisManager &) {
  for (const RefusedCall &R : refusedCalls(M))
    M.getContext().diagnose(PassDiagnostic(
        DS_Warning, R.Position,
        "kernel '" + R.Kernel + "' " + R.Reason + "; this is not executed"));
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    diagnose(M, DS_Error, "the prepared module is malformed: " + Broken);
  return PreservedAnalyses::all();
}

} // namespace heddle
