//===- SharedContents.h - Buffers that begin as a file's pages --*- C++ -*-===//

#ifndef HEDDLE_LAUNCH_SHAREDCONTENTS_H
#define HEDDLE_LAUNCH_SHAREDCONTENTS_H

#include <cstdint>
#include <span>

namespace heddle::launch {

/// Gives pages of \p To, as large as \p From, the contents of \p From without
/// copying them, and returns what of \p To has them then: one range of whole
/// pages, or nothing.
///
/// \p From has to be part of a shared mapping of a file that this process still
/// has open for reading, as memfd_create(2) and NumPy's memmap make it, and lie
/// as far from the start of a page as \p To. Pages of \p To become a private
/// mapping of that file: what is written there stays there. What is written to
/// \p From later may be seen in pages of \p To that have not been written to.
/// \p To must be a mapping, whose pages can be replaced.
std::span<uint8_t> shareContents(std::span<const uint8_t> From,
                                 std::span<uint8_t> To);

} // namespace heddle::launch

#endif // HEDDLE_LAUNCH_SHAREDCONTENTS_H
