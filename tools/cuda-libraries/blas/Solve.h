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

/// Solves op(A) * X = alpha * B in \p Count systems of \p N unknowns.
template <typename T>
cublasStatus_t runSolve(cublasHandle_t H, const Layout &L, int N,
                        Factor<T> Alpha, Batch<const T> A, Batch<T> B, Sides S,
                        int Count) {
  const bool Forward = L.Upper == L.Transposed;
  for (int Z = 0; Z < Count && N > 0 && S.Count > 0; Z += MaxBatch) {
    const unsigned Here = Count - Z < MaxBatch ? Count - Z : MaxBatch;
    TRY(launch(H, solve<T>, dim3(S.Count, Here), SolveThreads, L, N, Forward,
               Alpha, from(A, Z), from(B, Z), S));
  }
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_SOLVE_H
