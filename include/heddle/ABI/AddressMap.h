//===- AddressMap.h - Where a launch's memory lives -------------*- C -*-===//
//
// Kernels see one flat 64-bit address space: the host addresses of an arena
// that runtime/exec reserves at a fixed place. The part of the arena says which
// memory an address belongs to, so a generic pointer is resolved by two
// comparisons. Each part has slots; a device memory owns one slot of each part,
// the same in all three, so several exist in a process at a time. On both sides
// of what a slot holds nothing is mapped: an address that a 32-bit index
// carries out of it faults.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_ADDRESSMAP_H
#define HEDDLE_ABI_ADDRESSMAP_H

#include "heddle/ABI/CodeTable.h"

#include <stdint.h>

#ifndef HEDDLE_THREAD_SANITIZER
#define HEDDLE_GLOBAL_BASE UINT64_C(0x200000000000) /* buffers and globals */
#define HEDDLE_SHARED_BASE UINT64_C(0x300000000000) /* shared windows */
#define HEDDLE_LOCAL_BASE UINT64_C(0x400000000000)  /* frames of the threads */
#define HEDDLE_ARENA_END UINT64_C(0x500000000000)
#define HEDDLE_SLOT_BYTES UINT64_C(0x10000000000) /* 16 slots in each part */
#else
/* ThreadSanitizer has its own data there and leaves programs less: 4 slots. */
#define HEDDLE_GLOBAL_BASE UINT64_C(0x7b0000000000)
#define HEDDLE_SHARED_BASE UINT64_C(0x7c0000000000)
#define HEDDLE_LOCAL_BASE UINT64_C(0x7d0000000000)
#define HEDDLE_ARENA_END UINT64_C(0x7e0000000000)
#define HEDDLE_SLOT_BYTES UINT64_C(0x4000000000)
#endif

/// Where global memory starts in traces: a plausible device address.
#define HEDDLE_DEVICE_BASE UINT64_C(0xC0000000)

/// The memory that the generic address \p A points into; anything outside the
/// arena counts as global.
static inline enum HeddleMemorySpace heddleSpaceOfAddress(uint64_t A) {
  if (A < HEDDLE_SHARED_BASE || A >= HEDDLE_ARENA_END)
    return HEDDLE_SPACE_GLOBAL;
  return A < HEDDLE_LOCAL_BASE ? HEDDLE_SPACE_SHARED : HEDDLE_SPACE_LOCAL;
}

#endif // HEDDLE_ABI_ADDRESSMAP_H
