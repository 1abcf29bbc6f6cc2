//===- MachineAdvisor.h - What a machine makes of a kernel ------*- C++ -*-===//

#ifndef HEDDLE_PLUGIN_MACHINEADVISOR_H
#define HEDDLE_PLUGIN_MACHINEADVISOR_H

#include "heddle/Passes/RegisterPasses.h"

#include <string>

namespace heddle::plugin {

/// Remarks "Occupancy", for block sizes from 32 to 1024, and, where there is a
/// launch, "EstimatedTime" from a static trace and the pipeline estimator.
/// \p GPU is a machine's name or file. \p LaunchFile is for kernels without an
/// annotation; a launch for another kernel is passed over. What is wrong with
/// either is a remark "NoEstimate".
KernelAdvisor machineAdvisor(const std::string &GPU,
                             const std::string &LaunchFile);

} // namespace heddle::plugin

#endif // HEDDLE_PLUGIN_MACHINEADVISOR_H
