//===- BufferInit.h - First contents of buffers -----------------*- C++ -*-===//

#ifndef HEDDLE_LAUNCH_BUFFERINIT_H
#define HEDDLE_LAUNCH_BUFFERINIT_H

#include "base/Result.h"
#include "launch/Launch.h"

#include <functional>
#include <span>

namespace heddle::launch {

/// Told every few MiB how many bytes more are filled; false cancels.
using FillCallback = std::function<bool(uint64_t Bytes)>;

/// Writes the first elements of \p Buffer into \p Memory, which is zero and
/// holds Count elements.
///
/// uniform: s = s * 1664525 + 1013904223 mod 2^32 from the seed, one step
/// before each element, value = low + (high - low) * (s >> 8) / 2^24; integer
/// types take the floor. iota: 0, 1, 2, ... A file holds the raw little-endian
/// elements and must have the buffer's size. Errors name the file. Bytes that
/// the program gives are not copied where shareContents() can do without.
/// \p OnFill ends it with an error by returning false.
Result<void> initialise(const BufferArg &Buffer, std::span<uint8_t> Memory,
                        const FillCallback &OnFill = {});

/// Bytes of host memory that the contents of \p Buffer take: none where they
/// are zero, since pages that nothing writes do not exist.
uint64_t filledBytes(const BufferArg &Buffer);

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_BUFFERINIT_H
