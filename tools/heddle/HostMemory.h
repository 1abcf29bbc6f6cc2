//===- HostMemory.h - How this process gets its memory ----------*- C++ -*-===//

#ifndef HEDDLE_TOOL_HOSTMEMORY_H
#define HEDDLE_TOOL_HOSTMEMORY_H

#include <cstddef>

namespace heddle::tool {

/// Asks for the next \p Bytes that are allocated to lie in huge pages. A model
/// whose state is spread over some 10 MiB loses a tenth of its time to address
/// translation otherwise. Only a wish: without glibc or where the system
/// refuses nothing changes.
void preferHugePages(size_t Bytes);

} // namespace heddle::tool

#endif // HEDDLE_TOOL_HOSTMEMORY_H
