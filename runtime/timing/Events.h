//===- Events.h - What happens inside the timing model ----------*- C++ -*-===//

#ifndef HEDDLE_TIMING_EVENTS_H
#define HEDDLE_TIMING_EVENTS_H

#include "timing/Stall.h"

#include <cstdint>

namespace heddle::timing {

enum class EventKind : uint8_t {
  BlockStart,    ///< Block
  BlockEnd,      ///< Block
  Issue,         ///< Block, Warp, Inst, Mask; none for folded instructions
  StallInterval, ///< Block, Warp, Inst, Reason, Duration: ends at Time
  MemoryRequest, ///< Block, Warp, Inst, Address: a sector or line leaves the SM
};

/// A set of kinds: bit K for kind K.
using EventSet = uint8_t;
inline constexpr EventSet NoEvents = 0, AllEvents = 0xff;
constexpr EventSet only(EventKind K) { return EventSet(1 << unsigned(K)); }

struct Event {
  uint64_t Time = 0;  ///< core cycles since the launch
  uint64_t Block = 0; ///< linear index
  uint64_t Address = 0;
  uint64_t Duration = 0; ///< cycles
  uint32_t SM = 0;
  uint32_t Inst = 0; ///< index into the code table
  uint32_t Mask = 0;
  uint16_t Warp = 0; ///< within the block
  EventKind Kind = EventKind::Issue;
  Stall Reason = Stall::Selected;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_EVENTS_H
