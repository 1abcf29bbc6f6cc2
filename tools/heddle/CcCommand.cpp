//===- CcCommand.cpp - heddle cc, and heddle-nvcc -------------------------===//
//
// The device side of a CUDA source becomes LLVM bitcode, by the front end that
// all commands use, inside of the object that clang++ makes of the host side.
// Bitcode says more than PTX: types and names of arguments, lines, what was
// before any optimisation. The program's libcudart compiles it for this CPU.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "NvccOptions.h"

#include "cuda/FatBinary.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Frontend/SourceText.h"
#include "heddle/PTX/PTXEmitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace llvm;

namespace heddle::tool {

/// What Compilation::relocatableStub (CcCommand.cpp) names.
static constexpr StringLiteral Registrar = "__cudaRegisterLinkedBinary__nv_";

/// The archives among \p Words, those that -l names in the folders of -L.
static std::vector<std::string> archivesOf(ArrayRef<std::string> Words) {
  std::vector<std::string> Folders, Found;
  for (StringRef Word : Words)
    if (Word.consume_front("-L"))
      Folders.push_back(Word.str());
  for (StringRef Word : Words) {
    if (Word.ends_with(".a"))
      Found.push_back(Word.str());
    if (!Word.consume_front("-l"))
      continue;
    for (const std::string &Folder : Folders) {
      SmallString<128> Path(Folder);
      sys::path::append(Path, "lib" + Word + ".a");
      if (!sys::fs::exists(Path))
        continue;
      Found.push_back(Path.str().str());
      break;
    }
  }
  return Found;
}

/// Files that are no archives of objects are the linker's to complain about.
static void addRegistrars(MemoryBufferRef File, std::vector<std::string> &To) {
  auto Archive = object::Archive::create(File);
  if (!Archive)
    return consumeError(Archive.takeError());
  llvm::Error Failed = llvm::Error::success();
  for (const auto &Member : (*Archive)->children(Failed)) {
    auto Binary = Member.getAsBinary();
    if (!Binary) {
      consumeError(Binary.takeError());
      continue;
    }
    const auto *Object = dyn_cast<object::ObjectFile>(Binary->get());
    if (!Object)
      continue;
    for (const object::SymbolRef &S : Object->symbols()) {
      auto Name = S.getName();
      auto Flags = S.getFlags();
      if (Name && Flags && Name->starts_with(Registrar) &&
          !(*Flags & object::SymbolRef::SF_Undefined))
        To.push_back(Name->str());
      if (!Name)
        consumeError(Name.takeError());
      if (!Flags)
        consumeError(Flags.takeError());
    }
  }
  consumeError(std::move(Failed));
}

/// Of objects with relocatable device code that lie in archives among
/// \p LinkWords (files, -L and -l): the functions that register it. Host code
/// does not refer to an object that only has device functions, so the linker
/// would leave it out; nvcc's device linker looks into archives itself.
static std::vector<std::string>
registrarsInArchives(ArrayRef<std::string> LinkWords) {
  std::vector<std::string> Found;
  for (const std::string &Path : archivesOf(LinkWords))
    if (auto File = MemoryBuffer::getFile(Path))
      addRegistrars((*File)->getMemBufferRef(), Found);
  return Found;
}

namespace {

/// Files that go when the command ends, however it does.
class TemporaryFiles {
public:
  ~TemporaryFiles() {
    for (const std::string &Path : Paths) [[maybe_unused]]
      const std::error_code Failed = sys::fs::remove(Path);
  }
  std::string make(StringRef Suffix) {
    SmallString<128> Path;
    if (std::error_code EC =
            sys::fs::createTemporaryFile("heddle-cc", Suffix, Path))
      throw inputError("cannot make a temporary file: {}", EC.message());
    Paths.push_back(Path.str().str());
    return Paths.back();
  }

private:
  std::vector<std::string> Paths;
};

/// Where what programs are built with lies: in the tree of a build as where it
/// is installed.
struct Installation {
  std::string Headers, Libraries;
  std::string Toolkit; ///< both of them under a toolkit's names

