//===- Inputs.h - What users name: sources, launches, traces ----*- C++ -*-===//

#ifndef HEDDLE_DRIVER_INPUTS_H
#define HEDDLE_DRIVER_INPUTS_H

#include "arch/GPUSpec.h"
#include "heddle/Driver/Session.h"
#include "heddle/Synthesis/SynthModule.h"
#include "synthesis/PTXWriter.h"
#include "trace/TraceReader.h"

namespace heddle {

/// The launch that the options describe.
llvm::Expected<launch::Launch> readLaunch(const SessionOptions &Options);

/// Compiles \p Options; a second source among the flags for Clang is a wrong
/// request.
llvm::Expected<CompiledModule> compileInput(const CompileOptions &Options);

/// \p Path's text if it is MLIR with a synth.kernel, null if it is another
/// input. Fails if it cannot be read.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readSynthFile(const std::string &Path);

/// The kernel of \p Behavior as it is to be written.
llvm::Expected<synthesis::ClonePlan> planOf(const SynthModule &Behavior);

/// Lets \p Options compile what \p Kernel of its Path, a synth kernel, is as
/// PTX; false if it is no such file.
llvm::Expected<bool> lowerSynthInput(CompileOptions &Options,
                                     const std::string &Kernel);

/// The level of code that \p Asked names, or else the machine does.
ISA levelFor(const arch::GPUSpec &Spec, std::optional<ISA> Asked = {});

/// The order that the trace of a launch needs on \p Spec. The least there is,
/// so that a launch and its trace file are the same to every model.
trace::LaneOrder laneOrderFor(const arch::GPUSpec &Spec);

/// Fails if the trace \p Source, called \p Name, leaves out what \p Spec needs.
llvm::Error checkLaneOrder(const trace::TraceSource &Source,
                           const arch::GPUSpec &Spec, const std::string &Name);

/// Opens the trace in \p File. Fails if it holds other instructions than
/// \p Level, where given, or leaves out what \p Spec needs.
llvm::Expected<std::unique_ptr<trace::TraceReader>>
openTrace(const std::string &File, std::optional<ISA> Level,
          const arch::GPUSpec &Spec);

} // namespace heddle

#endif // HEDDLE_DRIVER_INPUTS_H
