//===- HostMemory.cpp - How this process gets its memory ------------------===//

#include "HostMemory.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

void heddle::tool::preferHugePages(size_t Bytes) {
  constexpr size_t HugePage = size_t(2) << 20;
  constexpr int MostInHeap = 16 << 20; // larger blocks are mapped by themselves
  if (!mallopt(M_MMAP_THRESHOLD, MostInHeap) ||
      !mallopt(M_TRIM_THRESHOLD, int(2 * Bytes)) ||
      !mallopt(M_TOP_PAD, int(Bytes)))
    return;
  // A block that makes the heap grow, in one step, by all that was asked for.
  void *Block = std::malloc(MostInHeap / 2);
  uintptr_t Begin = (reinterpret_cast<uintptr_t>(Block) + HugePage - 1) &
                    ~uintptr_t(HugePage - 1);
  uintptr_t End =
      reinterpret_cast<uintptr_t>(sbrk(0)) & ~uintptr_t(HugePage - 1);
  if (Block && Begin < End)
    madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_HUGEPAGE);
  std::free(Block);
}
#else
void heddle::tool::preferHugePages(size_t) {}
#endif
