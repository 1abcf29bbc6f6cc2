// Dense linear algebra: what Heddle's own libcublas has (tools/cublas-layer).
// The names are those that programs link.

#ifndef HEDDLE_CUDA_CUBLAS_V2_H
#define HEDDLE_CUDA_CUBLAS_V2_H

#include "cublas_types.h"
#ifndef __HEDDLE_PROGRAM
#include "library_handles.h"
#else

#ifdef __CUDA__
#include "cuComplex.h"
#include "cuda_fp16.h"
#else
struct __half;
#endif
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 120000

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSrot cublasSrot_v2
#define cublasDrot cublasDrot_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t *);
cublasStatus_t cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *);
cublasStatus_t cublasGetProperty(libraryPropertyType, int *);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void *, size_t);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream_v2(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t, cublasPointerMode_t *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t *);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t *);
const char *cublasGetStatusName(cublasStatus_t);
const char *cublasGetStatusString(cublasStatus_t);
cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasSetVectorAsync(int, int, const void *, int, void *, int,
                                    cudaStream_t);
cublasStatus_t cublasGetVectorAsync(int, int, const void *, int, void *, int,
                                    cudaStream_t);
cublasStatus_t cublasSetMatrixAsync(int, int, int, const void *, int, void *,
                                    int, cudaStream_t);
cublasStatus_t cublasGetMatrixAsync(int, int, int, const void *, int, void *,
                                    int, cudaStream_t);

#define __HEDDLE_BLAS_REAL(S, I, T)                                            \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t, int n, const T *alpha,     \
                                    const T *x, int incx, T *y, int incy);     \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t, int n, const T *alpha,     \
                                    T *x, int incx);                           \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t, int n, const T *x,         \
                                    int incx, T *y, int incy);                 \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t, int n, T *x, int incx,     \
                                    T *y, int incy);                           \
  cublasStatus_t cublas##S##rot_v2(cublasHandle_t, int n, T *x, int incx,      \
                                   T *y, int incy, const T *c, const T *s);    \
  cublasStatus_t cublas##S##dot_v2(cublasHandle_t, int n, const T *x,          \
                                   int incx, const T *y, int incy, T *result); \
  cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t, int n, const T *x,         \
                                    int incx, T *result);                      \
  cublasStatus_t cublas##S##asum_v2(cublasHandle_t, int n, const T *x,         \
                                    int incx, T *result);                      \
  cublasStatus_t cublas##I##amax_v2(cublasHandle_t, int n, const T *x,         \
                                    int incx, int *result);                    \
  cublasStatus_t cublas##I##amin_v2(cublasHandle_t, int n, const T *x,         \
                                    int incx, int *result);                    \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t, cublasOperation_t, int m,  \
                                    int n, const T *alpha, const T *a,         \
                                    int lda, const T *x, int incx,             \
                                    const T *beta, T *y, int incy);            \
  cublasStatus_t cublas##S##ger_v2(cublasHandle_t, int m, int n,               \
                                   const T *alpha, const T *x, int incx,       \
                                   const T *y, int incy, T *a, int lda);       \
  cublasStatus_t cublas##S##gemm_v2(                                           \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,      \
      int k, const T *alpha, const T *a, int lda, const T *b, int ldb,         \
      const T *beta, T *c, int ldc);                                           \
  cublasStatus_t cublas##S##gemmBatched(                                       \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,      \
      int k, const T *alpha, const T *const a[], int lda, const T *const b[],  \
      int ldb, const T *beta, T *const c[], int ldc, int count);               \
  cublasStatus_t cublas##S##gemmStridedBatched(                                \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,      \
      int k, const T *alpha, const T *a, int lda, long long stride_a,          \
      const T *b, int ldb, long long stride_b, const T *beta, T *c, int ldc,   \
      long long stride_c, int count);                                          \
  cublasStatus_t cublas##S##geam(                                              \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,      \
      const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, \
      T *c, int ldc);                                                          \
  cublasStatus_t cublas##S##dgmm(cublasHandle_t, cublasSideMode_t, int m,      \
                                 int n, const T *a, int lda, const T *x,       \
                                 int incx, T *c, int ldc);                     \
  cublasStatus_t cublas##S##trsm_v2(                                           \
      cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,   \
      cublasDiagType_t, int m, int n, const T *alpha, const T *a, int lda,     \
      T *b, int ldb);
__HEDDLE_BLAS_REAL(S, Is, float)
__HEDDLE_BLAS_REAL(D, Id, double)
#undef __HEDDLE_BLAS_REAL

cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int m, int n, int k, const __half *alpha,
                           const __half *a, int lda, const __half *b, int ldb,
                           const __half *beta, __half *c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
    const __half *alpha, const __half *a, int lda, long long stride_a,
    const __half *b, int ldb, long long stride_b, const __half *beta, __half *c,
    int ldc, long long stride_c, int count);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t,
                            cublasOperation_t, int m, int n, int k,
                            const void *alpha, const void *a, cudaDataType,
                            int lda, const void *b, cudaDataType, int ldb,
                            const void *beta, void *c, cudaDataType, int ldc,
                            cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType, int lda, long long stride_a,
    const void *b, cudaDataType, int ldb, long long stride_b, const void *beta,
    void *c, cudaDataType, int ldc, long long stride_c, int count,
    cublasComputeType_t, cublasGemmAlgo_t);
/// Says on stderr that the library lacks a function.
cublasStatus_t __heddle_refuse_blas(const char *function);
}

// Before CUDA 11 the type of the arithmetic was that of a matrix.
static inline cublasComputeType_t __heddle_compute_type(cudaDataType type) {
  return type == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                              : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t
cublasGemmEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb,
             int m, int n, int k, const void *alpha, const void *a,
             cudaDataType at, int lda, const void *b, cudaDataType bt, int ldb,
             const void *beta, void *c, cudaDataType ct, int ldc,
             cudaDataType type, cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb,
                      beta, c, ct, ldc, __heddle_compute_type(type), algorithm);
}

#include "cublas_functions.h"
#endif // __HEDDLE_PROGRAM

#endif
