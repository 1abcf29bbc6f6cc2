//===- GridBarriers.h - Launches whose thread blocks meet -------*- C++ -*-===//

#ifndef HEDDLE_TRACE_GRIDBARRIERS_H
#define HEDDLE_TRACE_GRIDBARRIERS_H

#include "base/Fail.h"
#include "trace/TraceSource.h"

#include <algorithm>

namespace heddle::trace {

/// Whether thread blocks of the launch may wait for each other.
inline bool blocksMeet(const TraceSource &Source) {
  return Source.header().Grid.count() > 1 &&
         std::ranges::any_of(Source.code().Insts, [](const HeddleInst &I) {
           return I.Class == HEDDLE_OP_BARRIER && I.Flags & HEDDLE_INST_GRID;
         });
}

/// For what takes thread blocks to be independent: an error that says what \p
/// Model is if a barrier of the grid makes them wait for each other.
inline Result<void> requireNoGridBarrier(const TraceSource &Source,
                                         std::string_view Model) {
  if (!blocksMeet(Source))
    return {};
  return fail("kernel '{}' has a barrier of the grid (grid.sync()): its blocks "
              "wait for each other, and {}; `heddle simulate` takes it",
              Source.header().Kernel, Model);
}

/// The same if clusters make them wait for each other.
inline Result<void> requireNoClusters(const TraceSource &Source,
                                      std::string_view Model) {
  const Dim3 &C = Source.header().Cluster;
  if (C.count() == 1)
    return {};
  return fail("kernel '{}' is launched in clusters of {} x {} x {} blocks, "
              "which share their memory and wait for each other, and {}; "
              "`heddle simulate` takes it",
              Source.header().Kernel, C.X, C.Y, C.Z, Model);
}

/// Neither of both.
inline Result<void> requireIndependentBlocks(const TraceSource &Source,
                                             std::string_view Model) {
  if (Result<void> Ok = requireNoClusters(Source, Model); !Ok)
    return Ok;
  return requireNoGridBarrier(Source, Model);
}

} // namespace heddle::trace

#endif // HEDDLE_TRACE_GRIDBARRIERS_H
