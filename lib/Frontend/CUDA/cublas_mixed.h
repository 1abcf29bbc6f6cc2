// Functions of dense linear algebra whose arguments are of several types, or of
// types that are given at the call.

#ifndef HEDDLE_CUDA_CUBLAS_MIXED_H
#define HEDDLE_CUDA_CUBLAS_MIXED_H

#include "cublas_types.h"

extern "C" {
// Products of halves
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                           int m, int n, int k, const __half *alpha,
                           const __half *a, int lda, const __half *b, int ldb,
                           const __half *beta, __half *c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
    const __half *alpha, const __half *a, int lda, long long stride_a,
    const __half *b, int ldb, long long stride_b, const __half *beta, __half *c,
    int ldc, long long stride_c, int count);
cublasStatus_t cublasHgemmBatched(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int m, int n, int k,
                                  const __half *alpha, const __half *const a[],
                                  int lda, const __half *const b[], int ldb,
                                  const __half *beta, __half *const c[],
                                  int ldc, int count);

// Products of matrices of any types
cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,
                    int n, int k, const void *alpha, const void *const a[],
                    cudaDataType, int lda, const void *const b[], cudaDataType,
                    int ldb, const void *beta, void *const c[], cudaDataType,
                    int ldc, int count, cublasComputeType_t, cublasGemmAlgo_t);
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

cublasStatus_t cublasGemmGroupedBatchedEx(
    cublasHandle_t, const cublasOperation_t[], const cublasOperation_t[],
    const int m[], const int n[], const int k[], const void *alpha,
    const void *const a[], cudaDataType, const int lda[], const void *const b[],
    cudaDataType, const int ldb[], const void *beta, void *const c[],
    cudaDataType, const int ldc[], int groups, const int sizes[],
    cublasComputeType_t);
#define __HEDDLE_PRODUCT(name, T)                                              \
  cublasStatus_t name(cublasHandle_t, cublasOperation_t, cublasOperation_t,    \
                      int m, int n, int k, const T *alpha, const void *a,      \
                      cudaDataType, int lda, const void *b, cudaDataType,      \
                      int ldb, const T *beta, void *c, cudaDataType, int ldc);
__HEDDLE_PRODUCT(cublasSgemmEx, float)
__HEDDLE_PRODUCT(cublasCgemmEx, cuComplex)
__HEDDLE_PRODUCT(cublasCgemm3mEx, cuComplex)
#undef __HEDDLE_PRODUCT

// Products of narrow matrices and vectors
#define __HEDDLE_GEMV(name, In, Out)                                           \
  cublasStatus_t name##Batched(                                                \
      cublasHandle_t, cublasOperation_t, int m, int n, const float *alpha,     \
      const In *const a[], int lda, const In *const x[], int incx,             \
      const float *beta, Out *const y[], int incy, int count);                 \
  cublasStatus_t name##StridedBatched(                                         \
      cublasHandle_t, cublasOperation_t, int m, int n, const float *alpha,     \
      const In *a, int lda, long long stride_a, const In *x, int incx,         \
      long long stride_x, const float *beta, Out *y, int incy,                 \
      long long stride_y, int count);
__HEDDLE_GEMV(cublasHSHgemv, __half, __half)
__HEDDLE_GEMV(cublasHSSgemv, __half, float)
__HEDDLE_GEMV(cublasTSTgemv, __nv_bfloat16, __nv_bfloat16)
__HEDDLE_GEMV(cublasTSSgemv, __nv_bfloat16, float)
#undef __HEDDLE_GEMV

// Level 1
cublasStatus_t cublasAxpyEx(cublasHandle_t, int n, const void *alpha,
                            cudaDataType, const void *x, cudaDataType, int incx,
                            void *y, cudaDataType, int incy,
                            cudaDataType execution);
cublasStatus_t cublasScalEx(cublasHandle_t, int n, const void *alpha,
                            cudaDataType, void *x, cudaDataType, int incx,
                            cudaDataType execution);
cublasStatus_t cublasCopyEx(cublasHandle_t, int n, const void *x, cudaDataType,
                            int incx, void *y, cudaDataType, int incy);
cublasStatus_t cublasSwapEx(cublasHandle_t, int n, void *x, cudaDataType,
                            int incx, void *y, cudaDataType, int incy);
cublasStatus_t cublasRotEx(cublasHandle_t, int n, void *x, cudaDataType,
                           int incx, void *y, cudaDataType, int incy,
                           const void *c, const void *s, cudaDataType,
                           cudaDataType execution);
cublasStatus_t cublasRotgEx(cublasHandle_t, void *a, void *b, cudaDataType,
                            void *c, void *s, cudaDataType,
                            cudaDataType execution);
cublasStatus_t cublasRotmEx(cublasHandle_t, int n, void *x, cudaDataType,
                            int incx, void *y, cudaDataType, int incy,
                            const void *param, cudaDataType,
                            cudaDataType execution);
cublasStatus_t cublasRotmgEx(cublasHandle_t, void *d1, cudaDataType, void *d2,
                             cudaDataType, void *x1, cudaDataType,
                             const void *y1, cudaDataType, void *param,
                             cudaDataType, cudaDataType execution);
cublasStatus_t cublasDotEx(cublasHandle_t, int n, const void *x, cudaDataType,
                           int incx, const void *y, cudaDataType, int incy,
                           void *result, cudaDataType, cudaDataType execution);
cublasStatus_t cublasDotcEx(cublasHandle_t, int n, const void *x, cudaDataType,
                            int incx, const void *y, cudaDataType, int incy,
                            void *result, cudaDataType, cudaDataType execution);
cublasStatus_t cublasNrm2Ex(cublasHandle_t, int n, const void *x, cudaDataType,
                            int incx, void *result, cudaDataType,
                            cudaDataType execution);
cublasStatus_t cublasAsumEx(cublasHandle_t, int n, const void *x, cudaDataType,
                            int incx, void *result, cudaDataType,
                            cudaDataType execution);
cublasStatus_t cublasIamaxEx(cublasHandle_t, int n, const void *x, cudaDataType,
                             int incx, int *result);
cublasStatus_t cublasIaminEx(cublasHandle_t, int n, const void *x, cudaDataType,
                             int incx, int *result);
}

// Before CUDA 11 the type of the arithmetic was that of a matrix.
static inline cublasComputeType_t __heddle_compute_type(cudaDataType type) {
  return type == CUDA_R_16F                         ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I                       ? CUBLAS_COMPUTE_32I
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
static inline cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t ta,
                    cublasOperation_t tb, int m, int n, int k,
                    const void *alpha, const void *const a[], cudaDataType at,
                    int lda, const void *const b[], cudaDataType bt, int ldb,
                    const void *beta, void *const c[], cudaDataType ct, int ldc,
                    int count, cudaDataType type, cublasGemmAlgo_t algorithm) {
  return cublasGemmBatchedEx(handle, ta, tb, m, n, k, alpha, a, at, lda, b, bt,
                             ldb, beta, c, ct, ldc, count,
                             __heddle_compute_type(type), algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
    int n, int k, const void *alpha, const void *a, cudaDataType at, int lda,
    long long stride_a, const void *b, cudaDataType bt, int ldb,
    long long stride_b, const void *beta, void *c, cudaDataType ct, int ldc,
    long long stride_c, int count, cudaDataType type,
    cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, ta, tb, m, n, k, alpha, a, at, lda,
                                    stride_a, b, bt, ldb, stride_b, beta, c, ct,
                                    ldc, stride_c, count,
                                    __heddle_compute_type(type), algorithm);
}

#endif
