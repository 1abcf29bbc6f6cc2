//===- Solve.h - Triangular systems -----------------------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_SOLVE_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_SOLVE_H

#include "Layout.h"

namespace heddle_blas {

/// Where right-hand sides lie: element I of side S is at First + I * Unknown +
/// S * Side.
struct Sides {
  int Count;
  long long First, Unknown, Side;
};

static constexpr unsigned SolveThreads = 128;

/// One block for each right-hand side, which the unknowns replace. Each unknown
/// that is known is taken out of the other equations by all threads. What is in
/// memory until the end are the numerators.
template <typename T>
__global__ void solve(Layout L, int N, bool Forward, Factor<T> Alpha,
                      Batch<const T> As, Batch<T> Bs, Sides S) {
  const T *A = As.at(blockIdx.y);
  T *X = Bs.at(blockIdx.y) + S.First + blockIdx.x * S.Side;
  const T Times = Alpha.get();
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    X[I * S.Unknown] = isZero(Times) ? T{} : Times * X[I * S.Unknown];
  __syncthreads();
  for (int Done = 0; Done < N; ++Done) {
    const int K = Forward ? Done : N - 1 - Done;
    const T Known =
        L.Unit ? X[K * S.Unknown] : X[K * S.Unknown] / L.at(A, K, K);
    int First = 0, End = N;
    L.reach(K, true, First, End);
    if (Forward)
      First = K + 1;
    else
      End = K;
    for (int I = First + threadIdx.x; I < End; I += blockDim.x)
      X[I * S.Unknown] -= L.at(A, I, K) * Known;
    __syncthreads();
  }
  for (int I = threadIdx.x; I < N && !L.Unit; I += blockDim.x)
    X[I * S.Unknown] = X[I * S.Unknown] / L.at(A, I, I);
}

/// One thread for each right-hand side of a matrix that is Full. The
/// coefficients of an equation are read by all threads at once.
template <typename T>
__global__ void solveSides(Layout L, int N, bool Forward, Factor<T> Alpha,
                           Batch<const T> As, Batch<T> Bs, Sides S) {
  const int Side = blockIdx.x * blockDim.x + threadIdx.x;
  if (Side >= S.Count)
    return;
  const T *A = As.at(blockIdx.y);
  T *X = Bs.at(blockIdx.y) + S.First + Side * S.Side;
  const T Times = Alpha.get();
  for (int Done = 0; Done < N; ++Done) {
    const int E = Forward ? Done : N - 1 - Done;
    T Sum = isZero(Times) ? T{} : Times * X[E * S.Unknown];
    for (int K = 0; K < Done; ++K) {
      const int F = Forward ? K : N - 1 - K;
      const T Coefficient = L.Transposed ? A[F + (long long)E * L.Leading]
                                         : A[E + (long long)F * L.Leading];
      Sum -= conjugateIf(L.Conjugated, Coefficient) * X[F * S.Unknown];
    }
    X[E * S.Unknown] =
        L.Unit
            ? Sum
            : Sum / conjugateIf(L.Conjugated, A[E + (long long)E * L.Leading]);
  }
}

/// Solves op(A) * X = alpha * B in \p Count systems of \p N unknowns.
template <typename T>
cublasStatus_t runSolve(cublasHandle_t H, const Layout &L, int N,
                        Factor<T> Alpha, Batch<const T> A, Batch<T> B, Sides S,
                        int Count) {
  const bool Forward = L.Upper == L.Transposed;
  for (int Z = 0; Z < Count && N > 0 && S.Count > 0; Z += MaxBatch) {
    const unsigned Here = Count - Z < MaxBatch ? Count - Z : MaxBatch;
    // Fewer sides than a warp has lanes leave too little to do for threads.
    if (L.In == Layout::Full && S.Count >= 32)
      TRY(launch(H, solveSides<T>, dim3(blocks(S.Count, SolveThreads), Here),
                 SolveThreads, L, N, Forward, Alpha, from(A, Z), from(B, Z),
                 S));
    else
      TRY(launch(H, solve<T>, dim3(S.Count, Here), SolveThreads, L, N, Forward,
                 Alpha, from(A, Z), from(B, Z), S));
  }
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_SOLVE_H
