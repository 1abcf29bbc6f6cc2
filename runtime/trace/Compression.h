//===- Compression.h - Sections of a trace file -----------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_COMPRESSION_H
#define HEDDLE_TRACE_COMPRESSION_H

#include "base/Result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::trace {

/// One zstd frame with the size of its content and a checksum.
std::vector<uint8_t> compress(std::span<const uint8_t> Raw, int Level);

/// \p Before, and behind it the content of \p Bytes, which must be exactly one
/// frame as compress() makes them with no more than \p MaxSize bytes in it.
/// Memory is taken only for sizes that the compressed bytes can have.
Result<std::vector<uint8_t>> decompress(std::span<const uint8_t> Bytes,
                                        uint64_t MaxSize,
                                        bool IgnoreChecksum = false,
                                        std::vector<uint8_t> Before = {});

/// The same where the size is known and all of \p To.
Result<void> decompressTo(std::span<uint8_t> To, std::span<const uint8_t> Bytes,
                          bool IgnoreChecksum = false);

} // namespace heddle::trace

#endif // HEDDLE_TRACE_COMPRESSION_H
