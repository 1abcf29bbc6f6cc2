//===- matrices.cu - Level 2, and what works on single elements -----------===//

#include "Blas.h"

namespace heddle_blas {

/// Threads of a block: one row of them reads a column of a matrix.
static constexpr unsigned Rows = 32, Columns = 8;

/// y = beta * y + alpha * \p Sum, where y may hold anything if beta is 0.
template <typename T> __device__ void update(T &Y, T Sum, T Alpha, T Beta) {
  Y = Beta == 0 ? Alpha * Sum : Alpha * Sum + Beta * Y;
}

/// One thread for each row: neighbours read neighbours of every column.
template <typename T>
__global__ void gemv(int M, int N, Scalar<T> Alpha, const T *A, int LDA,
                     const T *X, int IncX, Scalar<T> Beta, T *Y, int IncY) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= M)
    return;
  T Sum = 0;
  for (int J = 0; J < N; ++J)
    Sum += A[Row + (long long)J * LDA] * element(X, J, N, IncX);
  update(element(Y, Row, M, IncY), Sum, Alpha.get(), Beta.get());
}
/// One warp for each column, whose lanes add their parts of it.
template <typename T>
__global__ void gemvTransposed(int M, int N, Scalar<T> Alpha, const T *A,
                               int LDA, const T *X, int IncX, Scalar<T> Beta,
                               T *Y, int IncY) {
  const int Column = blockIdx.x * blockDim.y + threadIdx.y;
  if (Column >= N)
    return;
  T Sum = 0;
  for (int I = threadIdx.x; I < M; I += Rows)
    Sum += A[I + (long long)Column * LDA] * element(X, I, M, IncX);
  for (int Step = Rows / 2; Step > 0; Step /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Step);
  if (threadIdx.x == 0)
    update(element(Y, Column, N, IncY), Sum, Alpha.get(), Beta.get());
}

template <typename T>
__global__ void ger(int M, int N, Scalar<T> Alpha, const T *X, int IncX,
                    const T *Y, int IncY, T *A, int LDA) {
  const int I = blockIdx.x * Rows + threadIdx.x;
  const int J = blockIdx.y * Columns + threadIdx.y;
  if (I < M && J < N)
    A[I + (long long)J * LDA] +=
        Alpha.get() * element(X, I, M, IncX) * element(Y, J, N, IncY);
}

/// Element (I, J) of A or of its transpose; nothing is read if \p Factor is 0.
template <typename T>
__device__ T scaled(T Factor, const T *A, int LDA, bool Transposed, int I,
                    int J) {
  if (Factor == 0)
    return 0;
  return Factor *
         (Transposed ? A[J + (long long)I * LDA] : A[I + (long long)J * LDA]);
}
template <typename T>
__global__ void geam(int M, int N, bool TransA, bool TransB, Scalar<T> Alpha,
                     const T *A, int LDA, Scalar<T> Beta, const T *B, int LDB,
                     T *C, int LDC) {
  const int I = blockIdx.x * Rows + threadIdx.x;
  const int J = blockIdx.y * Columns + threadIdx.y;
  if (I < M && J < N)
    C[I + (long long)J * LDC] = scaled(Alpha.get(), A, LDA, TransA, I, J) +
                                scaled(Beta.get(), B, LDB, TransB, I, J);
}
template <typename T>
__global__ void dgmm(int M, int N, bool OfRows, const T *A, int LDA, const T *X,
                     int IncX, T *C, int LDC) {
  const int I = blockIdx.x * Rows + threadIdx.x;
  const int J = blockIdx.y * Columns + threadIdx.y;
  if (I < M && J < N)
    C[I + (long long)J * LDC] =
        A[I + (long long)J * LDA] *
        (OfRows ? element(X, I, M, IncX) : element(X, J, N, IncX));
}

/// A triangular system with many right-hand sides, one thread for each. An
/// equation's coefficients are a row of the triangle, read by all threads at
/// once; the unknowns replace the right-hand side.
template <typename T>
__global__ void trsm(int Size, int Sides, bool Flip, bool Forward, bool IsUnit,
                     Scalar<T> Alpha, const T *A, int LDA, T *B,
                     long long NextUnknown, long long NextSide) {
  const int Side = blockIdx.x * blockDim.x + threadIdx.x;
  if (Side >= Sides)
    return;
  T *X = B + Side * NextSide;
  for (int Done = 0; Done < Size; ++Done) {
    const int E = Forward ? Done : Size - 1 - Done;
    T Sum = Alpha.get() * X[E * NextUnknown];
    for (int K = 0; K < Done; ++K) {
      const int F = Forward ? K : Size - 1 - K;
      const T Coefficient =
          Flip ? A[F + (long long)E * LDA] : A[E + (long long)F * LDA];
      Sum -= Coefficient * X[F * NextUnknown];
    }
    X[E * NextUnknown] = IsUnit ? Sum : Sum / A[E + (long long)E * LDA];
  }
}

static dim3 grid(int M, int N) {
  return dim3(blocks(M, Rows), blocks(N, Columns));
}
static bool isOperation(cublasOperation_t Op) {
  return Op == CUBLAS_OP_N || Op == CUBLAS_OP_T || Op == CUBLAS_OP_C;
}
static bool fits(int Leading, int Count) {
  return Leading >= (Count > 1 ? Count : 1);
}

