//===- Nvrtc.cpp - libnvrtc: device code compiled while a program runs ----===//
//
// The front end of all commands compiles the source to PTX, which
// cuModuleLoadData takes. It lies in the library of the engine, which is loaded
// at the first compilation.
//
//===----------------------------------------------------------------------===//

#include "Exported.h"
#include "NvrtcOptions.h"

#include "cuda/Engine.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <nvrtc.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

using namespace heddle;
using namespace heddle::cuda;

namespace {

struct RuntimeProgram {
  RuntimeSource Source;
  RuntimeCode Code;
  bool Tried = false;  ///< to compile
  bool IsReal = false; ///< for sm_NN
};

/// One call: holds the lock of all programs, and counts.
class NvrtcCall {
public:
  explicit NvrtcCall(const char *Name) : Name(Name), Guard(lock()) {
    using Counter = void(const char *);
    // Programs that compile only need no libcudart.
    static auto *Count =
        reinterpret_cast<Counter *>(::dlsym(RTLD_DEFAULT, "__heddle_count"));
    if (Count)
      Count(Name);
  }
  nvrtcResult refuse(nvrtcResult Why, const std::string &Message) const {
    std::fprintf(stderr, "heddle: %s: %s (error %d)\n", Name, Message.c_str(),
                 int(Why));
    return Why;
  }

private:
  static std::mutex &lock() {
    static std::mutex Only;
    return Only;
  }
  const char *Name;
  std::lock_guard<std::mutex> Guard;
};

} // namespace

#define ENTER const NvrtcCall Enter(__func__)

/// Programs that exist. With the lock held.
static std::set<RuntimeProgram *> &programs() {
  static auto *All = new std::set<RuntimeProgram *>;
  return *All;
}
/// Null if \p Handle is none of them.
static RuntimeProgram *programOf(nvrtcProgram Handle) {
  auto *P = reinterpret_cast<RuntimeProgram *>(Handle);
  return programs().contains(P) ? P : nullptr;
}

//===----------------------------------------------------------------------===//
// About the library
//===----------------------------------------------------------------------===//

