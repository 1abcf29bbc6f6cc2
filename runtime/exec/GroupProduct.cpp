//===- GroupProduct.cpp - Products of a warp group (wgmma) ----------------===//
//
// Cores of shared memory become those of registers, which have the same layout,
// and heddleMatrixProduct multiplies 32 columns at a time.
//
//===----------------------------------------------------------------------===//

#include "heddle/ABI/GroupProduct.h"

#include "heddle/ABI/CheckEvents.h"
#include "heddle/ABI/CodeTable.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace {

using Shape = HeddleGroupShape;

constexpr unsigned WarpRows = 16;  ///< of a warp
constexpr unsigned CoreWords = 32; ///< 8 lines of 16 bytes

/// A matrix in the shared memory of a block.
struct SharedMatrix {
  const uint8_t *Memory;
  uint32_t Bytes; ///< of the memory
  uint32_t Start, Leading, Stride, Phase;
  uint32_t Swizzle; ///< bytes, 16: none
  bool Transposed;

  /// False if all lanes do not have the same descriptor, or it has bits that
  /// mean nothing.
  bool set(const HeddleWarp &W, const uint64_t *Lanes, bool IsTransposed) {
    const uint64_t D = Lanes[0];
    constexpr uint64_t Known = 0xc00e3fff3fff3fff;
    if (D & ~Known || std::any_of(Lanes, Lanes + HEDDLE_WARP_SIZE,
                                  [&](uint64_t Other) { return Other != D; }))
      return false;
    const auto bytes = [&](unsigned Bit) {
      return uint32_t(D >> Bit & 0x3fff) * 16;
    };
    Memory = W.Shared;
    Bytes = W.SharedBytes;
    // Addresses of the window have more than the 18 bits of a descriptor.
    const uint64_t Base = reinterpret_cast<uint64_t>(W.Shared);
    Start = uint32_t(bytes(0) - Base) & 0x3ffff;
    Leading = bytes(16);
    Stride = bytes(32);
    Phase = uint32_t(D >> 49 & 7) << 7;
    constexpr uint32_t Widths[] = {16, 128, 64, 32};
    Swizzle = Widths[D >> 62];
    Transposed = IsTransposed;
    return true;
  }

  /// Where a piece of 16 bytes lies. \p Line of a core and \p Piece along k;
  /// transposed: the eight lines from \p Line on at \p Piece along k.
  uint32_t place(uint32_t Line, uint32_t Piece) const {
    const bool Plain = Swizzle == 16;
    const uint32_t Width = Swizzle / 16;
    uint32_t At = Start;
    if (!Transposed)
      At += Line / 8 * Stride + Line % 8 * Swizzle +
            Piece * (Plain ? Leading : 16);
    else if (Plain)
      At += Line / 8 * Stride + Piece / 8 * Leading + Piece % 8 * 16;
    else
      At += Line / 8 / Width * Leading + Line / 8 % Width * 16 +
            Piece / 8 * Stride + Piece % 8 * Swizzle;
    return At ^ ((At - Phase) >> 3 & (Swizzle - 16));
  }

  /// Where line \p I of eight from \p First on lies, in the \p Core th core
  /// along k.
  uint32_t lineOf(uint32_t First, uint32_t Core, uint32_t I) const {
    return Transposed ? place(First, 8 * Core + I) : place(First + I, Core);
  }

  /// These eight lines. False if they are not all in the memory.
  bool read(uint32_t First, uint32_t Core, uint32_t *To) const {
    uint32_t Lines[CoreWords];
    for (uint32_t I = 0; I < 8; ++I) {
      const uint32_t At = lineOf(First, Core, I);
      if (At + 16 > Bytes)
        return false;
      std::memcpy(Lines + 4 * I, Memory + At, 16);
    }
    if (Transposed)
      heddleTransposeMatrix(To, Lines);
    else
      std::copy_n(Lines, CoreWords, To);
    return true;
  }
};

/// The signs of what a word holds of \p Type.
uint32_t signsOf(unsigned Type) {
  switch (HeddleMatrixBits[Type]) {
  case 8:
    return 0x80808080;
  case 16:
    return 0x80008000;
  default:
    return 0x80000000;
  }
}

void negate(uint32_t *Words, unsigned Count, unsigned Type) {
  for (unsigned I = 0; I < Count; ++I)
    Words[I] ^= signsOf(Type);
}

} // namespace

/// Whether the block has all four warps of \p W's warp group.
static bool hasWholeGroup(const HeddleWarp &W) {
  const uint64_t Threads =
      uint64_t(W.BlockDim[0]) * W.BlockDim[1] * W.BlockDim[2];
  const uint64_t End = W.WarpInBlock / HEDDLE_GROUP_WARPS * HEDDLE_GROUP_WARPS +
                       HEDDLE_GROUP_WARPS;
  return End * HEDDLE_WARP_SIZE <= Threads;
}

