//===- CloneFiles.h - What goes with the PTX of a clone ---------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_CLONEFILES_H
#define HEDDLE_SYNTHESIS_CLONEFILES_H

#include "synthesis/PTXWriter.h"

#include <string>

namespace heddle::synthesis {

/// A launch file (docs/LaunchFile.md).
std::string cloneLaunch(const ClonePlan &Plan, const CloneText &Clone);

/// A host program that loads clone.ptx with CUDA's driver interface, launches
/// it and prints its time in milliseconds.
std::string cloneHost(const ClonePlan &Plan, const CloneText &Clone);

/// What was kept and what was reduced, and how to scale results back, as JSON.
std::string cloneReport(const ClonePlan &Plan, const CloneText &Clone,
                        double ExpectedError, const std::string &Version);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_CLONEFILES_H
