// malloc() and free() in device code, on a heap of their own.
//
// A block is never cut nor joined with another. What was freed waits for the
// next block of its size in a list; else blocks are cut off the rest of the
// heap, one after the other. Sizes go up in steps of a quarter at most.

#ifndef HEDDLE_CUDA_DEVICE_HEAP_H
#define HEDDLE_CUDA_DEVICE_HEAP_H

/// Of a unit of 16 bytes in which a block begins.
struct __heddle_heap_block {
  unsigned state; ///< in use: 1 << 31 and the list; free: 1 << 30 and the next
                  ///< free one, counted from 1; elsewhere 0
  unsigned bytes; ///< that were asked for
};
// Variables of a template, so that only code that uses them has them. Launches
// give them the size of the heap.
template <int> struct __heddle_heap {
  static constexpr unsigned long long default_bytes = 8 << 20;
  static __attribute__((device)) unsigned long long
      bytes __asm__("__heddle_heap_bytes");
  static __attribute__((device)) unsigned long long
      used __asm__("__heddle_heap_used"); ///< units
  /// The first free block, counted from 1, below how often that has changed.
  static __attribute__((device)) unsigned long long
      lists[256] __asm__("__heddle_heap_lists");
  static __attribute__((device)) __heddle_heap_block
      blocks[default_bytes / 16] __asm__("__heddle_heap_blocks");
  static __attribute__((device, aligned(256))) char
      data[default_bytes] __asm__("__heddle_heap_data");
};
template <int __n>
unsigned long long __heddle_heap<__n>::bytes =
    __heddle_heap<__n>::default_bytes;
template <int __n> unsigned long long __heddle_heap<__n>::used;
template <int __n> unsigned long long __heddle_heap<__n>::lists[256];
template <int __n>
__heddle_heap_block
    __heddle_heap<__n>::blocks[__heddle_heap<__n>::default_bytes / 16];
template <int __n>
char __heddle_heap<__n>::data[__heddle_heap<__n>::default_bytes];

/// Takes a block off \p list; 0 if it is empty, else the block, counted from 1.
template <int __n> __HEDDLE_DEVICE unsigned __heddle_heap_pop(unsigned list) {
  using heap = __heddle_heap<__n>;
  unsigned long long head = *(volatile unsigned long long *)&heap::lists[list];
  while (const unsigned at = (unsigned)head) {
    const unsigned next =
        *(volatile unsigned *)&heap::blocks[at - 1].state & 0x3fffffffu;
    const unsigned long long now =
        atomicCAS(&heap::lists[list], head, ((head >> 32) + 1) << 32 | next);
    if (now == head)
      return at;
    head = now;
  }
  return 0;
}
/// Cuts units off the rest of the heap; the first, counted from 1, or 0.
template <int __n>
__HEDDLE_DEVICE unsigned __heddle_heap_cut(unsigned long long units) {
  using heap = __heddle_heap<__n>;
  const unsigned long long all = heap::bytes / 16;
  unsigned long long used = atomicAdd(&heap::used, units);
  if (used + units <= all)
    return (unsigned)used + 1;
  atomicAdd(&heap::used, 0 - units);
  // Another thread that asked for too much may have been in the way.
  used = *(volatile unsigned long long *)&heap::used;
  while (used + units <= all) {
    const unsigned long long now = atomicCAS(&heap::used, used, used + units);
    if (now == used)
      return (unsigned)used + 1;
    used = now;
  }
  return 0;
}
template <int __n> __HEDDLE_DEVICE void *__heddle_malloc(__SIZE_TYPE__ bytes) {
  using heap = __heddle_heap<__n>;
  if (bytes > heap::bytes)
    return nullptr;
  // A unit behind it stays free: --check finds accesses to it.
  unsigned long long units = (bytes + 15) / 16 + 1;
  unsigned shift = units < 8 ? 0 : 61 - __clzll((long long)units);
  units = (units + (1ull << shift) - 1) >> shift;
  if (shift && units == 8) {
    units = 4;
    ++shift;
  }
  unsigned list = shift * 8 + (unsigned)units;
  unsigned at = __heddle_heap_pop<__n>(list);
  if (!at)
    at = __heddle_heap_cut<__n>(units << shift);
  while (!at && ++list < 256)
    at = __heddle_heap_pop<__n>(list);
  if (!at)
    return nullptr;
  __heddle_heap_block &block = heap::blocks[at - 1];
  block.bytes = (unsigned)bytes;
  *(volatile unsigned *)&block.state = 1u << 31 | list;
  return heap::data + 16ull * (at - 1);
}
template <int __n> __HEDDLE_DEVICE void __heddle_free(void *p) {
  using heap = __heddle_heap<__n>;
  if (!p)
    return;
  const unsigned long long offset =
      (unsigned long long)p - (unsigned long long)heap::data;
  const unsigned at = (unsigned)(offset / 16) + 1;
  volatile unsigned *state = (volatile unsigned *)&heap::blocks[at - 1].state;
  const unsigned list = offset < heap::bytes && offset % 16 == 0 ? *state : 0;
  if (!(list >> 31))
    __assert_fail("malloc or new has returned it, and nothing has freed it",
                  "device heap", 0, "free");
  unsigned long long *lists = &heap::lists[list & 255];
  unsigned long long head = *(volatile unsigned long long *)lists;
  while (true) {
    *state = 1u << 30 | (unsigned)head;
    const unsigned long long now =
        atomicCAS(lists, head, ((head >> 32) + 1) << 32 | at);
    if (now == head)
      return;
    head = now;
  }
}

// operator new and delete are Clang's own, which call these.
extern "C" __attribute__((device, always_inline, nodebug)) inline void *
malloc(__SIZE_TYPE__ bytes) {
  return __heddle_malloc<0>(bytes);
}
extern "C" __attribute__((device, always_inline, nodebug)) inline void
free(void *p) {
  __heddle_free<0>(p);
}

#endif
