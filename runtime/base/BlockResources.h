//===- BlockResources.h - What a block takes from its SM --------*- C++ -*-===//

#ifndef HEDDLE_BASE_BLOCKRESOURCES_H
#define HEDDLE_BASE_BLOCKRESOURCES_H

#include <cstdint>
#include <string>

namespace heddle {

/// What one thread block of a launch takes from its SM.
struct BlockResources {
  std::string Kernel; ///< for messages
  uint64_t Threads = 0;
  unsigned RegistersPerThread = 0;
  uint64_t SharedBytes = 0; ///< static and dynamic

  unsigned warps() const { return (Threads + 31) / 32; }
};

} // namespace heddle

#endif // HEDDLE_BASE_BLOCKRESOURCES_H
