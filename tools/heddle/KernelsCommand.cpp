//===- KernelsCommand.cpp - heddle kernels --------------------------------===//

#include "CommonOptions.h"
#include "KernelPrinter.h"
#include "TextOutput.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Frontend/Compiler.h"
#include "heddle/Frontend/SourceList.h"
#include "heddle/MachineCode/MachineCode.h"
#include "heddle/PTX/PTXEmitter.h"
#include "heddle/Transforms/ControlSlice.h"
#include "views/ResultHead.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace heddle::tool {

namespace {
struct KernelsOptions {
  CompileOptions Compile; ///< but for the path
  std::vector<std::string> Inputs;
  std::string Kernel;
  std::string Output = "-";
  std::string JSON;
  bool EmitLLVM = false;
  bool EmitSlice = false;
  bool EmitPTX = false;
  bool CodeTable = false;
  bool UsePtxas = true;
  std::optional<ISA> Level;
  bool Quiet = false;
};
} // namespace

/// A file of -o always gets its text. Standard output does where no JSON goes
/// there; with -q only text that was asked for by name.
static bool writesText(const KernelsOptions &Options, bool WasAskedFor) {
  return Options.Output != "-" ||
         (Options.JSON != "-" && (WasAskedFor || !Options.Quiet));
}

static std::string printRefused(const RefusedKernel &R) {
  return R.Name + " is not compiled" +
         (R.Position.empty() ? "" : " (" + R.Position + ")") + ": " + R.Reason +
         "\n";
}

static std::string printNotExecuted(const RefusedCall &R) {
  return "kernel '" + R.Kernel + "' " + R.Reason +
         (R.Position.empty() ? "" : " (" + R.Position + ")") +
         "; analysed, not executed\n";
}

/// RefusedKernel or RefusedCall, whose kernel is \p Name.
template <typename RefusedT>
static nlohmann::ordered_json describe(const std::vector<RefusedT> &Refused,
                                       std::string RefusedT::*Name) {
  nlohmann::ordered_json List = nlohmann::ordered_json::array();
  for (const RefusedT &R : Refused)
    List.push_back(
        {{"kernel", R.*Name}, {"position", R.Position}, {"reason", R.Reason}});
  return List;
}

namespace {
/// What came of one file.
struct FileResult {
  std::string Path;
  std::string Error; ///< of the whole file; empty if something was compiled
  std::string Warnings;
  std::vector<RefusedKernel> Refused;
  std::vector<RefusedCall> NotExecuted;
  std::string Text; ///< of the kernels that were compiled
  nlohmann::ordered_json Kernels = nlohmann::ordered_json::array();
};
} // namespace

static void listKernels(const KernelsOptions &Options, CompiledModule &Module,
                        FileResult &Result, bool IsSynth) {
  std::vector<Function *> Kernels = Module.kernels();
  if (!Options.Kernel.empty() && !IsSynth)
    Kernels = {take(Module.kernel(Options.Kernel))};
  if (!Options.Quiet)
    for (const Function *F : Kernels)
      errs() << prefixNote(IsSynth ? "" : Options.Kernel, *F);
  Result.Warnings = Module.Warnings;
  Result.Refused = Module.Refused;
  Result.NotExecuted = Module.NotExecuted;
  std::vector<std::string> PTX;
  for (const Function *F : Kernels) {
    KernelInfo Info = analyzeKernel(*F);
    auto Code =
        buildKernelCode(*F, Options.Compile.Arch,
                        Options.Level.value_or(ISA::PTX), Options.UsePtxas);
    if (!Code) {
      Result.Refused.push_back({Info.Demangled,
                                fmt::format("{}:{}", Info.File, Info.Line),
                                toString(Code.takeError())});
      continue;
    }
    Result.Text += Result.Text.empty() || Options.EmitPTX ? "" : "\n";
    if (Options.EmitPTX)
      PTX.push_back(Code->PTX);
    else if (Options.CodeTable)
      Result.Text += printCodeTable(*Code, *F);
    else
      Result.Text += printKernel(Info, *Code);
    Result.Kernels.push_back(describeKernel(Info, *Code));
  }
  if (Options.EmitPTX)
    Result.Text = assemblyText(PTX);
  if (Result.Kernels.empty() && !Result.Refused.empty())
    Result.Error = Result.Refused.front().Reason;
}

