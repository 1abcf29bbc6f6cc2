//===- GPUsCommand.cpp - heddle gpus
//---------------------------------------===//

#include "Commands.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "views/MachineView.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace heddle::tool {
namespace {

struct GPUsOptions {
  std::vector<std::string> Machines;
  std::vector<std::string> Sets;
  std::optional<std::string> JSON; ///< file, or "-"
};

void runGPUs(const GPUsOptions &Options) {
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
  Command->callback([Options] { runGPUs(*Options); });
}

} // namespace heddle::tool
