// Types of functions of the driver that programs ask for by their names
// (cudaGetDriverEntryPoint), with and without the version that has them.

#ifndef HEDDLE_CUDA_CUDATYPEDEFS_H
#define HEDDLE_CUDA_CUDATYPEDEFS_H

#include "cuda.h"

#ifdef __HEDDLE_PROGRAM
#define __HEDDLE_FUNCTION(name, version)                                       \
  typedef __typeof__(&name) PFN_##name, PFN_##name##_v##version;
#else // host code is parsed and left
#define __HEDDLE_FUNCTION(name, version)                                       \
  typedef CUresult (*PFN_##name)(...), (*PFN_##name##_v##version)(...);
#endif
__HEDDLE_FUNCTION(cuTensorMapEncodeTiled, 12000)
__HEDDLE_FUNCTION(cuTensorMapEncodeIm2col, 12000)
__HEDDLE_FUNCTION(cuTensorMapReplaceAddress, 12000)
__HEDDLE_FUNCTION(cuDeviceGet, 2000)
__HEDDLE_FUNCTION(cuDeviceGetAttribute, 2000)
__HEDDLE_FUNCTION(cuModuleLoadData, 2000)
__HEDDLE_FUNCTION(cuModuleGetFunction, 2000)
__HEDDLE_FUNCTION(cuLaunchKernel, 4000)
__HEDDLE_FUNCTION(cuLaunchKernelEx, 11060)
#undef __HEDDLE_FUNCTION

#endif
