//===- GPUsCommand.cpp - heddle gpus
//---------------------------------------===//

#include "Commands.h"
#include "TextOutput.h"

#include "arch/BuiltinMachines.h"
#include "arch/SpecReader.h"
#include "views/MachineView.h"
#include "views/ResultHead.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

namespace heddle::tool {
namespace {

struct GPUsOptions {
  std::vector<std::string> Machines;
  std::vector<std::string> Sets;
  std::optional<std::string> JSON; ///< file, or "-"
  bool Sources = false;
  std::string New, Base; ///< a machine file to write, and what it starts from
};

/// What of \p Machine is not as in \p Base, by field.
nlohmann::ordered_json changes(const arch::GPUSpec &Machine,
                               const arch::GPUSpec &Base) {
  const auto Was = views::machineJSON(Base).flatten();
  nlohmann::ordered_json Out = nlohmann::ordered_json::object();
  for (const auto &[Path, Value] :
       views::machineJSON(Machine).flatten().items())
    if (const auto Old = Was.find(Path); Path != "/name" &&
                                         Path != "/description" &&
                                         (Old == Was.end() || *Old != Value)) {
      std::string Field = Path.substr(1);
      std::ranges::replace(Field, '/', '.');
      Out[Field] = {
          {"is", Value},
          {"was", Old == Was.end() ? nlohmann::ordered_json() : *Old}};
    }
  return Out;
}

/// The machine that \p Name is a change of: without what was set, or its base.
/// Built-in machines are whole.
std::string comparedWith(const std::string &Name, bool HasSets) {
  if (const std::string_view Builtin = arch::builtinName(Name);
      !Builtin.empty())
    return HasSets ? std::string(Builtin) : "";
  return take(arch::baseOfMachine(Name));
}

/// "2 fields differ from those of h100: ...", or nothing.
std::string changesText(const arch::GPUSpec &Machine, const std::string &Base) {
  if (Base.empty())
    return {};
  const auto Changes = changes(Machine, take(arch::loadMachine(Base)));
  std::string Text = fmt::format("\n  {} field{} from {}{}\n", Changes.size(),
                                 Changes.size() == 1 ? " differs" : "s differ",
                                 Base, Changes.empty() ? "" : ":");
  for (const auto &[Field, Change] : Changes.items())
    Text += fmt::format("  {:<28} {:>16} instead of {}\n", Field,
                        Change["is"].dump(), Change["was"].dump());
  return Text;
}

/// Puts \p Set, FIELD=VALUE, into the tree of a machine file. Names of
/// operations have a dot: what is one level in a file may be two here.
void insert(YAML::Node Root, const std::string &Set) {
  const size_t Equals = Set.find('=');
  YAML::Node At = Root;
  size_t Begin = 0;
  for (size_t Dot; (Dot = Set.find('.', Begin)) < Equals; Begin = Dot + 1) {
    const YAML::Node Next = At[Set.substr(Begin, Dot - Begin)];
    At.reset(Next);
  }
  At[Set.substr(Begin, Equals - Begin)] = YAML::Load(Set.substr(Equals + 1));
}

/// Writes a file that says only what differs from the base, checked as every
/// machine file is.
void writeMachine(const GPUsOptions &Options) {
  namespace fs = std::filesystem;
  fs::path File = Options.New;
  if (File.extension() != ".yaml")
    File += ".yaml";
  const auto Builtin = arch::builtinMachines();
  if (std::ranges::find(Builtin, File.stem().string()) != Builtin.end())
    throw usageError("--new {}: there is a built-in machine of that name",
                     Options.New);
  if (fs::exists(File))
    throw inputError("{}: exists already; choose another name", File.string());
  const arch::GPUSpec Checked =
      take(arch::loadMachine(Options.Base, Options.Sets));
  const std::string BuiltinBase(arch::builtinName(Options.Base));
  YAML::Node Root;
  Root["base"] =
      !BuiltinBase.empty()
          ? BuiltinBase
          : fs::proximate(Options.Base, fs::absolute(File).parent_path())
                .string();
  Root["description"] = fmt::format("{} with changes", Options.Base);
  for (const std::string &Set : Options.Sets)
    insert(Root, Set);
  const std::string Text =
      fmt::format("# {}, changed. `heddle gpus {}` shows the whole machine and "
                  "what differs.\n{}\n",
                  Options.Base, File.string(), YAML::Dump(Root));
  const arch::GPUSpec Written = take(arch::parseMachine(Text, File.string()));
  if (auto Lost = changes(Written, Checked); !Lost.empty())
    throw CommandError{fmt::format("{}: the file would not say what --set "
                                   "does: {}",
                                   File.string(), Lost.dump()),
                       InternalError};
  writeText(File.string(), Text);
  fmt::print("{}: written; give it as --gpu {}\n", File.string(),
             File.string());
}

/// The files of the machines and of what they start from, whose comments say
/// where each number comes from.
void printSources(const std::vector<std::string> &Machines) {
  std::string Text;
  for (std::string Name : Machines)
    while (!Name.empty()) {
      const auto Files = arch::builtinMachineFiles();
      const auto File = std::ranges::find(Files, arch::builtinName(Name),
                                          &arch::BuiltinMachine::Name);
      if (File == Files.end())
        throw CommandError(fmt::format(
            "'{}' is no built-in machine; --sources prints their files", Name));
      Text += fmt::format("# {}.yaml\n{}", File->Name, File->Text);
      const size_t Base = ("\n" + std::string(File->Text)).find("\nbase: ");
      Name = Base == std::string::npos
                 ? ""
                 : File->Text.substr(Base + 6, File->Text.find('\n', Base + 6) -
                                                   Base - 6);
    }
  writeText("-", Text);
}

void runGPUs(const GPUsOptions &Options) {
  if (!Options.New.empty())
    return writeMachine(Options);
  if (Options.Sources)
    return printSources(Options.Machines);
  std::vector<arch::GPUSpec> Machines;
  if (Options.Machines.empty())
    for (std::string_view Name : arch::builtinMachines())
      Machines.push_back(take(arch::loadMachine(Name, Options.Sets)));
  for (const std::string &Name : Options.Machines)
    Machines.push_back(take(arch::loadMachine(Name, Options.Sets)));

  auto BaseOf = [&](size_t I) {
    return Options.Machines.empty()
               ? std::string()
               : comparedWith(Options.Machines[I], !Options.Sets.empty());
  };
  if (Options.JSON) {
    nlohmann::ordered_json Out = nlohmann::ordered_json::array();
    for (size_t I = 0; I < Machines.size(); ++I) {
      Out.emplace_back(views::resultHead("machine", HEDDLE_VERSION))
          .update(views::machineJSON(Machines[I]));
      if (const std::string Base = BaseOf(I); !Base.empty()) {
        Out.back()["base"] = Base;
        Out.back()["changes"] =
            changes(Machines[I], take(arch::loadMachine(Base)));
      }
    }
    writeJSON(*Options.JSON, Out);
  } else if (Options.Machines.empty()) {
    writeText("-", views::machineTable(Machines));
  } else {
    std::string Text;
    for (size_t I = 0; I < Machines.size(); ++I)
      Text +=
          views::machineText(Machines[I]) + changesText(Machines[I], BaseOf(I));
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
  CLI::Option *New =
      Command
          ->add_option("--new", Options->New,
                       "Write a machine file NAME.yaml: --base with what --set "
                       "changes")
          ->option_text("NAME")
          ->excludes("machine");
  New->needs(Command
                 ->add_option("--base", Options->Base,
                              "Machine or machine file that --new starts from")
                 ->needs(New));
  Command->callback([Options] { runGPUs(*Options); });
}

} // namespace heddle::tool
