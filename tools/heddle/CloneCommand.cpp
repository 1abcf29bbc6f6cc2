//===- CloneCommand.cpp - heddle clone ------------------------------------===//

#include "BehaviorRun.h"
#include "Commands.h"
#include "Session.h"

#include "base/OutputFile.h"
#include "behavior/BehaviorFile.h"
#include "synthesis/CloneFiles.h"
#include "synthesis/LeakCheck.h"
#include "synthesis/PTXOperands.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace heddle::tool {

namespace {
struct CloneOptions {
  SessionOptions Session;
  synthesis::ReductionOptions Reduction;
  std::string Folder;
};

void writeFile(const std::filesystem::path &Path, const std::string &Text) {
  OutputFile File = take(OutputFile::create(Path.string()));
  take(File.write(Text));
  take(File.commit());
}

/// What must not be found in the clone's files.
std::vector<std::string> namesOf(const Session &S) {
  std::vector<std::string> Names = {S.kernel().getName().str(),
                                    S.launch().Kernel};
  for (const llvm::Argument &A : S.kernel().args())
    Names.push_back(A.getName().str());
  for (const launch::Argument &A : S.launch().Args)
    if (const auto *Buffer = std::get_if<launch::BufferArg>(&A.Value))
      Names.push_back(Buffer->Name);
  for (const llvm::GlobalVariable &V : S.kernel().getParent()->globals())
    Names.push_back(V.getName().str());
  return Names;
}

void run(const CloneOptions &Options) {
  std::vector<std::string> Names;
  behavior::Profile Profile;
  if (behavior::isBehaviorFile(Options.Session.Input)) {
    Profile = take(behavior::readBehavior(Options.Session.Input));
  } else {
    Session S(Options.Session);
    Profile = behaviorOf(S);
    Names = namesOf(S);
  }
  synthesis::ClonePlan Plan =
      take(synthesis::planClone(std::move(Profile), Options.Reduction));
  synthesis::CloneText Clone =
      take(synthesis::writePTX(Plan, Options.Session.Arch));
  const std::pair<const char *, std::string> Files[] = {
      {"clone.ptx", Clone.PTX},
      {"clone.launch.yaml", synthesis::cloneLaunch(Plan, Clone)},
      {"clone_host.cu", synthesis::cloneHost(Plan, Clone)},
      {"clone.json", synthesis::cloneReport(Plan, Clone, HEDDLE_VERSION)}};
  // What is an instruction's name says nothing.
  std::erase_if(Names, [&](const std::string &Name) {
    return std::any_of(Clone.Opcodes.begin(), Clone.Opcodes.end(),
                       [&](const auto &Opcode) {
                         return synthesis::partsOf(Opcode.first)[0] == Name;
                       });
  });
  // The others are numbers in fixed text.
  if (auto Leak = synthesis::findLeak(Clone.PTX, Names))
    throw CommandError{fmt::format("clone.ptx would hold the name '{}' of the "
                                   "original; rename it there",
                                   *Leak)};
  std::error_code Code;
  std::filesystem::path Folder = Options.Folder;
  std::filesystem::create_directories(Folder, Code);
  if (Code)
    throw CommandError{"cannot create folder '" + Options.Folder +
                       "': " + Code.message()};
  for (const auto &[Name, Text] : Files)
    writeFile(Folder / Name, Text);
  if (!Options.Session.Quiet)
    fmt::print(
        "{}: {} instructions ({} added, {} dropped), expected to execute "
        "1/{:.1f} of the original's warp instructions\n",
        (Folder / "clone.ptx").string(), Clone.Instructions, Clone.Added,
        Clone.Dropped, Plan.ExpectedScale);
}
} // namespace

void addCloneCommand(CLI::App &App) {
  CLI::App *Command =
      App.add_subcommand("clone", "make a small kernel that behaves alike");
  auto Options = std::make_shared<CloneOptions>();
  addInputOptions(*Command, Options->Session);
  addLaunchOptions(*Command, Options->Session);
  addExecutionOptions(*Command, Options->Session);
  Command->add_flag("-q,--quiet", Options->Session.Quiet, "no summary");
  Command->add_option("-o", Options->Folder, "folder for the clone's files")
      ->required();
  synthesis::ReductionOptions &R = Options->Reduction;
  Command
      ->add_option("--factor", R.LoopFactor,
                   "divide the trip counts of loops by this")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  Command
      ->add_option("--grid-factor", R.GridFactor,
                   "divide the number of thread blocks by this")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  Command
      ->add_option("--min-trips", R.MinTrips,
                   "leave loops at least so many iterations")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  Command
      ->add_option("--min-blocks", R.MinBlocks,
                   "leave at least so many thread blocks")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  Command->callback([Options] { run(*Options); });
}

} // namespace heddle::tool
