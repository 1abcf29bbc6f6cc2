//===- Gemv.h - Products of general matrices and vectors --------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_GEMV_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_GEMV_H

#include "Blas.h"

namespace heddle_blas {

/// y = beta * y + alpha * \p Sum, where y may hold anything if beta is 0.
template <typename Out, typename C>
__device__ void update(Out &Y, C Sum, C Alpha, C Beta) {
  Y = as<Out>(isZero(Beta) ? Alpha * Sum : Alpha * Sum + Beta * as<C>(Y));
}

/// One thread for each row: neighbours read neighbours of every column.
template <typename In, typename Out, typename C>
__global__ void gemv(int M, int N, Factor<C> Alpha, Batch<const In> As, int LDA,
                     Batch<const In> Xs, int IncX, Factor<C> Beta,
                     Batch<Out> Ys, int IncY) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= M)
    return;
  const In *A = As.at(blockIdx.y), *X = Xs.at(blockIdx.y);
  C Sum = {};
  for (int J = 0; J < N; ++J)
    Sum += as<C>(A[Row + (long long)J * LDA]) * as<C>(element(X, J, N, IncX));
  update(element(Ys.at(blockIdx.y), Row, M, IncY), Sum, Alpha.get(),
         Beta.get());
}
/// One warp for each column, whose lanes add their parts of it.
template <typename In, typename Out, typename C>
__global__ void gemvTransposed(int M, int N, bool Conjugated, Factor<C> Alpha,
                               Batch<const In> As, int LDA, Batch<const In> Xs,
                               int IncX, Factor<C> Beta, Batch<Out> Ys,
                               int IncY) {
  const int Column = blockIdx.x * blockDim.y + threadIdx.y;
  if (Column >= N)
    return;
  const In *A = As.at(blockIdx.y), *X = Xs.at(blockIdx.y);
  C Sum = {};
  for (int I = threadIdx.x; I < M; I += blockDim.x)
    Sum += conjugateIf(Conjugated, as<C>(A[I + (long long)Column * LDA])) *
           as<C>(element(X, I, M, IncX));
  for (int Step = blockDim.x / 2; Step > 0; Step /= 2)
    Sum += shuffleDown(Sum, Step);
  if (threadIdx.x == 0)
    update(element(Ys.at(blockIdx.y), Column, N, IncY), Sum, Alpha.get(),
           Beta.get());
}

template <typename In, typename Out, typename C>
cublasStatus_t runGemv(cublasHandle_t H, cublasOperation_t Op, int M, int N,
                       const C *Alpha, Batch<const In> A, int LDA,
                       Batch<const In> X, int IncX, const C *Beta, Batch<Out> Y,
                       int IncY, int Count) {
  REQUIRE(isOperation(Op) && M >= 0 && N >= 0 && Count >= 0 && fits(LDA, M));
  REQUIRE(IncX != 0 && IncY != 0 && Alpha && Beta);
  // A row of threads reads a column of the matrix.
  constexpr unsigned Rows = 32, Columns = 8, Threads = 128;
  for (int Z = 0; Z < Count && M && N; Z += MaxBatch) {
    const unsigned Here = Count - Z < MaxBatch ? Count - Z : MaxBatch;
    if (Op == CUBLAS_OP_N)
      TRY(launch(H, gemv<In, Out, C>, dim3(blocks(M, Threads), Here), Threads,
                 M, N, factor(H, Alpha), from(A, Z), LDA, from(X, Z), IncX,
                 factor(H, Beta), from(Y, Z), IncY));
    else
      TRY(launch(H, gemvTransposed<In, Out, C>, dim3(blocks(N, Columns), Here),
                 dim3(Rows, Columns), M, N, Op == CUBLAS_OP_C, factor(H, Alpha),
                 from(A, Z), LDA, from(X, Z), IncX, factor(H, Beta), from(Y, Z),
                 IncY));
  }
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_GEMV_H
