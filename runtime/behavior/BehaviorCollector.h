//===- BehaviorCollector.h - A behaviour profile from a launch --*- C++ -*-===//

#ifndef HEDDLE_BEHAVIOR_BEHAVIORCOLLECTOR_H
#define HEDDLE_BEHAVIOR_BEHAVIORCOLLECTOR_H

#include "base/Result.h"
#include "behavior/BehaviorProfile.h"
#include "trace/TraceSource.h"

#include <vector>

namespace heddle::behavior {

/// Where a buffer or variable lies in device memory.
struct MemoryRange {
  uint64_t Address = 0, SizeBytes = 0;
};

/// What the trace alone does not say of a launch.
struct KernelShape {
  /// Of each basic block of the code table; 0 is the entry.
  std::vector<std::vector<unsigned>> Successors;
  std::vector<MemoryRange> Memory; ///< buffers and variables, by address
};

/// Reads all thread blocks of \p Source. Counts are exact; access functions
/// come from a sample of the addresses, the same for the same launch. Errors:
/// those of the source; a kernel that did no work; loops nested deeper than
/// MaxLoopDepth.
Result<Profile> collect(trace::TraceSource &Source, const KernelShape &Shape);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_BEHAVIORCOLLECTOR_H
