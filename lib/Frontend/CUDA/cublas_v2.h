// Dense linear algebra: what Heddle's own libcublas has
// (tools/cuda-libraries/blas). The names are those that programs link.

#ifndef HEDDLE_CUDA_CUBLAS_V2_H
#define HEDDLE_CUDA_CUBLAS_V2_H

#include "own_names.def"

#include "cublas_types.h"
#ifndef __HEDDLE_PROGRAM
#include "library_handles.h"
#else

#include "cuComplex.h"
#ifdef __CUDA__
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#else
struct __half;
struct __nv_bfloat16;
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

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t *);
cublasStatus_t cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *);
cublasStatus_t cublasGetProperty(libraryPropertyType, int *);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void *, size_t);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream_v2(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t, cublasPointerMode_t *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t *);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t *);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t, int);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t, int *);
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

// Functions of one type of elements. Those that are linked by a name that ends
// in _v2 are called with it and without.
#define __V1(name, ...) cublasStatus_t name(cublasHandle_t, __VA_ARGS__);
#define __V2(name, ...) __V2_NAMED(name, __VA_ARGS__)
#define __V2_NAMED(name, ...)                                                  \
  cublasStatus_t name##_v2(cublasHandle_t, __VA_ARGS__);                       \
  cublasStatus_t name(cublasHandle_t, __VA_ARGS__) __asm__(#name "_v2");

#define __T float
#define __R float
#define __NAME(function) cublasS##function
#define __NORM(function) cublasS##function
#define __INDEX(function) cublasIs##function
#include "cublas_typed.def"
#define __T double
#define __R double
#define __NAME(function) cublasD##function
#define __NORM(function) cublasD##function
#define __INDEX(function) cublasId##function
#include "cublas_typed.def"
#define __T cuComplex
#define __R float
#define __NAME(function) cublasC##function
#define __NORM(function) cublasSc##function
#define __INDEX(function) cublasIc##function
#define __MIXED(function) cublasCs##function
#include "cublas_typed.def"
#define __T cuDoubleComplex
#define __R double
#define __NAME(function) cublasZ##function
#define __NORM(function) cublasDz##function
#define __INDEX(function) cublasIz##function
#define __MIXED(function) cublasZd##function
#include "cublas_typed.def"

// Products of complex numbers of single precision only
__V1(cublasCgemm3mBatched, cublasOperation_t, cublasOperation_t, int m, int n,
     int k, const cuComplex *alpha, const cuComplex *const a[], int lda,
     const cuComplex *const b[], int ldb, const cuComplex *beta,
     cuComplex *const c[], int ldc, int count)
__V1(cublasCgemm3mStridedBatched, cublasOperation_t, cublasOperation_t, int m,
     int n, int k, const cuComplex *alpha, const cuComplex *a, int lda,
     long long stride_a, const cuComplex *b, int ldb, long long stride_b,
     const cuComplex *beta, cuComplex *c, int ldc, long long stride_c,
     int count)

#undef __V1
#undef __V2
#undef __V2_NAMED
/// Says on stderr that the library lacks a function.
cublasStatus_t __heddle_refuse_blas(const char *function);
}

#include "cublas_functions.h"
#include "cublas_mixed.h"
#endif // __HEDDLE_PROGRAM

#include "user_names.def"

#endif
