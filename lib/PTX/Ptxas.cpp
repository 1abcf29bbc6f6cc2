//===- Ptxas.cpp - Registers per thread as ptxas allocates them -----------===//

#include "heddle/PTX/Registers.h"

#include "heddle/PTX/PTXEmitter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle {

std::optional<std::string> findPtxas() {
  if (auto Chosen = sys::Process::GetEnv("HEDDLE_PTXAS"))
    return Chosen->empty() ? std::nullopt : Chosen;
  if (auto OnPath = sys::findProgramByName("ptxas"))
    return *OnPath;
  if (auto Root = sys::Process::GetEnv("CUDA_PATH")) {
    SmallString<128> Bin(*Root);
    sys::path::append(Bin, "bin");
    if (auto Found = sys::findProgramByName("ptxas", {StringRef(Bin)}))
      return *Found;
  }
  return std::nullopt;
}

namespace {

/// Seconds after which ptxas counts as not there.
constexpr unsigned TimeoutSeconds = 30;

/// "ptxas info : Used 12 registers, ..." after the line that names the kernel.
std::optional<unsigned> readRegisters(StringRef Output, StringRef Kernel) {
  std::string Function = ("'" + Kernel + "'").str();
  size_t At = Output.find(Function);
  if (At == StringRef::npos)
    return std::nullopt;
  StringRef Rest = Output.substr(At);
  size_t Used = Rest.find("Used ");
  unsigned Count;
  if (Used == StringRef::npos)
    return std::nullopt;
  Rest = Rest.substr(Used + 5);
  if (Rest.consumeInteger(10, Count) || !Rest.starts_with(" registers"))
    return std::nullopt;
  return Count;
}

std::optional<unsigned> runFor(StringRef Ptxas, StringRef Source,
                               StringRef Kernel, StringRef Arch,
                               StringRef Object = "") {
  std::string Target = ("-arch=" + Arch).str();
  SmallVector<StringRef, 8> Args = {Ptxas, "-v", Target, Source, "-o"};
  Args.push_back(Object.empty() ? "/dev/null" : Object);
  if (!Object.empty())
    Args.push_back("-lineinfo");
  auto Log = runTool(Args);
  return Log ? readRegisters(*Log, Kernel) : std::nullopt;
}

} // namespace

std::optional<std::string> runTool(ArrayRef<StringRef> Args) {
  SmallString<128> Log;
  if (sys::fs::createTemporaryFile("heddle-tool", "log", Log))
    return std::nullopt;
  FileRemover RemoveLog(Log);
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Log),
                                          StringRef(Log)};
  if (sys::ExecuteAndWait(Args.front(), Args, std::nullopt, Redirects,
                          TimeoutSeconds) != 0)
    return std::nullopt;
  auto Output = MemoryBuffer::getFile(Log);
  if (!Output)
    return std::nullopt;
  return (*Output)->getBuffer().str();
}

/// The first pseudo instruction of \p Text that calls a function, if any.
static std::string calledFunction(StringRef Text) {
  for (StringRef Line : split(Text, '\n')) {
    StringRef Opcode =
        Line.ltrim().take_until([](char C) { return isSpace(C) || C == ';'; });
    // call.uni is PTX's own, as in files that nvcc wrote.
    if (Opcode.starts_with(MathOpcodePrefix) ||
        (Opcode.starts_with(CallOpcodePrefix) && Opcode != "call.uni"))
      return Opcode.str();
  }
  return "";
}

static bool writeSource(StringRef Text, SmallString<128> &Path) {
  int FD;
  if (sys::fs::createTemporaryFile("heddle-ptxas", "ptx", FD, Path))
    return false;
  raw_fd_ostream OS(FD, /*shouldClose=*/true);
  OS << Text;
  return true;
}

/// \p Text for the assembler of CUDA 11.8, the only one with all of sm_60 to
/// sm_90: its version of PTX is 7.8.
static std::string asOldVersion(StringRef Text) {
  auto [Before, After] = Text.split(".version ");
  return (Before + ".version 7.8\n" + After.split('\n').second).str();
}

Expected<unsigned> assemble(StringRef Text, StringRef Kernel, StringRef Arch,
                            StringRef Object) {
  auto Ptxas = findPtxas();
  if (!Ptxas)
    return createStringError("--isa sass needs ptxas, and none is found on "
                             "PATH, below $CUDA_PATH or as $HEDDLE_PTXAS; "
                             "--isa machine needs no toolkit");
  const std::string Unknown = calledFunction(Text);
  if (!Unknown.empty())
    return createStringError("--isa sass: " + Unknown +
                             " is no instruction of ptxas; --isa machine "
                             "models it");
  const std::string Known = assemblyText(Text.str());
  for (const std::string &Version : {Known, asOldVersion(Known)}) {
    SmallString<128> Source;
    if (!writeSource(Version, Source))
      break;
    FileRemover RemoveSource(Source);
    if (auto Count = runFor(*Ptxas, Source, Kernel, Arch, Object))
      return *Count;
  }
  return createStringError("--isa sass: " + *Ptxas + " refuses the PTX of '" +
                           Kernel + "' for " + Arch);
}

std::optional<PtxasResult> runPtxas(StringRef Text, StringRef Kernel,
                                    StringRef Arch) {
  auto Ptxas = findPtxas();
  if (!Ptxas)
    return std::nullopt;
  const std::string Unknown = calledFunction(Text);
  if (!Unknown.empty())
    return PtxasResult{0, "", Unknown + " is no instruction of ptxas"};
  SmallString<128> Source;
  if (!writeSource(assemblyText(Text.str()), Source))
    return std::nullopt;
  FileRemover RemoveSource(Source);
  // A ptxas that has dropped an architecture takes its PTX for a later one.
  // sm_80 holds 2048 threads like those before sm_75, so that ptxas aims at
  // the same number of registers; for the 1024 threads of sm_75 it takes up to
  // twice as many.
  for (StringRef Target : {Arch, StringRef("sm_80"), StringRef("sm_75")})
    if (auto Count = runFor(*Ptxas, Source, Kernel, Target))
      return PtxasResult{*Count, Target.str(), ""};
  return PtxasResult{0, "", "ptxas refuses the PTX"};
}

} // namespace heddle
