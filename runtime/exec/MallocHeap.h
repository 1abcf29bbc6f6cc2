//===- MallocHeap.h - Blocks of malloc in kernels ---------------*- C++ -*-===//

#ifndef HEDDLE_EXEC_MALLOCHEAP_H
#define HEDDLE_EXEC_MALLOCHEAP_H

#include "exec/DeviceMemory.h"

#include <string>

namespace heddle::exec {

/// What malloc and free have done to the heap of a module (ABI/MallocHeap.h).
class MallocHeap {
public:
  /// \p Memory holds the module's variables and outlives the object.
  explicit MallocHeap(const DeviceMemory &Memory) : Memory(Memory) {}

  /// Whether \p B is what malloc gives out.
  bool holds(const DeviceBuffer &B);
  /// What is wrong with an access to \p Bytes at \p Address of \p B, as "after
  /// free, at byte 4 of a block of 40 bytes of the heap"; empty if nothing is.
  std::string problem(const DeviceBuffer &B, uint64_t Address, uint32_t Bytes);

private:
  const DeviceMemory &Memory;
  const DeviceBuffer *Data = nullptr;   ///< the heap looked at last
  const DeviceBuffer *Blocks = nullptr; ///< of it
  uint64_t Start = 0; ///< unit of the block that was found last
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_MALLOCHEAP_H
