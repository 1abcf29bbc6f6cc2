//===- gemv_narrow.cu - Batches of vectors of halves and bfloat16 ---------===//

#include "Gemv.h"

#include <cuda_bf16.h>

using namespace heddle_blas;

#define FUNCTIONS(Prefix, In, Out)                                             \
  EXPORTED cublasStatus_t cublas##Prefix##gemvBatched(                         \
      cublasHandle_t H, cublasOperation_t Op, int M, int N,                    \
      const float *Alpha, const In *const A[], int LDA, const In *const X[],   \
      int IncX, const float *Beta, Out *const Y[], int IncY, int Count) {      \
    ENTER(H);                                                                  \
    return runGemv(H, Op, M, N, Alpha, listed<const In>(A), LDA,               \
                   listed<const In>(X), IncX, Beta, listed<Out>(Y), IncY,      \
                   Count);                                                     \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##Prefix##gemvStridedBatched(                  \
      cublasHandle_t H, cublasOperation_t Op, int M, int N,                    \
      const float *Alpha, const In *A, int LDA, long long StrideA,             \
      const In *X, int IncX, long long StrideX, const float *Beta, Out *Y,     \
      int IncY, long long StrideY, int Count) {                                \
    ENTER(H);                                                                  \
    return runGemv(H, Op, M, N, Alpha, strided(A, StrideA), LDA,               \
                   strided(X, StrideX), IncX, Beta, strided(Y, StrideY), IncY, \
                   Count);                                                     \
  }
FUNCTIONS(HSH, __half, __half)
FUNCTIONS(HSS, __half, float)
FUNCTIONS(TST, __nv_bfloat16, __nv_bfloat16)
FUNCTIONS(TSS, __nv_bfloat16, float)