template <typename T>
static cublasStatus_t runGemv(cublasHandle_t H, cublasOperation_t Op, int M,
                              int N, const T *Alpha, const T *A, int LDA,
                              const T *X, int IncX, const T *Beta, T *Y,
                              int IncY) {
  REQUIRE(isOperation(Op) && M >= 0 && N >= 0 && fits(LDA, M));
  REQUIRE(IncX != 0 && IncY != 0 && Alpha && Beta);
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (Op == CUBLAS_OP_N)
    return launch(H, gemv<T>, blocks(M, 128), 128, M, N, scalar(H, Alpha), A,
                  LDA, X, IncX, scalar(H, Beta), Y, IncY);
  return launch(H, gemvTransposed<T>, blocks(N, Columns), dim3(Rows, Columns),
                M, N, scalar(H, Alpha), A, LDA, X, IncX, scalar(H, Beta), Y,
                IncY);
}

template <typename T>
static cublasStatus_t
runTrsm(cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Fill,
        cublasOperation_t Op, cublasDiagType_t Diagonal, int M, int N,
        const T *Alpha, const T *A, int LDA, T *B, int LDB) {
  const bool IsLeft = Side == CUBLAS_SIDE_LEFT;
  const int Size = IsLeft ? M : N, Sides = IsLeft ? N : M;
  REQUIRE(isOperation(Op) && M >= 0 && N >= 0 && Alpha);
  REQUIRE(fits(LDA, Size) && fits(LDB, M));
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  // On the right side all is transposed.
  const bool Flip = (Op != CUBLAS_OP_N) == IsLeft;
  const bool Forward = (Fill == CUBLAS_FILL_MODE_LOWER) != Flip;
  return launch(H, trsm<T>, blocks(Sides, 128), 128, Size, Sides, Flip, Forward,
                Diagonal == CUBLAS_DIAG_UNIT, scalar(H, Alpha), A, LDA, B,
                IsLeft ? 1 : LDB, IsLeft ? LDB : 1);
}

} // namespace heddle_blas

using namespace heddle_blas;

#define FUNCTIONS(S, T)                                                        \
  EXPORTED cublasStatus_t cublas##S##gemv_v2(                                  \
      cublasHandle_t H, cublasOperation_t Op, int M, int N, const T *Alpha,    \
      const T *A, int LDA, const T *X, int IncX, const T *Beta, T *Y,          \
      int IncY) {                                                              \
    ENTER(H);                                                                  \
    return runGemv(H, Op, M, N, Alpha, A, LDA, X, IncX, Beta, Y, IncY);        \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##ger_v2(                                   \
      cublasHandle_t H, int M, int N, const T *Alpha, const T *X, int IncX,    \
      const T *Y, int IncY, T *A, int LDA) {                                   \
    ENTER(H);                                                                  \
    REQUIRE(M >= 0 && N >= 0 && IncX != 0 && IncY != 0 && fits(LDA, M));       \
    REQUIRE(Alpha);                                                            \
    return M == 0 || N == 0                                                    \
               ? CUBLAS_STATUS_SUCCESS                                         \
               : launch(H, ger<T>, grid(M, N), dim3(Rows, Columns), M, N,      \
                        scalar(H, Alpha), X, IncX, Y, IncY, A, LDA);           \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##geam(                                     \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, const T *Alpha, const T *A, int LDA, const T *Beta, const T *B,   \
      int LDB, T *C, int LDC) {                                                \
    ENTER(H);                                                                  \
    REQUIRE(isOperation(OpA) && isOperation(OpB) && M >= 0 && N >= 0);         \
    REQUIRE(Alpha && Beta && fits(LDC, M));                                    \
    REQUIRE(fits(LDA, OpA == CUBLAS_OP_N ? M : N));                            \
    REQUIRE(fits(LDB, OpB == CUBLAS_OP_N ? M : N));                            \
    return M == 0 || N == 0                                                    \
               ? CUBLAS_STATUS_SUCCESS                                         \
               : launch(H, geam<T>, grid(M, N), dim3(Rows, Columns), M, N,     \
                        OpA != CUBLAS_OP_N, OpB != CUBLAS_OP_N,                \
                        scalar(H, Alpha), A, LDA, scalar(H, Beta), B, LDB, C,  \
                        LDC);                                                  \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##dgmm(                                     \
      cublasHandle_t H, cublasSideMode_t Side, int M, int N, const T *A,       \
      int LDA, const T *X, int IncX, T *C, int LDC) {                          \
    ENTER(H);                                                                  \
    REQUIRE(M >= 0 && N >= 0 && fits(LDA, M) && fits(LDC, M));                 \
    return M == 0 || N == 0                                                    \
               ? CUBLAS_STATUS_SUCCESS                                         \
               : launch(H, dgmm<T>, grid(M, N), dim3(Rows, Columns), M, N,     \
                        Side == CUBLAS_SIDE_LEFT, A, LDA, X, IncX, C, LDC);    \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##trsm_v2(                                  \
      cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Fill,          \
      cublasOperation_t Op, cublasDiagType_t Diagonal, int M, int N,           \
      const T *Alpha, const T *A, int LDA, T *B, int LDB) {                    \
    ENTER(H);                                                                  \
    return runTrsm(H, Side, Fill, Op, Diagonal, M, N, Alpha, A, LDA, B, LDB);  \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
