// Vector types: plain structs with the alignment that lets a 2- or 4-component
// one be loaded at once (CUDA C++ Programming Guide, "Built-in Vector Types").

#ifndef HEDDLE_CUDA_VECTOR_TYPES_H
#define HEDDLE_CUDA_VECTOR_TYPES_H

#include "host_defines.h"

#define __HEDDLE_VECTORS(name, type, align2, align4)                           \
  struct name##1 { type x; };                                                  \
  struct __attribute__((aligned(align2))) name##2 { type x, y; };              \
  struct name##3 { type x, y, z; };                                            \
  struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; };        \
  typedef struct name##1 name##1;                                              \
  typedef struct name##2 name##2;                                              \
  typedef struct name##3 name##3;                                              \
  typedef struct name##4 name##4;                                              \
  __HEDDLE_BOTH name##1 make_##name##1(type x) { return {x}; }                 \
  __HEDDLE_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }      \
  __HEDDLE_BOTH name##3 make_##name##3(type x, type y, type z) {               \
    return {x, y, z};                                                          \
  }                                                                            \
  __HEDDLE_BOTH name##4 make_##name##4(type x, type y, type z, type w) {       \
    return {x, y, z, w};                                                       \
  }

__HEDDLE_VECTORS(char, signed char, 2, 4)
__HEDDLE_VECTORS(uchar, unsigned char, 2, 4)
__HEDDLE_VECTORS(short, short, 4, 8)
__HEDDLE_VECTORS(ushort, unsigned short, 4, 8)
__HEDDLE_VECTORS(int, int, 8, 16)
__HEDDLE_VECTORS(uint, unsigned int, 8, 16)
__HEDDLE_VECTORS(long, long, 16, 16)
__HEDDLE_VECTORS(ulong, unsigned long, 16, 16)
__HEDDLE_VECTORS(longlong, long long, 16, 16)
__HEDDLE_VECTORS(ulonglong, unsigned long long, 16, 16)
__HEDDLE_VECTORS(float, float, 8, 16)
__HEDDLE_VECTORS(double, double, 16, 16)
#undef __HEDDLE_VECTORS

struct dim3 {
  unsigned int x, y, z;
  __HEDDLE_METHOD constexpr dim3(unsigned int x = 1, unsigned int y = 1,
                                 unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __HEDDLE_METHOD constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __HEDDLE_METHOD constexpr operator uint3() const { return {x, y, z}; }
};

#endif
