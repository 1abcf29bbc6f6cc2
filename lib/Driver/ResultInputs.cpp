//===- ResultInputs.cpp - What decided a result ---------------------------===//

#include "heddle/Driver/ResultInputs.h"
#include "heddle/Driver/Assumptions.h"
#include "heddle/Frontend/Compiler.h"
#include "heddle/PTX/PTXLifter.h"

#include "launch/LaunchWriter.h"
#include "record/Format.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <tuple>

using namespace llvm;

namespace heddle {

static std::string digestOf(StringRef Bytes) {
  return toHex(SHA256::hash(arrayRefFromStringRef(Bytes)), /*LowerCase=*/true);
}

void addSource(views::JSON &Out, ArrayRef<std::string> Files) {
  Out["source"] = views::JSON::array();
  for (const std::string &File : Files) {
    views::JSON One = {{"file", File}};
    // A folder has no bytes, and what was read from a pipe is gone.
    if (auto Bytes = MemoryBuffer::getFile(File, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false))
      One["sha256"] = digestOf((*Bytes)->getBuffer());
    Out["source"].push_back(std::move(One));
  }
}

std::string registersFrom(const KernelCode *Code) {
  return Code ? Code->RegisterSource : "trace";
}

void addCode(views::JSON &Out, const trace::TraceSource &Source,
             const KernelCode *Code) {
  Out["code"] = {{"level", Source.code().ISA},
                 {"registers_per_thread", Source.header().RegistersPerThread},
                 {"registers_from", registersFrom(Code)}};
  if (Code && !Code->Fallback.empty())
    Out["code"]["fallback"] = Code->Fallback;
}

static void addLaunch(views::JSON &Out, const launch::Launch &L) {
  auto Triple = [](const Dim3 &D) {
    return views::JSON::array({D.X, D.Y, D.Z});
  };
  Out["launch"] = {{"grid", Triple(L.Grid)},
                   {"block", Triple(L.Block)},
                   {"dynamic_shared", L.DynamicSharedBytes},
                   {"args", launch::argumentTexts(L)}};
  if (L.Cluster)
    Out["launch"]["cluster"] = Triple(*L.Cluster);
  if (!L.File.empty())
    Out["launch"]["file"] = L.File;
}

/// Where the functions begin that lines of the kernel belong to.
static void addFunctions(views::JSON &Out, const Function &Kernel) {
  std::set<std::tuple<std::string, unsigned, std::string>> Seen;
  for (const Instruction &I : instructions(Kernel))
    for (const DILocation *L = I.getDebugLoc(); L; L = L->getInlinedAt())
      if (const DISubprogram *P = L->getScope()->getSubprogram())
        Seen.emplace(P->getFilename().str(), P->getLine(), P->getName().str());
  Out["functions"] = views::JSON::array();
  for (const auto &[File, Line, Name] : Seen)
    Out["functions"].push_back(
        {{"file", File}, {"line", Line}, {"name", Name}});
}

void noteAssumptions(std::vector<std::string> &Notes, StringRef Lines) {
  for (StringRef Line : split(Lines, '\n'))
    if (!Line.empty() && !is_contained(Notes, Line))
      Notes.push_back(Line.str());
}

void noteAssumptions(std::vector<std::string> &Notes, const Session &S) {
  noteAssumptions(Notes, S.assumptions());
}

llvm::Error noteCode(std::vector<std::string> &Notes, const Session &S,
                     ISA Level) {
  auto Code = S.codeTable(Level);
  if (!Code)
    return Code.takeError();
  if (!Code->Fallback.empty())
    noteAssumptions(Notes, fmt::format("kernel '{}': {}",
                                       demangle(S.kernel().getName()),
                                       Code->Fallback));
  else if (Level == ISA::Machine)
    noteAssumptions(Notes, functionAssumptions(S.kernel()));
  return llvm::Error::success();
}

void addAssumptions(views::JSON &Out, ArrayRef<std::string> Notes) {
  for (const std::string &Note : Notes)
    Out["assumptions"].push_back(Note);
}

static StringRef loopRules(const Session &S) {
  if (liftedText(*S.kernel().getParent()))
    return "ptx";
  return is_contained(S.options().ClangArgs, UnrollAsClangFlag) ? "clang"
                                                                : "nvcc";
}

/// Flags of our own travel among Clang's.
static views::JSON compilerOf(const SessionOptions &O) {
  return {{"arch", O.Arch},
          {"opt_level", O.OptLevel},
          {"flags", O.ClangArgs},
          {"llvm", LLVM_VERSION_STRING}};
}

void addInputs(views::JSON &Out, const SessionOptions &O,
               ArrayRef<std::string> More) {
  namespace fs = std::filesystem;
  Out["compiler"] = compilerOf(O);
  std::error_code NoFolder;
  std::vector<std::string> Files = {
      fs::is_directory(O.Input, NoFolder)
          ? (fs::path(O.Input) / record::LogName).string()
          : O.Input};
  append_range(Files, O.LinkWith);
  if (!O.LaunchFile.empty())
    Files.push_back(O.LaunchFile);
  append_range(Files, More);
  addSource(Out, Files);
}

void addInputs(views::JSON &Out, const Session &S) {
  const SessionOptions &O = S.options();
  addLaunch(Out, S.launch());
  Out["compiler"] = compilerOf(O);
  Out["compiler"]["loops"] = loopRules(S);
  // Of the code that the models see: names, lines and comments do not count.
  Out["compiler"]["code_hash"] =
      fmt::format("{:016x}", StructuralHash(S.kernel(), true));
  if (!O.Input.empty()) {
    std::vector<std::string> Files = {O.Input};
    Files.insert(Files.end(), O.LinkWith.begin(), O.LinkWith.end());
    addSource(Out, Files);
  }
  addFunctions(Out, S.kernel());
  std::vector<std::string> Notes;
  noteAssumptions(Notes, S);
  addAssumptions(Out, Notes);
}

} // namespace heddle
