//===- OutputCheck.cpp - Outputs that would destroy inputs ----------------===//

#include "Commands.h"

#include "arch/SpecReader.h"
#include "launch/LaunchFile.h"
#include "record/Format.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <span>
#include <string_view>

namespace fs = std::filesystem;

namespace heddle::tool {
namespace {

constexpr std::string_view Writing[] = {
    "-o",     "--json", "--junit",    "--sarif",           "--csv",
    "--dump", "--dot",  "--emit",     "--export-simpoint", "--export-accel-sim",
    "--new",  "--name", "--perfetto", "--resume",          "--full-simulation"};
constexpr std::string_view Reading[] = {
    "--launch", "--gpu",     "--link",    "--arg",      "--base",    "--expect",
    "--input",  "--against", "--profile", "--measured", "--analysis"};
/// Those of Reading, and positionals, that take names of built-in machines too.
constexpr std::string_view TakeMachine[] = {"--gpu", "--base", "machine"};

struct NamedFile {
  std::string Option, Path;
};

/// What a command reads. Sources also read what they include, and folders of
/// recordings and of sources what is in them.
struct AllInputs {
  std::vector<NamedFile> Files;
  std::vector<NamedFile> Folders;
  std::vector<std::string> IncludeFolders; ///< of -I, behind "--"
};

/// The option by one of \p Names, empty if it has none of them.
std::string nameAmong(const CLI::Option &O,
                      std::span<const std::string_view> Names) {
  for (std::string_view Name : Names)
    if (O.check_name(std::string(Name)))
      return std::string(Name);
  return "";
}

bool isPlainFile(const std::string &Path) {
  std::error_code Code;
  return fs::is_regular_file(Path, Code);
}

/// The files of --arg: "f32[4]=file:FILE", also of members, which ';' and '}'
/// end.
std::vector<std::string> filesOfArgument(const std::string &Value) {
  constexpr std::string_view Init = "=file:";
  std::vector<std::string> Files;
  for (size_t At = 0; (At = Value.find(Init, At)) != Value.npos;) {
    At += Init.size();
    Files.push_back(Value.substr(At));
    Files.push_back(Files.back().substr(0, Files.back().find_first_of(";}")));
  }
  return Files;
}

/// The file of --expect: "NAME=FILE:abs=1".
std::vector<std::string> filesOfExpect(const std::string &Value) {
  const std::string File = Value.substr(Value.find('=') + 1);
  return {File, File.substr(0, File.rfind(':'))};
}

/// The file of a flag for Clang: "FILE" behind -include, "-flag=FILE".
std::vector<std::string> filesOfFlag(const std::string &Value) {
  if (Value.starts_with("-D"))
    return {};
  return {Value, Value.substr(Value.find('=') + 1)};
}

/// The files that \p Value of the option or positional \p Reads names.
std::vector<std::string> filesIn(const std::string &Reads,
                                 const std::string &Value) {
  std::vector<std::string> Files = {Value};
  if (Reads == "--arg")
    Files = filesOfArgument(Value);
  else if (Reads == "--expect")
    Files = filesOfExpect(Value);
  else if (Reads == "CLANG_ARGS" || Reads == "clang-args")
    Files = filesOfFlag(Value);
  else if (std::ranges::find(TakeMachine, Reads) != std::end(TakeMachine) &&
           !arch::builtinName(Value).empty())
    return {};
  std::erase_if(Files, [](const std::string &F) { return !isPlainFile(F); });
  return Files;
}

/// What the launches of file \p Path read; a bad one is reported by its reader.
std::vector<std::string> contentsOf(const std::string &Path) {
  std::vector<std::string> Files;
  auto add = [&](const launch::Launch &L) {
    launch::forEachBuffer(L, [&](const launch::BufferArg &B) {
      if (const auto *File = std::get_if<launch::InitFile>(&B.Init))
        Files.push_back(File->Path);
    });
  };
  if (Result<launch::Application> A = launch::readApplicationFile(Path))
    for (const launch::Step &S : A->Steps)
      if (S.isLaunch())
        add(S.Launch);
  return Files;
}

/// Files that the description of a sweep, or a machine file, names.
std::vector<std::string> filesNamedIn(const std::string &Path) {
  constexpr std::string_view Separators = " \t\r\n,:[]{}\"'";
  std::ifstream File(Path, std::ios::binary);
  const std::string Text(std::istreambuf_iterator<char>(File), {});
  std::vector<std::string> Files;
  for (size_t From = 0; From < Text.size();) {
    const size_t To =
        std::min(Text.find_first_of(Separators, From), Text.size());
    const std::string Word = Text.substr(From, To - From);
    const std::string There = (fs::path(Path).parent_path() / Word).string();
    if (Word.find_first_of("./") != Word.npos && isPlainFile(There))
      Files.push_back(There);
    From = To + 1;
  }
  return Files;
}

bool isYAML(const std::string &Path) {
  return Path.ends_with(".yaml") || Path.ends_with(".yml");
}

/// The names in the include lines of \p Path.
std::vector<std::string> includesOf(const std::string &Path) {
  std::vector<std::string> Names;
  std::ifstream File(Path, std::ios::binary);
  for (std::string Line; std::getline(File, Line);) {
    const size_t Hash = Line.find_first_not_of(" \t");
    if (Hash == Line.npos || Line[Hash] != '#')
      continue;
    const size_t Word = Line.find_first_not_of(" \t", Hash + 1);
    const size_t Open = Line.find_first_of("\"<", Hash);
    if (Word == Line.npos || Line.compare(Word, 7, "include") != 0 ||
        Open == Line.npos)
      continue;
    const size_t Close = Line.find_first_of("\">", Open + 1);
    if (Close != Line.npos)
      Names.push_back(Line.substr(Open + 1, Close - Open - 1));
  }
  return Names;
}

bool isSame(const std::string &A, const std::string &B) {
  std::error_code Code;
  return fs::equivalent(A, B, Code);
}

/// Whether \p Source includes \p Path, directly or not. \p Seen: sources that
/// were looked at.
bool includes(const std::string &Source, const std::string &Path,
              const AllInputs &Inputs, std::set<std::string> &Seen) {
  if (!Seen.insert(fs::path(Source).lexically_normal().string()).second)
    return false;
  std::vector<std::string> Folders = Inputs.IncludeFolders;
  Folders.push_back(fs::path(Source).parent_path().string());
  for (const std::string &Name : includesOf(Source))
    for (const std::string &Folder : Folders)
      if (const std::string There = (fs::path(Folder) / Name).string();
          isPlainFile(There) &&
          (isSame(There, Path) || includes(There, Path, Inputs, Seen)))
        return true;
  return false;
}

/// Whether \p Path is what a command that reads \p Folder would read: a file of
/// a recording, or a source.
bool isReadFrom(const std::string &Folder, const fs::path &Path) {
  constexpr std::string_view Sources[] = {".cl", ".cu", ".cuh", ".h",   ".hpp",
                                          ".ll", ".bc", ".ptx", ".mlir"};
  std::error_code Code;
  const fs::path Inside =
      fs::canonical(Path, Code).lexically_relative(fs::canonical(Folder, Code));
  return !Inside.empty() && *Inside.begin() != ".." &&
         (Path.filename() == record::LogName ||
          std::ranges::find(Sources, Path.extension()) != std::end(Sources));
}

/// Which input of the command \p Path is; empty if none.
std::string inputAt(const std::string &Path, const AllInputs &Inputs) {
  if (!isPlainFile(Path))
    return "";
  for (const NamedFile &Input : Inputs.Files)
    if (isSame(Path, Input.Path))
      return Input.Option;
  for (const NamedFile &Input : Inputs.Folders)
    if (isReadFrom(Input.Path, Path))
      return Input.Option + " " + Input.Path;
  std::set<std::string> Seen;
  for (const NamedFile &Input : Inputs.Files)
    if (includes(Input.Path, Path, Inputs, Seen))
      return "included by " + Input.Path;
  return "";
}

/// An input by the option or positional \p Reads.
void addInput(const std::string &Reads, const std::string &Value,
              AllInputs &Inputs) {
  std::error_code Code;
  if (Value.starts_with("-I") && Value.size() > 2)
    Inputs.IncludeFolders.push_back(Value.substr(2));
  if (fs::is_directory(Value, Code)) {
    Inputs.Folders.push_back({Reads, Value});
    Inputs.IncludeFolders.push_back(Value); // "-I FOLDER"
  }
  for (std::string &File : filesIn(Reads, Value)) {
    if (isYAML(File))
      for (std::string &Held :
           Reads == "--launch" ? contentsOf(File) : filesNamedIn(File))
        Inputs.Files.push_back({File, std::move(Held)});
    Inputs.Files.push_back({Reads, std::move(File)});
  }
}

bool isGivenTo(const CLI::App &App, const std::string &Name) {
  const CLI::Option *O = App.get_option_no_throw(Name);
  return O && O->count();
}

/// The file that \p Value of the option \p Writes of \p App names; none if
/// nothing is written there.
std::optional<std::string> outputOf(const CLI::App &App,
                                    const std::string &Writes,
                                    const std::string &Value) {
  if (Writes == "--dump") {
    const size_t Equal = Value.find('=');
    if (Equal == Value.npos)
      return std::nullopt; // a buffer that is printed
    return Value.substr(Equal + 1);
  }
  // Names of machines.
  if (Writes == "--name" && (isGivenTo(App, "-o") || isGivenTo(App, "--emit")))
    return std::nullopt;
  if (Writes == "--name" || (Writes == "--new" && !Value.ends_with(".yaml")))
    return Value + ".yaml";
  return Value;
}

void collect(const CLI::App &App, AllInputs &Inputs,
             std::vector<NamedFile> &Outputs) {
  for (const CLI::Option *O : App.get_options()) {
    const std::string Writes = nameAmong(*O, Writing);
    const std::string Reads =
        O->get_positional() ? O->get_name(true) : nameAmong(*O, Reading);
    for (const std::string &Value : O->results())
      if (!Writes.empty()) {
        if (std::optional<std::string> File = outputOf(App, Writes, Value))
          Outputs.push_back({Writes, std::move(*File)});
      } else if (!Reads.empty()) {
        addInput(Reads, Value, Inputs);
      }
  }
  for (const CLI::App *Command : App.get_subcommands())
    collect(*Command, Inputs, Outputs);
}

} // namespace

void checkOutputs(const CLI::App &App) {
  AllInputs Inputs;
  std::vector<NamedFile> Outputs;
  collect(App, Inputs, Outputs);
  for (size_t I = 0; I < Outputs.size(); ++I) {
    const auto &[Option, Path] = Outputs[I];
    if (const std::string Input = inputAt(Path, Inputs); !Input.empty())
      throw usageError("{} {} would overwrite an input of this command ({})",
                       Option, Path, Input);
    for (size_t J = 0; J < I; ++J)
      if (Path != "-" &&
          fs::path(Path).lexically_normal() ==
              fs::path(Outputs[J].Path).lexically_normal() &&
          !(fs::exists(Path) && !isPlainFile(Path)))
        throw usageError("{} and {} both write {}", Outputs[J].Option, Option,
                         Path);
  }
}

} // namespace heddle::tool
