//===- WarpEncoder.h - Encodes what one warp does ---------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_WARPENCODER_H
#define HEDDLE_TRACE_WARPENCODER_H

#include "trace/TraceSource.h"

namespace heddle::trace {

/// Turns the events of one warp into a WarpTrace. Feed block() on entry of a
/// basic block, then memory() for each of its memory records in order, then
/// finish(). Iterations of a loop that do the same at addresses moved by a
/// constant stride fold into a repeat, nested loops too.
/// docs/TraceFormat.md describes the byte code.
class WarpEncoder {
public:
  explicit WarpEncoder(const CodeTable &Code);

  void block(uint32_t Block, uint32_t Mask);

  /// \p Space is where the addresses really point (never GENERIC). Addresses
  /// of the lanes in \p Mask are valid: device addresses for global and
  /// constant memory, offsets into the block's window for shared memory,
  /// offsets into the thread's frame for local memory.
  void memory(uint32_t Record, HeddleMemorySpace Space, uint32_t Mask,
              const uint64_t *Addresses);

  /// Returns the trace and makes the encoder ready for another warp.
  WarpTrace finish();

private:
  const CodeTable &Code;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_WARPENCODER_H
