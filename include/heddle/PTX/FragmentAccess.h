//===- FragmentAccess.h - wmma.load and wmma.store --------------*- C++ -*-===//

#ifndef HEDDLE_PTX_FRAGMENTACCESS_H
#define HEDDLE_PTX_FRAGMENTACCESS_H

#include "heddle/Analysis/MatrixOperation.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle {

/// Of the accesses that one wmma.load or wmma.store of a text has become: a
/// node of its own.
inline constexpr llvm::StringLiteral FragmentMetadata = "heddle.fragment";

/// A matrix in memory whose registers a warp holds as ABI/MatrixOps.h says.
struct Fragment {
  HeddleMatrixShape Shape = {};
  char Use = 0; ///< 'a', 'b', or 'c' for C and D
  HeddleMatrixType Type = HEDDLE_MATRIX_F16;
  bool IsRowMajor = true;
  llvm::Value *Pointer = nullptr;
  llvm::Value *Stride = nullptr; ///< in elements; null: the matrix is dense

  /// False if PTX has no such fragment.
  bool isKnown() const;
  /// i32, or double.
  llvm::Type *registerType(llvm::IRBuilder<> &B) const;
  /// The lane's \p Count registers; beyond those that hold the matrix once they
  /// repeat. \p HasLoadMatrix: 16-bit elements in shared memory may be read by
  /// ldmatrix.
  llvm::SmallVector<llvm::Value *, 8> load(llvm::IRBuilder<> &B, unsigned Count,
                                           bool HasLoadMatrix) const;
  void store(llvm::IRBuilder<> &B,
             llvm::ArrayRef<llvm::Value *> Registers) const;

private:
  unsigned bits() const { return HeddleMatrixBits[Type]; }
  unsigned lines() const { return Use == 'b' ? Shape.N : Shape.M; }
  unsigned length() const { return Use == 'c' ? Shape.N : Shape.K; }
  bool isAlong() const { return IsRowMajor == (Use != 'b'); }
  struct Core {
    unsigned Line, At;
  };
  llvm::SmallVector<Core, 8> cores() const;
  llvm::Value *address(llvm::IRBuilder<> &B, llvm::Value *Line,
                       llvm::Value *At) const;
  llvm::SmallVector<llvm::Value *, 8>
  loadMatrices(llvm::IRBuilder<> &B, llvm::ArrayRef<Core> Cores) const;
};

} // namespace heddle

#endif // HEDDLE_PTX_FRAGMENTACCESS_H
