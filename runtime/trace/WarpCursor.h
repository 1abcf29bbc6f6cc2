//===- WarpCursor.h - Replays what one warp did -----------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_WARPCURSOR_H
#define HEDDLE_TRACE_WARPCURSOR_H

#include "trace/TraceSource.h"

namespace heddle::trace {

/// The addresses of one executed memory record.
struct MemoryAccess {
  uint32_t Mask = 0;
  HeddleMemorySpace Space = HEDDLE_SPACE_NONE;
  bool Affine = false; ///< lane l accesses Base + l * Stride
  uint64_t Base = 0;
  int64_t Stride = 0;
  uint64_t Addresses[32]; ///< valid for the lanes of Mask unless Affine

  uint64_t address(unsigned Lane) const {
    return Affine ? Base + Lane * uint64_t(Stride) : Addresses[Lane];
  }
};

/// Steps through the block events of a WarpTrace in constant memory.
///
///   WarpCursor C(Code, Trace);
///   while (C.next())                         // one basic block
///     for (const HeddleInst &I : Code.insts(C.block()))
///       if (I.Memory != HEDDLE_NO_MEMORY)
///         use(C.access(I.Memory), I.ByteOffset);
///
/// The trace must be verified (TraceVerifier) or come from a WarpEncoder.
class WarpCursor {
public:
  WarpCursor(const CodeTable &Code, const WarpTrace &Trace);

  /// Moves to the next block event; false at the end.
  bool next();
  uint32_t block() const { return Block; }
  uint32_t mask() const { return Mask; }
  /// The access of memory record \p Record, which belongs to block().
  const MemoryAccess &access(uint32_t Record) const;

private:
  const CodeTable &Code;
  const WarpTrace &Trace;
  uint32_t Block = 0;
  uint32_t Mask = 0;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_WARPCURSOR_H
