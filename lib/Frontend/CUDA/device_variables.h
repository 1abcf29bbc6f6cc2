// threadIdx and its kin: reads of the special registers.

#ifndef HEDDLE_CUDA_DEVICE_VARIABLES_H
#define HEDDLE_CUDA_DEVICE_VARIABLES_H

#include "vector_types.h"

#define __HEDDLE_COORDINATE(field, getter, register)                           \
  __declspec(property(get = getter)) unsigned int field;                       \
  __HEDDLE_GETTER unsigned int getter() { return register(); }
#define __HEDDLE_GETTER                                                        \
  static __inline__ __attribute__((device, always_inline, nodebug))
#define __HEDDLE_VARIABLE(type, name, register)                                \
  struct __heddle_##name##_t {                                                 \
    __HEDDLE_COORDINATE(x, __get_x, register##_x)                              \
    __HEDDLE_COORDINATE(y, __get_y, register##_y)                              \
    __HEDDLE_COORDINATE(z, __get_z, register##_z)                              \
    __attribute__((device, always_inline, nodebug)) operator dim3() const {    \
      return dim3(x, y, z);                                                    \
    }                                                                          \
    __attribute__((device, always_inline, nodebug)) operator uint3() const {   \
      return {x, y, z};                                                        \
    }                                                                          \
  };                                                                           \
  extern const __attribute__((device, weak)) __heddle_##name##_t name;

__HEDDLE_VARIABLE(uint3, threadIdx, __nvvm_read_ptx_sreg_tid)
__HEDDLE_VARIABLE(uint3, blockIdx, __nvvm_read_ptx_sreg_ctaid)
__HEDDLE_VARIABLE(dim3, blockDim, __nvvm_read_ptx_sreg_ntid)
__HEDDLE_VARIABLE(dim3, gridDim, __nvvm_read_ptx_sreg_nctaid)
#undef __HEDDLE_VARIABLE
#undef __HEDDLE_COORDINATE
#undef __HEDDLE_GETTER

// A constant on every machine that Heddle describes. nvcc reads it.
#ifdef __HEDDLE_AS_NVCC
extern const __attribute__((device)) int warpSize;
#else
__attribute__((device)) static const int warpSize = 32;
#endif

#endif
