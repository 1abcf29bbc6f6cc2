//===- stored.cu - Level 2: matrices of which a part is in memory ---------===//

#include "../Gemv.h"
#include "../Layout.h"
#include "../Typed.h"

namespace heddle_blas {

/// A thread for each row of op(A).
__global__ void multiplyVector(Layout L, int M, int N, Factor<T> Alpha,
                               const T *A, const T *X, int IncX, Factor<T> Beta,
                               T *Y, int IncY) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= M)
    return;
  int First = 0, End = N;
  L.reach(Row, false, First, End);
  T Sum = {};
  for (int J = First; J < End; ++J)
    Sum += L.at(A, Row, J) * element(X, J, N, IncX);
  update(element(Y, Row, M, IncY), Sum, Alpha.get(), Beta.get());
}
__global__ void copyVector(int N, const T *X, int IncX, T *To) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    To[I] = element(X, I, N, IncX);
}

static constexpr unsigned Threads = 128;

/// y = alpha * op(A) * x + beta * y, where op(A) has \p M rows.
static cublasStatus_t multiply(cublasHandle_t H, const Layout &L, int M, int N,
                               const T *Alpha, const T *A, const T *X, int IncX,
                               const T *Beta, T *Y, int IncY) {
  REQUIRE(M >= 0 && N >= 0 && IncX != 0 && IncY != 0 && Alpha && Beta);
  REQUIRE(L.Below >= 0 && L.Above >= 0);
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  return launch(H, multiplyVector, blocks(M, Threads), Threads, L, M, N,
                factor(H, Alpha), A, X, IncX, factor(H, Beta), Y, IncY);
}
/// x = op(A) * x, from a copy of x.
static cublasStatus_t multiplyInPlace(cublasHandle_t H, const Layout &L, int N,
                                      const T *A, T *X, int IncX) {
  REQUIRE(N >= 0 && IncX != 0 && L.Below >= 0 && L.Above >= 0);
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  T *Copy = nullptr;
  TRY(scratch(H, size_t(N), &Copy));
  TRY(launch(H, copyVector, blocks(N, Threads), Threads, N, X, IncX, Copy));
  return launch(H, multiplyVector, blocks(N, Threads), Threads, L, N, N,
                constant(as<T>(R(1))), A, Copy, 1, constant(T{}), X, IncX);
}

} // namespace heddle_blas

using namespace heddle_blas;

EXPORTED cublasStatus_t NAME(gbmv_v2)(cublasHandle_t H, cublasOperation_t Op,
                                      int M, int N, int Below, int Above,
                                      const T *Alpha, const T *A, int LDA,
                                      const T *X, int IncX, const T *Beta, T *Y,
                                      int IncY) {
  ENTER(H);
  REQUIRE(isOperation(Op) && Below >= 0 && Above >= 0);
  REQUIRE(LDA > Below + Above);
  const bool Flip = Op != CUBLAS_OP_N;
  return multiply(H, band(LDA, Below, Above, Op), Flip ? N : M, Flip ? M : N,
                  Alpha, A, X, IncX, Beta, Y, IncY);
}

#define FULL(Name, Is)                                                         \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Fill, int N, \
                               const T *Alpha, const T *A, int LDA,            \
                               const T *X, int IncX, const T *Beta, T *Y,      \
                               int IncY) {                                     \
    ENTER(H);                                                                  \
    REQUIRE(isFill(Fill) && fits(LDA, N));                                     \
    const Layout L = triangle(Is, Layout::Full, Fill, N, 0, LDA);              \
    return multiply(H, L, N, N, Alpha, A, X, IncX, Beta, Y, IncY);             \
  }
#define BANDED(Name, Is)                                                       \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Fill, int N, \
                               int K, const T *Alpha, const T *A, int LDA,     \
                               const T *X, int IncX, const T *Beta, T *Y,      \
                               int IncY) {                                     \
    ENTER(H);                                                                  \
    REQUIRE(isFill(Fill) && LDA > K);                                          \
    const Layout L = triangle(Is, Layout::Banded, Fill, N, K, LDA);            \
    return multiply(H, L, N, N, Alpha, A, X, IncX, Beta, Y, IncY);             \
  }
#define PACKED(Name, Is)                                                       \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Fill, int N, \
                               const T *Alpha, const T *A, const T *X,         \
                               int IncX, const T *Beta, T *Y, int IncY) {      \
    ENTER(H);                                                                  \
    REQUIRE(isFill(Fill));                                                     \
    const Layout L = triangle(Is, Layout::Packed, Fill, N, 0, 0);              \
    return multiply(H, L, N, N, Alpha, A, X, IncX, Beta, Y, IncY);             \
  }
FULL(NAME(symv_v2), Layout::Symmetric)
#ifdef MIXED
FULL(NAME(hemv_v2), Layout::Hermitian)
BANDED(NAME(hbmv_v2), Layout::Hermitian)
PACKED(NAME(hpmv_v2), Layout::Hermitian)
#else
BANDED(NAME(sbmv_v2), Layout::Symmetric)
PACKED(NAME(spmv_v2), Layout::Symmetric)
#endif

EXPORTED cublasStatus_t NAME(trmv_v2)(cublasHandle_t H, cublasFillMode_t Fill,
                                      cublasOperation_t Op,
                                      cublasDiagType_t Diagonal, int N,
                                      const T *A, int LDA, T *X, int IncX) {
  ENTER(H);
  REQUIRE(isFill(Fill) && isOperation(Op) && isDiagonal(Diagonal));
  REQUIRE(fits(LDA, N));
  const Layout L = triangle(Layout::Triangular, Layout::Full, Fill, N, 0, LDA);
  return multiplyInPlace(H, with(L, Op, Diagonal), N, A, X, IncX);
}
EXPORTED cublasStatus_t NAME(tbmv_v2)(cublasHandle_t H, cublasFillMode_t Fill,
                                      cublasOperation_t Op,
                                      cublasDiagType_t Diagonal, int N, int K,
                                      const T *A, int LDA, T *X, int IncX) {
  ENTER(H);
  REQUIRE(isFill(Fill) && isOperation(Op) && isDiagonal(Diagonal) && LDA > K);
  const Layout L =
      triangle(Layout::Triangular, Layout::Banded, Fill, N, K, LDA);
  return multiplyInPlace(H, with(L, Op, Diagonal), N, A, X, IncX);
}
EXPORTED cublasStatus_t NAME(tpmv_v2)(cublasHandle_t H, cublasFillMode_t Fill,
                                      cublasOperation_t Op,
                                      cublasDiagType_t Diagonal, int N,
                                      const T *A, T *X, int IncX) {
  ENTER(H);
  REQUIRE(isFill(Fill) && isOperation(Op) && isDiagonal(Diagonal));
  const Layout L = triangle(Layout::Triangular, Layout::Packed, Fill, N, 0, 0);
  return multiplyInPlace(H, with(L, Op, Diagonal), N, A, X, IncX);
}
