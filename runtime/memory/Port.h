//===- Port.h - A link of limited bandwidth ---------------------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_PORT_H
#define HEDDLE_MEMORY_PORT_H

#include "base/Units.h"

#include <algorithm>
#include <cmath>

namespace heddle::memory {

/// Carries packets one after the other at a fixed number of bytes per cycle.
/// Time inside is in 1/256 cycle so that no bandwidth is rounded away.
class Port {
public:
  /// \p BytesPerCycle of 0 is a link without limit.
  explicit Port(double BytesPerCycle = 0)
      : TicksPerByte(BytesPerCycle > 0
                         ? uint64_t(std::ceil((1 << 24) / BytesPerCycle))
                         : 0) {}

  /// Queues \p Bytes at \p Now; returns when the last of them has passed.
  Cycle send(Cycle Now, uint64_t Bytes) {
    FreeAt = std::max(FreeAt, Now << 8) + ((Bytes * TicksPerByte) >> 16);
    return (FreeAt + 255) >> 8;
  }
  /// Whole cycles that \p Bytes take.
  Cycle cycles(uint64_t Bytes) const { return (Bytes * TicksPerByte) >> 24; }
  /// Cycles from \p Now until what is queued has passed.
  Cycle backlog(Cycle Now) const {
    return FreeAt > (Now << 8) ? ((FreeAt - (Now << 8)) + 255) >> 8 : 0;
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[TicksPerByte, FreeAt] = *this;
    A(FreeAt);
  }

private:
  uint64_t TicksPerByte; ///< 1/256 cycle, 16 fraction bits
  uint64_t FreeAt = 0;   ///< 1/256 cycle
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_PORT_H