/// Compiles and lists one file. A crash of the compiler becomes an error of
/// this file.
static FileResult readFile(const KernelsOptions &Options,
                           const SourceFile &Source) {
  FileResult Result;
  Result.Path = Source.Path;
  CompileOptions Compile = Options.Compile;
  Compile.Path = Source.Path;
  Compile.ClangArgs = Source.ClangArgs;
  append_range(Compile.ClangArgs, Options.Compile.ClangArgs);
  bool IsSynth = false;
  try {
    IsSynth = take(lowerSynthInput(Compile, Options.Kernel));
  } catch (const CommandError &E) {
    Result.Error = E.Message;
    return Result;
  }
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Recovery;
  bool Survived = Recovery.RunSafely([&] {
    auto Module = compile(Compile);
    if (!Module)
      Result.Error = toString(Module.takeError());
    else
      listKernels(Options, *Module, Result, IsSynth);
  });
  CrashRecoveryContext::Disable();
  if (!Survived) {
    const std::string Reason = takeFatalError();
    Result.Error =
        Source.Path + ": " + (Reason.empty() ? "the compiler crashed" : Reason);
  }
  return Result;
}

/// Names of the device functions that kernels of \p Result call and that have
/// no body in their file.
static std::vector<std::string> missingBodies(const FileResult &Result) {
  std::vector<std::string> Names;
  for (const RefusedCall &R : Result.NotExecuted)
    if (!R.Missing.empty())
      Names.push_back(
          StringRef(R.Missing)
              .take_until([](char C) { return C == '(' || C == '<'; })
              .str());
  return Names;
}

/// The other CUDA files of \p Sources that say one of \p Names: where the
/// build would have linked device code (-fgpu-rdc).
static std::vector<std::string> filesNaming(ArrayRef<std::string> Names,
                                            ArrayRef<SourceFile> Sources,
                                            StringRef Self) {
  constexpr size_t MaxFiles = 8;
  std::vector<std::string> Found;
  for (const SourceFile &Other : Sources) {
    if (Other.Path == Self || !StringRef(Other.Path).ends_with(".cu") ||
        Found.size() == MaxFiles)
      continue;
    auto Buffer = MemoryBuffer::getFile(Other.Path);
    if (Buffer && any_of(Names, [&](StringRef Name) {
          return (*Buffer)->getBuffer().contains((Name + "(").str());
        }))
      Found.push_back(Other.Path);
  }
  return Found;
}

/// Reads one file of many; device functions that another one defines are
/// linked.
static FileResult readWithOthers(const KernelsOptions &Options,
                                 const SourceFile &Source,
                                 ArrayRef<SourceFile> Sources) {
  FileResult Result = readFile(Options, Source);
  std::vector<std::string> Names = missingBodies(Result);
  if (Names.empty())
    return Result;
  KernelsOptions Linked = Options;
  append_range(Linked.Compile.LinkWith,
               filesNaming(Names, Sources, Source.Path));
  if (Linked.Compile.LinkWith.size() == Options.Compile.LinkWith.size())
    return Result;
  FileResult Second = readFile(Linked, Source);
  // What the other files' own kernels are is told with those files.
  erase_if(Second.Refused, [&](const RefusedKernel &R) {
    return !StringRef(R.Position).starts_with(Source.Path);
  });
  nlohmann::ordered_json Own = nlohmann::ordered_json::array();
  for (nlohmann::ordered_json &Kernel : Second.Kernels)
    if (Kernel["file"] == Source.Path)
      Own.push_back(Kernel);
  Second.Kernels = std::move(Own);
  bool Better = Second.Kernels.size() >= Result.Kernels.size() &&
                missingBodies(Second).size() < Names.size();
  return Better ? std::move(Second) : std::move(Result);
}

