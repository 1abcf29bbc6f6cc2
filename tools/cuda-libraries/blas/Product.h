//===- Product.h - Products of matrices, one by one and in batches -*- C++ -*-//
//
// Tiles of both matrices go through shared memory; a thread of 16 x 16 has
// Per x Per elements of the result. No tensor cores: sums are made in Sum.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_PRODUCT_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_PRODUCT_H

#include "Blas.h"

namespace heddle_blas {

static constexpr int Side = 16, Depth = 16;

/// The matrices of a batch: in equal distances or by a list in device memory.
template <typename T> struct Batch {
  T *First;
  long long Stride;
  T *const *Each;

  __device__ T *at(int Z) const { return Each ? Each[Z] : First + Z * Stride; }
};
template <typename T> Batch<T> strided(T *First, long long Stride) {
  return {First, Stride, nullptr};
}
template <typename T> Batch<T> listed(T *const *Each) {
  return {nullptr, 0, Each};
}
template <typename T> Batch<T> from(Batch<T> All, int Z) {
  return All.Each ? listed<T>(All.Each + Z)
                  : strided(All.First + Z * All.Stride, All.Stride);
}

struct Extents {
  int M, N, K;
  bool TransA, TransB;
  int LDA, LDB, LDC;
};

/// Brings \p Tile rows of a matrix, \p Depth columns from \p K on, to shared
/// memory. Neighbouring threads read neighbours in memory.
template <int Tile, typename T, typename Sum>
__device__ void bring(Sum (*To)[Tile + 1], const T *From, int Leading, int Row,
                      int Rows, int K, int Columns, bool ColumnFirst) {
  const int Thread = threadIdx.y * Side + threadIdx.x;
  for (int E = Thread; E < Tile * Depth; E += Side * Side) {
    const int I = ColumnFirst ? E / Depth : E % Tile;
    const int J = ColumnFirst ? E % Depth : E / Tile;
    const bool Inside = Row + I < Rows && K + J < Columns;
    const long long At = ColumnFirst ? K + J + (long long)(Row + I) * Leading
                                     : Row + I + (long long)(K + J) * Leading;
    To[J][I] = Inside ? Sum(From[At]) : Sum(0);
  }
}

/// C = alpha * op(A) * op(B) + beta * C
template <typename In, typename Out, typename Sum, typename Factor, int Per>
__global__ void __launch_bounds__(Side *Side)
    gemm(Extents X, Scalar<Factor> Alpha, Batch<const In> As,
         Batch<const In> Bs, Scalar<Factor> Beta, Batch<Out> Cs) {
  constexpr int Tile = Side * Per;
  __shared__ Sum OfA[Depth][Tile + 1], OfB[Depth][Tile + 1];
  const In *A = As.at(blockIdx.z), *B = Bs.at(blockIdx.z);
  const int Row = blockIdx.x * Tile, Column = blockIdx.y * Tile;
  Sum Sums[Per][Per] = {};
  for (int K = 0; K < X.K; K += Depth) {
    bring<Tile>(OfA, A, X.LDA, Row, X.M, K, X.K, X.TransA);
    bring<Tile>(OfB, B, X.LDB, Column, X.N, K, X.K, !X.TransB);
    __syncthreads();
    for (int D = 0; D < Depth; ++D)
#pragma unroll
      for (int J = 0; J < Per; ++J)
#pragma unroll
        for (int I = 0; I < Per; ++I)
          Sums[J][I] +=
              OfA[D][threadIdx.x + Side * I] * OfB[D][threadIdx.y + Side * J];
    __syncthreads();
  }
  Out *C = Cs.at(blockIdx.z);
  const Sum Times = Sum(Alpha.get()), Keep = Sum(Beta.get());
#pragma unroll
  for (int J = 0; J < Per; ++J)
#pragma unroll
    for (int I = 0; I < Per; ++I) {
      const int R = Row + threadIdx.x + Side * I;
      const int S = Column + threadIdx.y + Side * J;
      if (R >= X.M || S >= X.N)
        continue;
      Out &To = C[R + (long long)S * X.LDC];
      // What C holds does not matter where beta is 0.
      To = Out(Keep == 0 ? Times * Sums[J][I]
                         : Times * Sums[J][I] + Keep * Sum(To));
    }
}

template <typename In, typename Out, typename Sum, typename Factor>
cublasStatus_t multiply(cublasHandle_t H, cublasOperation_t OpA,
                        cublasOperation_t OpB, int M, int N, int K,
                        const Factor *Alpha, Batch<const In> A, int LDA,
                        Batch<const In> B, int LDB, const Factor *Beta,
                        Batch<Out> C, int LDC, int Count) {
  const Extents X = {M,   N,   K,  OpA != CUBLAS_OP_N, OpB != CUBLAS_OP_N,
                     LDA, LDB, LDC};
  auto Least = [](int Size) { return Size > 1 ? Size : 1; };
  REQUIRE(OpA >= CUBLAS_OP_N && OpA <= CUBLAS_OP_C && OpB >= CUBLAS_OP_N &&
          OpB <= CUBLAS_OP_C);
  REQUIRE(M >= 0 && N >= 0 && K >= 0 && Count >= 0 && Alpha && Beta);
  REQUIRE(LDA >= Least(X.TransA ? K : M) && LDB >= Least(X.TransB ? N : K) &&
          LDC >= Least(M));
  // The limit of a grid.
  constexpr int MaxCount = 65535;
  for (int Z = 0; Z < Count && M && N; Z += MaxCount) {
    const int Here = Count - Z < MaxCount ? Count - Z : MaxCount;
    // Small products leave too few large tiles for a GPU.
    const bool IsLarge = M >= 128 && N >= 128;
    const int Tile = IsLarge ? 4 * Side : Side;
    const dim3 Grid(blocks(M, unsigned(Tile)), blocks(N, unsigned(Tile)),
                    unsigned(Here));
    const cublasStatus_t S = launch(
        H,
        IsLarge ? gemm<In, Out, Sum, Factor, 4> : gemm<In, Out, Sum, Factor, 1>,
        Grid, dim3(Side, Side), X, scalar(H, Alpha), from(A, Z), from(B, Z),
        scalar(H, Beta), from(C, Z));
    if (S != CUBLAS_STATUS_SUCCESS)
      return S;
  }
  return CUBLAS_STATUS_SUCCESS;
}

/// GemmEx of single (products_single.cu) and of double precision.
cublasStatus_t multiplyAny(cublasHandle_t H, cublasOperation_t OpA,
                           cublasOperation_t OpB, int M, int N, int K,
                           const float *Alpha, const float *A, int LDA,
                           long long StrideA, const float *B, int LDB,
                           long long StrideB, const float *Beta, float *C,
                           int LDC, long long StrideC, int Count);
cublasStatus_t multiplyAny(cublasHandle_t H, cublasOperation_t OpA,
                           cublasOperation_t OpB, int M, int N, int K,
                           const double *Alpha, const double *A, int LDA,
                           long long StrideA, const double *B, int LDB,
                           long long StrideB, const double *Beta, double *C,
                           int LDC, long long StrideC, int Count);

/// The functions of one precision.
#define PRODUCTS(S, T)                                                         \
  cublasStatus_t heddle_blas::multiplyAny(                                     \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, int K, const T *Alpha, const T *A, int LDA, long long StrideA,    \
      const T *B, int LDB, long long StrideB, const T *Beta, T *C, int LDC,    \
      long long StrideC, int Count) {                                          \
    return multiply<T, T, T>(H, OpA, OpB, M, N, K, Alpha, strided(A, StrideA), \
                             LDA, strided(B, StrideB), LDB, Beta,              \
                             strided(C, StrideC), LDC, Count);                 \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##gemm_v2(                                  \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, int K, const T *Alpha, const T *A, int LDA, const T *B, int LDB,  \
      const T *Beta, T *C, int LDC) {                                          \
    ENTER(H);                                                                  \
    return heddle_blas::multiplyAny(H, OpA, OpB, M, N, K, Alpha, A, LDA, 0, B, \
                                    LDB, 0, Beta, C, LDC, 0, 1);               \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##gemmStridedBatched(                       \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, int K, const T *Alpha, const T *A, int LDA, long long StrideA,    \
      const T *B, int LDB, long long StrideB, const T *Beta, T *C, int LDC,    \
      long long StrideC, int Count) {                                          \
    ENTER(H);                                                                  \
    return heddle_blas::multiplyAny(H, OpA, OpB, M, N, K, Alpha, A, LDA,       \
                                    StrideA, B, LDB, StrideB, Beta, C, LDC,    \
                                    StrideC, Count);                           \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##gemmBatched(                              \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, int K, const T *Alpha, const T *const A[], int LDA,               \
      const T *const B[], int LDB, const T *Beta, T *const C[], int LDC,       \
      int Count) {                                                             \
    ENTER(H);                                                                  \
    return heddle_blas::multiply<T, T, T>(                                     \
        H, OpA, OpB, M, N, K, Alpha, heddle_blas::listed<const T>(A), LDA,     \
        heddle_blas::listed<const T>(B), LDB, Beta, heddle_blas::listed<T>(C), \
        LDC, Count);                                                           \
  }

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_PRODUCT_H
