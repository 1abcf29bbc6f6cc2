//===- ValidateCommand.cpp - heddle validate ------------------------------===//

#include "Commands.h"
#include "CommonOptions.h"
#include "TextOutput.h"

#include "views/ResultHead.h"
#include "views/Validation.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace heddle::tool {
namespace {

struct ValidateOptions {
  std::vector<std::string> Inputs;
  std::string Against;
  std::string JSON;
  views::ValidationOptions Validation;
  bool AnyVersion = false;
  bool Partial = false;
};

void runValidate(const ValidateOptions &Options) {
  std::vector<views::StoredResult> Results;
  for (const std::string &Path : Options.Inputs)
    for (views::StoredResult &R : take(views::readResults(
             Path, Options.AnyVersion ? "" : HEDDLE_VERSION)))
      Results.push_back(std::move(R));
  CSVTable Table = take(readCSV(Options.Against));
  views::Validation V =
      take(views::Validation::make(Results, Table, Options.Validation));
  if (!Options.JSON.empty()) {
    views::JSON Data = views::resultHead("validation", HEDDLE_VERSION);
    V.addTo(Data);
    writeJSON(Options.JSON, Data);
  }
  if (Options.JSON != "-")
    writeText("-", V.text());
  if (!V.unmatched().empty() && !Options.Partial)
    throw inputError("{}: {} of {} results have no row; --partial accepts that",
                     Options.Against, V.unmatched().size(), Results.size());
}

} // namespace

void addValidateCommand(CLI::App &App) {
  auto Options = std::make_shared<ValidateOptions>();
  CLI::App *Command = App.add_subcommand(
      "validate", "Compare results with a table of measured cycles or times");
  Command
      ->add_option("result", Options->Inputs,
                   "JSON files that heddle wrote with --json")
      ->required();
  Command
      ->add_option("--against", Options->Against,
                   "CSV: kernel, gpu, cycles or time_us, ...")
      ->required();
  Command
      ->add_option("--metric", Options->Validation.Metric,
                   "column and key to compare")
      ->check(CLI::IsMember({"cycles", "time_us"}))
      ->capture_default_str();
  Command
      ->add_option("--error-kind", Options->Validation.ErrorKind,
                   "what the table holds, where it has no such column")
      ->check(CLI::IsMember({"same-simulator", "other-simulator", "hardware"}));
  Command
      ->add_option("--top-k", Options->Validation.TopK,
                   "estimates that are tried for the regret")
      ->check(aboveZero())
      ->capture_default_str();
  Command->add_option("--json", Options->JSON, "write JSON ('-': stdout)");
  Command->add_flag("--partial", Options->Partial,
                    "accept results that the table has no row for");
  Command->add_flag("--any-version", Options->AnyVersion,
                    "take results of other versions of heddle too");
  Command->callback([Options] { runValidate(*Options); });
}

} // namespace heddle::tool
