//===- SynthClone.cpp - The files of a synthetic clone --------------------===//

#include "SynthClone.h"

#include "Commands.h"

#include "base/OutputFile.h"
#include "heddle/Driver/Inputs.h"
#include "launch/LaunchFile.h"
#include "synthesis/AutoReduction.h"
#include "synthesis/CloneFiles.h"
#include "synthesis/PTXOperands.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::tool {

void makeFolder(const std::filesystem::path &Folder) {
  std::error_code Code;
  std::filesystem::create_directories(Folder, Code);
  if (Code)
    throw inputError("cannot create folder '{}': {}", Folder.string(),
                     Code.message());
}

void writeFile(const std::filesystem::path &Path, const std::string &Text) {
  OutputFile File = take(OutputFile::create(Path.string()));
  take(File.write(Text));
  take(File.commit());
}

std::unique_ptr<Session> openClone(const behavior::Profile &P,
                                   const synthesis::ReductionOptions &R,
                                   const SessionOptions &Common,
                                   double *Scale) {
  const auto Plan = synthesis::planClone(P, R);
  if (!Plan)
    return nullptr;
  const auto Text = take(synthesis::writePTX(*Plan, Common.Arch));
  if (Scale)
    *Scale = P.WarpInstructions / Text.WarpInstructions;
  SessionOptions Own = Common;
  Own.ClangArgs.clear();
  Own.LinkWith.clear();
  Own.Input = "clone.ptx";
  Own.PTX = Text.PTX;
  Own.Kernel.clear();
  return take(Session::create(
      Own, take(launch::parseLaunch(synthesis::cloneLaunch(*Plan, Text),
                                    "clone.launch.yaml"))));
}

/// What stands in quotes in \p Text, one part per line.
static std::string quotedParts(const std::string &Text) {
  std::string Parts;
  for (size_t At = Text.find('"'); At != Text.npos; At = Text.find('"', At)) {
    size_t End = std::min(Text.find('"', At + 1), Text.size());
    Parts += Text.substr(At + 1, End - At - 1) + "\n";
    At = End + 1;
  }
  return Parts;
}

/// The reduction as passes on the kernel.
static std::string passesOf(const synthesis::ReductionOptions &R,
                            const behavior::Profile &P) {
  std::vector<uint64_t> Factors;
  for (const behavior::Loop &L : P.Loops)
    Factors.push_back(synthesis::keepsFootprint(P, L) ? 1 : R.LoopFactor);
  std::string Passes;
  if (R.LoopFactor > 1)
    Passes = fmt::format(
        "synth-reduce-loops{{{} min-trips={}}}",
        Factors.empty() ? fmt::format("factor={}", R.LoopFactor)
                        : fmt::format("factors={}", fmt::join(Factors, ",")),
        R.MinTrips);
  if (R.GridFactor > 1 || R.Blocks)
    Passes += fmt::format(
        "{}synth-reduce-grid{{factor={} min-blocks={} blocks={}}}",
        Passes.empty() ? "" : ",", R.GridFactor, R.MinBlocks, R.Blocks);
  return Passes;
}

SynthCloneSummary
SynthClones::write(SynthModule &Behavior, const behavior::Profile &P,
                   const synthesis::ReductionOptions &R,
                   const std::filesystem::path &Folder) const {
  take(Behavior.run(passesOf(R, P)));
  synthesis::ClonePlan Plan = take(planOf(Behavior));
  Plan.Profile.Assumptions = P.Assumptions;
  const double Error = synthesis::expectedError(Plan, Resident);
  synthesis::CloneText Clone = take(synthesis::writePTX(Plan, Arch));
  const std::pair<const char *, std::string> Files[] = {
      {"clone.ptx", Clone.PTX},
      {"clone.mlir", Behavior.text()},
      {"clone.launch.yaml", synthesis::cloneLaunch(Plan, Clone)},
      {"clone_host.cu", synthesis::cloneHost(Plan, Clone)},
      {"clone.json",
       synthesis::cloneReport(Plan, Clone, Error, HEDDLE_VERSION)}};
  // What is an instruction's name says nothing.
  std::vector<std::string> Secret = Names;
  std::erase_if(Secret, [&](const std::string &Name) {
    return std::any_of(Clone.Opcodes.begin(), Clone.Opcodes.end(),
                       [&](const auto &Opcode) {
                         return synthesis::partsOf(Opcode.first)[0] == Name;
                       });
  });
  // The others are numbers in fixed text, as is what clone.mlir does not quote.
  for (const auto &[File, Text] :
       {std::pair("clone.ptx", Clone.PTX),
        std::pair("clone.mlir", quotedParts(Files[1].second))})
    if (auto Leak = synthesis::findLeak(Text, Secret))
      throw inputError(
          "{} would hold the name '{}' of the original; rename it there", File,
          *Leak);
  makeFolder(Folder);
  for (const auto &[Name, Text] : Files)
    writeFile(Folder / Name, Text);
  return {Clone.Instructions, Clone.Added, Clone.Dropped, Plan.ExpectedScale,
          Error};
}

} // namespace heddle::tool
