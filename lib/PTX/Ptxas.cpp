//===- Ptxas.cpp - Registers per thread as ptxas allocates them -----------===//

#include "Registers.h"

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

namespace {

/// Seconds after which ptxas counts as not there.
constexpr unsigned TimeoutSeconds = 30;

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
                               StringRef Kernel, StringRef Arch) {
  SmallString<128> Log;
  if (sys::fs::createTemporaryFile("heddle-ptxas", "log", Log))
    return std::nullopt;
  FileRemover RemoveLog(Log);
  std::string Target = ("-arch=" + Arch).str();
  StringRef Args[] = {Ptxas, "-v", Target, Source, "-o", "/dev/null"};
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Log),
                                          StringRef(Log)};
  int Status =
      sys::ExecuteAndWait(Ptxas, Args, std::nullopt, Redirects, TimeoutSeconds);
  if (Status != 0)
    return std::nullopt;
  auto Output = MemoryBuffer::getFile(Log);
  return Output ? readRegisters((*Output)->getBuffer(), Kernel) : std::nullopt;
}

} // namespace

/// The first pseudo instruction of \p Text that calls a function, if any.
static std::string calledFunction(StringRef Text) {
  for (StringRef Line : split(Text, '\n')) {
    StringRef Opcode =
        Line.ltrim().take_until([](char C) { return isSpace(C) || C == ';'; });
    if (Opcode.starts_with(MathOpcodePrefix) ||
        Opcode.starts_with(CallOpcodePrefix))
      return Opcode.str();
  }
  return "";
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
  int FD;
  if (sys::fs::createTemporaryFile("heddle-ptxas", "ptx", FD, Source))
    return std::nullopt;
  FileRemover RemoveSource(Source);
  {
    raw_fd_ostream OS(FD, /*shouldClose=*/true);
    OS << assemblyText(Text.str());
  }
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
