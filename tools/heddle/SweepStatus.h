//===- SweepStatus.h - How far a sweep is -----------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SWEEPSTATUS_H
#define HEDDLE_TOOLS_SWEEPSTATUS_H

#include <cstdint>
#include <string>

namespace heddle::tool {

/// The number of configurations of a plan as SweepPlan::canonical writes it.
uint64_t plannedPoints(const std::string &Plan);

/// The configurations that \p Database has of the sweep \p Plan; 0 if it does
/// not exist. Throws CommandError if it holds another sweep.
uint64_t finishedIn(const std::string &Database, const std::string &Plan);

/// Prints a line for \p Database or each of its parts, the jobs that Slurm has
/// of it, and why configurations failed. Throws CommandError.
void printStatus(const std::string &Database);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SWEEPSTATUS_H
