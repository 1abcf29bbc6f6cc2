//===- MatrixOps.h - Matrix instructions of a warp --------------*- C -*-===//
//
// What compiled kernels and the interpreter call for mma, wmma.mma, ldmatrix,
// stmatrix and movmatrix: one call for the whole fragment.
//
// A fragment is an array of registers, each of 32 lanes. Matrices are cut into
// cores: 8 lines of 16 bytes (f64: 32), a line being a row of A or a column of
// B. Lane 4 g + t holds of a core the t-th quarter of line g, in one register.
// The cores of A follow each other in pairs of 8 lines, then along k; those of
// B along k, then over the columns. A core of C and D is 8 x 8: lane 4 g + t
// holds columns 2 t and 2 t + 1 of row g. This is PTX ISA 8.8, "Matrix
// Fragments for mma.m16n8k*"; wmma, whose layout PTX leaves open, is put
// together of the same cores. mma.m8n8k4 of f16 has its own layout there.
//
// Integers and f64 are exact. Of all other types products are exact and are
// added in the order of k in single precision, rounded to nearest; results in
// f16 are rounded once more at the end. Hardware adds groups of products in
// wider fixed point and truncates, which is not published in full.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ABI_MATRIXOPS_H
#define HEDDLE_ABI_MATRIXOPS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum HeddleMatrixType {
  HEDDLE_MATRIX_F16,
  HEDDLE_MATRIX_BF16,
  HEDDLE_MATRIX_TF32,
  HEDDLE_MATRIX_F32,
  HEDDLE_MATRIX_F64,
  HEDDLE_MATRIX_S8,
  HEDDLE_MATRIX_U8,
  HEDDLE_MATRIX_S4,
  HEDDLE_MATRIX_U4,
  HEDDLE_MATRIX_B1,
  HEDDLE_MATRIX_S32,
  HEDDLE_MATRIX_E4M3,
  HEDDLE_MATRIX_E5M2,
  HEDDLE_NUM_MATRIX_TYPES
};

#define HEDDLE_MATRIX_LANES 32

/// Bits of an element, by HeddleMatrixType.
static const uint8_t HeddleMatrixBits[HEDDLE_NUM_MATRIX_TYPES] = {
    16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 32, 8, 8};

/// Elements of \p Type that a line of a core holds.
static inline unsigned heddleCoreDepth(unsigned Type) {
  return Type == HEDDLE_MATRIX_F64 ? 4 : 128 / HeddleMatrixBits[Type];
}

enum HeddleMatrixFlags {
  HEDDLE_MATRIX_XOR = 1 << 0,       ///< b1: population count of a ^ b
  HEDDLE_MATRIX_AND = 1 << 1,       ///< b1: population count of a & b
  HEDDLE_MATRIX_SATURATE = 1 << 2,  ///< sums stay within 32 bits
  HEDDLE_MATRIX_QUADS = 1 << 3,     ///< m8n8k4 of f16: four products
  HEDDLE_MATRIX_A_COLUMNS = 1 << 4, ///< of QUADS: A in column-major order
  HEDDLE_MATRIX_B_ROWS = 1 << 5,    ///< of QUADS: B in row-major order
  HEDDLE_MATRIX_SELECTOR = 1 << 6,  ///< of mma.sp: times its selector, 0 to 3
};

/// D (M x N) = A (M x K) * B (K x N) + C.
typedef struct HeddleMatrixShape {
  uint8_t M, N;
  uint16_t K;
  uint8_t A, B;  ///< HeddleMatrixType
  uint8_t C : 4; ///< HeddleMatrixType
  uint8_t D : 4; ///< HeddleMatrixType
  uint8_t Flags; ///< HeddleMatrixFlags
} HeddleMatrixShape;

/// \p Shape holds the bytes of a HeddleMatrixShape. Registers have 32 bits,
/// those of f64 64: register r of lane l is element 32 r + l. Registers of A
/// and B beyond those that hold the matrix once are not read, those of D not
/// written.
void heddleMatrixProduct(uint64_t Shape, void *D, const void *A, const void *B,
                         const void *C);

/// mma.sp: half of the elements of A are zero and not stored. A holds the
/// others as a matrix of M x K / 2 does; \p Metadata, a register, says where
/// they belong (PTX ISA 8.8, "Sparse matrix storage").
void heddleSparseProduct(uint64_t Shape, void *D, const void *A, const void *B,
                         const void *C, const void *Metadata);

/// ldmatrix of \p Count matrices of 8 x 8 elements of 16 bits: line l of
/// matrix m begins at Lines[8 m + l]. \p Transposed: lines are columns.
void heddleLoadMatrices(uint32_t Count, uint32_t Transposed,
                        const uint64_t *Lines, uint32_t *Registers);
/// stmatrix: the opposite.
void heddleStoreMatrices(uint32_t Count, uint32_t Transposed,
                         const uint64_t *Lines, const uint32_t *Registers);
/// movmatrix: the transpose of a matrix of 8 x 8 elements of 16 bits.
void heddleTransposeMatrix(uint32_t *To, const uint32_t *From);

#ifdef __cplusplus
} // extern "C"
static_assert(sizeof(HeddleMatrixShape) == 8, "goes where an integer goes");
#endif

#endif // HEDDLE_ABI_MATRIXOPS_H
