//===- SynthPasses.h - Passes on kernels of the synth dialect ---*- C++ -*-===//

#ifndef HEDDLE_DIALECT_SYNTH_SYNTHPASSES_H
#define HEDDLE_DIALECT_SYNTH_SYNTHPASSES_H

#include "heddle/Dialect/Synth/SynthDialect.h"

#include "mlir/Pass/Pass.h"

namespace heddle::synth {

#define GEN_PASS_DECL
#include "heddle/Dialect/Synth/SynthPasses.h.inc"
#define GEN_PASS_REGISTRATION
#include "heddle/Dialect/Synth/SynthPasses.h.inc"

} // namespace heddle::synth

#endif // HEDDLE_DIALECT_SYNTH_SYNTHPASSES_H
