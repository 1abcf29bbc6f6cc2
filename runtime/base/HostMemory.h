//===- HostMemory.h - What this machine can still hold ----------*- C++ -*-===//

#ifndef HEDDLE_BASE_HOSTMEMORY_H
#define HEDDLE_BASE_HOSTMEMORY_H

#include <cstdint>

namespace heddle {

/// Bytes that this process can fill before the system refuses them or kills it:
/// the least of what Linux calls available, the limits of its control groups
/// and its address space (ulimit -v). UINT64_MAX where nothing says.
uint64_t freeHostBytes();

} // namespace heddle

#endif // HEDDLE_BASE_HOSTMEMORY_H