uint32_t heddleSetRegisters(HeddleWarp *W, uint32_t Change, uint32_t Inst) {
  if (!hasWholeGroup(*W))
    return HEDDLE_ERROR_WARP_GROUP;
  const uint32_t Count = Change & HEDDLE_REGISTERS_COUNT,
                 Before = W->RegisterCount;
  const bool Frees = Change - Count == HEDDLE_REGISTERS_DEC;
  if (Before && (Frees ? Count > Before : Count < Before))
    return HEDDLE_ERROR_REGISTERS;
  W->RegisterCount = Count;
  W->RegisterChanges = W->RegisterChanges * 0x9e3779b1 + Change;
  W->RegisterInst = Inst;
  return 0;
}

void heddleGroupOperands(HeddleWarp *W, uint64_t Packed, const void *A,
                         const uint64_t *B, HeddleOperandVisit Visit,
                         void *Context) {
  const auto S = std::bit_cast<Shape>(Packed);
  const unsigned Cores = S.K / heddleCoreDepth(S.A);
  auto visit = [&](const SharedMatrix &M, unsigned First, unsigned End) {
    for (; First < End; First += 8)
      for (unsigned Line = 0; Line < 8 * Cores; ++Line)
        if (const uint32_t At = M.lineOf(First, Line / 8, Line % 8);
            At + 16 <= M.Bytes)
          Visit(Context, reinterpret_cast<uint64_t>(M.Memory) + At, M.Swizzle);
  };
  SharedMatrix M;
  const unsigned Row = W->WarpInBlock % HEDDLE_GROUP_WARPS * WarpRows;
  if (S.Flags & HEDDLE_GROUP_A_SHARED &&
      M.set(*W, static_cast<const uint64_t *>(A),
            S.Flags & HEDDLE_GROUP_A_TRANSPOSED))
    visit(M, Row, Row + WarpRows);
  if (M.set(*W, B, S.Flags & HEDDLE_GROUP_B_TRANSPOSED))
    visit(M, 0, S.N);
}

uint32_t heddleGroupProduct(HeddleWarp *W, uint64_t Packed, void *D,
                            const void *A, const uint64_t *B, uint32_t Adds,
                            const void *C) {
  const auto S = std::bit_cast<Shape>(Packed);
  const uint32_t InGroup = W->WarpInBlock % HEDDLE_GROUP_WARPS;
  if (!hasWholeGroup(*W))
    return HEDDLE_ERROR_WARP_GROUP;
  const unsigned Cores = S.K / heddleCoreDepth(S.A); // along k: two
  constexpr unsigned MaxCores = 4, Columns = 32;
  uint32_t Left[MaxCores * CoreWords], Right[Columns / 8 * 2 * CoreWords];
  if (S.Flags & HEDDLE_GROUP_A_SHARED) {
    SharedMatrix M;
    if (!M.set(*W, static_cast<const uint64_t *>(A),
               S.Flags & HEDDLE_GROUP_A_TRANSPOSED))
      return HEDDLE_ERROR_DESCRIPTOR;
    for (unsigned K = 0; K < Cores; ++K)
      for (unsigned Half = 0; Half < 2; ++Half)
        if (!M.read(InGroup * WarpRows + 8 * Half, K,
                    Left + (2 * K + Half) * CoreWords))
          return HEDDLE_ERROR_DESCRIPTOR;
  } else {
    std::memcpy(Left, A, sizeof(Left));
  }
  if (S.Flags & HEDDLE_GROUP_NEGATES_A)
    negate(Left, MaxCores * CoreWords, S.A);
  SharedMatrix M;
  if (!M.set(*W, B, S.Flags & HEDDLE_GROUP_B_TRANSPOSED) ||
      (Adds && ~Adds)) // one value for all lanes
    return HEDDLE_ERROR_DESCRIPTOR;
  // Registers of D that hold eight columns; sums of 16 bits lie in pairs.
  const unsigned PerCore = S.D == HEDDLE_MATRIX_F16 ? 2 : 4;
  uint32_t Zeros[Columns / 8 * 4 * HEDDLE_WARP_SIZE] = {};
  for (unsigned First = 0, N = 0; First < S.N; First += N) {
    N = std::min(Columns, std::bit_floor(unsigned(S.N - First)));
    for (unsigned Core = 0; Core < N / 8; ++Core)
      for (unsigned K = 0; K < Cores; ++K)
        if (!M.read(First + 8 * Core, K,
                    Right + (Cores * Core + K) * CoreWords))
          return HEDDLE_ERROR_DESCRIPTOR;
    if (S.Flags & HEDDLE_GROUP_NEGATES_B)
      negate(Right, N / 8 * Cores * CoreWords, S.B);
    const HeddleMatrixShape Part = {
        WarpRows,
        uint8_t(N),
        S.K,
        S.A,
        S.B,
        S.D,
        S.D,
        uint8_t(
            (S.A == HEDDLE_MATRIX_B1 ? HEDDLE_MATRIX_AND : 0) |
            (S.Flags & HEDDLE_GROUP_SATURATES ? HEDDLE_MATRIX_SATURATE : 0))};
    const size_t At = size_t(First) / 8 * PerCore * HEDDLE_WARP_SIZE;
    heddleMatrixProduct(std::bit_cast<uint64_t>(Part),
                        static_cast<uint32_t *>(D) + At, Left, Right,
                        Adds ? static_cast<const uint32_t *>(C) + At : Zeros);
  }
  return 0;
}