  Installation() {
    std::string Program = sys::fs::getMainExecutable(nullptr, nullptr);
    StringRef Prefix = sys::path::parent_path(sys::path::parent_path(Program));
    Headers = (Prefix + "/share/heddle/cuda").str();
    Libraries = (Prefix + "/lib/heddle/cuda").str();
    Toolkit = (Prefix + "/lib/heddle/toolkit").str();
    for (const std::string &Folder : {Headers, Libraries})
      if (!sys::fs::is_directory(Folder))
        throw inputError("'{}' is missing; build all of Heddle (cmake --build "
                         "build/release), or install it again",
                         Folder);
  }
};

class Compilation {
public:
  explicit Compilation(NvccOptions Options) : Options(std::move(Options)) {}
  void run();

private:
  bool isCUDA(StringRef Input) const {
    return Options.AllAreCUDA || Input.ends_with(".cu");
  }
  std::vector<std::string> clang() const;
  std::vector<std::string> hostFlags(const std::string &Input) const;
  void execute(const std::vector<std::string> &Words) const;
  std::string deviceImages(const std::string &Input,
                           std::vector<SourceText> *Repaired = nullptr);
  void writeFile(const std::string &Path, StringRef Text) const;
  std::string overlay(ArrayRef<SourceText> Repaired);
  std::string relocatableStub(const std::string &Input);
  std::vector<std::string> unitName(const std::string &Input) const;
  void compile(const std::string &Input, const std::string &Object);
  void preprocess(const std::string &Input) const;
  std::string ptxOf(const std::string &Input) const;
  std::vector<std::string> architectureList() const;
  CompileOptions deviceOptions(const std::string &Input) const;
  std::string outputOf(StringRef Input, StringRef Extension) const;
  void link(const std::vector<std::string> &Objects) const;
  void linkDevice();
  void printSettings() const;

