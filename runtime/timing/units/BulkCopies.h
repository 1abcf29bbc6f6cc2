//===- BulkCopies.h - Bulk operations that an engine has to do --*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_BULKCOPIES_H
#define HEDDLE_TIMING_UNITS_BULKCOPIES_H

#include "heddle/ABI/BulkOps.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle::timing {

/// The part of a line that one request is for.
struct BulkPart {
  uint64_t Line = 0;
  uint32_t First = 0, Behind = 0; ///< bytes in the line
};

/// What one lane asks the engine for, as the trace has it (HeddleBulkRecord):
/// the rows of a box in global memory, of which next() yields line after line.
class BulkRows {
public:
  BulkRows() = default;
  BulkRows(uint64_t From, uint64_t Sizes,
           const std::array<uint64_t, HEDDLE_TENSOR_MAX_RANK - 1> &Rows)
      : At(From), RowBytes(uint32_t(Sizes >> 32)), Words(Rows) {
    for (unsigned D = 0; D < Words.size(); ++D)
      if (!count(D) && Words[D])
        RowBytes = 0;
  }

  bool done() const { return !RowBytes; }

  /// The next request; not after done().
  BulkPart next(uint32_t LineBytes) {
    const uint64_t From = At + Sent, Line = From / LineBytes * LineBytes;
    const uint64_t End = std::min(At + RowBytes, Line + LineBytes);
    const BulkPart Part = {Line, uint32_t(From - Line), uint32_t(End - Line)};
    Sent += uint32_t(End - From);
    if (Sent == RowBytes)
      nextRow();
    return Part;
  }

private:
  uint32_t count(unsigned D) const { return uint32_t(Words[D] & 0xffff); }
  void nextRow() {
    Sent = 0;
    for (unsigned D = 0; D < Words.size(); ++D) {
      const uint64_t Step = Words[D] >> 16;
      if (++Index[D] < count(D)) {
        At += Step;
        return;
      }
      At -= Step * (Index[D] - 1);
      Index[D] = 0;
    }
    RowBytes = 0;
  }

  uint64_t At = 0;
  uint32_t RowBytes = 0, Sent = 0;
  std::array<uint64_t, HEDDLE_TENSOR_MAX_RANK - 1> Words{};
  std::array<uint32_t, HEDDLE_TENSOR_MAX_RANK - 1> Index{};
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_BULKCOPIES_H
