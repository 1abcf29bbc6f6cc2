//===- OutputCheck.cpp - Outputs that would destroy inputs ----------------===//

#include "Commands.h"

#include "launch/LaunchFile.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>

namespace fs = std::filesystem;

namespace heddle::tool {
namespace {

constexpr std::string_view Writing[] = {
    "-o",         "--json", "--junit",           "--sarif",           "--csv",
    "--perfetto", "--dump", "--export-simpoint", "--export-accel-sim"};
constexpr std::string_view Reading[] = {"--launch",  "--gpu",     "--link",
                                        "--arg",     "--expect",  "--input",
                                        "--against", "--profile", "--measured"};

struct NamedFile {
  std::string Option, Path;
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

/// The files in "FILE", "NAME=FILE:abs=1" or "f32[4]=file:FILE".
std::vector<std::string> filesIn(const std::string &Value) {
  std::vector<std::string> Files = {Value};
  for (size_t From = 0; From < Value.size();) {
    const size_t To = std::min(Value.find_first_of("=:", From), Value.size());
    Files.push_back(Value.substr(From, To - From));
    From = To + 1;
  }
  std::erase_if(Files, [](const std::string &F) { return !isPlainFile(F); });
  return Files;
}

/// What the launch file \p Path reads; a bad one is reported by its reader.
std::vector<std::string> contentsOf(const std::string &Path) {
  std::vector<std::string> Files;
  if (Result<launch::Launch> L = launch::readLaunchFile(Path))
    launch::forEachBuffer(*L, [&](const launch::BufferArg &B) {
      if (const auto *File = std::get_if<launch::InitFile>(&B.Init))
        Files.push_back(File->Path);
    });
  return Files;
}

bool isSame(const std::string &A, const std::string &B) {
  std::error_code Code;
  return fs::equivalent(A, B, Code);
}

void collect(const CLI::App &App, std::vector<NamedFile> &Inputs,
             std::vector<NamedFile> &Outputs) {
  for (const CLI::Option *O : App.get_options()) {
    const std::string Writes = nameAmong(*O, Writing);
    const std::string Reads =
        O->get_positional() ? O->get_name(true) : nameAmong(*O, Reading);
    for (const std::string &Value : O->results()) {
      if (Writes == "--dump")
        Outputs.push_back({Writes, Value.substr(Value.find('=') + 1)});
      else if (!Writes.empty())
        Outputs.push_back({Writes, Value});
      else if (!Reads.empty())
        for (std::string &File : filesIn(Value)) {
          if (Reads == "--launch")
            for (std::string &Held : contentsOf(File))
              Inputs.push_back({File, std::move(Held)});
          Inputs.push_back({Reads, std::move(File)});
        }
    }
  }
  for (const CLI::App *Command : App.get_subcommands())
    collect(*Command, Inputs, Outputs);
}

} // namespace

void checkOutputs(const CLI::App &App) {
  std::vector<NamedFile> Inputs, Outputs;
  collect(App, Inputs, Outputs);
  for (size_t I = 0; I < Outputs.size(); ++I) {
    const auto &[Option, Path] = Outputs[I];
    for (const NamedFile &Input : Inputs)
      if (isSame(Path, Input.Path))
        throw usageError("{} {} would overwrite an input of this command ({})",
                         Option, Path, Input.Option);
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