  const NvccOptions Options;
  const Installation At;
  TemporaryFiles Files;
};

} // namespace

std::vector<std::string> Compilation::clang() const {
  auto Found = sys::findProgramByName("clang++", {HEDDLE_LLVM_TOOLS});
  if (!Found)
    Found = sys::findProgramByName("clang++-22");
  if (!Found)
    throw CommandError{"clang++ 22, which compiles the host side, is missing; "
                       "install clang-22"};
  return {*Found};
}

void Compilation::execute(const std::vector<std::string> &Words) const {
  if (Options.Verbose || Options.DryRun)
    errs() << "#$ " << join(Words, " ") << "\n";
  if (Options.DryRun)
    return;
  std::vector<StringRef> Args(Words.begin(), Words.end());
  std::string Why;
  const int Status =
      sys::ExecuteAndWait(Words[0], Args, std::nullopt, {}, 0, 0, &Why);
  if (Status < 0)
    throw inputError("cannot run '{}': {}", Words[0], Why);
  if (Status != 0)
    throw CommandError{""}; // it has said why
}

void Compilation::writeFile(const std::string &Path, StringRef Text) const {
  if (Options.DryRun)
    return;
  std::error_code EC;
  raw_fd_ostream Out(Path, EC);
  Out << Text;
  if (EC)
    throw inputError("cannot write '{}': {}", Path, EC.message());
}

/// Host and device code see the same list of capabilities, ascending as nvcc
/// has it: CUB's names hold it.
std::vector<std::string> Compilation::architectureList() const {
  std::set<unsigned> Capabilities;
  for (unsigned Capability : Options.Capabilities)
    Capabilities.insert(Capability ? Capability : cuda::AnyDeviceCapability);
  if (Capabilities.empty())
    Capabilities.insert(cuda::AnyDeviceCapability);
  return {"-U__CUDA_ARCH_LIST__", fmt::format("-D__CUDA_ARCH_LIST__={}0",
                                              fmt::join(Capabilities, "0,"))};
}

CompileOptions Compilation::deviceOptions(const std::string &Input) const {
  CompileOptions C;
  C.Path = Input;
  C.ClangArgs = architectureList();
  append_range(C.ClangArgs, Options.Both);
  append_range(C.ClangArgs, Options.Device);
  // Launches are parsed as the host side has them.
  C.ClangArgs.insert(C.ClangArgs.end(), {"-D__HEDDLE_CC__", "-Xclang",
                                         "-target-sdk-version=12.8"});
  if (Options.Relocatable) {
    C.ClangArgs.push_back("-fgpu-rdc");
    append_range(C.ClangArgs, unitName(Input));
  }
  return C;
}

/// What both sides append to names of static kernels and variables, which
/// several files may have. Clang's own is made of flags in which they differ.
std::vector<std::string> Compilation::unitName(const std::string &Input) const {
  SmallString<128> Path(Input);
  [[maybe_unused]] const std::error_code Failed = sys::fs::make_absolute(Path);
  Path += join(Options.Both, "\n");
  return {"-cuid=" + utohexstr(MD5Hash(Path), /*LowerCase=*/true)};
}

/// The variables of \p Bitcode that the source declares __managed__: they
/// carry an annotation (lib/Frontend/CUDA/host_defines.h).
static std::vector<std::string> managedVariables(StringRef Bitcode) {
  LLVMContext Context;
  const auto M =
      take(parseBitcodeFile(MemoryBufferRef(Bitcode, "device code"), Context));
  std::vector<std::string> Names;
  const GlobalVariable *All = M->getNamedGlobal("llvm.global.annotations");
  if (!All)
    return Names;
  for (const Use &U : All->getInitializer()->operands()) {
    const auto *Row = cast<Constant>(U);
    const auto *Text =
        dyn_cast<GlobalVariable>(Row->getOperand(1)->stripPointerCasts());
    const auto *Value =
        Text ? dyn_cast<ConstantDataArray>(Text->getInitializer()) : nullptr;
    if (Value && Value->isCString() &&
        Value->getAsCString() == "heddle.managed")
      Names.push_back(Row->getOperand(0)->stripPointerCasts()->getName().str());
  }
  return Names;
}

/// Whether \p Line says what was taken of a source, at one of its lines.
static bool isRepair(StringRef Line) {
  if (!Line.consume_front("note: "))
    return false;
  const auto [File, Rest] = Line.split(':');
  return !File.contains(' ') && !Rest.take_while(isDigit).empty();
}

std::string Compilation::deviceImages(const std::string &Input,
                                      std::vector<SourceText> *Repaired) {
  std::vector<unsigned> Capabilities = Options.Capabilities;
  if (Capabilities.empty())
    Capabilities.push_back(0);
  std::vector<cuda::DeviceImage> Images;
  for (unsigned Capability : Capabilities) {
    CompileOptions C = deviceOptions(Input);
    C.Arch = fmt::format("sm_{}",
                         Capability ? Capability : cuda::AnyDeviceCapability);
    // In the words of nvcc, among which CMake looks for its default.
    if (Options.Verbose || Options.DryRun)
      errs() << "#$ device code -arch compute_" << C.Arch.substr(3) << "\n";
    std::string Warnings;
    std::vector<std::string> Read;
    std::string Code = take(deviceBitcode(C, {}, Warnings, Read, Repaired));
    // Those of host code come again from its own compiler.
    if (Images.empty())
      for (StringRef Line : split(Warnings, '\n'))
        if (Line.starts_with("note: '") || isRepair(Line)) // a flag left out
          errs() << "heddle: " << Line << "\n";
    std::vector<std::string> Managed = managedVariables(Code);
    Images.push_back(
        {Capability, Options.Relocatable, std::move(Code), std::move(Managed)});
  }
  return cuda::writeFatBinary(Images);
}

/// The front of the command line that compiles host code.
std::vector<std::string>
Compilation::hostFlags(const std::string &Input) const {
  std::vector<std::string> Words = clang();
  if (isCUDA(Input)) {
    append_range(Words,
                 ArrayRef<StringRef>{
                     "-x", "cuda", "--cuda-host-only",
                     "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib",
                     "-fdeclspec", "--no-offload-new-driver", "-Xclang",
                     "-target-sdk-version=12.8", "-D__HEDDLE_CC__"});
    if (none_of(Options.Both,
                [](StringRef F) { return F.starts_with("-std="); }))
      Words.push_back("-std=c++17");
    Words.insert(Words.end(), {"-include", At.Headers + "/cuda_runtime.h"});
    append_range(Words, architectureList());
  }
  // Messages of the library name lines of the program.
  Words.push_back("-gline-tables-only");
  append_range(Words, Options.Both);
  append_range(Words, Options.Host);
  Words.insert(Words.end(), {"-isystem", At.Headers});
  return Words;
}

/// A file that has Clang read \p Repaired in place of what is on disk.
std::string Compilation::overlay(ArrayRef<SourceText> Repaired) {
  json::Array Roots;
  for (const SourceText &Own : Repaired) {
    SmallString<128> Path(Own.Name);
    if (sys::fs::make_absolute(Path))
      continue;
    const std::string Text = Files.make("cu");
    writeFile(Text, Own.Text);
    Roots.push_back(json::Object{{"type", "file"},
                                 {"name", Path.str().str()},
                                 {"external-contents", Text}});
  }
  const std::string Path = Files.make("yaml");
  std::string Overlay;
  raw_string_ostream(Overlay)
      << json::Value(json::Object{{"version", 0},
                                  {"use-external-names", false},
                                  {"roots", std::move(Roots)}});
  writeFile(Path, Overlay);
  return Path;
}

/// Relocatable objects ask for a function that nvlink makes, with a name that
/// Clang takes from the file's (GlobalValue::getGUID). Programs link their
/// device code when they start, so the function only registers the object's.
std::string Compilation::relocatableStub(const std::string &Input) {
  const std::string Id =
      utohexstr(MD5Hash(Input + ";__cuda_fatbin_wrapper"), /*LowerCase=*/true);
  const std::string Stub = Files.make("h");
  writeFile(
      Stub,
      fmt::format("extern \"C\" void **__cudaRegisterFatBinary(void *);\n"
                  "extern \"C\" void __cudaRegisterFatBinaryEnd(void **);\n"
                  "extern \"C\" __attribute__((weak, visibility(\"hidden\")))"
                  " void __cudaRegisterLinkedBinary__nv_{}("
                  "void (*call)(void **), void *data, void *, void *) {{\n"
                  "  void **handle = __cudaRegisterFatBinary(data);\n"
                  "  call(handle);\n"
                  "  __cudaRegisterFatBinaryEnd(handle);\n}}\n",
                  Id));
  return Stub;
}

void Compilation::compile(const std::string &Input, const std::string &Object) {
  if (!sys::fs::exists(Input))
    throw inputError("cannot read '{}': no such file", Input);
  std::vector<std::string> Words = hostFlags(Input);
  append_range(Words, Options.Dependency);
  if (!Options.Dependency.empty() && !is_contained(Options.Dependency, "-MF") &&
      !Options.Output.empty())
    Words.insert(Words.end(),
                 {"-MF", outputOf(Options.Output, ".d"), "-MQ", Object});
  if (isCUDA(Input)) {
    const std::string Container = Files.make("fatbin");
    std::vector<SourceText> Repaired;
    if (!Options.DryRun)
      writeFile(Container, deviceImages(Input, &Repaired));
    if (!Repaired.empty())
      Words.insert(Words.end(), {"-ivfsoverlay", overlay(Repaired)});
    Words.insert(Words.end(),
                 {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", Container});
    if (Options.Relocatable) {
      Words.insert(Words.end(),
                   {"-fgpu-rdc", "-include", relocatableStub(Input)});
      append_range(Words, unitName(Input));
    }
  }
  if (Options.Shared)
    Words.push_back("-fPIC");
  Words.insert(Words.end(), {"-c", Input, "-o", Object});
  execute(Words);
}

void Compilation::preprocess(const std::string &Input) const {
  std::vector<std::string> Words = hostFlags(Input);
  if (Options.Makes == NvccOptions::Preprocessed)
    Words.push_back("-E");
  append_range(Words, Options.Dependency);
  Words.push_back(Input);
  if (!Options.Output.empty())
    Words.insert(Words.end(), {"-o", Options.Output});
  execute(Words);
}

std::string Compilation::ptxOf(const std::string &Input) const {
  CompileOptions C = deviceOptions(Input);
  C.Arch = fmt::format("sm_{}", Options.Capabilities.empty()
                                    ? cuda::AnyDeviceCapability
                                    : Options.Capabilities.front());
  const CompiledModule M = take(heddle::compile(C));
  errs() << M.Warnings;
  for (const RefusedCall &R : M.NotExecuted) {
    const std::string What =
        fmt::format("{}: kernel '{}' {}", R.Position, R.Kernel, R.Reason);
    if (!R.Missing.empty())
      throw inputError("{}; PTX is written of whole "
                       "programs only; make an object with -dc",
                       What);
    errs() << What << "; this is left out\n";
  }
  std::vector<std::string> Kernels;
  for (const Function *F : M.kernels())
    Kernels.push_back(take(emitProvenancePTX(*F, KernelNumbering(*F), C.Arch)));
  return assemblyText(Kernels);
}

/// The name that nvcc gives where -o does not.
std::string Compilation::outputOf(StringRef Input, StringRef Extension) const {
  SmallString<128> Name(Input);
  sys::path::replace_extension(Name, Extension);
  return Name.str().str();
}

void Compilation::link(const std::vector<std::string> &Objects) const {
  std::vector<std::string> Words = clang();
  if (Options.Shared)
    Words.push_back("-shared");
  append_range(Words, Objects);
  append_range(Words, Options.Link);
  for (const std::string &Name : registrarsInArchives(Options.Link))
    Words.push_back("-Wl,-u," + Name);
  Words.insert(Words.end(),
               {"-L" + At.Libraries, "-lcudart", "-Wl,-rpath," + At.Libraries,
                "-ldl", "-lpthread", "-o",
                Options.Output.empty() ? "a.out" : Options.Output});
  execute(Words);
}

/// Device code is linked when the program starts. The object refers to what
/// lies in archives, so that the host's linker takes it.
void Compilation::linkDevice() {
  const std::string Source = Files.make("cpp");
  std::string Text;
  for (const std::string &Name : registrarsInArchives(Options.Link))
    Text += fmt::format("extern \"C\" void {0}();\n__attribute__((used)) "
                        "static void (*const keep{0})() = {0};\n",
                        Name);
  writeFile(Source, Text);
  std::vector<std::string> Words = clang();
  if (Options.Shared || is_contained(Options.Host, "-fPIC"))
    Words.push_back("-fPIC");
  Words.insert(Words.end(),
               {"-c", Source, "-o",
                Options.Output.empty() ? "a_dlink.o" : Options.Output});
  execute(Words);
}

/// The lines that CMake reads to find out what nvcc links.
void Compilation::printSettings() const {
  const char *Path = std::getenv("PATH");
  errs() << "#$ TOP=" << At.Toolkit << "\n#$ PATH=" << (Path ? Path : "")
         << "\n#$ NVVMIR_LIBRARY_DIR=" << At.Toolkit << "/nvvm/libdevice"
         << "\n#$ INCLUDES=\"-I" << At.Toolkit << "/include\""
         << "\n#$ LIBRARIES=  -L" << At.Libraries << " -lcudart\n";
}

void Compilation::run() {
  if (Options.Verbose || Options.DryRun)
    printSettings();
  const bool One = Options.Makes != NvccOptions::Program &&
                   Options.Makes != NvccOptions::DeviceLink &&
                   Options.Makes != NvccOptions::Archive;
  if (Options.Inputs.empty() && (One || Options.Link.empty()))
    throw usageError("no input files");
  if (One && Options.Inputs.size() > 1 && !Options.Output.empty())
    throw usageError("several inputs and one output");
  std::vector<std::string> Objects;
  for (const std::string &Input : Options.Inputs) {
    auto Output = [&](StringRef Extension) {
      return Options.Output.empty()
                 ? outputOf(sys::path::filename(Input), Extension)
                 : Options.Output;
    };
    switch (Options.Makes) {
    case NvccOptions::Preprocessed:
    case NvccOptions::Dependencies:
      preprocess(Input);
      break;
    case NvccOptions::PTX:
      writeFile(Output(".ptx"), ptxOf(Input));
      break;
    case NvccOptions::Container:
      writeFile(Output(".cubin"), deviceImages(Input));
      break;
    case NvccOptions::Object:
      compile(Input, Output(".o"));
      break;
    default:
      Objects.push_back(Files.make("o"));
      compile(Input, Objects.back());
      break;
    }
  }
  if (Options.Makes == NvccOptions::Program)
    link(Objects);
  if (Options.Makes == NvccOptions::DeviceLink)
    linkDevice();
  if (Options.Makes == NvccOptions::Archive) {
    auto Ar = sys::findProgramByName("ar");
    std::vector<std::string> Words = {Ar ? *Ar : "ar", "rcs", Options.Output};
    append_range(Words, Objects);
    append_range(Words, Options.Link);
    execute(Words);
  }
}

static constexpr char Help[] =
    "usage: heddle cc [options of nvcc] FILE...\n"
    "Compiles CUDA C++ for this CPU and Heddle, host and device, without a\n"
    "toolkit. Takes nvcc's command line, as heddle-nvcc does:\n"
    "  -c -dc -dlink -E -M -ptx -cubin -fatbin -lib    what to make\n"
    "  -o FILE -x cu -std=... -I -D -U -O -g -MD        as every compiler\n"
    "  -arch=sm_NN -gencode arch=...,code=...           devices to run on\n"
    "  -rdc=true                                        device code of several "
    "files\n"
    "  -Xcompiler -Xlinker -L -l @FILE --options-file   for the host's tools\n"
    "docs/CUDARuntime.md says how programs run.\n";

int runNvcc(const std::vector<std::string> &Words) {
  try {
    NvccOptions Options = parseNvcc(Words);
    if (Options.ShowHelp) {
      outs() << Help;
      return Done;
    }
    if (Options.ShowVersion) {
      // CMake and others know nvcc by its own second line.
      outs() << "heddle-nvcc: Heddle's compiler driver, with the options of\n"
                "nvcc: NVIDIA (R) Cuda compiler driver\n"
                "Cuda compilation tools, release 12.0, V12.0.0\n"
                "heddle " HEDDLE_VERSION "\n";
      return Done;
    }
    Compilation(std::move(Options)).run();
    return Done;
  } catch (const CommandError &E) {
    if (!E.Message.empty())
      errs() << "heddle-nvcc: error: " << E.Message << "\n";
    return E.Status;
  }
}

void addCcCommand(CLI::App &App) {
  // main() takes the command's words as they are; this is for the list.
  App.add_subcommand("cc", "Compile a CUDA program to run here, with the "
                           "options of nvcc")
      ->prefix_command();
}

} // namespace heddle::tool
