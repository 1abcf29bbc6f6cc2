//===- LaneOrders.cpp - Which traces suit which machines ------------------===//

#include "LaneOrders.h"

#include "Commands.h"

#include "memory/Coalescer.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle::tool {

trace::LaneOrder laneOrderFor(const arch::GPUSpec &Spec) {
  return memory::servesLanesTogether(Spec.Shared) ? trace::LaneOrder::Free
                                                  : trace::LaneOrder::Kept;
}

/// Whether the kernel has accesses whose order of lanes a trace may leave free.
static bool hasFreeAccesses(const trace::CodeTable &Code) {
  return std::ranges::any_of(Code.Memory, [](const HeddleMemoryRecord &R) {
    return R.AccessBytes <= trace::MaxFreeBytes &&
           (R.Space == HEDDLE_SPACE_SHARED || R.Space == HEDDLE_SPACE_GENERIC);
  });
}

void requireLaneOrder(const trace::TraceSource &Source,
                      const arch::GPUSpec &Spec, const std::string &File) {
  if (Source.header().Order == trace::LaneOrder::Free &&
      laneOrderFor(Spec) == trace::LaneOrder::Kept &&
      hasFreeAccesses(Source.code()))
    throw CommandError{fmt::format(
        "{}: the trace does not say which lane takes which address of shared "
        "memory, and {} serves the lanes of a warp in parts; write it with "
        "`heddle trace --lane-order`",
        File, Spec.Name)};
}

} // namespace heddle::tool
