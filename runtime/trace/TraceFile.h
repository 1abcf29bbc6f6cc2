//===- TraceFile.h - Layout of a trace file ---------------------*- C++ -*-===//
//
//   magic, version, size of the header section       16 + 4 bytes
//   header section: header and code table            zstd
//   frames: consecutive thread blocks each           zstd, one after another:
//     what warps do, and the numbers of data         two sections
//   index section: sizes and blocks of each frame    zstd
//   offset and size of the index section, end magic  24 bytes
//
// Numbers of fixed size are little endian. docs/TraceFormat.md has the rest.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRACE_TRACEFILE_H
#define HEDDLE_TRACE_TRACEFILE_H

#include "trace/TraceVerifier.h"

namespace heddle::trace::file {

/// A first byte that no text has and line ends that copying as text spoils.
constexpr uint8_t Magic[8] = {0x89, 'H', 'D', 'L', 'T', '\r', '\n', 0x1a};
constexpr uint8_t EndMagic[8] = {'H', 'D', 'L', 'T', 'E', 'N', 'D', '\n'};
constexpr uint32_t Version = 2;
constexpr uint64_t PrologueBytes = 8 + 4 + 8;
constexpr uint64_t FooterBytes = 8 + 8 + 8;

/// Limits on the content of a section, so that no file can make a reader
/// take unbounded memory.
constexpr uint64_t MaxHeaderBytes = uint64_t(1) << 28;
constexpr uint64_t MaxFrameBytes = uint64_t(1) << 30;
/// A frame ends with the block that brings it to either.
constexpr uint64_t FrameBytes = uint64_t(1) << 20;
constexpr uint64_t FrameBlocks = 1024;

/// Bytes in the file and of content.
struct SectionSize {
  uint64_t Stored = 0, Raw = 0;
};

struct FrameEntry {
  uint64_t Offset = 0; ///< in the file; follows from the sizes
  /// One after the other, of one content; where no numbers stand apart, there
  /// is no second section.
  SectionSize Control, Numbers;
  uint64_t FirstBlock = 0; ///< follows from the numbers of blocks
  uint64_t NumBlocks = 0;
};

/// What the index says of the whole launch.
struct FileSummary {
  uint64_t FileBytes = 0;
  uint64_t RawBytes = 0; ///< of all frames, before compression
  uint64_t NumFrames = 0;
  uint64_t NumBodies = 0; ///< stored; warps that do the same share one
  TraceCounts Counts;
};

} // namespace heddle::trace::file

#endif // HEDDLE_TRACE_TRACEFILE_H
