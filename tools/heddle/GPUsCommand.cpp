//===- GPUsCommand.cpp - heddle gpus
//---------------------------------------===//

#include "Commands.h"
#include "TextOutput.h"

#include "arch/BuiltinMachines.h"
#include "arch/SpecReader.h"
#include "views/MachineView.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace heddle::tool {
namespace {

struct GPUsOptions {
  std::vector<std::string> Machines;
  std::vector<std::string> Sets;
  std::optional<std::string> JSON; ///< file, or "-"
  bool Sources = false;
};

/// The files of the machines and of what they start from, whose comments say
/// where each number comes from.
void printSources(const std::vector<std::string> &Machines) {
  std::string Text;
  for (std::string Name : Machines)
    while (!Name.empty()) {
      const auto Files = arch::builtinMachineFiles();
      const auto File =
          std::ranges::find(Files, Name, &arch::BuiltinMachine::Name);
      if (File == Files.end())
        throw CommandError(fmt::format(
            "'{}' is no built-in machine; --sources prints their files", Name));
      Text += fmt::format("# {}.yaml\n{}", Name, File->Text);
      const size_t Base = ("\n" + std::string(File->Text)).find("\nbase: ");
      Name = Base == std::string::npos
                 ? ""
                 : File->Text.substr(Base + 6, File->Text.find('\n', Base + 6) -
                                                   Base - 6);
    }
  writeText("-", Text);
}

void runGPUs(const GPUsOptions &Options) {
  if (Options.Sources)
    return printSources(Options.Machines);
  std::vector<arch::GPUSpec> Machines;
  if (Options.Machines.empty())
    for (std::string_view Name : arch::builtinMachines())
      Machines.push_back(take(arch::loadMachine(Name, Options.Sets)));
  for (const std::string &Name : Options.Machines)
    Machines.push_back(take(arch::loadMachine(Name, Options.Sets)));

  if (Options.JSON) {
    nlohmann::ordered_json Out = nlohmann::ordered_json::array();
    for (const arch::GPUSpec &M : Machines)
      Out.push_back(views::machineJSON(M));
    writeText(*Options.JSON, Out.dump(2) + "\n");
  } else if (Options.Machines.empty()) {
    writeText("-", views::machineTable(Machines));
  } else {
    std::string Text;
    for (const arch::GPUSpec &M : Machines)
      Text += views::machineText(M);
    writeText("-", Text);
  }
}

} // namespace

void addGPUsCommand(CLI::App &App) {
  auto Options = std::make_shared<GPUsOptions>();
  CLI::App *Command =
      App.add_subcommand("gpus", "List machine descriptions, or show some");
  Command->add_option("machine", Options->Machines,
                      "Built-in machines or machine files to show in full");
  Command->add_option("--set", Options->Sets, "Change a field: FIELD=VALUE")
      ->allow_extra_args(false);
  Command->add_option("--json", Options->JSON, "Write JSON to a file or -")
      ->expected(0, 1)
      ->default_str("-");
  Command
      ->add_flag("--sources", Options->Sources,
                 "Show the machine files, which say where each number comes "
                 "from")
      ->needs("machine");
  Command->callback([Options] { runGPUs(*Options); });
}

} // namespace heddle::tool
