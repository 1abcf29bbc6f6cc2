//===- Compiler.cpp - From a file to a prepared module --------------------===//

#include "heddle/Frontend/Compiler.h"

#include "ArithmeticFlags.h"
#include "ClangInvocation.h"
#include "EmbeddedKernels.h"
#include "ForeignFlags.h"
#include "MLIR/MLIRModule.h"
#include "OpenCLLibrary.h"
#include "ToolkitLibrary.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/PTX/PTXLifter.h"
#include "heddle/PTX/StatementLowering.h"
#include "heddle/Passes/Pipelines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace heddle {

namespace {
enum class SourceKind { OpenCL, CUDA, IR, MLIR, PTX, Unknown };
} // namespace

static SourceKind kindOf(StringRef Path, StringRef Content) {
  if (identify_magic(Content) == file_magic::bitcode)
    return SourceKind::IR;
  SourceKind ByName = StringSwitch<SourceKind>(sys::path::extension(Path))
                          .Cases({".cl", ".ocl", ".clcpp"}, SourceKind::OpenCL)
                          .Cases({".cu", ".cuh"}, SourceKind::CUDA)
                          .Cases({".ll", ".bc"}, SourceKind::IR)
                          .Case(".mlir", SourceKind::MLIR)
                          .Case(".ptx", SourceKind::PTX)
                          .Default(SourceKind::Unknown);
  if (ByName != SourceKind::Unknown)
    return ByName;
  if (Content.starts_with("target ") || Content.contains("\ntarget triple = "))
    return SourceKind::IR;
  if (isPTX(Content))
    return SourceKind::PTX;
  if (Content.contains("gpu.module @"))
    return SourceKind::MLIR;
  if (Content.contains("__global__"))
    return SourceKind::CUDA;
  if (Content.contains("kernel void") || Content.contains("__kernel"))
    return SourceKind::OpenCL;
  return SourceKind::Unknown;
}

