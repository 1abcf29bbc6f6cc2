//===- MatrixOperation.h - Matrix instructions in IR ------------*- C++ -*-===//
//
// A matrix instruction of PTX is one call in IR: the intrinsic that LLVM has
// for it (llvm.nvvm.mma.*, llvm.nvvm.wmma.*.mma.*, llvm.nvvm.ldmatrix.*,
// llvm.nvvm.stmatrix.*), or, for movmatrix, which has none, inline assembly of
// that one instruction.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_MATRIXOPERATION_H
#define HEDDLE_ANALYSIS_MATRIXOPERATION_H

#include "heddle/ABI/MatrixOps.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace heddle {

/// mma.sync, mma.sp or wmma.mma. The call's arguments are the registers of A, B
/// and C, of mma.sp also the metadata and the selector; its result those of D.
struct MatrixProduct {
  HeddleMatrixShape Shape;
  unsigned NumA, NumB, NumC, NumD; ///< registers
  bool IsSparse;                   ///< mma.sp: half of A is stored
  bool isDouble() const { return Shape.D == HEDDLE_MATRIX_F64; }
  /// Whether hardware's result is known to the bit.
  bool isExact() const { return isDouble() || Shape.D == HEDDLE_MATRIX_S32; }
};

/// ldmatrix or stmatrix of matrices of 8 x 8 elements of 16 bits.
struct MatrixAccess {
  unsigned Count;
  bool IsTransposed, IsStore;
  const llvm::Value *Pointer; ///< to the line that the lane has the address of
  /// What a lane accesses if the matrices are dealt to the lanes in order.
  unsigned bytesPerLane() const { return 4 * Count; }
  /// The lane whose line holds what lane \p L accesses, and where in it.
  unsigned lineOf(unsigned L) const { return L * Count / 4; }
  unsigned offsetOf(unsigned L) const { return L * bytesPerLane() % 16; }
};

/// The type that PTX calls \p Name ("tf32").
std::optional<HeddleMatrixType> matrixType(llvm::StringRef Name);

/// "m16n8k16": M, N and K of \p Shape; false if it is no shape.
bool parseMatrixShape(llvm::StringRef Text, HeddleMatrixShape &Shape);

/// Core matrices of \p Lines rows of A or columns of B: the registers that hold
/// them once.
unsigned coresOf(unsigned Lines, unsigned Depth, unsigned Type);

std::optional<MatrixProduct> matrixProduct(const llvm::CallBase &Call);
std::optional<MatrixAccess> matrixAccess(const llvm::CallBase &Call);

/// The one text of movmatrix as inline assembly, and whether \p Call is it.
inline constexpr llvm::StringLiteral MoveMatrixText =
    "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;";
bool isMatrixMove(const llvm::CallBase &Call);

/// Whether \p Call is any of these: lanes see each other's values in it.
bool isMatrixOperation(const llvm::CallBase &Call);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_MATRIXOPERATION_H
