//===- CompiledModule.cpp - The kernels of a compiled module --------------===//
//
// Apart from the compiler, so that the plugin takes it without Clang.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Frontend/Compiler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace heddle {

std::vector<Function *> CompiledModule::kernels() const {
  std::vector<Function *> Kernels;
  for (Function &F : *Module)
    if (!F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel)
      Kernels.push_back(&F);
  return Kernels;
}

std::string prefixNote(StringRef Name, const Function &Kernel) {
  const std::string Base = kernelName(Kernel);
  if (Name.empty() || Name == Base || Name == Kernel.getName() ||
      Name == demangle(Kernel.getName()))
    return "";
  return ("note: there is no kernel '" + Name + "'; kernel '" + Base +
          "', whose name begins so, is taken\n")
      .str();
}

Expected<Function *> CompiledModule::kernel(StringRef Name) const {
  // What a launch of a program says, of many kernels at times.
  if (Function *F = Module->getFunction(Name);
      F && !F->isDeclaration() &&
      F->getCallingConv() == CallingConv::PTX_Kernel)
    return F;
  std::vector<Function *> All = kernels();
  std::vector<std::string> Names;
  for (Function *F : All)
    Names.push_back(F->getName() == kernelName(*F) ? F->getName().str()
                                                   : demangle(F->getName()));
  std::string List = "kernels: " + join(Names, ", ");
  if (Name.empty()) {
    if (All.size() == 1)
      return All.front();
    return createStringError(Path + " has " + Twine(All.size()) +
                             " kernels; choose one with --kernel (" + List +
                             ")");
  }
  auto Symbol = [&](Function &F) { return F.getName() == Name; };
  auto Demangled = [&](Function &F) { return demangle(F.getName()) == Name; };
  auto Base = [&](Function &F) { return kernelName(F) == Name; };
  auto Prefix = [&](Function &F) {
    return StringRef(kernelName(F)).starts_with(Name) ||
           StringRef(demangle(F.getName())).starts_with(Name);
  };
  // The more exact the match, the sooner it decides; a beginning never stands
  // for a kernel that has the whole name but was not compiled.
  auto IsRefused = [&](const RefusedKernel &R) {
    return R.Name == Name || StringRef(R.Name).split('(').first == Name;
  };
  SmallVector<function_ref<bool(Function &)>, 4> Matches = {Symbol, Demangled,
                                                            Base};
  auto Missing = find_if(Refused, IsRefused);
  if (Missing == Refused.end())
    Matches.push_back(Prefix);
  for (auto Match : Matches) {
    std::vector<Function *> Found;
    copy_if(All, std::back_inserter(Found),
            [&](Function *F) { return Match(*F); });
    if (Found.size() == 1)
      return Found.front();
    if (Found.size() > 1)
      return createStringError(Path + ": kernel name '" + Name +
                               "' is ambiguous (" + List + ")");
  }
  if (Missing != Refused.end())
    return createStringError(Missing->Reason);
  return createStringError(Path + " has no kernel '" + Name + "' (" + List +
                           ")");
}

} // namespace heddle