EXPORTED const char *nvrtcGetErrorString(nvrtcResult Result) {
  static constexpr const char *Names[] = {
      "NVRTC_SUCCESS",
      "NVRTC_ERROR_OUT_OF_MEMORY",
      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
      "NVRTC_ERROR_INVALID_INPUT",
      "NVRTC_ERROR_INVALID_PROGRAM",
      "NVRTC_ERROR_INVALID_OPTION",
      "NVRTC_ERROR_COMPILATION",
      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
      "NVRTC_ERROR_INTERNAL_ERROR",
      "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
  return size_t(Result) < std::size(Names) ? Names[Result]
                                           : "NVRTC_ERROR unknown";
}

EXPORTED nvrtcResult nvrtcVersion(int *Major, int *Minor) {
  ENTER;
  if (!Major || !Minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *Major = 12; // as `heddle-nvcc --version` says
  *Minor = 0;
  return NVRTC_SUCCESS;
}

EXPORTED nvrtcResult nvrtcGetNumSupportedArchs(int *Count) {
  ENTER;
  if (!Count)
    return NVRTC_ERROR_INVALID_INPUT;
  *Count = int(supportedArchs().size());
  return NVRTC_SUCCESS;
}

EXPORTED nvrtcResult nvrtcGetSupportedArchs(int *To) {
  ENTER;
  if (!To)
    return NVRTC_ERROR_INVALID_INPUT;
  std::ranges::copy(supportedArchs(), To);
  return NVRTC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

EXPORTED nvrtcResult nvrtcCreateProgram(nvrtcProgram *To, const char *Source,
                                        const char *Name, int Headers,
                                        const char *const *Texts,
                                        const char *const *Names) {
  ENTER;
  if (!To || !Source || Headers < 0 || (Headers && (!Texts || !Names)))
    return NVRTC_ERROR_INVALID_INPUT;
  auto *P = new RuntimeProgram;
  P->Source.Main = {Name && *Name ? Name : "default_program", Source};
  for (int I = 0; I < Headers; ++I)
    P->Source.Headers.push_back({Names[I], Texts[I]});
  programs().insert(P);
  *To = reinterpret_cast<nvrtcProgram>(P);
  return NVRTC_SUCCESS;
}

EXPORTED nvrtcResult nvrtcDestroyProgram(nvrtcProgram *Handle) {
  ENTER;
  RuntimeProgram *P = Handle ? programOf(*Handle) : nullptr;
  if (!P)
    return NVRTC_ERROR_INVALID_PROGRAM;
  programs().erase(P);
  delete P;
  *Handle = nullptr;
  return NVRTC_SUCCESS;
}

EXPORTED nvrtcResult nvrtcAddNameExpression(nvrtcProgram Handle,
                                            const char *Expression) {
  ENTER;
  RuntimeProgram *P = programOf(Handle);
  if (!P)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!Expression)
    return NVRTC_ERROR_INVALID_INPUT;
  if (P->Tried)
    return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  P->Source.Expressions.push_back(Expression);
  return NVRTC_SUCCESS;
}

static size_t linesWith(const std::string &Text, const char *What) {
  size_t Count = 0;
  for (size_t At = Text.find(What); At != std::string::npos;
       At = Text.find(What, At + 1))
    ++Count;
  return Count;
}

EXPORTED nvrtcResult nvrtcCompileProgram(nvrtcProgram Handle, int Count,
                                         const char *const *Options) {
  ENTER;
  RuntimeProgram *P = programOf(Handle);
  if (!P)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (Count < 0 || (Count && !Options))
    return NVRTC_ERROR_INVALID_INPUT;
  P->Code = {};
  auto Read = parseNvrtc({Options, Options + Count});
  if (!Read) {
    P->Code.Log = "nvrtc: error: " + Read.error().Message + "\n";
    return NVRTC_ERROR_INVALID_OPTION;
  }
  std::string Why;
  auto *Compile = reinterpret_cast<CompileAtRunTime *>(
      engineFunction("heddleCompileAtRunTime", Why));
  if (!Compile)
    return Enter.refuse(NVRTC_ERROR_INTERNAL_ERROR, Why);
  P->Source.Arch = Read->Arch;
  P->Source.Flags = std::move(Read->Flags);
  P->Source.AllAreDevice = Read->AllAreDevice;
  P->IsReal = Read->IsReal;
  P->Tried = true;
  Compile(P->Source, P->Code);
  if (P->Code.Compiled)
    return NVRTC_SUCCESS;
  std::string &Log = P->Code.Log;
  while (Log.ends_with('\n'))
    Log.pop_back();
  const size_t Errors = std::max<size_t>(linesWith(Log, "error: "), 1);
  Log += fmt::format("\n{} error{} detected in the compilation of \"{}\".\n",
                     Errors, Errors == 1 ? "" : "s", P->Source.Main.Name);
  return linesWith(Log, "name expression:")
             ? NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
             : NVRTC_ERROR_COMPILATION;
}

EXPORTED nvrtcResult nvrtcGetLoweredName(nvrtcProgram Handle,
                                         const char *Expression,
                                         const char **To) {
  ENTER;
  RuntimeProgram *P = programOf(Handle);
  if (!P)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!Expression || !To)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!P->Code.Compiled)
    return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  auto It = std::ranges::find(P->Source.Expressions, Expression);
  if (It == P->Source.Expressions.end())
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *To = P->Code.Names[size_t(It - P->Source.Expressions.begin())].c_str();
  return NVRTC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static nvrtcResult give(const std::string &Text, char *To) {
  if (!To)
    return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(To, Text.c_str(), Text.size() + 1);
  return NVRTC_SUCCESS;
}
static nvrtcResult giveSize(const std::string &Text, size_t *To) {
  if (!To)
    return NVRTC_ERROR_INVALID_INPUT;
  *To = Text.size() + 1;
  return NVRTC_SUCCESS;
}

EXPORTED nvrtcResult nvrtcGetPTXSize(nvrtcProgram Handle, size_t *To) {
  ENTER;
  RuntimeProgram *P = programOf(Handle);
  return P && P->Code.Compiled ? giveSize(P->Code.PTX, To)
                               : NVRTC_ERROR_INVALID_PROGRAM;
}
EXPORTED nvrtcResult nvrtcGetPTX(nvrtcProgram Handle, char *To) {
  ENTER;
  RuntimeProgram *P = programOf(Handle);
  return P && P->Code.Compiled ? give(P->Code.PTX, To)
                               : NVRTC_ERROR_INVALID_PROGRAM;
}
EXPORTED nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram Handle, size_t *To) {
  ENTER;
  RuntimeProgram *P = programOf(Handle);
  return P ? giveSize(P->Code.Log, To) : NVRTC_ERROR_INVALID_PROGRAM;
}
EXPORTED nvrtcResult nvrtcGetProgramLog(nvrtcProgram Handle, char *To) {
  ENTER;
  RuntimeProgram *P = programOf(Handle);
  return P ? give(P->Code.Log, To) : NVRTC_ERROR_INVALID_PROGRAM;
}

/// Of a program for a virtual architecture there is no machine code anywhere:
/// its size is 0. For a real one Heddle has none.
EXPORTED nvrtcResult nvrtcGetCUBINSize(nvrtcProgram Handle, size_t *To) {
  ENTER;
  RuntimeProgram *P = programOf(Handle);
  if (!P || !P->Code.Compiled)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!To)
    return NVRTC_ERROR_INVALID_INPUT;
  *To = 0;
  if (!P->IsReal)
    return NVRTC_SUCCESS;
  return Enter.refuse(NVRTC_ERROR_INVALID_PROGRAM,
                      "there is no machine code; nvrtcGetPTX gives PTX, which "
                      "cuModuleLoadData takes");
}

/// What NVRTC gives in forms that only the vendor's tools read.
#define REFUSED(Name, Type)                                                    \
  EXPORTED nvrtcResult Name(nvrtcProgram, Type *) {                            \
    ENTER;                                                                     \
    return Enter.refuse(NVRTC_ERROR_INVALID_PROGRAM,                           \
                        "there is PTX only: nvrtcGetPTX");                     \
  }
REFUSED(nvrtcGetCUBIN, char)
REFUSED(nvrtcGetNVVMSize, size_t)
REFUSED(nvrtcGetNVVM, char)
REFUSED(nvrtcGetLTOIRSize, size_t)
REFUSED(nvrtcGetLTOIR, char)
REFUSED(nvrtcGetOptiXIRSize, size_t)
REFUSED(nvrtcGetOptiXIR, char)
