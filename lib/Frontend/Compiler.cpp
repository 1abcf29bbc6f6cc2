//===- Compiler.cpp - From a file to a prepared module --------------------===//

#include "heddle/Frontend/Compiler.h"

#include "ClangInvocation.h"
#include "OpenCLLibrary.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Passes/Pipelines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace heddle {

namespace {
enum class SourceKind { OpenCL, CUDA, IR, Unknown };
} // namespace

static SourceKind kindOf(StringRef Path, StringRef Content) {
  if (identify_magic(Content) == file_magic::bitcode)
    return SourceKind::IR;
  SourceKind ByName = StringSwitch<SourceKind>(sys::path::extension(Path))
                          .Cases({".cl", ".ocl", ".clcpp"}, SourceKind::OpenCL)
                          .Cases({".cu", ".cuh"}, SourceKind::CUDA)
                          .Cases({".ll", ".bc"}, SourceKind::IR)
                          .Default(SourceKind::Unknown);
  if (ByName != SourceKind::Unknown)
    return ByName;
  if (Content.starts_with("target ") || Content.contains("\ntarget triple = "))
    return SourceKind::IR;
  if (Content.contains("__global__"))
    return SourceKind::CUDA;
  if (Content.contains("kernel void") || Content.contains("__kernel"))
    return SourceKind::OpenCL;
  return SourceKind::Unknown;
}

static Expected<std::unique_ptr<Module>> readIR(LLVMContext &Context,
                                                const MemoryBuffer &Buffer) {
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseIR(Buffer, Diagnostic, Context);
  if (!M) {
    std::string Text;
    raw_string_ostream Stream(Text);
    Diagnostic.print(nullptr, Stream, /*ShowColors=*/false);
    return createStringError(Buffer.getBufferIdentifier() +
                             " is not valid IR\n" + StringRef(Text).rtrim());
  }
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(*M, &Stream))
    return createStringError(Buffer.getBufferIdentifier() +
                             " is not valid IR: " + StringRef(Broken).rtrim());
  return M;
}

/// Compiles as OpenCL C 2.0, which has all that 1.2 has but a few identifiers;
/// what fails then gets a second try as 1.2. "-cl-std" after "--" decides.
static Expected<std::unique_ptr<Module>>
compileOpenCL(const CompileOptions &Options, LLVMContext &Context,
              std::string &Warnings) {
  auto Compile = [&](const char *Standard) {
    std::vector<std::string> Args = openCLArguments(Standard, Options.Arch);
    append_range(Args, Options.ClangArgs);
    Args.push_back(Options.Path);
    return runClang(Context, Options.Path, Args, Warnings);
  };
  auto M = Compile("CL2.0");
  if (!M && none_of(Options.ClangArgs,
                    [](StringRef Arg) { return Arg.starts_with("-cl-std"); })) {
    auto Second = Compile("CL1.2");
    if (!Second) {
      consumeError(Second.takeError());
      return M;
    }
    consumeError(M.takeError());
    M = std::move(Second);
  }
  if (!M)
    return M;
  if (Error E = linkOpenCLLibrary(**M, Options.Arch))
    return E;
  return M;
}

static std::vector<std::string> cudaArguments(const CompileOptions &Options) {
  std::string Headers = std::string(VirtualFolder) + "/CUDA";
  std::vector<std::string> Args = {"-x",
                                   "cuda",
                                   "--cuda-gpu-arch=" + Options.Arch,
                                   "--cuda-device-only",
                                   "--cuda-path=/nonexistent",
                                   "-nocudainc",
                                   "-nocudalib",
                                   "--cuda-feature=+ptx88",
                                   "-std=c++17",
                                   "-fdebug-compilation-dir=.",
                                   "-O3",
                                   "-gline-tables-only",
                                   "-isystem",
                                   Headers,
                                   "-include",
                                   Headers + "/cuda_runtime.h"};
  append_range(Args, Options.ClangArgs);
  Args.push_back(Options.Path);
  return Args;
}

static Expected<std::unique_ptr<Module>>
createModule(const CompileOptions &Options, LLVMContext &Context,
             std::string &Warnings) {
  auto Buffer = MemoryBuffer::getFile(Options.Path);
  if (!Buffer)
    return createStringError("cannot read '" + Options.Path +
                             "': " + Buffer.getError().message());
  switch (kindOf(Options.Path, (*Buffer)->getBuffer())) {
  case SourceKind::IR:
    return readIR(Context, **Buffer);
  case SourceKind::CUDA:
    return runClang(Context, Options.Path, cudaArguments(Options), Warnings);
  case SourceKind::OpenCL:
    return compileOpenCL(Options, Context, Warnings);
  case SourceKind::Unknown:
    break;
  }
  return createStringError("'" + Options.Path +
                           "' is neither OpenCL (.cl), CUDA (.cu) nor LLVM IR "
                           "(.ll, .bc)");
}

Expected<CompiledModule> compile(const CompileOptions &Options) {
  if (auto TM = createTargetMachine(Options.Arch, Options.OptLevel); !TM)
    return TM.takeError();
  CompiledModule Result;
  Result.Path = Options.Path;
  Result.Arch = Options.Arch;
  Result.Context = std::make_unique<LLVMContext>();
  // Remarks of failed optimisations and the like are nobody's business here.
  Result.Context->setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *, void *) {}, nullptr);
  auto M = createModule(Options, *Result.Context, Result.Warnings);
  if (!M)
    return M.takeError();
  Result.Module = std::move(*M);
  Result.Module->setModuleIdentifier(Options.Path);
  if (Error E = prepareModule(*Result.Module, Options.Arch, Options.OptLevel,
                              Result.Warnings))
    return E;
  return Result;
}

std::vector<Function *> CompiledModule::kernels() const {
  std::vector<Function *> Kernels;
  for (Function &F : *Module)
    if (!F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel)
      Kernels.push_back(&F);
  return Kernels;
}

Expected<Function *> CompiledModule::kernel(StringRef Name) const {
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
  // The more exact the match, the sooner it decides.
  SmallVector<function_ref<bool(Function &)>, 4> Matches;
  auto Symbol = [&](Function &F) { return F.getName() == Name; };
  auto Demangled = [&](Function &F) { return demangle(F.getName()) == Name; };
  auto Base = [&](Function &F) { return kernelName(F) == Name; };
  auto Prefix = [&](Function &F) {
    return StringRef(kernelName(F)).starts_with(Name) ||
           StringRef(demangle(F.getName())).starts_with(Name);
  };
  Matches = {Symbol, Demangled, Base, Prefix};
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
  return createStringError(Path + " has no kernel '" + Name + "' (" + List +
                           ")");
}

} // namespace heddle
