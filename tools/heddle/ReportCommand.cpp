//===- ReportCommand.cpp - heddle report ----------------------------------===//

#include "ApplicationRun.h"
#include "CommonOptions.h"
#include "TextOutput.h"

#include "behavior/BehaviorFile.h"
#include "behavior/BehaviorGraph.h"
#include "behavior/BehaviorProfile.h"
#include "record/Recording.h"
#include "views/ControlFlowView.h"
#include "views/ReportPage.h"
#include "views/ResultFile.h"
#include "views/View.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace heddle::tool {

using behavior::None;
using views::JSON;

static JSON loopJSON(const behavior::Loop &L) {
  return {{"header", L.Header},
          {"depth", L.Depth},
          {"mean_trips", L.MeanTrips},
          {"least_trips", L.Trips.front()},
          {"median_trips", L.Trips[L.Trips.size() / 2]},
          {"most_trips", L.Trips.back()},
          {"vary_in_warp", L.TripsVaryInWarp}};
}

static JSON accessJSON(const behavior::Access &A) {
  return {{"array", A.Array == None ? JSON() : JSON(A.Array)},
          {"store", A.IsStore},
          {"bytes", A.Bytes},
          {"requests", A.Requests},
          {"affine", A.IsAffine},
          {"sectors", A.SectorsPerRequest},
          {"conflicts", A.ConflictsPerRequest},
          {"lane_stride", A.LaneStride},
          {"step", A.Step},
          {"footprint_sectors", A.FootprintSectors}};
}

/// What `heddle report` shows of \p P, called \p Name: the object "behavior"
/// with blocks, loops, arrays, accesses and the mix of opcodes.
static JSON behaviorJSON(const behavior::Profile &P, const std::string &Name) {
  JSON B = {{"warp_instructions", P.WarpInstructions},
            {"thread_instructions", P.ThreadInstructions},
            {"registers_per_thread", P.RegistersPerThread},
            {"shared_bytes", P.SharedBytes}};
  std::array<uint64_t, 6> Lanes = {};
  std::map<std::string, uint64_t> Mix;
  for (const behavior::Block &Block : P.Blocks) {
    for (size_t L = 0; L < Lanes.size(); ++L)
      Lanes[L] += Block.Lanes[L] * Block.Chain.size();
    for (const behavior::Instruction &I : Block.Chain)
      if (Block.WarpCount)
        Mix[I.Opcode] += Block.WarpCount;
  }
  B["by_lanes"] = Lanes;
  B["mix"] = Mix;
  for (const char *Key : {"loops", "arrays", "accesses"})
    B[Key] = JSON::array();
  for (const behavior::Loop &L : P.Loops)
    B["loops"].push_back(loopJSON(L));
  static constexpr std::array Spaces = {"global", "shared", "const", "local"};
  for (const behavior::Array &A : P.Arrays)
    B["arrays"].push_back(
        {{"space", Spaces[size_t(A.Where)]}, {"bytes", A.SizeBytes}});
  for (const behavior::Access &A : P.Accesses)
    if (A.Requests)
      B["accesses"].push_back(accessJSON(A));
  return {{"tool", "heddle"},
          {"version", HEDDLE_VERSION},
          {"kernel", Name},
          {"grid", {P.Grid.X, P.Grid.Y, P.Grid.Z}},
          {"block", {P.Threads.X, P.Threads.Y, P.Threads.Z}},
          {"behavior", std::move(B)}};
}

/// Whether \p Path holds what `heddle profile --behavior` wrote, whatever its
/// version.
static bool holdsBehavior(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  char Head[256] = {};
  File.read(Head, sizeof(Head) - 1);
  return std::strstr(Head, "\"behavior_format\"") != nullptr;
}

/// Each of \p Graphs (in Graphviz' language) as an SVG element; empty strings
/// for empty ones. Runs `dot` once; nothing comes back where it is not
/// installed or fails, since a page is useful without pictures: \p Problem then
/// says why.
static std::vector<std::string> drawGraphs(std::span<const std::string> Graphs,
                                           std::string &Problem) {
  constexpr unsigned MaxSeconds = 60;
  std::string All;
  for (const std::string &G : Graphs)
    All += G;
  if (All.empty())
    return {};
  auto Dot = llvm::sys::findProgramByName("dot");
  if (!Dot) {
    Problem = "Graphviz' dot is not installed";
    return {};
  }
  llvm::SmallString<128> In, Out;
  if (llvm::sys::fs::createTemporaryFile("heddle", "dot", In) ||
      llvm::sys::fs::createTemporaryFile("heddle", "svg", Out)) {
    Problem = "no temporary file can be made";
    return {};
  }
  llvm::FileRemover RemoveIn(In), RemoveOut(Out);
  {
    std::error_code EC;
    llvm::raw_fd_ostream Stream(In, EC);
    Stream << All;
    Stream.close();
    if (EC || Stream.has_error()) {
      Stream.clear_error();
      Problem = "a temporary file cannot be written";
      return {};
    }
  }
  std::optional<llvm::StringRef> Redirects[] = {"", llvm::StringRef(Out), ""};
  if (llvm::sys::ExecuteAndWait(*Dot, {"dot", "-Tsvg", In}, std::nullopt,
                                Redirects, MaxSeconds) != 0) {
    Problem = "Graphviz' dot failed";
    return {};
  }
  auto Buffer = llvm::MemoryBuffer::getFile(Out);
  if (!Buffer) {
    Problem = "what Graphviz' dot wrote cannot be read";
    return {};
  }
  llvm::StringRef Rest = (*Buffer)->getBuffer();
  std::vector<std::string> Pictures;
  for (const std::string &G : Graphs) {
    Pictures.emplace_back();
    if (G.empty())
      continue;
    size_t Begin = Rest.find("<svg"), End = Rest.find("</svg>");
    if (Begin == llvm::StringRef::npos || End == llvm::StringRef::npos)
      break;
    End += llvm::StringRef("</svg>").size();
    Pictures.back() = Rest.slice(Begin, End).str();
    Rest = Rest.drop_front(End);
  }
  return Pictures;
}

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
  return studyJSON(study(Session, DefaultTolerance, Options.Check), Session);
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
