//===- AddressSpaces.h - Where what has no address lies ---------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_ADDRESSSPACES_H
#define HEDDLE_MEMORY_ADDRESSSPACES_H

#include "trace/TraceSource.h"

#include <cstdint>

namespace heddle::memory {

// Where the models put what has no device address of its own. The ranges lie
// above any buffer.
inline constexpr uint64_t GridBarrierBase = uint64_t(1) << 43;
inline constexpr uint64_t CodeBase = uint64_t(1) << 44;
inline constexpr uint64_t ParamBase = uint64_t(1) << 45;
inline constexpr uint64_t LocalBase = uint64_t(1) << 46;

/// Where the local memory of a warp begins. \p Slot counts the warp slots of
/// all SMs; no two of them share a line.
inline uint64_t localMemory(const trace::TraceHeader &Launch, uint64_t Slot) {
  const uint64_t PerWarp = (Launch.LocalBytesPerThread * 32 + 127) / 128 * 128;
  return LocalBase + Slot * PerWarp;
}

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_ADDRESSSPACES_H
