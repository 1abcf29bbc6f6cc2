//===- SynthRun.h - synth kernels as input ----------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SYNTHRUN_H
#define HEDDLE_TOOLS_SYNTHRUN_H

#include "Session.h"
#include "heddle/Synthesis/SynthModule.h"
#include "synthesis/PTXWriter.h"

namespace heddle::tool {

/// \p Path's text if it is MLIR with a synth.kernel, null if it is another
/// input. Throws CommandError if it cannot be read.
std::unique_ptr<llvm::MemoryBuffer> readSynthFile(const std::string &Path);

/// The kernel of \p Behavior as it is to be written.
synthesis::ClonePlan planOf(const SynthModule &Behavior);

/// A synth kernel that is to be executed.
struct SynthProgram {
  std::string PTX;
  launch::Launch Launch;
};

/// Lets \p Options compile what \p Kernel of its Path, a synth kernel, is as
/// PTX; false if it is no such file. Throws CommandError.
bool lowerSynthInput(CompileOptions &Options, const std::string &Kernel);

/// Of \p Options.Input if it is a synth kernel.
std::optional<SynthProgram> readSynthProgram(const SessionOptions &Options);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SYNTHRUN_H
