//===- SynthToNVVM.h - synth kernels as LLVM functions ----------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_SYNTHTONVVM_H
#define HEDDLE_SYNTHESIS_SYNTHTONVVM_H

#include "mlir/Pass/Pass.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <string>

namespace heddle::synth {

/// Makes the PTX of a behaviour and its reduction (BehaviorConversion.h, as
/// JSON) for an architecture: one entry called "clone".
using PTXPlanner = std::function<llvm::Expected<std::string>(
    const std::string &Behavior, const std::string &Reduction,
    const std::string &Arch)>;

/// The pass synth-to-nvvm (SynthConversionPasses.td). Planning belongs to the
/// runtime half, so the caller passes it in.
std::unique_ptr<mlir::Pass> createSynthToNVVM(PTXPlanner Planner);

/// Makes the pass known to command lines.
void registerSynthToNVVM(PTXPlanner Planner);

} // namespace heddle::synth

#endif // HEDDLE_SYNTHESIS_SYNTHTONVVM_H
