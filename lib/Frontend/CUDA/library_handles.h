// Types of the vendor's libraries, so that the host code of a program that
// calls them is read and its kernels may use their types. Their functions have
// no body here and are not declared one by one.

#ifndef HEDDLE_CUDA_LIBRARY_HANDLES_H
#define HEDDLE_CUDA_LIBRARY_HANDLES_H

#include "cuComplex.h"
#include "cublas_types.h"
#include "cuda_runtime.h"
#include "cufft.h"
#include "cusparse.h"
#include "library_types.h"

// A function whose arguments nothing here looks at.
#define __HEDDLE_LIBRARY(result, name)                                         \
  template <typename... A> result name(A...);

// Dense linear algebra
#define __HEDDLE_BLAS(name) __HEDDLE_LIBRARY(cublasStatus_t, cublas##name)
#define __HEDDLE_BLAS_TYPES(name)                                              \
  __HEDDLE_BLAS(S##name)                                                       \
  __HEDDLE_BLAS(D##name) __HEDDLE_BLAS(C##name) __HEDDLE_BLAS(Z##name)
__HEDDLE_BLAS(Create)
__HEDDLE_BLAS(Create_v2)
__HEDDLE_BLAS(Destroy)
__HEDDLE_BLAS(Destroy_v2)
__HEDDLE_BLAS(Init)
__HEDDLE_BLAS(Shutdown)
__HEDDLE_BLAS(Alloc)
__HEDDLE_BLAS(Free)
__HEDDLE_BLAS(SetStream)
__HEDDLE_BLAS(SetMathMode)
__HEDDLE_BLAS(SetPointerMode)
__HEDDLE_BLAS(SetVector)
__HEDDLE_BLAS(GetVector)
__HEDDLE_BLAS(SetMatrix)
__HEDDLE_BLAS(GetMatrix)
__HEDDLE_BLAS(GemmEx)
__HEDDLE_BLAS(GemmStridedBatchedEx)
__HEDDLE_BLAS(Hgemm)
__HEDDLE_BLAS_TYPES(gemm)
__HEDDLE_BLAS_TYPES(gemmBatched)
__HEDDLE_BLAS_TYPES(gemmStridedBatched)
__HEDDLE_BLAS_TYPES(gemv)
__HEDDLE_BLAS_TYPES(geam)
__HEDDLE_BLAS_TYPES(axpy)
__HEDDLE_BLAS_TYPES(scal)
__HEDDLE_BLAS_TYPES(copy)
__HEDDLE_BLAS_TYPES(swap)
__HEDDLE_BLAS_TYPES(dot)
__HEDDLE_BLAS_TYPES(nrm2)
__HEDDLE_BLAS_TYPES(asum)
__HEDDLE_BLAS_TYPES(trsm)
__HEDDLE_BLAS_TYPES(syrk)
__HEDDLE_BLAS_TYPES(symm)
__HEDDLE_BLAS_TYPES(symv)
__HEDDLE_BLAS_TYPES(trsv)
__HEDDLE_BLAS_TYPES(trmm)
__HEDDLE_BLAS_TYPES(ger)
__HEDDLE_BLAS_TYPES(dgmm)
__HEDDLE_BLAS_TYPES(rot)
__HEDDLE_LIBRARY(cublasStatus_t, cublasIsamax)
__HEDDLE_LIBRARY(const char *, cublasGetStatusString)
#undef __HEDDLE_BLAS_TYPES
#undef __HEDDLE_BLAS

// Factorisations
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverSpContext *cusolverSpHandle_t;
enum cusolverStatus_t { CUSOLVER_STATUS_SUCCESS = 0 };
__HEDDLE_LIBRARY(cusolverStatus_t, cusolverDnCreate)
__HEDDLE_LIBRARY(cusolverStatus_t, cusolverDnDestroy)
__HEDDLE_LIBRARY(cusolverStatus_t, cusolverSpCreate)

// Others, by their handles and results
typedef struct cudnnContext *cudnnHandle_t;
typedef struct ncclComm *ncclComm_t;
enum cudnnStatus_t { CUDNN_STATUS_SUCCESS = 0 };
enum ncclResult_t { ncclSuccess = 0 };
enum NppStatus { NPP_SUCCESS = 0, NPP_NO_ERROR = 0 };
typedef unsigned char Npp8u;
typedef signed char Npp8s;
typedef unsigned short Npp16u;
typedef short Npp16s;
typedef unsigned int Npp32u;
typedef int Npp32s;
typedef float Npp32f;
typedef double Npp64f;
struct NppiSize {
  int width, height;
};
struct NppiPoint {
  int x, y;
};
struct NppiRect {
  int x, y, width, height;
};
typedef struct nvmlDevice_st *nvmlDevice_t;
enum nvmlReturn_t { NVML_SUCCESS = 0 };
#undef __HEDDLE_LIBRARY

#endif
