// Qualifiers of CUDA C++.

#ifndef HEDDLE_CUDA_HOST_DEFINES_H
#define HEDDLE_CUDA_HOST_DEFINES_H

// What `heddle cc` compiles is run, and so are the C++ files beside it: the API
// has its own prototypes there (program_api.h). Else only kernels are of
// interest, and host code merely has to parse.
#if defined(__HEDDLE_CC__) || !defined(__CUDA__)
#define __HEDDLE_PROGRAM 1
#endif

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device, annotate("heddle.managed")))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#else // C++ of the host
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#ifndef __restrict
#define __restrict __restrict__
#endif
// Sources written for Microsoft's compiler.
#ifndef _MSC_VER
#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long long
#define __forceinline __forceinline__
#endif
#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB

#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#endif
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#ifdef __CUDA__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#endif
#define __CUDART_API_VERSION CUDART_VERSION

// Functions of these headers leave no trace in line tables: what they do
// happens at the line that calls them.
#ifdef __CUDA__
#define __HEDDLE_DEVICE                                                        \
  static __inline__ __attribute__((device, always_inline, nodebug, unused))
#define __HEDDLE_BOTH                                                          \
  static __inline__                                                            \
      __attribute__((host, device, always_inline, nodebug, unused))
#define __HEDDLE_METHOD __attribute__((host, device, nodebug))
#else
#define __HEDDLE_BOTH static inline
#define __HEDDLE_METHOD
#endif

#endif
