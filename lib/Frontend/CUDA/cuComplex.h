// Complex numbers of CUDA's C interface.

#ifndef HEDDLE_CUDA_CUCOMPLEX_H
#define HEDDLE_CUDA_CUCOMPLEX_H

#include "vector_types.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define __HEDDLE_COMPLEX(suffix, complex, real, make, sqrt)                    \
  __HEDDLE_BOTH complex make(real x, real y) { return {x, y}; }                \
  __HEDDLE_BOTH real cuCreal##suffix(complex z) { return z.x; }                \
  __HEDDLE_BOTH real cuCimag##suffix(complex z) { return z.y; }                \
  __HEDDLE_BOTH complex cuConj##suffix(complex z) { return {z.x, -z.y}; }      \
  __HEDDLE_BOTH complex cuCadd##suffix(complex a, complex b) {                 \
    return {a.x + b.x, a.y + b.y};                                             \
  }                                                                            \
  __HEDDLE_BOTH complex cuCsub##suffix(complex a, complex b) {                 \
    return {a.x - b.x, a.y - b.y};                                             \
  }                                                                            \
  __HEDDLE_BOTH complex cuCmul##suffix(complex a, complex b) {                 \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                     \
  }                                                                            \
  __HEDDLE_BOTH complex cuCdiv##suffix(complex a, complex b) {                 \
    real s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y);                  \
    real ars = a.x / s, ais = a.y / s, brs = b.x / s, bis = b.y / s;           \
    s = brs * brs + bis * bis;                                                 \
    return {(ars * brs + ais * bis) / s, (ais * brs - ars * bis) / s};         \
  }                                                                            \
  __HEDDLE_BOTH complex cuCfma##suffix(complex a, complex b, complex c) {      \
    return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};         \
  }                                                                            \
  __HEDDLE_BOTH real cuCabs##suffix(complex z) {                               \
    return sqrt(z.x * z.x + z.y * z.y);                                        \
  }
__HEDDLE_COMPLEX(f, cuFloatComplex, float, make_cuFloatComplex, __builtin_sqrtf)
__HEDDLE_COMPLEX(, cuDoubleComplex, double, make_cuDoubleComplex,
                 __builtin_sqrt)
#undef __HEDDLE_COMPLEX
__HEDDLE_BOTH cuComplex make_cuComplex(float x, float y) { return {x, y}; }
__HEDDLE_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return {(double)z.x, (double)z.y};
}
__HEDDLE_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return {(float)z.x, (float)z.y};
}

#endif