/// What \p Reason says of the kernel, without where it stands: kernels with
/// the same trouble come together.
static std::string kindOfReason(StringRef Reason) {
  for (StringRef Mark : {"fatal error: ", "error: "})
    if (size_t At = Reason.find(Mark); At != StringRef::npos)
      return Reason.substr(At + Mark.size()).str();
  if (size_t At = Reason.find(": kernel '"); At != StringRef::npos)
    if (size_t Calls = Reason.find("' calls "); Calls != StringRef::npos)
      return Reason.substr(Calls + 2).str();
  return Reason.str();
}

namespace {
/// How often something keeps kernels or whole files out.
struct ReasonCount {
  size_t Kernels = 0;
  std::set<std::string> Files;
};
} // namespace

static std::string
printReasons(ArrayRef<std::pair<std::string, ReasonCount>> Reasons) {
  std::string Text = fmt::format("{:>7}  {:>5}  why\n", "kernels", "files");
  for (const auto &[Listed, Count] : Reasons)
    Text += fmt::format("{:>7}  {:>5}  {}\n", Count.Kernels, Count.Files.size(),
                        Listed);
  return Text;
}

/// The line of \p Text that says most: the first error, or the first line.
static std::string gist(StringRef Text) {
  StringRef Best = Text.split('\n').first;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.contains("error: ") && !Line.starts_with("heddle:")) {
      Best = Line;
      break;
    }
  return Best.str();
}

/// \p Input as addInputs() takes what was compiled.
static SessionOptions compiled(const std::string &Input,
                               const CompileOptions &Compile) {
  SessionOptions Given;
  Given.Input = Input;
  Given.Arch = Compile.Arch;
  Given.OptLevel = Compile.OptLevel;
  Given.ClangArgs = Compile.ClangArgs;
  return Given;
}

