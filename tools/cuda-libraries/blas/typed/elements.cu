//===- elements.cu - Matrices, element by element -------------------------===//

#include "../Layout.h"
#include "../Typed.h"

namespace heddle_blas {

/// Threads of a block: one row of them reads a column of a matrix.
static constexpr unsigned Rows = 32, Columns = 8;

/// Nothing is read if \p Times is 0.
__device__ static T scaled(T Times, const T *A, const Layout &L, int I, int J) {
  return isZero(Times) ? T{} : Times * L.at(A, I, J);
}
__global__ void geam(int M, int N, Layout OfA, Layout OfB, Factor<T> Alpha,
                     const T *A, Factor<T> Beta, const T *B, T *C, int LDC) {
  const int I = blockIdx.x * Rows + threadIdx.x;
  const int J = blockIdx.y * Columns + threadIdx.y;
  if (I < M && J < N)
    C[I + (long long)J * LDC] =
        scaled(Alpha.get(), A, OfA, I, J) + scaled(Beta.get(), B, OfB, I, J);
}
__global__ void dgmm(int M, int N, bool OfRows, const T *A, int LDA, const T *X,
                     int IncX, T *C, int LDC) {
  const int I = blockIdx.x * Rows + threadIdx.x;
  const int J = blockIdx.y * Columns + threadIdx.y;
  if (I < M && J < N)
    C[I + (long long)J * LDC] =
        A[I + (long long)J * LDA] *
        (OfRows ? element(X, I, M, IncX) : element(X, J, N, IncX));
}
/// A triangle from one storage to another.
__global__ void convert(int N, Layout From, const T *A, Layout To, T *B) {
  const int I = blockIdx.x * Rows + threadIdx.x;
  const int J = blockIdx.y * Columns + threadIdx.y;
  if (I < N && J < N && (I == J || (I < J) == From.Upper))
    B[To.offset(I, J)] = A[From.offset(I, J)];
}

static dim3 grid(int M, int N) {
  return dim3(blocks(M, Rows), blocks(N, Columns));
}
static cublasStatus_t run(cublasHandle_t H, cublasFillMode_t Fill, int N,
                          Layout::Storage From, const T *A, Layout::Storage To,
                          T *B, int Leading) {
  REQUIRE(isFill(Fill) && N >= 0 && fits(Leading, N));
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  return launch(H, convert, grid(N, N), dim3(Rows, Columns), N,
                triangle(Layout::Triangular, From, Fill, N, 0, Leading), A,
                triangle(Layout::Triangular, To, Fill, N, 0, Leading), B);
}

} // namespace heddle_blas

using namespace heddle_blas;

EXPORTED cublasStatus_t NAME(geam)(cublasHandle_t H, cublasOperation_t OpA,
                                   cublasOperation_t OpB, int M, int N,
                                   const T *Alpha, const T *A, int LDA,
                                   const T *Beta, const T *B, int LDB, T *C,
                                   int LDC) {
  ENTER(H);
  REQUIRE(isOperation(OpA) && isOperation(OpB) && M >= 0 && N >= 0);
  REQUIRE(Alpha && Beta && fits(LDC, M));
  REQUIRE(fits(LDA, OpA == CUBLAS_OP_N ? M : N));
  REQUIRE(fits(LDB, OpB == CUBLAS_OP_N ? M : N));
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  return launch(H, geam, grid(M, N), dim3(Rows, Columns), M, N,
                general(LDA, OpA), general(LDB, OpB), factor(H, Alpha), A,
                factor(H, Beta), B, C, LDC);
}
EXPORTED cublasStatus_t NAME(dgmm)(cublasHandle_t H, cublasSideMode_t Side,
                                   int M, int N, const T *A, int LDA,
                                   const T *X, int IncX, T *C, int LDC) {
  ENTER(H);
  REQUIRE(isSide(Side) && M >= 0 && N >= 0 && fits(LDA, M) && fits(LDC, M));
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  return launch(H, dgmm, grid(M, N), dim3(Rows, Columns), M, N,
                Side == CUBLAS_SIDE_LEFT, A, LDA, X, IncX, C, LDC);
}
EXPORTED cublasStatus_t NAME(tpttr)(cublasHandle_t H, cublasFillMode_t Fill,
                                    int N, const T *Packed, T *A, int LDA) {
  ENTER(H);
  return run(H, Fill, N, Layout::Packed, Packed, Layout::Full, A, LDA);
}
EXPORTED cublasStatus_t NAME(trttp)(cublasHandle_t H, cublasFillMode_t Fill,
                                    int N, const T *A, int LDA, T *Packed) {
  ENTER(H);
  return run(H, Fill, N, Layout::Full, A, Layout::Packed, Packed, LDA);
}
