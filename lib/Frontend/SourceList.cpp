//===- SourceList.cpp - The sources of a folder or a build ----------------===//

#include "heddle/Frontend/SourceList.h"

#include "EmbeddedKernels.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle {

static bool isSource(StringRef Path) {
  StringRef Extension = sys::path::extension(Path);
  return Extension == ".cl" || Extension == ".ocl" || Extension == ".cu" ||
         Extension == ".ll" || Extension == ".bc" || Extension == ".mlir" ||
         Extension == ".clcpp";
}

/// Host code with kernels in its strings.
static bool holdsSource(const std::string &Path) {
  constexpr uint64_t MaxBytes = 1 << 20;
  uint64_t Size = 0;
  if (!isHostSource(Path) || sys::fs::file_size(Path, Size) || Size > MaxBytes)
    return false;
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer && !embeddedOpenCL((*Buffer)->getBuffer()).empty();
}

bool namesManySources(const std::string &Input) {
  return sys::fs::is_directory(Input) || sys::path::extension(Input) == ".json";
}

static Expected<std::vector<SourceFile>> listFolder(const std::string &Folder) {
  std::vector<SourceFile> Files;
  std::error_code Code;
  for (sys::fs::recursive_directory_iterator I(Folder, Code), End;
       I != End && !Code; I.increment(Code))
    if (!sys::fs::is_directory(I->path()) &&
        (isSource(I->path()) || holdsSource(I->path())))
      Files.push_back({I->path(), {}});
  if (Code)
    return createStringError("cannot read folder '" + Folder +
                             "': " + Code.message());
  if (Files.empty())
    return createStringError("'" + Folder +
                             "' has no OpenCL (.cl, .ocl), CUDA (.cu) or LLVM "
                             "IR (.ll, .bc) file in it");
  llvm::sort(Files, [](const SourceFile &A, const SourceFile &B) {
    return A.Path < B.Path;
  });
  return Files;
}

/// The flags of a compiler's command line that decide what the source says.
/// Relative folders are \p Directory's.
static std::vector<std::string> relevantFlags(ArrayRef<std::string> Command,
                                              StringRef Directory) {
  static constexpr StringLiteral Folders[] = {"-isystem", "-include", "-I"};
  auto InDirectory = [&](StringRef Path) {
    if (sys::path::is_absolute(Path))
      return Path.str();
    SmallString<128> Absolute(Directory);
    sys::path::append(Absolute, Path);
    return Absolute.str().str();
  };
  std::vector<std::string> Flags;
  for (size_t I = 1; I < Command.size(); ++I) {
    StringRef Arg = Command[I];
    Arg.consume_front("-Xcompiler=");
    bool HasNext = I + 1 < Command.size();
    if ((Arg == "-D" || Arg == "-U") && HasNext) {
      Flags.push_back((Arg + Command[++I]).str());
    } else if (Arg.starts_with("-D") || Arg.starts_with("-U") ||
               Arg.starts_with("-std=c++") || Arg.starts_with("-cl-")) {
      Flags.push_back(Arg.str());
    } else if (is_contained(Folders, Arg) && HasNext) {
      Flags.push_back(Arg.str());
      Flags.push_back(InDirectory(Command[++I]));
    } else if (Arg.starts_with("-I")) {
      Flags.push_back("-I" + InDirectory(Arg.drop_front(2)));
    } else if (Arg.starts_with("-isystem=")) {
      Flags.push_back("-isystem");
      Flags.push_back(InDirectory(Arg.drop_front(9)));
    }
  }
  return Flags;
}

static Expected<std::vector<SourceFile>> listDatabase(const std::string &Path) {
  std::string Message;
  auto Database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      Path, Message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    return createStringError("'" + Path + "' is not a compilation database: " +
                             StringRef(Message).rtrim());
  std::vector<SourceFile> Files;
  for (const clang::tooling::CompileCommand &Command :
       Database->getAllCompileCommands()) {
    if (!isSource(Command.Filename))
      continue;
    SmallString<128> File(Command.Filename);
    sys::path::make_absolute(Command.Directory, File);
    sys::path::remove_dots(File, /*remove_dot_dot=*/true);
    Files.push_back({File.str().str(),
                     relevantFlags(Command.CommandLine, Command.Directory)});
  }
  if (Files.empty())
    return createStringError("'" + Path +
                             "' has no command for an OpenCL (.cl, .ocl), CUDA "
                             "(.cu) or LLVM IR (.ll, .bc) file");
  return Files;
}

Expected<std::vector<SourceFile>> listSources(const std::string &Input) {
  if (sys::fs::is_directory(Input))
    return listFolder(Input);
  if (namesManySources(Input))
    return listDatabase(Input);
  return std::vector<SourceFile>{{Input, {}}};
}

} // namespace heddle
