//===- factorizations.cu - Batches of small systems -----------------------===//
//
// One block for each matrix, in the plain ways of LAPACK's getf2 and geqr2.
//
//===----------------------------------------------------------------------===//

#include "../Solve.h"
#include "../Typed.h"

namespace heddle_blas {

static constexpr unsigned Threads = 128;

/// The row of column \p K, from K on, with the largest element, for the whole
/// block.
__device__ static int pivot(const T *A, int LDA, int N, int K) {
  __shared__ R Sizes[Threads];
  __shared__ int Rows[Threads];
  const T *Column = A + (long long)K * LDA;
  int Best = K + threadIdx.x;
  for (int I = Best + Threads; I < N; I += Threads)
    if (size(Column[I]) > size(Column[Best]))
      Best = I;
  Rows[threadIdx.x] = Best;
  Sizes[threadIdx.x] = Best < N ? size(Column[Best]) : R(-1);
  __syncthreads();
  for (unsigned Half = Threads / 2; Half > 0; Half /= 2) {
    const unsigned Mine = threadIdx.x, Other = Mine + Half;
    // Of equal elements the first row, as LAPACK takes it.
    if (Mine < Half &&
        (Sizes[Other] > Sizes[Mine] ||
         (Sizes[Other] == Sizes[Mine] && Rows[Other] < Rows[Mine]))) {
      Sizes[Mine] = Sizes[Other];
      Rows[Mine] = Rows[Other];
    }
    __syncthreads();
  }
  const int Row = Rows[0];
  __syncthreads();
  return Row;
}

/// A = P * L * U in its place. \p Info says which element of U is zero first.
__global__ void getrf(int N, Batch<T> As, int LDA, int *Pivots, int *Info) {
  T *A = As.at(blockIdx.x);
  int Zero = 0;
  for (int K = 0; K < N; ++K) {
    T *Column = A + (long long)K * LDA;
    if (Pivots) {
      const int Row = pivot(A, LDA, N, K);
      for (int J = threadIdx.x; J < N && Row != K; J += Threads) {
        const T Old = A[K + (long long)J * LDA];
        A[K + (long long)J * LDA] = A[Row + (long long)J * LDA];
        A[Row + (long long)J * LDA] = Old;
      }
      if (threadIdx.x == 0)
        Pivots[(long long)blockIdx.x * N + K] = Row + 1;
      __syncthreads();
    }
    const T Diagonal = Column[K];
    if (isZero(Diagonal))
      Zero = Zero ? Zero : K + 1;
    else
      for (int I = K + 1 + threadIdx.x; I < N; I += Threads)
        Column[I] = Column[I] / Diagonal;
    __syncthreads();
    const int Left = N - K - 1;
    for (int E = threadIdx.x; E < Left * Left; E += Threads) {
      const int I = K + 1 + E % Left;
      const long long J = K + 1 + E / Left;
      A[I + J * LDA] -= Column[I] * A[K + J * LDA];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
    Info[blockIdx.x] = Zero;
}

/// Exchanges rows of right-hand sides as the pivots say, or back.
__global__ void exchangeRows(int N, int Sides, const int *Pivots, Batch<T> Bs,
                             int LDB, bool Back) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  if (Column >= Sides)
    return;
  T *B = Bs.at(blockIdx.y) + (long long)Column * LDB;
  const int *P = Pivots + (long long)blockIdx.y * N;
  for (int Step = 0; Step < N; ++Step) {
    const int K = Back ? N - 1 - Step : Step, Row = P[K] - 1;
    const T Old = B[K];
    B[K] = B[Row];
    B[Row] = Old;
  }
}

/// C = 1, and which element of the diagonal of A is zero first.
__global__ void identity(int N, Batch<const T> As, int LDA, Batch<T> Cs,
                         int LDC, int *Info) {
  const T *A = As.at(blockIdx.x);
  T *C = Cs.at(blockIdx.x);
  for (int E = threadIdx.x; E < N * N; E += blockDim.x)
    C[E % N + (long long)(E / N) * LDC] = as<T>(R(E % N == E / N));
  int Zero = 0;
  for (int K = N - 1; K >= 0 && Info; --K)
    if (isZero(A[K + (long long)K * LDA]))
      Zero = K + 1;
  if (threadIdx.x == 0 && Info)
    Info[blockIdx.x] = Zero;
}
__global__ void copyMatrix(int N, Batch<const T> As, int LDA, Batch<T> Cs) {
  const T *A = As.at(blockIdx.x);
  T *C = Cs.at(blockIdx.x);
  for (int E = threadIdx.x; E < N * N; E += blockDim.x)
    C[E] = A[E % N + (long long)(E / N) * LDA];
}

/// The sum of \p Mine of all threads, for all threads.
__device__ static R sumOfBlock(R Mine) {
  __shared__ R All[Threads];
  All[threadIdx.x] = Mine;
  __syncthreads();
  for (unsigned Half = Threads / 2; Half > 0; Half /= 2) {
    if (threadIdx.x < Half)
      All[threadIdx.x] += All[threadIdx.x + Half];
    __syncthreads();
  }
  const R Sum = All[0];
  __syncthreads();
  return Sum;
}

/// Multiplies a column from row \p K on by the reflector, whose first element
/// is 1, conjugated and transposed.
__device__ static void reflect(const T *Reflector, T Tau, int K, int M,
                               T *Column) {
  T Sum = Column[K];
  for (int I = K + 1; I < M; ++I)
    Sum += conjugate(Reflector[I]) * Column[I];
  Sum = conjugate(Tau) * Sum;
  Column[K] -= Sum;
  for (int I = K + 1; I < M; ++I)
    Column[I] -= Reflector[I] * Sum;
}
/// A = Q * R in its place, and C = Q' * C for \p Sides more columns. \p Info,
/// if any, says which element of R is zero first.
__global__ void geqrf(int M, int N, Batch<T> As, int LDA, Batch<T> Taus,
                      int Sides, Batch<T> Cs, int LDC, int *Info) {
  T *A = As.at(blockIdx.x), *C = Sides ? Cs.at(blockIdx.x) : nullptr;
  int Zero = 0;
  for (int K = 0; K < (M < N ? M : N); ++K) {
    T *Column = A + (long long)K * LDA;
    R Mine = 0;
    for (int I = K + 1 + threadIdx.x; I < M; I += Threads)
      Mine += real(Column[I]) * real(Column[I]) +
              imaginary(Column[I]) * imaginary(Column[I]);
    const R Below = sqrt(sumOfBlock(Mine));
    const T First = Column[K];
    const bool Reflects = Below != 0 || imaginary(First) != 0;
    const R Norm = hypot(length(First), Below);
    const T To = Reflects ? as<T>(real(First) < 0 ? Norm : -Norm) : First;
    const T Tau = Reflects ? (To - First) / To : T{};
    for (int I = K + 1 + threadIdx.x; I < M && Reflects; I += Threads)
      Column[I] = Column[I] / (First - To);
    __syncthreads();
    for (int J = K + 1 + threadIdx.x; J < N + Sides; J += Threads)
      reflect(Column, Tau, K, M,
              J < N ? A + (long long)J * LDA : C + (long long)(J - N) * LDC);
    __syncthreads();
    if (threadIdx.x == 0) {
      Column[K] = To;
      Taus.at(blockIdx.x)[K] = Tau;
    }
    if (isZero(To))
      Zero = Zero ? Zero : K + 1;
  }
  if (threadIdx.x == 0 && Info)
    Info[blockIdx.x] = Zero;
}

/// Solves with what getrf has left.
static cublasStatus_t solveFactored(cublasHandle_t H, cublasOperation_t Op,
                                    int N, int Count, Batch<const T> A, int LDA,
                                    const int *Pivots, Sides S, Batch<T> B,
                                    int LDB, int Matrices) {
  const auto Exchange = [&](bool Back) {
    for (int Z = 0; Z < Matrices && Pivots; Z += MaxBatch) {
      const unsigned Here = Matrices - Z < MaxBatch ? Matrices - Z : MaxBatch;
      TRY(launch(H, exchangeRows, dim3(blocks(Count, Threads), Here), Threads,
                 N, Count, Pivots + (long long)Z * N, from(B, Z), LDB, Back));
    }
    return CUBLAS_STATUS_SUCCESS;
  };
  const auto Solve = [&](cublasFillMode_t Fill, cublasDiagType_t Diagonal) {
    const Layout L =
        triangle(Layout::Triangular, Layout::Full, Fill, N, 0, LDA);
    return runSolve(H, with(L, Op, Diagonal), N, constant(as<T>(R(1))), A, B, S,
                    Matrices);
  };
  if (Op != CUBLAS_OP_N) {
    TRY(Solve(CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT));
    TRY(Solve(CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT));
    return Exchange(true);
  }
  TRY(Exchange(false));
  TRY(Solve(CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT));
  return Solve(CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT);
}
static cublasStatus_t invert(cublasHandle_t H, int N, Batch<const T> A, int LDA,
                             const int *Pivots, Batch<T> C, int LDC, int *Info,
                             int Count) {
  TRY(launch(H, identity, Count, Threads, N, A, LDA, C, LDC, Info));
  return solveFactored(H, CUBLAS_OP_N, N, N, A, LDA, Pivots, {N, 0, 1, LDC}, C,
                       LDC, Count);
}

/// The first parameter that is wrong, counted from 1 without the handle, is the
/// place of the first condition that does not hold.
static cublasStatus_t checked(int *Info, std::initializer_list<bool> Right) {
  REQUIRE(Info);
  *Info = 0;
  int Place = 0;
  for (bool Holds : Right) {
    ++Place;
    if (!Holds && *Info == 0)
      *Info = -Place;
  }
  return *Info ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

} // namespace heddle_blas

using namespace heddle_blas;

EXPORTED cublasStatus_t NAME(getrfBatched)(cublasHandle_t H, int N,
                                           T *const A[], int LDA, int *Pivots,
                                           int *Info, int Count) {
  ENTER(H);
  REQUIRE(N >= 0 && Count >= 0 && fits(LDA, N));
  if (N == 0 || Count == 0)
    return CUBLAS_STATUS_SUCCESS;
  REQUIRE(A && Info);
  return launch(H, getrf, Count, Threads, N, listed<T>(A), LDA, Pivots, Info);
}
EXPORTED cublasStatus_t NAME(getrsBatched)(cublasHandle_t H,
                                           cublasOperation_t Op, int N,
                                           int Count, const T *const A[],
                                           int LDA, const int *Pivots,
                                           T *const B[], int LDB, int *Info,
                                           int Matrices) {
  ENTER(H);
  TRY(checked(Info, {isOperation(Op), N >= 0, Count >= 0, true, fits(LDA, N),
                     true, true, fits(LDB, N), true, Matrices >= 0}));
  if (N == 0 || Count == 0)
    return CUBLAS_STATUS_SUCCESS;
  return solveFactored(H, Op, N, Count, listed<const T>(A), LDA, Pivots,
                       {Count, 0, 1, LDB}, listed<T>(B), LDB, Matrices);
}
EXPORTED cublasStatus_t NAME(getriBatched)(cublasHandle_t H, int N,
                                           const T *const A[], int LDA,
                                           const int *Pivots, T *const C[],
                                           int LDC, int *Info, int Count) {
  ENTER(H);
  REQUIRE(N >= 0 && Count >= 0 && fits(LDA, N) && fits(LDC, N));
  if (N == 0 || Count == 0)
    return CUBLAS_STATUS_SUCCESS;
  REQUIRE(A && C && Info);
  return invert(H, N, listed<const T>(A), LDA, Pivots, listed<T>(C), LDC, Info,
                Count);
}
/// cuBLAS takes at most 32 rows here.
EXPORTED cublasStatus_t NAME(matinvBatched)(cublasHandle_t H, int N,
                                            const T *const A[], int LDA,
                                            T *const C[], int LDC, int *Info,
                                            int Count) {
  ENTER(H);
  REQUIRE(N >= 0 && N <= 32 && Count >= 0 && fits(LDA, N) && fits(LDC, N));
  if (N == 0 || Count == 0)
    return CUBLAS_STATUS_SUCCESS;
  REQUIRE(A && C && Info);
  // Pivots need no more room than as many elements do.
  const size_t Elements = size_t(N) * N * Count, Rows = size_t(N) * Count;
  T *Copy = nullptr;
  TRY(scratch(H, Elements + Rows, &Copy));
  int *Pivots = reinterpret_cast<int *>(Copy + Elements);
  const auto Copies = strided(Copy, (long long)N * N);
  TRY(launch(H, copyMatrix, Count, Threads, N, listed<const T>(A), LDA,
             Copies));
  TRY(launch(H, getrf, Count, Threads, N, Copies, N, Pivots, Info));
  return invert(H, N, strided<const T>(Copy, (long long)N * N), N, Pivots,
                listed<T>(C), LDC, nullptr, Count);
}

EXPORTED cublasStatus_t NAME(geqrfBatched)(cublasHandle_t H, int M, int N,
                                           T *const A[], int LDA,
                                           T *const Taus[], int *Info,
                                           int Count) {
  ENTER(H);
  TRY(checked(Info,
              {M >= 0, N >= 0, true, fits(LDA, M), true, true, Count >= 0}));
  if (M == 0 || N == 0 || Count == 0)
    return CUBLAS_STATUS_SUCCESS;
  return launch(H, geqrf, Count, Threads, M, N, listed<T>(A), LDA,
                listed<T>(Taus), 0, Batch<T>{}, 0, nullptr);
}
/// Least squares of at least as many equations as unknowns, as in cuBLAS.
EXPORTED cublasStatus_t NAME(gelsBatched)(cublasHandle_t H,
                                          cublasOperation_t Op, int M, int N,
                                          int Columns, T *const A[], int LDA,
                                          T *const C[], int LDC, int *Info,
                                          int *Singular, int Count) {
  ENTER(H);
  if (Op == CUBLAS_OP_T || Op == CUBLAS_OP_C || M < N)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  TRY(checked(Info,
              {isOperation(Op), M >= 0, N >= 0, Columns >= 0, true,
               fits(LDA, M), true, fits(LDC, M), true, true, Count >= 0}));
  if (N == 0 || Columns == 0 || Count == 0)
    return CUBLAS_STATUS_SUCCESS;
  T *Taus = nullptr;
  TRY(scratch(H, size_t(N) * Count, &Taus));
  TRY(launch(H, geqrf, Count, Threads, M, N, listed<T>(A), LDA,
             strided(Taus, N), Columns, listed<T>(C), LDC, Singular));
  const Layout L = triangle(Layout::Triangular, Layout::Full,
                            CUBLAS_FILL_MODE_UPPER, N, 0, LDA);
  return runSolve(H, L, N, constant(as<T>(R(1))), listed<const T>(A),
                  listed<T>(C), {Columns, 0, 1, LDC}, Count);
}