static void listMany(const KernelsOptions &Options,
                     ArrayRef<SourceFile> Sources) {
  nlohmann::ordered_json Files = nlohmann::ordered_json::array();
  size_t Width = 4;
  for (const SourceFile &Source : Sources)
    Width = std::max(Width, Source.Path.size());
  std::string Table =
      fmt::format("{:<{}}  {:>7}  {:>7}\n", "file", Width, "kernels", "not in");
  std::string Reasons;
  std::map<std::string, ReasonCount> ByReason;
  auto Count = [&](const std::string &Reason, const std::string &File,
                   size_t Kernels) {
    ReasonCount &C = ByReason[kindOfReason(Reason)];
    C.Kernels += Kernels;
    C.Files.insert(File);
  };
  size_t FilesIn = 0, FilesWithout = 0, KernelsIn = 0, KernelsOut = 0;
  for (const SourceFile &Source : Sources) {
    FileResult Result = readWithOthers(Options, Source, Sources);
    bool HasNone =
        Result.Error.find("there is no kernel in") != std::string::npos;
    // What another file includes is compiled there.
    bool IsFragment =
        Result.Error.find("includes this file;") != std::string::npos;
    bool Failed = !Result.Error.empty() && !HasNone && !IsFragment;
    FilesIn += Result.Error.empty();
    FilesWithout += HasNone || IsFragment;
    KernelsIn += Result.Kernels.size();
    KernelsOut += Result.Refused.size();
    Table += fmt::format("{:<{}}  {:>7}  {:>7}{}\n", Source.Path, Width,
                         Result.Kernels.size(), Result.Refused.size(),
                         Failed       ? "  fails"
                         : IsFragment ? "  included by another file"
                         : HasNone    ? "  no kernels"
                                      : "");
    if (Failed) {
      Count(gist(Result.Error), Source.Path, 0);
      Reasons += Source.Path + ": " + gist(Result.Error) + "\n";
    } else {
      for (const RefusedKernel &R : Result.Refused) {
        Count(R.Reason, Source.Path, 1);
        Reasons += Source.Path + ": " + printRefused(R);
      }
      for (const RefusedCall &R : Result.NotExecuted)
        Reasons += Source.Path + ": " + printNotExecuted(R);
    }
    Files.push_back(
        {{"input", Source.Path},
         {"status", Failed                   ? "fails"
                    : IsFragment             ? "fragment"
                    : HasNone                ? "no kernels"
                    : Result.Refused.empty() ? "in"
                                             : "in part"},
         {"error", Failed ? Result.Error : ""},
         {"warnings", Result.Warnings},
         {"kernels", std::move(Result.Kernels)},
         {"refused", describe(Result.Refused, &RefusedKernel::Name)},
         {"not_executed", describe(Result.NotExecuted, &RefusedCall::Kernel)}});
  }
  size_t FilesOut = Sources.size() - FilesIn - FilesWithout;
  Table += fmt::format(
      "\n{} of {} files with kernels compiled, with {} kernels; "
      "{} kernels not compiled\n",
      FilesIn, Sources.size() - FilesWithout, KernelsIn, KernelsOut);
  // What keeps most out comes first.
  std::vector<std::pair<std::string, ReasonCount>> Sorted(ByReason.begin(),
                                                          ByReason.end());
  llvm::sort(Sorted, [](const auto &A, const auto &B) {
    return std::tuple(B.second.Kernels, B.second.Files.size(), A.first) <
           std::tuple(A.second.Kernels, A.second.Files.size(), B.first);
  });
  nlohmann::ordered_json Listed = nlohmann::ordered_json::array();
  for (const auto &[Reason, C] : Sorted)
    Listed.push_back({{"reason", Reason},
                      {"kernels", C.Kernels},
                      {"files", C.Files.size()}});
  if (!Sorted.empty())
    Table += "\n" + printReasons(Sorted);
  if (!Reasons.empty())
    Table += "\n" + Reasons;
  views::JSON Document = views::resultHead("sources", HEDDLE_VERSION);
  Document.update({{"arch", Options.Compile.Arch},
                   {"files_in", FilesIn},
                   {"files_out", FilesOut},
                   {"files_without_kernels", FilesWithout},
                   {"kernels_in", KernelsIn},
                   {"kernels_out", KernelsOut},
                   {"reasons", std::move(Listed)},
                   {"files", std::move(Files)}});
  std::vector<std::string> Read;
  for (const SourceFile &Source : Sources.drop_front())
    Read.push_back(Source.Path);
  for (const std::string &Input : Options.Inputs)
    if (StringRef(Input).ends_with(".json")) // what the build says of them
      Read.push_back(Input);
  addInputs(Document, compiled(Sources.front().Path, Options.Compile), Read);
  if (writesText(Options, /*WasAskedFor=*/false))
    writeText(Options.Output, Table);
  if (!Options.JSON.empty())
    writeJSON(Options.JSON, Document);
  if (!FilesIn)
    throw CommandError{"no kernel was compiled"};
}

