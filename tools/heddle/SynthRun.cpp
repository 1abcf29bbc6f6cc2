//===- SynthRun.cpp - synth kernels as input ------------------------------===//

#include "SynthRun.h"

#include "launch/LaunchFile.h"
#include "synthesis/CloneFiles.h"

namespace heddle::tool {

std::unique_ptr<llvm::MemoryBuffer> readSynthFile(const std::string &Path) {
  if (!llvm::StringRef(Path).ends_with(".mlir"))
    return nullptr;
  auto Text = llvm::MemoryBuffer::getFile(Path);
  if (!Text)
    throw CommandError{"cannot read '" + Path +
                       "': " + Text.getError().message()};
  return SynthModule::isSynth((*Text)->getBuffer()) ? std::move(*Text)
                                                    : nullptr;
}

synthesis::ClonePlan planOf(const SynthModule &Behavior) {
  return take(
      synthesis::planExported(Behavior.behavior(), Behavior.reduction()));
}

bool lowerSynthInput(CompileOptions &Options, const std::string &Kernel) {
  SessionOptions Session;
  Session.Input = Options.Path;
  Session.Kernel = Kernel;
  Session.Arch = Options.Arch;
  auto Program = readSynthProgram(Session);
  if (Program)
    Options.PTX = std::move(Program->PTX);
  return Program.has_value();
}

std::optional<SynthProgram> readSynthProgram(const SessionOptions &Options) {
  auto Text = readSynthFile(Options.Input);
  if (!Text)
    return std::nullopt;
  SynthModule Behavior =
      take(SynthModule::parse(std::move(Text), Options.Kernel));
  synthesis::ClonePlan Plan = planOf(Behavior);
  synthesis::CloneText Clone = take(synthesis::writePTX(Plan, Options.Arch));
  return SynthProgram{
      Clone.PTX, take(launch::parseLaunch(synthesis::cloneLaunch(Plan, Clone),
                                          Options.Input))};
}

} // namespace heddle::tool
