// Fourier transforms: what Heddle's own libcufft has
// (tools/cuda-libraries/fft).

#ifndef HEDDLE_CUDA_CUFFT_H
#define HEDDLE_CUDA_CUFFT_H

#include "own_names.def"

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

#define CUFFT_VER_MAJOR 11
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VERSION 11000
#define MAX_CUFFT_ERROR 0x11

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16
} cufftResult;

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;
typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
typedef enum cufftCompatibility_t {
  CUFFT_COMPATIBILITY_FFTW_PADDING = 1
} cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

extern "C" {
cufftResult cufftCreate(cufftHandle *);
cufftResult cufftDestroy(cufftHandle);
cufftResult cufftPlan1d(cufftHandle *, int nx, cufftType, int batch);
cufftResult cufftPlan2d(cufftHandle *, int nx, int ny, cufftType);
cufftResult cufftPlan3d(cufftHandle *, int nx, int ny, int nz, cufftType);
cufftResult cufftPlanMany(cufftHandle *, int rank, int *n, int *inembed,
                          int istride, int idist, int *onembed, int ostride,
                          int odist, cufftType, int batch);
cufftResult cufftMakePlan1d(cufftHandle, int nx, cufftType, int batch,
                            size_t *work_size);
cufftResult cufftMakePlan2d(cufftHandle, int nx, int ny, cufftType,
                            size_t *work_size);
cufftResult cufftMakePlan3d(cufftHandle, int nx, int ny, int nz, cufftType,
                            size_t *work_size);
cufftResult cufftMakePlanMany(cufftHandle, int rank, int *n, int *inembed,
                              int istride, int idist, int *onembed, int ostride,
                              int odist, cufftType, int batch,
                              size_t *work_size);
cufftResult cufftMakePlanMany64(cufftHandle, int rank, long long *n,
                                long long *inembed, long long istride,
                                long long idist, long long *onembed,
                                long long ostride, long long odist, cufftType,
                                long long batch, size_t *work_size);
cufftResult cufftEstimate1d(int nx, cufftType, int batch, size_t *work_size);
cufftResult cufftEstimate2d(int nx, int ny, cufftType, size_t *work_size);
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType,
                            size_t *work_size);
cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist,
                              cufftType, int batch, size_t *work_size);
cufftResult cufftGetSize1d(cufftHandle, int nx, cufftType, int batch,
                           size_t *work_size);
cufftResult cufftGetSize2d(cufftHandle, int nx, int ny, cufftType,
                           size_t *work_size);
cufftResult cufftGetSize3d(cufftHandle, int nx, int ny, int nz, cufftType,
                           size_t *work_size);
cufftResult cufftGetSizeMany(cufftHandle, int rank, int *n, int *inembed,
                             int istride, int idist, int *onembed, int ostride,
                             int odist, cufftType, int batch,
                             size_t *work_size);
cufftResult cufftGetSize(cufftHandle, size_t *work_size);
cufftResult cufftSetWorkArea(cufftHandle, void *);
cufftResult cufftSetAutoAllocation(cufftHandle, int);
cufftResult cufftSetStream(cufftHandle, cudaStream_t);
cufftResult cufftExecC2C(cufftHandle, cufftComplex *, cufftComplex *,
                         int direction);
cufftResult cufftExecR2C(cufftHandle, cufftReal *, cufftComplex *);
cufftResult cufftExecC2R(cufftHandle, cufftComplex *, cufftReal *);
cufftResult cufftExecZ2Z(cufftHandle, cufftDoubleComplex *,
                         cufftDoubleComplex *, int direction);
cufftResult cufftExecD2Z(cufftHandle, cufftDoubleReal *, cufftDoubleComplex *);
cufftResult cufftExecZ2D(cufftHandle, cufftDoubleComplex *, cufftDoubleReal *);
cufftResult cufftGetVersion(int *);
cufftResult cufftGetProperty(libraryPropertyType, int *);
/// Says on stderr that the library lacks a function.
cufftResult __heddle_refuse_fft(const char *function);
}

// What the library lacks takes whatever it gets; called, it says so.
#define __HEDDLE_FFT_API(name)                                                 \
  template <typename... T> cufftResult name(const T &...) {                    \
    return __heddle_refuse_fft(#name);                                         \
  }
// clang-format off
__HEDDLE_FFT_API(cufftSetCompatibilityMode) __HEDDLE_FFT_API(cufftGetSizeMany64)
__HEDDLE_FFT_API(cufftXtClearCallback) __HEDDLE_FFT_API(cufftXtExec)
__HEDDLE_FFT_API(cufftXtExecDescriptor)
__HEDDLE_FFT_API(cufftXtExecDescriptorC2C) __HEDDLE_FFT_API(cufftXtFree)
__HEDDLE_FFT_API(cufftXtGetSizeMany) __HEDDLE_FFT_API(cufftXtMakePlanMany)
__HEDDLE_FFT_API(cufftXtMalloc) __HEDDLE_FFT_API(cufftXtMemcpy)
__HEDDLE_FFT_API(cufftXtQueryPlan) __HEDDLE_FFT_API(cufftXtSetCallback)
__HEDDLE_FFT_API(cufftXtSetCallbackSharedSize) __HEDDLE_FFT_API(cufftXtSetGPUs)
__HEDDLE_FFT_API(cufftXtSetWorkArea) __HEDDLE_FFT_API(cufftXtSetWorkAreaPolicy)
// clang-format on
#undef __HEDDLE_FFT_API

#include "user_names.def"

#endif
