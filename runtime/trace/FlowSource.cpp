//===- FlowSource.cpp - Which basic blocks follow each other --------------===//

#include "trace/FlowSource.h"

#include "trace/WarpCursor.h"

namespace heddle::trace {

Result<void> FlowSource::read(uint64_t Index, BlockTrace &Out) {
  if (Result<void> R = Inner.read(Index, Out); !R)
    return R;
  if (Seen >= Enough)
    return {};
  for (const WarpTrace &W : Out.Warps) {
    WarpCursor C(Inner.code(), W);
    if (!C.next())
      continue;
    // Of a single long warp, the beginning is representative.
    for (uint32_t From = C.block(); Seen < 2 * Enough && C.next(); ++Seen) {
      ++Flow.Edges[{From, C.block()}];
      From = C.block();
    }
    ++Seen;
  }
  ++Flow.ThreadBlocks;
  return {};
}

} // namespace heddle::trace
