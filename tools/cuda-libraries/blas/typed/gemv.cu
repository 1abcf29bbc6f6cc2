//===- gemv.cu - Level 2: general matrices --------------------------------===//

#include "../Gemv.h"
#include "../Typed.h"

using namespace heddle_blas;

EXPORTED cublasStatus_t NAME(gemv_v2)(cublasHandle_t H, cublasOperation_t Op,
                                      int M, int N, const T *Alpha, const T *A,
                                      int LDA, const T *X, int IncX,
                                      const T *Beta, T *Y, int IncY) {
  ENTER(H);
  return runGemv(H, Op, M, N, Alpha, strided(A), LDA, strided(X), IncX, Beta,
                 strided(Y), IncY, 1);
}
EXPORTED cublasStatus_t NAME(gemvBatched)(cublasHandle_t H,
                                          cublasOperation_t Op, int M, int N,
                                          const T *Alpha, const T *const A[],
                                          int LDA, const T *const X[], int IncX,
                                          const T *Beta, T *const Y[], int IncY,
                                          int Count) {
  ENTER(H);
  return runGemv(H, Op, M, N, Alpha, listed<const T>(A), LDA,
                 listed<const T>(X), IncX, Beta, listed<T>(Y), IncY, Count);
}
EXPORTED cublasStatus_t
NAME(gemvStridedBatched)(cublasHandle_t H, cublasOperation_t Op, int M, int N,
                         const T *Alpha, const T *A, int LDA, long long StrideA,
                         const T *X, int IncX, long long StrideX, const T *Beta,
                         T *Y, int IncY, long long StrideY, int Count) {
  ENTER(H);
  return runGemv(H, Op, M, N, Alpha, strided(A, StrideA), LDA,
                 strided(X, StrideX), IncX, Beta, strided(Y, StrideY), IncY,
                 Count);
}