static Expected<std::unique_ptr<Module>> readIR(LLVMContext &Context,
                                                MemoryBufferRef Buffer) {
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
static Expected<ClangResult> compileOpenCL(const CompileOptions &Options,
                                           LLVMContext &Context,
                                           const std::string &Text) {
  auto Compile = [&](const char *Standard) {
    std::vector<std::string> Args = openCLArguments(Standard, Options.Arch);
    Args.insert(Args.end(),
                {"-include", std::string(VirtualFolder) + "/OpenCL/Prelude.h"});
    append_range(Args, Options.ClangArgs);
    Args.push_back(Options.Path);
    return runClang(Context, Options.Path, Args,
                    {Text, {}, Options.GuessMacros, Options.AllErrors});
  };
  // The language that -cl-std names, or the file's name.
  bool IsCpp = sys::path::extension(Options.Path) == ".clcpp";
  auto M = Compile(IsCpp ? "CLC++2021" : "CL2.0");
  if (!IsCpp && (!M || !M->Refused.empty()) &&
      none_of(Options.ClangArgs,
              [](StringRef Arg) { return Arg.starts_with("-cl-std"); })) {
    auto Second = Compile("CL1.2");
    if (!Second) {
      consumeError(Second.takeError());
    } else if (!M) {
      consumeError(M.takeError());
      M = std::move(Second);
    } else if (Second->Refused.size() < M->Refused.size()) {
      M = std::move(Second);
    }
  }
  if (!M)
    return M;
  if (Error E = linkOpenCLLibrary(*M->Module, Options.Arch))
    return E;
  return M;
}

/// The folder of the toolkit that "--cuda-path" names among the flags, or "".
static StringRef toolkitOf(const CompileOptions &Options) {
  StringRef Toolkit;
  for (StringRef Arg : Options.ClangArgs)
    if (Arg.consume_front("--cuda-path="))
      Toolkit = Arg;
  return Toolkit;
}

/// With the headers of a toolkit: Clang's own wrapper stands before them.
static std::vector<std::string>
toolkitArguments(const CompileOptions &Options) {
  std::vector<std::string> Args = {
      "-x", "cuda", "--cuda-gpu-arch=" + Options.Arch, "--cuda-device-only",
      "-nocudalib", "--no-cuda-version-check", "-Wno-unknown-cuda-version",
      "--cuda-feature=+ptx88", "-std=c++17", "-fdeclspec",
      "-fdebug-compilation-dir=.", "-O3", "-gline-tables-only",
      // Its pairs of halves are copied as unsigned numbers.
      "-fno-strict-aliasing",
      // A toolkit later than Clang counts as one
      // before 9.2 otherwise, whose launches in
      // host code have other functions.
      "-Xclang", "-target-sdk-version=12.8"};
  // Since CUDA 13 libcu++, Thrust and CUB have a folder of their own.
  std::string Libraries = (toolkitOf(Options) + "/include/cccl").str();
  if (sys::fs::is_directory(Libraries))
    Args.insert(Args.end(), {"-isystem", Libraries});
  // What the toolkit lacks: helpers of the sample programs.
  Args.insert(Args.end(), {"-idirafter", std::string(VirtualFolder) + "/CUDA"});
  return Args;
}

static std::vector<std::string> headerArguments(const CompileOptions &Options) {
  std::string Headers = std::string(VirtualFolder) + "/CUDA";
  std::vector<std::string> Args = {
      "-x", "cuda", "--cuda-gpu-arch=" + Options.Arch, "--cuda-device-only",
      "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib",
      "--cuda-feature=+ptx88", "-std=c++17", "-fdeclspec",
      "-fcheck-new", // on the device new may return null
      // No library has the rest.
      "-fcomplex-arithmetic=improved", "-fdebug-compilation-dir=.", "-O3",
      "-gline-tables-only", "-isystem", Headers, "-include",
      Headers + "/cuda_runtime.h"};
  if (Options.AsNVCC && !Options.ForAnalysis)
    Args.push_back("-D__HEDDLE_AS_NVCC");
  return Args;
}

/// Where Clang sees the text called \p Name.
static std::string inMemory(StringRef Name) {
  return (StringRef(MemoryFolder) + "/" + Name.ltrim('/')).str();
}

static std::vector<std::string> cudaArguments(const CompileOptions &Options,
                                              ArrayRef<SourceText> Sources) {
  std::vector<std::string> Args = toolkitOf(Options).empty()
                                      ? headerArguments(Options)
                                      : toolkitArguments(Options);
  Args.push_back("-fno-strict-float-cast-overflow"); // for convertAsNVCC
  if (!Options.LinkWith.empty())
    Args.push_back("-fgpu-rdc");
  if (!Sources.empty())
    Args.insert(Args.end(), {"-I", MemoryFolder});
  append_range(Args, Options.ClangArgs);
  Args.push_back(Sources.empty() ? Options.Path
                                 : inMemory(Sources.front().Name));
  return Args;
}

/// The source followed by a function that names the instances asked for, which
/// makes Clang instantiate them; "" if there are none.
static std::string textWithInstances(const CompileOptions &Options) {
  if (Options.Instances.empty())
    return "";
  auto Source = MemoryBuffer::getFile(Options.Path);
  if (!Source)
    return "";
  std::string Text = (*Source)->getBuffer().str();
  for (auto [Number, Name] : enumerate(Options.Instances))
    Text += ("\n# 1 \"" + InstanceFlag.drop_back() + "\"\nstatic inline void " +
             InstanceFunction + Twine(Number) + "() { (void)&" + Name + "; }\n")
                .str();
  return Text;
}

/// Whether Clang says of a C++17 source what it says of C++20 code.
static bool holdsLaterCode(StringRef Diagnostics) {
  return any_of(ArrayRef<StringRef>{"-Wc++20-extensions",
                                    "unknown type name 'concept'",
                                    "unknown type name 'consteval'",
                                    "unknown type name 'constinit'",
                                    "unknown type name 'requires'"},
                [&](StringRef Said) { return Diagnostics.contains(Said); });
}

/// Compiles as C++17, nvcc's default. What then lacks a kernel and holds
/// something later gets a second try as C++20. "-std" after "--" decides.
static Expected<ClangResult> compileCUDA(const CompileOptions &Options,
                                         LLVMContext &Context,
                                         ArrayRef<SourceText> Sources = {}) {
  std::vector<std::string> Args = cudaArguments(Options, Sources);
  ClangInput Given = {
      textWithInstances(Options), {}, Options.GuessMacros, Options.AllErrors};
  for (const SourceText &File : Sources) // by the names given
    Given.Files.push_back(
        {inMemory(File.Name), "#line 1 \"" + File.Name + "\"\n" + File.Text});
  auto Compile = [&] {
    auto Result = runClang(Context, Options.Path, Args, Given);
    if (Result)
      convertAsNVCC(*Result->Module);
    return Result;
  };
  auto First = Compile();
  const std::string Errors = First ? "" : toString(First.takeError());
  const bool Lacks = !Errors.empty() || !First->Refused.empty();
  if (Lacks && holdsLaterCode(Errors.empty() ? First->Warnings : Errors) &&
      none_of(Options.ClangArgs,
              [](StringRef Arg) { return Arg.starts_with("-std"); })) {
    Args.insert(Args.end() - 1, "-std=c++20");
    auto Second = Compile();
    if (!Second)
      consumeError(Second.takeError());
    else if (!Errors.empty() || Second->Refused.size() < First->Refused.size())
      return Second;
  }
  if (!Errors.empty())
    return createStringError(Errors);
  return First;
}

static Expected<ClangResult> readPTX(LLVMContext &Context, StringRef Text,
                                     StringRef Path) {
  std::vector<UnliftedKernel> Unlifted;
  auto M = liftPTX(Context, splitAsyncWrites(Text), Path, Unlifted);
  if (!M)
    return M.takeError();
  ClangResult Result;
  Result.Module = std::move(*M);
  for (const UnliftedKernel &K : Unlifted) {
    Result.Refused.push_back({demangle(K.Name),
                              (Path + ":" + Twine(K.Line)).str(),
                              (Path + ": " + K.Reason).str()});
  }
  return std::move(Result);
}

/// Whether \p Text starts with bytes that no source has.
static bool isBinary(StringRef Text) {
  return any_of(Text.take_front(4096), [](char C) {
    return uint8_t(C) < ' ' && !isSpace(C) && C != '\x1a';
  });
}

static Expected<ClangResult> createModule(const CompileOptions &Options,
                                          LLVMContext &Context) {
  if (identify_magic(Options.PTX) == file_magic::bitcode) {
    auto M = readIR(Context, MemoryBufferRef(Options.PTX, Options.Path));
    if (!M)
      return M.takeError();
    ClangResult Result;
    Result.Module = std::move(*M);
    return std::move(Result);
  }
  if (!Options.PTX.empty())
    return readPTX(Context, Options.PTX, Options.Path);
  auto Buffer = MemoryBuffer::getFile(Options.Path);
  if (!Buffer)
    return createStringError("cannot read '" + Options.Path +
                             "': " + Buffer.getError().message());
  const SourceKind Kind = kindOf(Options.Path, (*Buffer)->getBuffer());
  if (Kind != SourceKind::IR && isBinary((*Buffer)->getBuffer()))
    return createStringError("'" + Options.Path +
                             "' is not text: it holds control bytes");
  switch (Kind) {
  case SourceKind::IR: {
    auto M = readIR(Context, (*Buffer)->getMemBufferRef());
    if (!M)
      return M.takeError();
    ClangResult Result;
    Result.Module = std::move(*M);
    return std::move(Result);
  }
  case SourceKind::MLIR: {
    auto M = readMLIR(Context, std::move(*Buffer), Options.Arch);
    if (!M)
      return M.takeError();
    ClangResult Result;
    Result.Module = std::move(*M);
    return std::move(Result);
  }
  case SourceKind::PTX:
    return readPTX(Context, (*Buffer)->getBuffer(), Options.Path);
  case SourceKind::CUDA: {
    auto Result = compileCUDA(Options, Context);
    StringRef Toolkit = toolkitOf(Options);
    if (!Result || Toolkit.empty())
      return Result;
    if (Error E = linkToolkitLibrary(*Result->Module, Toolkit))
      return E;
    return Result;
  }
  case SourceKind::OpenCL:
    return compileOpenCL(Options, Context,
                         isHostSource(Options.Path)
                             ? embeddedOpenCL((*Buffer)->getBuffer())
                             : "");
  case SourceKind::Unknown:
    break;
  }
  return createStringError(
      "'" + Options.Path +
      "' is neither OpenCL (.cl), CUDA (.cu), LLVM IR (.ll, "
      ".bc) nor PTX (.ptx)");
}

/// Adds the sources of Options.LinkWith to \p Result.
static Error linkOthers(const CompileOptions &Options, LLVMContext &Context,
                        ClangResult &Result) {
  for (const std::string &Path : Options.LinkWith) {
    CompileOptions Other = Options;
    Other.Path = Path;
    auto More = createModule(Other, Context);
    if (!More)
      return More.takeError();
    Result.Warnings += More->Warnings;
    Result.Assumptions += More->Assumptions;
    append_range(Result.Refused, More->Refused);
    // The linker explains through the context, which keeps quiet here.
    if (Linker::linkModules(*Result.Module, std::move(More->Module)))
      return createStringError("cannot link '" + Options.Path + "' with '" +
                               Path +
                               "': a symbol is defined in both, or "
                               "declared with another type");
  }
  return Error::success();
}

/// \p Given with the flags of other compilers and our own taken out of its
/// ClangArgs; \p Notes get what is left out.
static Expected<CompileOptions> readFlags(const CompileOptions &Given,
                                          std::string &Notes) {
  CompileOptions Options = Given;
  Options.ClangArgs = translateFlags(Given.ClangArgs, Notes);
  Options.GuessMacros = llvm::is_contained(Options.ClangArgs, GuessMacrosFlag);
  llvm::erase(Options.ClangArgs, GuessMacrosFlag);
  Options.AllErrors = llvm::is_contained(Options.ClangArgs, AllErrorsFlag);
  llvm::erase(Options.ClangArgs, AllErrorsFlag);
  Options.AsNVCC = !llvm::is_contained(Options.ClangArgs, UnrollAsClangFlag);
  llvm::erase(Options.ClangArgs, UnrollAsClangFlag);
  for (StringRef Arg : Options.ClangArgs)
    if (Arg.consume_front(InstanceFlag))
      Options.Instances.push_back(Arg.str());
  llvm::erase_if(Options.ClangArgs,
                 [](StringRef Arg) { return Arg.starts_with(InstanceFlag); });
  for (StringRef Arg : Options.ClangArgs) // the last one counts
    if (Arg.consume_front(MaxRegistersFlag) &&
        !to_integer(Arg, Options.MaxRegisters, 10))
      return createStringError("-maxrregcount=" + Arg +
                               ": this is no number of registers");
  llvm::erase_if(Options.ClangArgs, [](StringRef Arg) {
    return Arg.starts_with(MaxRegistersFlag);
  });
  for (StringRef Arg : Options.ClangArgs)
    if (Arg.consume_front(PreciseDivisionFlag))
      Options.PreciseDivision = Arg == "true";
    else if (Arg.consume_front(PreciseRootFlag))
      Options.PreciseRoot = Arg == "true";
  llvm::erase_if(Options.ClangArgs, [](StringRef Arg) {
    return Arg.starts_with(PreciseDivisionFlag) ||
           Arg.starts_with(PreciseRootFlag);
  });
  return Options;
}

/// Kernels without launch bounds get at most \p Most registers per thread, as
/// nvcc's -maxrregcount has it (CUDA C++ Programming Guide, "Launch Bounds").
static void limitRegisters(Module &M, unsigned Most) {
  for (Function &F : M) {
    if (F.getCallingConv() != CallingConv::PTX_Kernel || F.isDeclaration())
      continue;
    const LaunchBounds Bounds = launchBounds(F);
    if (!Bounds.MaxThreads && !Bounds.MinBlocks && !Bounds.MaxRegisters)
      F.addFnAttr("nvvm.maxnreg", utostr(Most));
  }
}

/// To nvcc warpSize is no constant: loops over it stay loops, and a division by
/// it is one. Its PTX reads WARP_SZ. What takes the address gets a constant.
static void readWarpSize(Module &M) {
  GlobalVariable *WarpSize = M.getGlobalVariable("warpSize");
  if (!WarpSize || !WarpSize->isDeclaration())
    return;
  Function *Read = Intrinsic::getOrInsertDeclaration(
      &M, Intrinsic::nvvm_read_ptx_sreg_warpsize);
  SmallVector<User *> Work(WarpSize->users());
  while (!Work.empty()) {
    User *U = Work.pop_back_val();
    if (isa<AddrSpaceCastOperator>(U)) {
      append_range(Work, U->users());
    } else if (auto *Load = dyn_cast<LoadInst>(U)) {
      Load->replaceAllUsesWith(IRBuilder<>(Load).CreateCall(Read));
      Load->eraseFromParent();
    }
  }
  WarpSize->removeDeadConstantUsers();
  if (WarpSize->use_empty())
    return;
  WarpSize->setInitializer(ConstantInt::get(WarpSize->getValueType(), 32));
  WarpSize->setExternallyInitialized(false);
  WarpSize->setLinkage(GlobalValue::InternalLinkage);
}

/// What flags ask of a module that comes from Clang or has been read.
static void applyFlags(Module &M, const CompileOptions &Options) {
  if (Options.MaxRegisters)
    limitRegisters(M, Options.MaxRegisters);
  // PTX says of each instruction what it is.
  if (liftedText(M))
    return;
  readWarpSize(M);
  if (Options.PreciseDivision)
    setDivision(M, *Options.PreciseDivision);
  if (Options.PreciseRoot)
    setRoots(M, *Options.PreciseRoot);
}

Expected<std::string> deviceBitcode(const CompileOptions &Options,
                                    std::string &Warnings) {
  std::vector<std::string> Files;
  return deviceBitcode(Options, {}, Warnings, Files);
}

Expected<std::string> deviceBitcode(const CompileOptions &Options,
                                    ArrayRef<SourceText> Sources,
                                    std::string &Warnings,
                                    std::vector<std::string> &Files,
                                    std::vector<SourceText> *Repaired) {
  std::string Notes;
  Expected<CompileOptions> Own = readFlags(Options, Notes);
  if (!Own)
    return Own.takeError();
  LLVMContext Context;
  auto Result = compileCUDA(*Own, Context, Sources);
  if (!Result)
    return Result.takeError();
  applyFlags(*Result->Module, *Own);
  Warnings = Notes + Result->Warnings;
  Files = std::move(Result->Files);
  if (Repaired)
    *Repaired = std::move(Result->Repaired);
  for (const RefusedKernel &R : Result->Refused)
    if (!StringRef(R.Reason).starts_with("a template"))
      return createStringError(R.Position + ": kernel '" + R.Name +
                               "' does not compile: " + R.Reason);
  std::string Bytes;
  raw_string_ostream Stream(Bytes);
  WriteBitcodeToFile(*Result->Module, Stream);
  return Bytes;
}

/// Why none of the kernels of a file was compiled.
static Error refusedKernels(const CompiledModule &Module) {
  constexpr size_t MaxSaid = 3;
  std::string Text = Module.Path + ": there is no kernel in it to compile";
  for (const RefusedKernel &R : ArrayRef(Module.Refused).take_front(MaxSaid))
    Text += "\n" + R.Position + ": " + R.Name + ": " + R.Reason;
  if (Module.Refused.size() > MaxSaid)
    Text += "\nnote: " + std::to_string(Module.Refused.size() - MaxSaid) +
            " more kernels";
  return createStringError(Text);
}

Expected<CompiledModule> compile(const CompileOptions &Given) {
  std::string Notes;
  Expected<CompileOptions> Own = readFlags(Given, Notes);
  if (!Own)
    return Own.takeError();
  const CompileOptions &Options = *Own;
  if (auto TM = createTargetMachine(Options.Arch, Options.OptLevel); !TM)
    return TM.takeError();
  CompiledModule Result;
  Result.Path = Options.Path;
  Result.Arch = Options.Arch;
  Result.Context = std::make_unique<LLVMContext>();
  // Remarks of failed optimisations are of no interest here.
  Result.Context->setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *, void *) {}, nullptr);
  auto M = createModule(Options, *Result.Context);
  if (!M)
    return M.takeError();
  if (Error E = linkOthers(Options, *Result.Context, *M))
    return E;
  Result.Module = std::move(M->Module);
  Result.Warnings = Notes + std::move(M->Warnings);
  Result.Assumptions = std::move(M->Assumptions);
  Result.Refused = std::move(M->Refused);
  Result.Module->setModuleIdentifier(Options.Path);
  applyFlags(*Result.Module, Options);
  const bool HasKernel = any_of(*Result.Module, [](const Function &F) {
    return F.getCallingConv() == CallingConv::PTX_Kernel && !F.isDeclaration();
  });
  if (!HasKernel && !Result.Refused.empty())
    return refusedKernels(Result);
  const PrepareOptions Prepare = {Options.Arch, Options.OptLevel,
                                  Options.KeepPrints, Options.TripFactor,
                                  Options.AsNVCC};
  Error E =
      liftedText(*Result.Module)
          ? prepareLifted(*Result.Module, Prepare, Result.Warnings)
      : Options.ForAnalysis
          ? prepareForAnalysis(*Result.Module, Options.Arch, Result.Warnings)
          : prepareModule(*Result.Module, Prepare, Result.Warnings);
  if (E)
    return E;
  Result.NotExecuted = refusedCalls(*Result.Module);
  return Result;
}

} // namespace heddle
