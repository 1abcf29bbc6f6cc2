//===- TouchedPages.h - Pages of a buffer that are not zero -----*- C++ -*-===//

#ifndef HEDDLE_EXEC_TOUCHEDPAGES_H
#define HEDDLE_EXEC_TOUCHEDPAGES_H

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace heddle::exec {

/// What a buffer of device memory holds, without its zeroes.
struct SparseBytes {
  static constexpr uint64_t ChunkBytes = uint64_t(1) << 16;
  uint64_t Size = 0;
  /// By number; a chunk that is not here is zero. The last may be shorter.
  std::map<uint64_t, std::vector<uint8_t>> Chunks;
};

/// Copies \p Bytes, which begin as untouched pages of the system. Those that
/// are still untouched are not read: that would cost time, and memory for the
/// page tables, for nothing. Where the system does not tell (/proc), all are.
SparseBytes copyTouched(std::span<const uint8_t> Bytes);

} // namespace heddle::exec

#endif // HEDDLE_EXEC_TOUCHEDPAGES_H
