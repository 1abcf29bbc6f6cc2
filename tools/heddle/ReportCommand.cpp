//===- ReportCommand.cpp - heddle report ----------------------------------===//

#include "ApplicationRun.h"
#include "BehaviorPage.h"
#include "CommonOptions.h"
#include "GraphvizRun.h"
#include "TextOutput.h"

#include "behavior/BehaviorFile.h"
#include "behavior/BehaviorGraph.h"
#include "record/Recording.h"
#include "views/ControlFlowView.h"
#include "views/ReportPage.h"
#include "views/ResultFile.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

namespace heddle::tool {
namespace {

struct ReportCommandOptions {
  std::vector<std::string> Inputs;
  std::string Output;
  bool AnyVersion = false;
  bool Quiet = false;
  bool Check = false; ///< recordings
};

/// Results are told apart by their files, where those have different names.
std::vector<std::string>
namesOf(const std::vector<views::StoredResult> &Results) {
  std::vector<std::string> Names;
  std::set<std::string> Seen;
  for (const views::StoredResult &R : Results) {
    std::string Name = std::filesystem::path(R.File).stem().string();
    for (unsigned N = 2; !Seen.insert(Name).second; ++N)
      Name = fmt::format("{} ({})",
                         std::filesystem::path(R.File).stem().string(), N);
    Names.push_back(Results.size() > 1 ? Name : "");
  }
  return Names;
}

/// A recording is replayed for the study of what it does.
views::JSON studyRecording(const std::string &Path,
                           const ReportCommandOptions &Options) {
  SessionOptions Session;
  Session.Input = Path;
  Session.Quiet = Options.Quiet;
  return studyJSON(study(Session, DefaultTolerance, Options.Check), Path);
}

void runReport(const ReportCommandOptions &Options) {
  std::vector<views::StoredResult> Results;
  std::map<size_t, std::string> Behaviors; ///< DFSGs by result
  for (const std::string &Path : Options.Inputs)
    if (record::isRecording(Path)) {
      Results.push_back({Path, Path, studyRecording(Path, Options)});
    } else if (holdsBehavior(Path)) {
      const behavior::Profile P = take(behavior::readBehavior(Path));
      Behaviors[Results.size()] = behavior::behaviorDot(P);
      Results.push_back(
          {Path, Path,
           behaviorJSON(P, std::filesystem::path(Path).stem().string())});
    } else
      for (views::StoredResult &R : take(views::readResults(
               Path, Options.AnyVersion ? "" : HEDDLE_VERSION)))
        Results.push_back(std::move(R));

  std::vector<std::string> Graphs;
  for (size_t I = 0; I < Results.size(); ++I) {
    const views::StoredResult &R = Results[I];
    if (auto It = R.Data.find("bottlenecks"); It != R.Data.end())
      for (const views::JSON &B : *It)
        Graphs.push_back(views::chainGraph(B));
    Graphs.push_back(Behaviors.contains(I) ? Behaviors[I]
                                           : views::controlFlowGraph(R.Data));
  }
  std::string Problem;
  std::vector<std::string> Pictures = drawGraphs(Graphs, Problem);
  if (!Problem.empty() && !Options.Quiet)
    fmt::print(stderr, "heddle: warning: the page has no graphs: {}\n",
               Problem);

  std::vector<std::string> Names = namesOf(Results);
  std::vector<views::PageResult> OnPage;
  auto Picture = Pictures.begin();
  for (size_t I = 0; I < Results.size(); ++I) {
    views::PageResult R{Names[I], std::move(Results[I].Data), {}, {}};
    size_t Count =
        R.Data.contains("bottlenecks") ? R.Data["bottlenecks"].size() : 0;
    for (; Count && Picture != Pictures.end(); --Count)
      R.Graphs.push_back(std::move(*Picture++));
    if (Picture != Pictures.end())
      R.Flow = std::move(*Picture++);
    OnPage.push_back(std::move(R));
  }
  writeText(Options.Output, views::reportPage(OnPage, HEDDLE_VERSION));
}

} // namespace

void addReportCommand(CLI::App &App) {
  auto Options = std::make_shared<ReportCommandOptions>();
  CLI::App *Command =
      App.add_subcommand("report", "Write one HTML page from results");
  Command
      ->add_option("result", Options->Inputs,
                   "JSON files that heddle wrote with --json, behaviour "
                   "profiles, or recordings")
      ->required()
      ->each(checkPlainInput);
  Command->add_option("-o,--output", Options->Output, "the page, - for stdout")
      ->required()
      ->each(checkOutput);
  Command->add_flag("--any-version", Options->AnyVersion,
                    "take results of other versions of heddle too");
  addReplayCheckOption(*Command, Options->Check);
  Command->add_flag("-q", Options->Quiet, "no warnings");
  Command->callback([Options] { runReport(*Options); });
}

} // namespace heddle::tool
