//===- TouchedPagesTest.cpp - Copies without untouched pages --------------===//

#include "exec/TouchedPages.h"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/resource.h>

using namespace heddle::exec;

TEST(TouchedPages, OnlyWhatIsNotZeroIsCopied) {
  constexpr uint64_t Size = (uint64_t(64) << 30) + 100, At = 256;
  void *Map = ::mmap(nullptr, Size + At, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(Map, MAP_FAILED);
  auto *Bytes = static_cast<uint8_t *>(Map) + At; // not at a page
  constexpr uint64_t Chunk = SparseBytes::ChunkBytes, Last = Size / Chunk;
  Bytes[5] = 1;
  Bytes[3 * Chunk - 1] = 2;
  Bytes[5 * Chunk] = 0; // touched, but zero
  Bytes[Size - 1] = 3;
  const SparseBytes Copy = copyTouched({Bytes, Size});
  EXPECT_EQ(Copy.Size, Size);
  ASSERT_EQ(Copy.Chunks.size(), 3u);
  EXPECT_EQ(Copy.Chunks.at(0)[5], 1);
  EXPECT_EQ(Copy.Chunks.at(2)[Chunk - 1], 2);
  EXPECT_EQ(Copy.Chunks.at(Last).size(), Size % Chunk);
  EXPECT_EQ(Copy.Chunks.at(Last).back(), 3);
  rusage Use;
  ASSERT_EQ(::getrusage(RUSAGE_SELF, &Use), 0);
  EXPECT_LT(Use.ru_maxrss, 4 << 20) << "KiB: untouched pages were read";
  ::munmap(Map, Size + At);
}
