//===- Layout.h - How a matrix lies in memory -------------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_LAYOUT_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_LAYOUT_H

#include "Blas.h"

namespace heddle_blas {

/// A matrix without its elements: gives element (I, J) of A, of its transpose
/// or its conjugate transpose, whatever part of A is in memory.
struct Layout {
  enum Storage { Full, Packed, Banded } In = Full;
  enum Kind { General, Symmetric, Hermitian, Triangular } Is = General;
  bool Upper = false; ///< which triangle is in memory, unless General
  bool Unit = false;  ///< the diagonal is 1 and not read
  bool Transposed = false, Conjugated = false;
  int Leading = 0;          ///< of Full and Banded
  int Order = 0;            ///< of Packed
  int Below = 0, Above = 0; ///< diagonals in memory of Banded

  __device__ long long offset(int I, int J) const {
    const long long Column = J;
    if (In == Full)
      return I + Column * Leading;
    if (In == Banded)
      return Above + I - J + Column * Leading;
    return I + Column * (Upper ? Column + 1 : 2LL * Order - Column - 1) / 2;
  }

  template <typename T> __device__ T at(const T *A, int I, int J) const {
    if (Transposed)
      exchange(I, J);
    const bool Mirrored = Is != General && I != J && (I < J) != Upper;
    if (Mirrored && Is == Triangular)
      return T{};
    if (Mirrored)
      exchange(I, J);
    if (Is == Triangular && Unit && I == J)
      return as<T>(RealOf<T>(1));
    if (In == Banded && (I - J > Below || J - I > Above))
      return T{};
    const T X = A[offset(I, J)];
    if (Is == Hermitian && I == J)
      return as<T>(real(X));
    return conjugateIf(Conjugated != (Mirrored && Is == Hermitian), X);
  }

  /// Columns of row \p I, or rows of column \p I, that are not zero by their
  /// place: from \p First on, less than \p End, which come in as 0 and as what
  /// there is. Triangles are not looked at.
  __device__ void reach(int I, bool OfColumn, int &First, int &End) const {
    if (In != Banded)
      return;
    const int Both = Below > Above ? Below : Above;
    const bool Mirrors = Is == Symmetric || Is == Hermitian;
    const bool Flip = Transposed != OfColumn;
    const int Back = Mirrors ? Both : Flip ? Above : Below;
    const int Ahead = Mirrors ? Both : Flip ? Below : Above;
    First = I > Back ? I - Back : 0;
    End = I + 1LL + Ahead < End ? I + 1 + Ahead : End;
  }

private:
  static __device__ void exchange(int &I, int &J) {
    const int Old = I;
    I = J;
    J = Old;
  }
};

inline Layout general(int Leading, cublasOperation_t Op) {
  Layout L;
  L.Leading = Leading;
  L.Transposed = Op != CUBLAS_OP_N;
  L.Conjugated = Op == CUBLAS_OP_C;
  return L;
}
inline Layout band(int Leading, int Below, int Above, cublasOperation_t Op) {
  Layout L = general(Leading, Op);
  L.In = Layout::Banded;
  L.Below = Below;
  L.Above = Above;
  return L;
}
/// One triangle of a matrix of \p N rows; \p Band diagonals beside the main
/// one if \p In says so.
inline Layout triangle(Layout::Kind Is, Layout::Storage In,
                       cublasFillMode_t Fill, int N, int Band, int Leading) {
  Layout L;
  L.Is = Is;
  L.In = In;
  L.Upper = Fill == CUBLAS_FILL_MODE_UPPER;
  L.Leading = Leading;
  L.Order = N;
  (L.Upper ? L.Above : L.Below) = Band;
  return L;
}
inline Layout with(Layout L, cublasOperation_t Op, cublasDiagType_t Diagonal) {
  L.Transposed = Op != CUBLAS_OP_N;
  L.Conjugated = Op == CUBLAS_OP_C;
  L.Unit = Diagonal == CUBLAS_DIAG_UNIT;
  return L;
}
/// The transpose of what \p L gives.
inline Layout transposed(Layout L) {
  L.Transposed = !L.Transposed;
  return L;
}

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_LAYOUT_H
