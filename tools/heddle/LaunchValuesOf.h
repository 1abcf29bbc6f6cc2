//===- LaunchValuesOf.h - A launch as formulas see it -----------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_LAUNCHVALUESOF_H
#define HEDDLE_TOOLS_LAUNCHVALUESOF_H

#include "heddle/Analysis/Evaluation.h"
#include "launch/Launch.h"

namespace llvm {
class Function;
}

namespace heddle::tool {

/// What \p L says before anything has run. Buffers lie where nothing else
/// does, each at a multiple of 256 bytes, as device allocations do.
LaunchValues launchValuesOf(const launch::Launch &L,
                            const llvm::Function &Kernel);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_LAUNCHVALUESOF_H
