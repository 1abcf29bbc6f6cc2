//===- AnalyzeCommand.cpp - heddle analyze --------------------------------===//

#include "CommonOptions.h"
#include "TextOutput.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/KernelReport.h"
#include "heddle/Driver/TraceModes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

#include <iostream>

using namespace llvm;

namespace heddle::tool {

namespace {
struct AnalyzeOptions {
  SessionOptions Session;
  std::vector<std::string> Assume;
  std::string Output = "-";
  std::string Form = "source";
  uint64_t MaxSteps = EvaluationBudget().Left;
};
} // namespace

/// A file of -o always gets the text; standard output where neither JSON goes
/// there nor -q forbids it.
static bool writesText(const AnalyzeOptions &Options) {
  const SessionOptions &S = Options.Session;
  return Options.Output != "-" || (S.Json != "-" && !S.Quiet);
}

static void runAnalyze(const AnalyzeOptions &Options) {
  const SessionOptions &S = Options.Session;
  const std::vector<LoopAssumption> Assumptions =
      take(parseAssumptions(Options.Assume));
  CompileOptions Compile;
  Compile.Path = S.Input;
  Compile.ClangArgs = S.ClangArgs;
  Compile.Arch = S.Arch;
  Compile.OptLevel = S.OptLevel;
  Compile.ForAnalysis = Options.Form == "source";
  const bool IsSynth = take(lowerSynthInput(Compile, S.Kernel)); // has a launch
  bool HasLaunch = IsSynth || !S.LaunchFile.empty() || !S.Grid.empty();
  std::optional<launch::Launch> Launch;
  if (HasLaunch)
    Launch = take(readLaunch(S));
  CompiledModule Module = take(compileInput(Compile));
  if (!S.Quiet)
    errs() << Module.Warnings;
  std::string Name =
      (IsSynth || S.Kernel.empty()) && Launch ? Launch->Kernel : S.Kernel;
  std::vector<Function *> Kernels = Module.kernels();
  if (!Name.empty())
    Kernels = {take(Module.kernel(Name))};

  std::string Text;
  json::Array Reports;
  std::vector<unsigned> Uses(Assumptions.size());
  for (Function *Kernel : Kernels) {
    std::vector<LoopAssumption> Mine;
    std::vector<size_t> Index;
    for (size_t I = 0; I < Assumptions.size(); ++I)
      if (Assumptions[I].Kernel.empty() ||
          Assumptions[I].Kernel == kernelName(*Kernel) ||
          Assumptions[I].Kernel == Kernel->getName()) {
        Mine.push_back(Assumptions[I]);
        Index.push_back(I);
      }
    AnalyzedKernel Analyzed(*Kernel, Mine);
    for (size_t I = 0; I < Mine.size(); ++I)
      Uses[Index[I]] += none_of(Analyzed.loops().unused(), [&](const auto &A) {
        return A.text() == Mine[I].text();
      });
    std::optional<LaunchValues> Values;
    if (Launch && (Kernels.size() == 1))
      Values = launchValuesOf(*Launch, *Kernel);
    LaunchValues *V = Values ? &*Values : nullptr;
    EvaluationBudget Budget{Options.MaxSteps};
    if (V)
      V->Budget = &Budget;
    if (writesText(Options))
      Text += reportText(Analyzed, V) + "\n";
    Budget = {Options.MaxSteps};
    if (!S.Json.empty())
      Reports.push_back(reportJSON(Analyzed, V));
  }
  for (size_t I = 0; I < Assumptions.size(); ++I)
    if (!Uses[I])
      throw CommandError{formatv("{0}: --assume {1} names no loop: give the "
                                 "line where a loop begins, or a number that "
                                 "'heddle analyze' lists",
                                 S.Input, Assumptions[I].text())
                             .str()};
  if (writesText(Options))
    writeText(Options.Output, Text);
  if (!S.Json.empty()) {
    json::Object Document{{"tool", "heddle"},
                          {"version", HEDDLE_VERSION},
                          {"schema", "analysis/1"},
                          {"input", S.Input},
                          {"kernels", std::move(Reports)}};
    views::JSON Inputs;
    addInputs(Inputs, S);
    for (const char *Key : {"compiler", "source"})
      Document[Key] = cantFail(json::parse(Inputs[Key].dump()));
    std::vector<std::string> Notes;
    noteAssumptions(Notes, Module.Assumptions);
    if (!Notes.empty())
      Document["assumptions"] = json::Array(Notes);
    writeText(S.Json,
              formatv("{0:2}\n", json::Value(std::move(Document))).str());
  }
}

void addAnalyzeCommand(CLI::App &App) {
  auto Options = std::make_shared<AnalyzeOptions>();
  CLI::App *Command = App.add_subcommand(
      "analyze", "Report statically on loops, branches and memory accesses");
  addInputOptions(*Command, Options->Session);
  addLaunchOptions(*Command, Options->Session);
  addOutputOptions(*Command, Options->Session);
  addAssumeOption(*Command, Options->Assume);
  Command
      ->add_option("--form", Options->Form,
                   "what to look at: the source's loops, or those of the code "
                   "that runs")
      ->check(CLI::IsMember({"source", "prepared"}))
      ->capture_default_str();
  Command
      ->add_option("--max-steps", Options->MaxSteps,
                   "operations for the numbers of a launch, per kernel")
      ->capture_default_str();
  Command
      ->add_option("-o,--output", Options->Output,
                   "where the report goes ('-': stdout)")
      ->capture_default_str();
  Command->callback([Options] { runAnalyze(*Options); });
}

} // namespace heddle::tool
