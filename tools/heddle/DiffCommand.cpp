//===- DiffCommand.cpp - heddle diff --------------------------------------===//

#include "Commands.h"
#include "TextOutput.h"
#include "base/JSONText.h"

#include "views/ResultDiff.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

namespace heddle::tool {
namespace {

struct DiffCommandOptions {
  std::string Before, After;
  std::string FailOver;
  std::string JSON, JUnit, SARIF;
  views::DiffOptions Diff;
  bool AnyVersion = false;
  bool Quiet = false;
};

void print(const std::string &Path, const std::string &Text) {
  if (Path.empty())
    return;
  writeText(Path, Text);
}

/// "3%" is 0.03, and so is "3".
double parsePercent(const std::string &Text) {
  const char *End = Text.data() + Text.size();
  double Value = 0;
  auto [Rest, Error] = std::from_chars(Text.data(), End, Value);
  while (Rest != End && *Rest == ' ')
    ++Rest;
  if (Rest != End && *Rest == '%')
    ++Rest;
  if (Error != std::errc() || Rest != End || !std::isfinite(Value) || Value < 0)
    throw usageError("--fail-over {}: write a percentage, e.g. 3%", Text);
  return Value / 100;
}

void runDiff(DiffCommandOptions Options) {
  if (!Options.FailOver.empty())
    Options.Diff.FailOver = parsePercent(Options.FailOver);
  std::string Version = Options.AnyVersion ? "" : HEDDLE_VERSION;
  auto Before = take(views::readResults(Options.Before, Version));
  auto After = take(views::readResults(Options.After, Version));
  auto Diffs = take(views::diffResults(Before, After, Options.Diff));

  if (!Options.JSON.empty())
    print(Options.JSON,
          jsonText(views::diffJSON(Diffs, Options.Diff, HEDDLE_VERSION), 2) +
              "\n");
  if (!Options.JUnit.empty())
    print(Options.JUnit, views::diffJUnit(Diffs, Options.Diff));
  if (!Options.SARIF.empty())
    print(Options.SARIF,
          jsonText(views::diffSARIF(Diffs, Options.Diff, HEDDLE_VERSION), 2) +
              "\n");
  bool ToStdout =
      Options.JSON == "-" || Options.JUnit == "-" || Options.SARIF == "-";
  if (!Options.Quiet && !ToStdout)
    print("-", views::diffText(Diffs, Options.Diff));
  if (std::ranges::any_of(Diffs.Pairs, &views::ResultDiff::Regressed))
    throw CommandError{"", Regression};
  // A result that is lost would pass every limit.
  if (Options.Diff.FailOver && Diffs.LostResults)
    throw CommandError{Diffs.NotCompared.front()};
}

} // namespace

void addDiffCommand(CLI::App &App) {
  auto Options = std::make_shared<DiffCommandOptions>();
  CLI::App *Command = App.add_subcommand(
      "diff", "Compare results, for CI: exit status 4 if one "
              "is slower than tolerated");
  Command->add_option("before", Options->Before, "results to compare with")
      ->required();
  Command->add_option("after", Options->After, "results of the same kernels")
      ->required();
  Command
      ->add_option("--fail-over", Options->FailOver,
                   "largest tolerated growth, e.g. 3%")
      ->option_text("PERCENT");
  Command->add_option("--metric", Options->Diff.Metric, "what may not grow")
      ->check(CLI::IsMember({"cycles", "time_us"}))
      ->capture_default_str();
  Command->add_option("--json", Options->JSON, "write JSON ('-': stdout)");
  Command->add_option("--junit", Options->JUnit, "write JUnit XML");
  Command->add_option("--sarif", Options->SARIF, "write SARIF, line by line");
  Command->add_flag("--any-version", Options->AnyVersion,
                    "take results of other versions of heddle too");
  Command->add_flag("-q,--quiet", Options->Quiet, "no text");
  Command->callback([Options] { runDiff(*Options); });
}

} // namespace heddle::tool
