//===- BulkCopies.h - Bulk operations that an engine has to do --*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_BULKCOPIES_H
#define HEDDLE_TIMING_UNITS_BULKCOPIES_H

#include "memory/Coalescer.h"
#include "timing/DecodedCode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace heddle::timing {

/// The part of a line that one request is for.
struct BulkPart {
  uint64_t Line = 0;
  uint32_t First = 0, Behind = 0; ///< bytes in the line

  /// The same in sectors of \p SectorBytes.
  memory::LineAccess sectors(uint32_t SectorBytes) const {
    const auto bits = [](uint32_t From, uint32_t To) {
      return From < To ? uint16_t((1u << To) - (1u << From)) : uint16_t(0);
    };
    memory::LineAccess A;
    A.Line = Line;
    A.Sectors =
        bits(First / SectorBytes, (Behind + SectorBytes - 1) / SectorBytes);
    A.FullSectors =
        bits((First + SectorBytes - 1) / SectorBytes, Behind / SectorBytes);
    return A;
  }
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

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[At, RowBytes, Sent, Words, Index] = *this;
    A(At, RowBytes, Sent, Words, Index);
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

/// The rows that lane \p Lane of the bulk copy \p I asks for at \p C.
inline BulkRows rowsOf(trace::WarpCursor &C, const DecodedInst &I,
                       unsigned Lane) {
  std::array<uint64_t, HEDDLE_TENSOR_MAX_RANK - 1> Rows{};
  for (unsigned D = 1; D < I.bulkRank(); ++D)
    Rows[D - 1] = C.access(I.Memory + HEDDLE_BULK_ROWS + D - 1).address(Lane);
  return BulkRows(C.access(I.Memory + HEDDLE_BULK_FROM).address(Lane),
                  C.access(I.Memory + HEDDLE_BULK_SIZES).address(Lane), Rows);
}

/// Calls \p Do with each line that the bulk copy \p I at \p C asks L2 for, as
/// the engine sends its requests.
template <typename F>
void forEachBulkLine(trace::WarpCursor &C, const DecodedInst &I,
                     uint32_t LineBytes, uint32_t SectorBytes, F Do) {
  if (I.bulkKind() == HEDDLE_BULK_SEND)
    return;
  for (uint32_t Left = C.access(I.Memory + HEDDLE_BULK_FROM).Mask; Left;
       Left &= Left - 1)
    for (BulkRows Rows = rowsOf(C, I, unsigned(std::countr_zero(Left)));
         !Rows.done();)
      Do(Rows.next(LineBytes).sectors(SectorBytes));
}

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_BULKCOPIES_H
