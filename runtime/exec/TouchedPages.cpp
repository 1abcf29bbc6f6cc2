//===- TouchedPages.cpp - What of a huge buffer may differ from zero ------===//

#include "exec/TouchedPages.h"

#include <algorithm>

#include <fcntl.h>
#include <unistd.h>

namespace heddle::exec {

namespace {
/// Reads the process's page map: a word per page, whose upper bits say whether
/// the page is in memory or swapped out (proc_pid_pagemap(5)).
class PageMap {
public:
  PageMap() : File(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~PageMap() {
    if (File >= 0)
      ::close(File);
  }
  PageMap(const PageMap &) = delete;
  PageMap &operator=(const PageMap &) = delete;

  /// Whether any page of [\p From, \p To) was touched, or may have been.
  bool touches(uint64_t From, uint64_t To) {
    constexpr uint64_t Present = uint64_t(1) << 63, Swapped = uint64_t(1) << 62;
    Words.resize((To - 1) / PageBytes - From / PageBytes + 1);
    const auto Bytes = ssize_t(Words.size() * sizeof(uint64_t));
    if (::pread(File, Words.data(), size_t(Bytes),
                off_t(From / PageBytes * sizeof(uint64_t))) != Bytes)
      return true;
    return std::ranges::any_of(
        Words, [](uint64_t W) { return W & (Present | Swapped); });
  }

private:
  const uint64_t PageBytes = uint64_t(::sysconf(_SC_PAGESIZE));
  const int File;
  std::vector<uint64_t> Words;
};
} // namespace

/// The numbers of the chunks of \p Bytes that were touched.
static std::vector<uint64_t> touchedChunks(std::span<const uint8_t> Bytes) {
  constexpr uint64_t ChunkBytes = SparseBytes::ChunkBytes;
  // One look for many chunks: what is huge and untouched costs few.
  constexpr uint64_t LookBytes = 256 * ChunkBytes;
  const uint64_t Base = reinterpret_cast<uint64_t>(Bytes.data());
  PageMap Pages;
  std::vector<uint64_t> Touched;
  auto touches = [&](uint64_t From, uint64_t Size) {
    return Pages.touches(Base + From,
                         Base + std::min<uint64_t>(From + Size, Bytes.size()));
  };
  for (uint64_t Look = 0; Look < Bytes.size(); Look += LookBytes) {
    if (!touches(Look, LookBytes))
      continue;
    const uint64_t End = std::min<uint64_t>(Look + LookBytes, Bytes.size());
    for (uint64_t At = Look; At < End; At += ChunkBytes)
      if (touches(At, ChunkBytes))
        Touched.push_back(At / ChunkBytes);
  }
  return Touched;
}

SparseBytes copyTouched(std::span<const uint8_t> Bytes) {
  constexpr uint64_t ChunkBytes = SparseBytes::ChunkBytes;
  SparseBytes Out;
  Out.Size = Bytes.size();
  // All are found before one is read: that touches a page which a chunk shares
  // with the next.
  for (uint64_t Number : touchedChunks(Bytes)) {
    const uint64_t At = Number * ChunkBytes;
    const auto Chunk =
        Bytes.subspan(At, std::min<uint64_t>(ChunkBytes, Bytes.size() - At));
    if (std::ranges::any_of(Chunk, [](uint8_t B) { return B != 0; }))
      Out.Chunks.emplace(Number, std::vector(Chunk.begin(), Chunk.end()));
  }
  return Out;
}

} // namespace heddle::exec
