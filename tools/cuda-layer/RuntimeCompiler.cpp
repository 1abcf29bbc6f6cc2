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
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <cstdlib>

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

/// \p Files gets the names of what was read.
static llvm::Error compileTo(const RuntimeSource &Source, RuntimeCode &Code,
                             std::vector<std::string> &Files) {
  CompileOptions Options = optionsOf(Source);
  auto Bitcode = deviceBitcode(Options, textsOf(Source), Code.Log, Files);
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
  auto PTX = ptxOf(Options);
  if (!PTX)
    return PTX.takeError();
  Code.PTX = std::move(*PTX);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// What was compiled before
//===----------------------------------------------------------------------===//

/// Names all that decides the code but for the files that are read.
static std::string keyOf(const RuntimeSource &Source) {
  std::string Inputs = buildIdentity() + LLVM_VERSION_STRING "\nNVRTC\n";
  auto add = [&](StringRef Text) {
    Inputs += Twine(Text.size()).str() + ':' + Text.str();
  };
  // What relative names begin with; a folder that is gone has no files.
  if (SmallString<128> Folder; !sys::fs::current_path(Folder))
    add(Folder);
  for (const char *Variable : {"CPATH", "CPLUS_INCLUDE_PATH"})
    if (const char *Value = std::getenv(Variable))
      add((Twine(Variable) + "=" + Value).str());
  const CompileOptions Options = optionsOf(Source);
  add(Options.Path);
  add(Options.Arch);
  for (const std::string &Arg : Options.ClangArgs)
    add(Arg);
  for (const SourceText &Text : textsOf(Source)) {
    add(Text.Name);
    add(Text.Text);
  }
  return CodeCache::keyOf(Inputs);
}

using Moment = std::chrono::system_clock::time_point;

/// The files and folders on disk among \p Names, with their sizes and times;
/// nothing if one has changed since \p ReadAt or so shortly before that it may
/// have changed once more in the same moment.
static std::optional<json::Array> statesOf(ArrayRef<std::string> Names,
                                           Moment ReadAt) {
  json::Array States;
  for (const std::string &Name : Names) {
    sys::fs::file_status Status;
    if (sys::fs::status(Name, Status))
      continue;
    const auto Changed = Status.getLastModificationTime();
    if (ReadAt - Changed < std::chrono::seconds(2))
      return std::nullopt;
    States.push_back(json::Array{Name, int64_t(Status.getSize()),
                                 int64_t(Changed.time_since_epoch().count())});
  }
  return States;
}

/// Code that was kept for \p Key, if the files that it was made from are as
/// they were.
static bool findKept(const CodeCache &Cache, StringRef Key, RuntimeCode &Code) {
  const auto Kept = Cache.find(Key);
  auto Value = Kept ? json::parse(StringRef(Kept->data(), Kept->size()))
                    : Expected<json::Value>(nullptr);
  if (!Value) {
    consumeError(Value.takeError());
    return false;
  }
  const json::Object *O = Value->getAsObject();
  const json::Array *Files = O ? O->getArray("files") : nullptr;
  if (!Files)
    return false;
  std::vector<std::string> Names;
  for (const json::Value &File : *Files)
    Names.push_back(File.getAsArray()->front().getAsString()->str());
  const auto Now = statesOf(Names, std::chrono::system_clock::now());
  if (!Now || *Now != *Files)
    return false;
  Code.Log = O->getString("log")->str();
  Code.PTX = O->getString("ptx")->str();
  for (const json::Value &Name : *O->getArray("names"))
    Code.Names.push_back(Name.getAsString()->str());
  return true;
}

static void keep(const CodeCache &Cache, StringRef Key, const RuntimeCode &Code,
                 ArrayRef<std::string> Files, Moment ReadAt) {
  auto States = statesOf(Files, ReadAt);
  if (!States || !json::isUTF8(Code.Log) || !json::isUTF8(Code.PTX))
    return;
  const std::string Text =
      formatv("{0}", json::Value(json::Object{{"files", std::move(*States)},
                                              {"log", Code.Log},
                                              {"names", Code.Names},
                                              {"ptx", Code.PTX}}));
  Cache.keep(Key, Text);
}

/// compileTo(), whose code is kept on disk: programs that compile while they
/// run do it every time. A header that has changed since is noticed, and so is
/// one that is new in a folder of -I.
static llvm::Error compileOrFind(const RuntimeSource &Source,
                                 RuntimeCode &Code) {
  const CodeCache Cache;
  const std::string Key = Cache.keepsNothing() ? "" : keyOf(Source);
  if (findKept(Cache, Key, Code))
    return llvm::Error::success();
  const Moment Start = std::chrono::system_clock::now();
  std::vector<std::string> Files;
  if (llvm::Error E = compileTo(Source, Code, Files))
    return E;
  for (const std::string &Flag : Source.Flags)
    Files.push_back(StringRef(Flag).starts_with("-I") ? Flag.substr(2) : Flag);
  llvm::sort(Files);
  Files.erase(llvm::unique(Files), Files.end());
  keep(Cache, Key, Code, Files, Start);
  return llvm::Error::success();
}

} // namespace heddle::cuda

extern "C" __attribute__((visibility("default"))) void
heddleCompileAtRunTime(const heddle::cuda::RuntimeSource &Source,
                       heddle::cuda::RuntimeCode &To) {
  if (llvm::Error E = heddle::cuda::compileOrFind(Source, To))
    To.Log += toString(std::move(E));
  else
    To.Compiled = true;
}
