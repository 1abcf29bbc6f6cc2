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

/// \p Name as demangled names have it: a blank behind each comma of template
/// arguments and no others.
static std::string asDemangled(StringRef Name) {
  std::string Text;
  for (size_t I = 0; I != Name.size(); ++I) {
    const bool BehindComma = Text.ends_with(",");
    if (Name[I] == ' ' && (BehindComma || Text.ends_with("<") ||
                           Name.substr(I).ltrim().starts_with(",") ||
                           Name.substr(I).ltrim().starts_with(">")))
      continue;
    if (BehindComma)
      Text += ' ';
    Text += Name[I];
  }
  return Text;
}

/// "scan<int>" of "lib::scan<int>".
static StringRef withoutNamespaces(StringRef Name) {
  static constexpr StringLiteral Unnamed = "(anonymous namespace)::";
  if (const size_t At = Name.find(Unnamed); At != StringRef::npos)
    Name = Name.drop_front(At + Unnamed.size());
  const StringRef Own =
      Name.take_until([](char C) { return C == '<' || C == '('; });
  const size_t Colons = Own.rfind("::");
  return Colons == StringRef::npos ? Name : Name.drop_front(Colons + 2);
}

std::string prefixNote(StringRef Name, const Function &Kernel) {
  const std::string Base = kernelName(Kernel);
  if (Name.empty() || asDemangled(Name) == Base || Name == Kernel.getName() ||
      asDemangled(Name) == demangle(Kernel.getName()) ||
      asDemangled(Name) == withoutNamespaces(Base))
    return "";
  return ("note: there is no kernel '" + Name + "'; kernel '" + Base +
          "', whose name begins so, is taken\n")
      .str();
}

/// "kernels: ..." with the names that tell \p Kernels apart.
static std::string listOfKernels(ArrayRef<Function *> Kernels) {
  SmallVector<std::string> Names;
  for (const Function *F : Kernels)
    Names.push_back(F->getName() == kernelName(*F) ? F->getName().str()
                                                   : demangle(F->getName()));
  return "kernels: " + join(Names, ", ");
}

Expected<Function *> CompiledModule::kernel(StringRef Given) const {
  const std::string Spaced = asDemangled(Given);
  const StringRef Name = Spaced;
  // What a launch of a program says, of many kernels at times.
  if (Function *F = Module->getFunction(Name);
      F && !F->isDeclaration() &&
      F->getCallingConv() == CallingConv::PTX_Kernel)
    return F;
  std::vector<Function *> All = kernels();
  if (Name.empty()) {
    if (All.size() == 1)
      return All.front();
    return createStringError(Path + " has " + Twine(All.size()) +
                             " kernels; choose one with --kernel (" +
                             listOfKernels(All) + ")");
  }
  auto Symbol = [&](Function &F) { return F.getName() == Name; };
  auto Demangled = [&](Function &F) { return demangle(F.getName()) == Name; };
  auto Base = [&](Function &F) { return kernelName(F) == Name; };
  // Those that stand by default may be missing: scan<int> for scan<int, 4>.
  const std::string Open =
      Name.ends_with(">") ? Name.drop_back().str() + "," : Name.str();
  auto Prefix = [&](Function &F) {
    return StringRef(kernelName(F)).starts_with(Open) ||
           StringRef(demangle(F.getName())).starts_with(Open);
  };
  auto Unqualified = [&](Function &F) {
    return withoutNamespaces(kernelName(F)) == Name;
  };
  auto UnqualifiedPrefix = [&](Function &F) {
    return withoutNamespaces(kernelName(F)).starts_with(Open);
  };
  // The more exact the match, the sooner it decides; a beginning never stands
  // for a kernel that has the whole name but was not compiled.
  auto IsRefused = [&](const RefusedKernel &R) {
    return R.Name == Name || StringRef(R.Name).split('(').first == Name ||
           withoutNamespaces(R.Name).split('(').first == Name;
  };
  SmallVector<function_ref<bool(Function &)>, 6> Matches = {Symbol, Demangled,
                                                            Base, Unqualified};
  auto Missing = find_if(Refused, IsRefused);
  if (Missing == Refused.end())
    Matches.append({Prefix, UnqualifiedPrefix});
  for (auto Match : Matches) {
    std::vector<Function *> Found;
    copy_if(All, std::back_inserter(Found),
            [&](Function *F) { return Match(*F); });
    if (Found.size() == 1)
      return Found.front();
    if (Found.size() > 1)
      return createStringError(Path + ": kernel name '" + Name +
                               "' is ambiguous (" + listOfKernels(Found) + ")");
  }
  if (Missing != Refused.end())
    return createStringError(Missing->Reason);
  return createStringError(Path + " has no kernel '" + Name + "' (" +
                           listOfKernels(All) + ")");
}

} // namespace heddle
