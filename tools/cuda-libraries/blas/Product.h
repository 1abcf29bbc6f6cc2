//===- Product.h - Products of matrices, one by one and in batches -*- C++ -*-//
//
// Tiles of both matrices go through shared memory; a thread of 16 x 16 has
// Per x Per elements of the result. No tensor cores: sums are made in Sum.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_PRODUCT_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_PRODUCT_H

#include "Layout.h"

namespace heddle_blas {

static constexpr int Side = 16, Depth = 16;

/// The sizes of C = op(A) * op(B), how A and the transpose of op(B) lie in
/// memory, and how C does, of which a triangle may be all that is written.
struct Shape {
  int M, N, K;
  Layout A, B, C;

  __device__ bool isWritten(int I, int J) const {
    return I < M && J < N &&
           (C.Is == Layout::General || I == J || (I < J) == C.Upper);
  }
  /// Whether a tile of C has only elements that are not written.
  __device__ bool isOutside(int Row, int Column, int Tile) const {
    if (C.Is == Layout::General)
      return false;
    return C.Upper ? Row >= Column + Tile : Column >= Row + Tile;
  }
};

/// Brings \p Tile rows of a matrix, \p Depth columns from \p K on, to shared
/// memory. Neighbouring threads read neighbours in memory. A matrix that is
/// not Plain has a part in memory only.
template <int Tile, bool Plain, typename T, typename Sum>
__device__ void bring(Sum (*To)[Tile + 1], const T *From, const Layout &L,
                      int Row, int Rows, int K, int Columns) {
  const int Thread = threadIdx.y * Side + threadIdx.x;
  for (int E = Thread; E < Tile * Depth; E += Side * Side) {
    const int I = L.Transposed ? E / Depth : E % Tile;
    const int J = L.Transposed ? E % Depth : E / Tile;
    const int R = Row + I, C = K + J;
    const bool Inside = R < Rows && C < Columns;
    if constexpr (!Plain) {
      To[J][I] = Inside ? as<Sum>(L.at(From, R, C)) : Sum{};
    } else {
      const long long At = L.Transposed ? C + (long long)R * L.Leading
                                        : R + (long long)C * L.Leading;
      To[J][I] = Inside ? conjugateIf(L.Conjugated, as<Sum>(From[At])) : Sum{};
    }
  }
}

/// C = alpha * op(A) * op(B) + beta * C
template <typename In, typename Out, typename Sum, typename F, int Per,
          bool Plain>
__global__ void __launch_bounds__(Side *Side)
    gemm(Shape X, Factor<F> Alpha, Batch<const In> As, Batch<const In> Bs,
         Factor<F> Beta, Batch<Out> Cs) {
  constexpr int Tile = Side * Per;
  __shared__ Sum OfA[Depth][Tile + 1], OfB[Depth][Tile + 1];
  const In *A = As.at(blockIdx.z), *B = Bs.at(blockIdx.z);
  const int Row = blockIdx.x * Tile, Column = blockIdx.y * Tile;
  if (X.isOutside(Row, Column, Tile))
    return;
  Sum Sums[Per][Per] = {};
  for (int K = 0; K < X.K; K += Depth) {
    bring<Tile, Plain>(OfA, A, X.A, Row, X.M, K, X.K);
    bring<Tile, Plain>(OfB, B, X.B, Column, X.N, K, X.K);
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
  const Sum Times = as<Sum>(Alpha.get()), Keep = as<Sum>(Beta.get());
#pragma unroll
  for (int J = 0; J < Per; ++J)
#pragma unroll
    for (int I = 0; I < Per; ++I) {
      const int R = Row + threadIdx.x + Side * I;
      const int S = Column + threadIdx.y + Side * J;
      if (!X.isWritten(R, S))
        continue;
      Out &To = C[R + (long long)S * X.C.Leading];
      // What C holds does not matter where beta is 0.
      To = as<Out>(isZero(Keep) ? Times * Sums[J][I]
                                : Times * Sums[J][I] + Keep * as<Sum>(To));
      if (X.C.Is == Layout::Hermitian && R == S)
        To = as<Out>(real(To));
    }
}

/// Products of a batch; sizes and leading dimensions have been checked.
template <bool Plain, typename In, typename Out, typename Sum, typename F>
cublasStatus_t multiply(cublasHandle_t H, const Shape &X, Factor<F> Alpha,
                        Batch<const In> A, Batch<const In> B, Factor<F> Beta,
                        Batch<Out> C, int Count) {
  for (int Z = 0; Z < Count && X.M && X.N; Z += MaxBatch) {
    const unsigned Here = Count - Z < MaxBatch ? Count - Z : MaxBatch;
    // Small products leave too few large tiles for a GPU.
    const bool IsLarge = X.M >= 128 && X.N >= 128;
    const unsigned Tile = IsLarge ? 4 * Side : Side;
    const dim3 Grid(blocks(X.M, Tile), blocks(X.N, Tile), Here);
    TRY(launch(H,
               IsLarge ? gemm<In, Out, Sum, F, 4, Plain>
                       : gemm<In, Out, Sum, F, 1, Plain>,
               Grid, dim3(Side, Side), X, Alpha, from(A, Z), from(B, Z), Beta,
               from(C, Z)));
  }
  return CUBLAS_STATUS_SUCCESS;
}

/// What a product of general matrices has beside its types.
struct Product {
  cublasOperation_t OpA, OpB;
  int M, N, K, LDA, LDB, LDC, Count;

  bool isRight() const {
    return isOperation(OpA) && isOperation(OpB) && M >= 0 && N >= 0 && K >= 0 &&
           Count >= 0 && fits(LDA, OpA == CUBLAS_OP_N ? M : K) &&
           fits(LDB, OpB == CUBLAS_OP_N ? K : N) && fits(LDC, M);
  }
  Shape shape() const {
    return {M,
            N,
            K,
            general(LDA, OpA),
            transposed(general(LDB, OpB)),
            general(LDC, CUBLAS_OP_N)};
  }
};
template <typename In, typename Out, typename Sum, typename F>
cublasStatus_t multiply(cublasHandle_t H, const Product &P, const F *Alpha,
                        Batch<const In> A, Batch<const In> B, const F *Beta,
                        Batch<Out> C) {
  REQUIRE(P.isRight() && Alpha && Beta);
  return multiply<true, In, Out, Sum>(H, P.shape(), factor(H, Alpha), A, B,
                                      factor(H, Beta), C, P.Count);
}

/// Of one type: typed/products.cu has the four.
template <typename T>
cublasStatus_t multiplySame(cublasHandle_t H, const Product &P, const T *Alpha,
                            Batch<const T> A, Batch<const T> B, const T *Beta,
                            Batch<T> C);
extern template cublasStatus_t multiplySame(cublasHandle_t, const Product &,
                                            const float *, Batch<const float>,
                                            Batch<const float>, const float *,
                                            Batch<float>);
extern template cublasStatus_t multiplySame(cublasHandle_t, const Product &,
                                            const double *, Batch<const double>,
                                            Batch<const double>, const double *,
                                            Batch<double>);
extern template cublasStatus_t
multiplySame(cublasHandle_t, const Product &, const cuComplex *,
             Batch<const cuComplex>, Batch<const cuComplex>, const cuComplex *,
             Batch<cuComplex>);
extern template cublasStatus_t
multiplySame(cublasHandle_t, const Product &, const cuDoubleComplex *,
             Batch<const cuDoubleComplex>, Batch<const cuDoubleComplex>,
             const cuDoubleComplex *, Batch<cuDoubleComplex>);

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_PRODUCT_H
