//===- solves.cu - Levels 2 and 3: triangular systems ---------------------===//

#include "../Solve.h"
#include "../Typed.h"

using namespace heddle_blas;

static cublasStatus_t solveVector(cublasHandle_t H, const Layout &L, int N,
                                  const T *A, T *X, int IncX) {
  REQUIRE(N >= 0 && IncX != 0 && L.Below >= 0 && L.Above >= 0);
  const Sides One = {1, IncX < 0 ? (1LL - N) * IncX : 0, IncX, 0};
  return runSolve(H, L, N, constant(as<T>(R(1))), strided(A), strided(X), One,
                  1);
}

static cublasStatus_t solveMatrix(cublasHandle_t H, cublasSideMode_t Side,
                                  cublasFillMode_t Fill, cublasOperation_t Op,
                                  cublasDiagType_t Diagonal, int M, int N,
                                  const T *Alpha, Batch<const T> A, int LDA,
                                  Batch<T> B, int LDB, int Count) {
  const bool IsLeft = Side == CUBLAS_SIDE_LEFT;
  const int Size = IsLeft ? M : N;
  REQUIRE(isSide(Side) && isFill(Fill) && isOperation(Op));
  REQUIRE(isDiagonal(Diagonal) && M >= 0 && N >= 0 && Count >= 0 && Alpha);
  REQUIRE(fits(LDA, Size) && fits(LDB, M));
  Layout L =
      with(triangle(Layout::Triangular, Layout::Full, Fill, Size, 0, LDA), Op,
           Diagonal);
  // X * op(A) = B is a system of the transposes.
  if (!IsLeft)
    L = transposed(L);
  const Sides All = IsLeft ? Sides{N, 0, 1, LDB} : Sides{M, 0, LDB, 1};
  return runSolve(H, L, Size, factor(H, Alpha), A, B, All, Count);
}

EXPORTED cublasStatus_t NAME(trsv_v2)(cublasHandle_t H, cublasFillMode_t Fill,
                                      cublasOperation_t Op,
                                      cublasDiagType_t Diagonal, int N,
                                      const T *A, int LDA, T *X, int IncX) {
  ENTER(H);
  REQUIRE(isFill(Fill) && isOperation(Op) && isDiagonal(Diagonal));
  REQUIRE(fits(LDA, N));
  const Layout L = triangle(Layout::Triangular, Layout::Full, Fill, N, 0, LDA);
  return solveVector(H, with(L, Op, Diagonal), N, A, X, IncX);
}
EXPORTED cublasStatus_t NAME(tbsv_v2)(cublasHandle_t H, cublasFillMode_t Fill,
                                      cublasOperation_t Op,
                                      cublasDiagType_t Diagonal, int N, int K,
                                      const T *A, int LDA, T *X, int IncX) {
  ENTER(H);
  REQUIRE(isFill(Fill) && isOperation(Op) && isDiagonal(Diagonal) && LDA > K);
  const Layout L =
      triangle(Layout::Triangular, Layout::Banded, Fill, N, K, LDA);
  return solveVector(H, with(L, Op, Diagonal), N, A, X, IncX);
}
EXPORTED cublasStatus_t NAME(tpsv_v2)(cublasHandle_t H, cublasFillMode_t Fill,
                                      cublasOperation_t Op,
                                      cublasDiagType_t Diagonal, int N,
                                      const T *A, T *X, int IncX) {
  ENTER(H);
  REQUIRE(isFill(Fill) && isOperation(Op) && isDiagonal(Diagonal));
  const Layout L = triangle(Layout::Triangular, Layout::Packed, Fill, N, 0, 0);
  return solveVector(H, with(L, Op, Diagonal), N, A, X, IncX);
}

EXPORTED cublasStatus_t NAME(trsm_v2)(cublasHandle_t H, cublasSideMode_t Side,
                                      cublasFillMode_t Fill,
                                      cublasOperation_t Op,
                                      cublasDiagType_t Diagonal, int M, int N,
                                      const T *Alpha, const T *A, int LDA, T *B,
                                      int LDB) {
  ENTER(H);
  return solveMatrix(H, Side, Fill, Op, Diagonal, M, N, Alpha, strided(A), LDA,
                     strided(B), LDB, 1);
}
EXPORTED cublasStatus_t NAME(trsmBatched)(
    cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Fill,
    cublasOperation_t Op, cublasDiagType_t Diagonal, int M, int N,
    const T *Alpha, const T *const A[], int LDA, T *const B[], int LDB,
    int Count) {
  ENTER(H);
  return solveMatrix(H, Side, Fill, Op, Diagonal, M, N, Alpha,
                     listed<const T>(A), LDA, listed<T>(B), LDB, Count);
}
