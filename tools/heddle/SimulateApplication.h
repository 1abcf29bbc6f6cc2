//===- SimulateApplication.h - All launches of a recording ------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SIMULATEAPPLICATION_H
#define HEDDLE_TOOLS_SIMULATEAPPLICATION_H

#include "CommonOptions.h"
#include "arch/GPUSpec.h"

namespace heddle::tool {

/// Simulates every launch from cold caches, and prints each kernel's sum and
/// the whole as text and JSON. Throws CommandError.
void simulateApplication(const SessionOptions &Options,
                         const arch::GPUSpec &Spec);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SIMULATEAPPLICATION_H