static void runKernels(const KernelsOptions &Options) {
  if (Options.Inputs.size() > 1 || namesManySources(Options.Inputs.front())) {
    if (Options.EmitLLVM || Options.EmitSlice || Options.EmitPTX ||
        Options.CodeTable || !Options.Kernel.empty())
      throw usageError("--emit-llvm, --emit-slice, --ptx, --code-table and "
                       "--kernel need one source file");
    std::vector<SourceFile> Sources;
    for (const std::string &Input : Options.Inputs)
      append_range(Sources, take(listSources(Input)));
    return listMany(Options, Sources);
  }
  CompileOptions Compile = Options.Compile;
  Compile.Path = Options.Inputs.front();
  const bool IsSynth = take(lowerSynthInput(Compile, Options.Kernel));
  CompiledModule Module = take(compileInput(Compile));
  if (Options.EmitLLVM || Options.EmitSlice) {
    if (!Options.Quiet)
      errs() << Module.Warnings;
    if (Options.EmitSlice)
      for (Function *F : Module.kernels())
        sliceToControl(*F);
    std::string IR;
    raw_string_ostream(IR) << *Module.Module;
    writeText(Options.Output, IR);
    return;
  }
  FileResult Result;
  listKernels(Options, Module, Result, IsSynth);
  if (!Options.Quiet) {
    errs() << Result.Warnings;
    for (const RefusedKernel &R : Result.Refused)
      errs() << "warning: " << printRefused(R);
  }
  if (!Result.Error.empty())
    throw CommandError{Result.Error};
  views::JSON Document = views::resultHead("kernels", HEDDLE_VERSION);
  Document.update(
      {{"input", Compile.Path},
       {"arch", Compile.Arch},
       {"kernels", std::move(Result.Kernels)},
       {"refused", describe(Result.Refused, &RefusedKernel::Name)},
       {"not_executed", describe(Result.NotExecuted, &RefusedCall::Kernel)}});
  addInputs(Document, compiled(Compile.Path, Compile));
  std::vector<std::string> Assumptions;
  noteAssumptions(Assumptions, Module.Assumptions);
  addAssumptions(Document, Assumptions);
  if (writesText(Options, Options.EmitPTX || Options.CodeTable))
    writeText(Options.Output, Result.Text);
  if (!Options.JSON.empty())
    writeJSON(Options.JSON, Document);
}

void addKernelsCommand(CLI::App &App) {
  auto Options = std::make_shared<KernelsOptions>();
  CLI::App *Command = App.add_subcommand(
      "kernels", "List the kernels of a file: arguments, memory, instructions");
  Command
      ->add_option("input", Options->Inputs,
                   "OpenCL (.cl), CUDA (.cu) or LLVM IR (.ll, .bc); several, a "
                   "folder or compile_commands.json give a table")
      ->required();
  Command
      ->add_option("--link", Options->Compile.LinkWith,
                   "Another source whose device functions the input calls")
      ->allow_extra_args(false);
  Command->add_option("--kernel", Options->Kernel, "Show this kernel only");
  Command->add_option("--arch", Options->Compile.Arch, "Target architecture")
      ->capture_default_str();
  Command
      ->add_option("-O,--opt-level", Options->Compile.OptLevel,
                   "Optimisation level")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  Command->add_flag("--emit-llvm", Options->EmitLLVM,
                    "Write the prepared module instead of the list");
  Command->add_flag("--emit-slice", Options->EmitSlice,
                    "Write the module with each kernel reduced to its control "
                    "slice instead");
  Command->add_flag("--ptx", Options->EmitPTX,
                    "Write the PTX instead of the list");
  Command->add_flag("--code-table", Options->CodeTable,
                    "Write the code table (docs/CodeTable.md) instead");
  addLevelOption(*Command, Options->Level, "level of the code table");
  Command->add_flag("!--no-ptxas", Options->UsePtxas,
                    "Estimate registers even where ptxas is found");
  Command->add_option("--json", Options->JSON,
                      "Write JSON to a file, or to standard output (-)");
  Command
      ->add_option("-o", Options->Output, "Output file, - is standard output")
      ->capture_default_str();
  Command->add_flag("-q", Options->Quiet, "No text and no warnings");
  // What stands after "--" arrives among the inputs; it begins with the first
  // that is a flag.
  Command->add_option("clang-args", Options->Compile.ClangArgs,
                      "After --: flags for Clang, e.g. -DN=4 -I include");
  addGuessOption(*Command, Options->Compile.ClangArgs);
  Command->callback([Options] {
    auto FirstFlag = llvm::find_if(Options->Inputs, [](StringRef Arg) {
      return Arg.size() > 1 && Arg.starts_with("-");
    });
    Options->Compile.ClangArgs.insert(Options->Compile.ClangArgs.begin(),
                                      FirstFlag, Options->Inputs.end());
    Options->Inputs.erase(FirstFlag, Options->Inputs.end());
    if (Options->Inputs.empty())
      throw usageError("no input given");
    for (const std::string &Input : Options->Inputs)
      checkPlainInput(Input);
    runKernels(*Options);
  });
}

} // namespace heddle::tool
