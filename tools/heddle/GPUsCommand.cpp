//===- GPUsCommand.cpp - heddle gpus
//---------------------------------------===//

#include "Commands.h"

#include "arch/SpecReader.h"
#include "views/MachineView.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace heddle::tool {
namespace {

struct GPUsOptions {
  std::vector<std::string> Machines;
  std::vector<std::string> Sets;
  bool JSON = false;
};

void print(const std::string &Text) {
  if (std::fwrite(Text.data(), 1, Text.size(), stdout) != Text.size() ||
      std::fflush(stdout) != 0)
    throw CommandError{"cannot write to standard output"};
}

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
    print(Out.dump(2) + "\n");
  } else if (Options.Machines.empty()) {
    print(views::machineTable(Machines));
  } else {
    for (const arch::GPUSpec &M : Machines)
      print(views::machineText(M));
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
  Command->add_flag("--json", Options->JSON, "Print JSON");
  Command->callback([Options] { runGPUs(*Options); });
}

} // namespace heddle::tool
