//===- LaneOrders.h - Which traces suit which machines ----------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_LANEORDERS_H
#define HEDDLE_TOOLS_LANEORDERS_H

#include "arch/GPUSpec.h"
#include "trace/TraceSource.h"

namespace heddle::tool {

/// The order that the trace of a launch needs on \p Spec. The least there is,
/// so that a launch and its trace file are the same to every model.
trace::LaneOrder laneOrderFor(const arch::GPUSpec &Spec);

/// Throws CommandError if the trace in \p File leaves out what \p Spec needs.
void requireLaneOrder(const trace::TraceSource &Source,
                      const arch::GPUSpec &Spec, const std::string &File);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_LANEORDERS_H
