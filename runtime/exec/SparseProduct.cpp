//===- SparseProduct.cpp - mma.sp -----------------------------------------===//
//
// Spreads A, of which half is stored, over a matrix of all elements, and lets
// heddleMatrixProduct multiply that.
//
// Of four neighbouring units of A two are stored; four bits of the metadata say
// which, two for each. A unit has 16 bits, of types of 8 and 4 bits it has 8:
// one tf32 is two units, two s4 are one. Of the four lanes that share rows g
// and g + 8, those that the selector names hold the metadata: with units of 16
// bits each has four groups of row g in its low half and of row g + 8 in its
// high half, with units of 8 bits eight groups of one row, first g, then g + 8.
//
//===----------------------------------------------------------------------===//

#include "heddle/ABI/MatrixOps.h"

#include <bit>
#include <cstring>

namespace {

constexpr unsigned Rows = 16, LineBytes = 16, MaxCores = 4;

/// Where the 16 bytes of \p Row in the \p Core th core along k lie.
size_t lineAt(unsigned Row, unsigned Core) {
  return (2 * Core + Row / 8) * 8 * LineBytes + Row % 8 * LineBytes;
}

/// The metadata of one A.
struct Metadata {
  const uint32_t *Lanes;
  bool OfBytes;      ///< units of 8 bits
  unsigned PerQuad;  ///< lanes of four that hold it
  unsigned Selector; ///< which

  unsigned of(unsigned Row, unsigned Group) const {
    const unsigned Half = Row / 8;
    const unsigned Holder = OfBytes ? 2 * (Group / 8) + Half : Group / 4;
    const unsigned Shift =
        OfBytes ? 4 * (Group % 8) : 16 * Half + 4 * (Group % 4);
    const unsigned First = PerQuad == 4 ? 0 : Selector * PerQuad;
    return Lanes[4 * (Row % 8) + (First + Holder) % 4] >> Shift & 15;
  }
};

/// Writes the stored units of \p Row, \p Bytes long, to \p To, which is zero.
void spread(const Metadata &M, unsigned Row, const uint8_t *From,
            unsigned Bytes, uint8_t *To) {
  const unsigned Unit = M.OfBytes ? 1 : 2;
  for (unsigned Group = 0; Group < Bytes / (2 * Unit); ++Group) {
    const unsigned Which = M.of(Row, Group);
    for (unsigned N = 0; N < 2; ++N)
      std::memcpy(To + (4 * Group + (Which >> 2 * N & 3)) * Unit,
                  From + (2 * Group + N) * Unit, Unit);
  }
}

} // namespace

void heddleSparseProduct(uint64_t Packed, void *D, const void *A, const void *B,
                         const void *C, const void *Lanes) {
  auto S = std::bit_cast<HeddleMatrixShape>(Packed);
  const unsigned Stored = S.K * HeddleMatrixBits[S.A] / 16; // bytes of a row
  const bool OfBytes = HeddleMatrixBits[S.A] <= 8;
  const Metadata M = {static_cast<const uint32_t *>(Lanes), OfBytes,
                      Stored / LineBytes * (OfBytes ? 2u : 1u),
                      unsigned(S.Flags) / HEDDLE_MATRIX_SELECTOR};
  S.Flags %= HEDDLE_MATRIX_SELECTOR;
  alignas(64) uint8_t Whole[MaxCores * Rows * LineBytes] = {};
  for (unsigned Row = 0; Row < Rows; ++Row) {
    uint8_t From[2 * LineBytes], To[4 * LineBytes] = {};
    for (unsigned Core = 0; Core < Stored / LineBytes; ++Core)
      std::memcpy(From + LineBytes * Core,
                  static_cast<const uint8_t *>(A) + lineAt(Row, Core),
                  LineBytes);
    spread(M, Row, From, Stored, To);
    for (unsigned Core = 0; Core < 2 * Stored / LineBytes; ++Core)
      std::memcpy(Whole + lineAt(Row, Core), To + LineBytes * Core, LineBytes);
  }
  heddleMatrixProduct(std::bit_cast<uint64_t>(S), D, Whole, B, C);
}
