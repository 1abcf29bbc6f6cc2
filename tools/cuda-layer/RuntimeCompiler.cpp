//===- RuntimeCompiler.cpp - From source to PTX while a program runs ------===//
//
// In libHeddleCudaEngine.so: what libnvrtc (Nvrtc.cpp) loads to compile.
//
//===----------------------------------------------------------------------===//

#include "cuda/Engine.h"

#include "heddle/Frontend/SourceText.h"
#include "heddle/PTX/PTXEmitter.h"
#include "heddle/Support/CodeCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::cuda {

/// Variables whose first values are the kernels and variables asked for.
static constexpr StringLiteral AskedFor = "__heddle_asked_";

/// The source with what its callers want of it behind its last line.
static std::string wholeText(const RuntimeSource &Source) {
  std::string Text;
  if (Source.AllAreDevice)
    Text = "#pragma clang force_cuda_host_device begin\n#line 1 \"" +
           Source.Main.Name + "\"\n";
  Text += Source.Main.Code;
  for (auto [N, Expression] : enumerate(Source.Expressions))
    Text += ("\n#line 1 \"name expression\"\nextern \"C\" __device__ const void"
             " *const volatile " +
             AskedFor + Twine(N) + " = (const void *)(" + Expression + ");")
                .str();
  return Text + "\n";
}

static CompileOptions optionsOf(const RuntimeSource &Source) {
  CompileOptions Options;
  Options.Path = Source.Main.Name;
  Options.Arch = Source.Arch;
  Options.ClangArgs = Source.Flags;
  Options.ClangArgs.push_back("-D__CUDACC_RTC__");
  return Options;
}

/// The names that the expressions stand for; takes their variables out.
static Expected<std::vector<std::string>> takeNames(Module &M, size_t Count) {
  std::vector<std::string> Names;
  for (size_t N = 0; N < Count; ++N) {
    GlobalVariable *Asked = M.getNamedGlobal((AskedFor + Twine(N)).str());
    if (!Asked || !Asked->hasInitializer())
      return createStringError("name expression " + Twine(N) +
                               " names nothing");
    const auto *Of =
        dyn_cast<GlobalValue>(Asked->getInitializer()->stripPointerCasts());
    if (!Of)
      return createStringError("name expression " + Twine(N) +
                               " is neither a kernel nor a variable");
    Names.push_back(Of->getName().str());
  }
  // The list of what must be kept names them as well.
  for (StringRef List : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *Kept = M.getNamedGlobal(List))
      Kept->eraseFromParent();
  for (size_t N = 0; N < Count; ++N)
    M.getNamedGlobal((AskedFor + Twine(N)).str())->eraseFromParent();
  return Names;
}

static std::vector<SourceText> textsOf(const RuntimeSource &Source) {
  std::vector<SourceText> Texts = {{Source.Main.Name, wholeText(Source)}};
  for (const RuntimeSource::Text &H : Source.Headers)
    Texts.push_back({H.Name, H.Code});
  return Texts;
}

static Expected<std::string> ptxOf(const CompileOptions &Options) {
  auto M = heddle::compile(Options);
  if (!M)
    return M.takeError();
  for (const RefusedKernel &R : M->Refused)
    return createStringError(R.Position + ": error: kernel '" + R.Name +
                             "': " + R.Reason);
  std::vector<std::string> Kernels;
  for (const Function *F : M->kernels()) {
    auto Text = emitProvenancePTX(*F, KernelNumbering(*F), Options.Arch);
    if (!Text)
      return Text.takeError();
    Kernels.push_back(std::move(*Text));
  }
  return assemblyText(Kernels);
}

/// ptxOf() of the bitcode in \p Options, kept on disk: programs that compile
/// while they run do it every time. Headers may have changed, so the source is
/// read again.
static Expected<std::string> keptPTXOf(const CompileOptions &Options) {
  const CodeCache Cache;
  std::string Inputs = buildIdentity() + LLVM_VERSION_STRING "\nptx\n" +
                       Options.Path + '\n' + Options.Arch + '\n';
  for (const std::string &Arg : Options.ClangArgs)
    Inputs += Arg + '\0';
  const std::string Key = CodeCache::keyOf(Inputs + '\n' + Options.PTX);
  if (auto Kept = Cache.find(Key))
    return std::string(Kept->begin(), Kept->end());
  auto PTX = ptxOf(Options);
  if (PTX)
    Cache.keep(Key, *PTX);
  return PTX;
}

static llvm::Error compileTo(const RuntimeSource &Source, RuntimeCode &Code) {
  CompileOptions Options = optionsOf(Source);
  auto Bitcode = deviceBitcode(Options, textsOf(Source), Code.Log);
  if (!Bitcode)
    return Bitcode.takeError();
  LLVMContext Context;
  auto M = parseBitcodeFile(MemoryBufferRef(*Bitcode, "source"), Context);
  if (!M)
    return M.takeError();
  auto Names = takeNames(**M, Source.Expressions.size());
  if (!Names)
    return Names.takeError();
  Code.Names = std::move(*Names);
  raw_string_ostream Stream(Options.PTX);
  WriteBitcodeToFile(**M, Stream);
  auto PTX = keptPTXOf(Options);
  if (!PTX)
    return PTX.takeError();
  Code.PTX = std::move(*PTX);
  return llvm::Error::success();
}

} // namespace heddle::cuda

extern "C" __attribute__((visibility("default"))) void
heddleCompileAtRunTime(const heddle::cuda::RuntimeSource &Source,
                       heddle::cuda::RuntimeCode &To) {
  if (llvm::Error E = heddle::cuda::compileTo(Source, To))
    To.Log += toString(std::move(E));
  else
    To.Compiled = true;
}
