//===- LanePacking.h - Packs up to 32 small numbers into bits ---*- C++ -*-===//

#ifndef HEDDLE_TRACE_LANEPACKING_H
#define HEDDLE_TRACE_LANEPACKING_H

#include "trace/ByteCode.h"

#include <span>

namespace heddle::trace {

/// How to pack a set of numbers: fixed width, or Rice code with Width low bits
/// and the rest in unary, whichever is smaller.
struct LanePacking {
  bool Rice = false;
  uint8_t Width = 0;
  uint64_t Bits = 0; ///< what it takes

  static LanePacking choose(std::span<const uint64_t> Values);
  /// Writes the width and the numbers, filled up to a whole byte.
  void write(std::vector<uint8_t> &Out, std::span<const uint64_t> Values) const;
  unsigned sizeBytes() const { return 1 + unsigned((Bits + 7) / 8); }
};

/// Reads what LanePacking::write wrote. Any bytes are safe; R.Failed is set if
/// they end early or the width is impossible.
void unpackLanes(bytecode::ByteReader &R, bool Rice,
                 std::span<uint64_t> Values);
/// Passes by what unpackLanes would read.
void skipLanes(bytecode::ByteReader &R, bool Rice, unsigned Count);

} // namespace heddle::trace

#endif // HEDDLE_TRACE_LANEPACKING_H
