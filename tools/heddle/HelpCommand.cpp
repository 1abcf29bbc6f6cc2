//===- HelpCommand.cpp - heddle help --------------------------------------===//

#include "Commands.h"
#include "HelpPages.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "heddle/Frontend/Compiler.h"
#include "heddle/Heddle.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace heddle::tool {
namespace {

struct HelpOptions {
  std::vector<std::string> Command;
  std::string Folder, KernelsOf, Headers;
  bool Machines = false;
};

void writePages(const CLI::App &App, const std::string &Folder) {
  const HelpCommand Tool = describe(App);
  std::error_code Failed;
  std::filesystem::create_directories(Folder + "/man1", Failed);
  if (Failed)
    throw inputError("cannot write '{}': {}", Folder, Failed.message());
  writeText(Folder + "/man1/heddle.1", manualPage(Tool, Tool, HEDDLE_VERSION));
  for (const HelpCommand &C : Tool.Commands)
    writeText(fmt::format("{}/man1/heddle-{}.1", Folder, C.Name),
              manualPage(C, Tool, HEDDLE_VERSION));
  writeText(Folder + "/heddle.bash", bashCompletion(Tool));
  writeText(Folder + "/_heddle", zshCompletion(Tool));
  writeText(Folder + "/heddle.fish", fishCompletion(Tool));
}

/// What --help of the command prints, of the tool if there is none.
std::string helpOf(CLI::App &App, const std::vector<std::string> &Names) {
  CLI::App *At = &App;
  std::string Path = "heddle";
  for (const std::string &Name : Names) {
    auto Found =
        At->get_subcommands([&](CLI::App *A) { return A->check_name(Name); });
    if (Found.empty())
      throw usageError(
          "there is no command '{} {}'; 'heddle --help' lists them", Path,
          Name);
    At = Found.front();
    Path += " " + At->get_name();
  }
  // App::help would delegate to the command that is running, which is this.
  return App.get_formatter()->make_help(At, Path, CLI::AppFormatMode::Normal);
}

void runHelp(CLI::App &App, const HelpOptions &Options) {
  if (!Options.Folder.empty())
    return writePages(App, Options.Folder);
  if (!Options.Headers.empty())
    return take(writeHeaders(Options.Headers));
  std::string Text;
  if (Options.Machines) {
    for (std::string_view Name : arch::builtinMachines())
      Text += std::string(Name) + "\n";
  } else if (!Options.KernelsOf.empty()) {
    for (const Kernel &K :
         take(Program::compile({.Path = Options.KernelsOf})).kernels())
      Text += K.Name + "\n";
  } else {
    Text = helpOf(App, Options.Command);
  }
  writeText("-", Text);
}

} // namespace

void addHelpCommand(CLI::App &App) {
  auto Options = std::make_shared<HelpOptions>();
  CLI::App *Command =
      App.add_subcommand("help", "Show the options of a command");
  Command->add_option("command", Options->Command, "The command");
  Command->add_option(
      "--write", Options->Folder,
      "Write manual pages and completions for bash, zsh and fish to a folder");
  Command->add_option("--headers", Options->Headers,
                      "Write CUDA's headers, which programs compile with, to a "
                      "folder");
  Command->add_flag("--machines", Options->Machines,
                    "Print the names of the machines, for completions");
  Command->add_option("--kernels-of", Options->KernelsOf,
                      "Print the names of a file's kernels, for completions");
  Command->callback([&App, Options] { runHelp(App, *Options); });
}

} // namespace heddle::tool
