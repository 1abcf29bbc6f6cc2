// The types of the driver API that kernels and headers mention.

#ifndef HEDDLE_CUDA_CUDA_H
#define HEDDLE_CUDA_CUDA_H

#include "cuda_runtime.h"

typedef int CUdevice;
typedef int CUresult;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;
#define CUDA_SUCCESS 0

#endif
