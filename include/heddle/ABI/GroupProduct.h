//===- GroupProduct.h - Products of a warp group (wgmma) --------*- C -*-===//
//
// Also its registers (setmaxnreg).
//
// What compiled kernels and the interpreter call for wgmma.mma_async: one call
// for each of the four warps of a warp group, which computes 16 of the 64 rows.
// It is done at once; models know that it takes its time.
//
// Matrices in shared memory are described by 64 bits (PTX ISA 8.8, "Matrix
// Descriptor Format"), in units of 16 bytes: start address (bits 0 to 13),
// leading dimension offset (16 to 29), stride dimension offset (32 to 45); the
// base offset (49 to 51) and the swizzling mode (62 and 63; 0: none, 1: 128
// bytes, 2: 64, 3: 32).
//
// A line, being a row of A or a column of B, lies along k, or, transposed, the
// lines lie side by side ("Strides", "Canonical Layouts" there). With T = 16
// bytes of elements and S = 16, 32, 64 or 128 bytes, the width of the swizzle:
//   along k     line l, piece p of T: l / 8 * stride + l % 8 * S + p * 16; with
//               no swizzle l / 8 * stride + l % 8 * 16 + p * leading
//   transposed  lines of piece q of T at k: q / (S / 16) * leading
//               + q % (S / 16) * 16 + k / 8 * stride + k % 8 * S; with no
//               swizzle q * stride + k / 8 * leading + k % 8 * 16
// Bits 7 to 9 of the address are then added without carry to bits 4 to 6 (64
// bytes: two bits, 32 bytes: one).
//
// Products are rounded as those of mma.sync (MatrixOps.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_GROUPPRODUCT_H
#define HEDDLE_ABI_GROUPPRODUCT_H

#include "heddle/ABI/MatrixOps.h"
#include "heddle/ABI/WarpKernel.h"

#define HEDDLE_GROUP_WARPS 4

#ifdef __cplusplus
extern "C" {
#endif

enum HeddleGroupFlags {
  HEDDLE_GROUP_A_SHARED = 1 << 0, ///< A has a descriptor
  HEDDLE_GROUP_NEGATES_A = 1 << 1,
  HEDDLE_GROUP_NEGATES_B = 1 << 2,
  HEDDLE_GROUP_A_TRANSPOSED = 1 << 3, ///< 16-bit types: M-major
  HEDDLE_GROUP_B_TRANSPOSED = 1 << 4, ///< 16-bit types: N-major
  HEDDLE_GROUP_SATURATES = 1 << 5,    ///< sums stay within 32 bits
};

/// D (64 x N) = A (64 x K) * B (K x N) + D.
typedef struct HeddleGroupShape {
  uint16_t N, K;
  uint8_t A, B;  ///< HeddleMatrixType
  uint8_t D;     ///< HeddleMatrixType
  uint8_t Flags; ///< HeddleGroupFlags
} HeddleGroupShape;

/// The rows of \p W's warp. \p Shape holds the bytes of a HeddleGroupShape; \p
/// A four registers or the lanes' descriptors, \p B descriptors; the lanes of
/// \p Adds add to C, the others to zero. Registers are laid out as those of
/// mma.m16n8k*. Returns 0 or the HeddleWarpError that it ended with, HEDDLE_
/// ERROR_WARP_GROUP or HEDDLE_ERROR_DESCRIPTOR; D may be written in part.
uint32_t heddleGroupProduct(HeddleWarp *W, uint64_t Shape, void *D,
                            const void *A, const uint64_t *B, uint32_t Adds,
                            const void *C);

/// setmaxnreg for the warp \p W: \p Change as HeddleInst::Products has it, \p
/// Inst the instruction's number. It changes no value. Returns 0 or
/// HEDDLE_ERROR_WARP_GROUP or HEDDLE_ERROR_REGISTERS.
uint32_t heddleSetRegisters(HeddleWarp *W, uint32_t Change, uint32_t Inst);

#ifdef __cplusplus
} // extern "C"
static_assert(sizeof(HeddleGroupShape) == 8, "goes where an integer goes");
#endif

#endif // HEDDLE_ABI_GROUPPRODUCT_H
