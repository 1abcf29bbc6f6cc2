//===- MallocHeap.h - The heap of malloc in kernels -------------*- C -*-===//
//
// Device code has the heap as variables, and malloc and free as functions of
// its own (lib/Frontend/CUDA/device_heap.h). Here is what the runtime knows of
// them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_MALLOCHEAP_H
#define HEDDLE_ABI_MALLOCHEAP_H

#include <stdint.h>

// The variables: bytes to give out, HeddleHeapBlock for each unit of these, and
// how many bytes they are.
#define HEDDLE_HEAP_DATA "__heddle_heap_data"
#define HEDDLE_HEAP_BLOCKS "__heddle_heap_blocks"
#define HEDDLE_HEAP_BYTES "__heddle_heap_bytes"
/// Where blocks begin is a multiple of this.
#define HEDDLE_HEAP_UNIT 16
/// CUDA's cudaLimitMallocHeapSize before a program sets it.
#define HEDDLE_HEAP_DEFAULT (8 << 20)

enum HeddleHeapState { HEDDLE_HEAP_FREE = 1 << 30 /* below: the next one */ };
#define HEDDLE_HEAP_IN_USE 0x80000000u

/// A block begins in the unit unless State is 0.
typedef struct HeddleHeapBlock {
  uint32_t State; ///< HEDDLE_HEAP_IN_USE, or HEDDLE_HEAP_FREE
  uint32_t Bytes; ///< that malloc was asked for
} HeddleHeapBlock;

#endif // HEDDLE_ABI_MALLOCHEAP_H
