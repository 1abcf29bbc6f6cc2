// Norms. The numbers are scaled by the power of two that brings the largest
// near 1, as nvcc has it, so that no square overflows or vanishes.

#ifndef HEDDLE_CUDA_NORM_FUNCTIONS_H
#define HEDDLE_CUDA_NORM_FUNCTIONS_H

#include "math_functions.h"

#define __HEDDLE_NORMS(type, word, f, mask, twice, unit)                       \
  /* What a norm is made of: the scaled squares, and how to scale back. */     \
  struct __heddle_squares##f {                                                 \
    type sum, largest, by, back, squares;                                      \
    __device__ __heddle_squares##f(type total, type most)                      \
        : sum(total), largest(most), squares(0) {                              \
      const word exponent = __builtin_bit_cast(word, most) & mask;             \
      by = __builtin_bit_cast(type, twice - exponent);                         \
      back = __builtin_bit_cast(type, exponent | unit);                        \
    }                                                                          \
    __device__ void add(type x) {                                              \
      squares = __builtin_fma##f(x * by, x * by, squares);                     \
    }                                                                          \
    __device__ type norm() const {                                             \
      const type one = sum > largest ? sqrt##f(squares) * back : sum;          \
      return __builtin_isinf(largest) ? largest : one;                         \
    }                                                                          \
    __device__ type rnorm() const {                                            \
      const type one = __builtin_isnan(sum) ? sum : rsqrt##f(squares) * by;    \
      return __builtin_isinf(largest) ? 0 : one;                               \
    }                                                                          \
  };                                                                           \
  __HEDDLE_DEVICE __heddle_squares##f __heddle_norm3(type a, type b, type c) { \
    a = __builtin_fabs##f(a), b = __builtin_fabs##f(b);                        \
    c = __builtin_fabs##f(c);                                                  \
    const type larger = __builtin_fmax##f(a, b);                               \
    __heddle_squares##f r(a + b + c, __builtin_fmax##f(larger, c));            \
    r.add(__builtin_fmin##f(larger, c));                                       \
    r.add(__builtin_fmin##f(a, b));                                            \
    r.add(r.largest);                                                          \
    return r;                                                                  \
  }                                                                            \
  __HEDDLE_DEVICE __heddle_squares##f __heddle_norm4(type a, type b, type c,   \
                                                     type d) {                 \
    a = __builtin_fabs##f(a), b = __builtin_fabs##f(b);                        \
    c = __builtin_fabs##f(c), d = __builtin_fabs##f(d);                        \
    const type larger = __builtin_fmax##f(a, b);                               \
    const type third = __builtin_fmax##f(larger, c);                           \
    __heddle_squares##f r(a + b + d + c, __builtin_fmax##f(third, d));         \
    r.add(__builtin_fmin##f(third, d));                                        \
    r.add(__builtin_fmin##f(larger, c));                                       \
    r.add(__builtin_fmin##f(a, b));                                            \
    r.add(r.largest);                                                          \
    return r;                                                                  \
  }                                                                            \
  /* Of an array: once for the largest, once for the squares. */               \
  __HEDDLE_DEVICE __heddle_squares##f __heddle_norm(int n, const type *x) {    \
    type largest = 0;                                                          \
    for (int i = 0; i < n; ++i)                                                \
      largest = __builtin_fmax##f(__builtin_fabs##f(x[i]), largest);           \
    __heddle_squares##f r(0, largest);                                         \
    for (int i = 0; i < n; ++i)                                                \
      r.add(x[i]);                                                             \
    r.sum = __builtin_isnan(r.squares) ? r.squares : largest + largest;        \
    return r;                                                                  \
  }                                                                            \
  __HEDDLE_DEVICE type norm3d##f(type a, type b, type c) {                     \
    return __heddle_norm3(a, b, c).norm();                                     \
  }                                                                            \
  __HEDDLE_DEVICE type rnorm3d##f(type a, type b, type c) {                    \
    return __heddle_norm3(a, b, c).rnorm();                                    \
  }                                                                            \
  __HEDDLE_DEVICE type norm4d##f(type a, type b, type c, type d) {             \
    return __heddle_norm4(a, b, c, d).norm();                                  \
  }                                                                            \
  __HEDDLE_DEVICE type rnorm4d##f(type a, type b, type c, type d) {            \
    return __heddle_norm4(a, b, c, d).rnorm();                                 \
  }                                                                            \
  __HEDDLE_DEVICE type norm##f(int n, const type *x) {                         \
    return __heddle_norm(n, x).norm();                                         \
  }                                                                            \
  __HEDDLE_DEVICE type rnorm##f(int n, const type *x) {                        \
    return __heddle_norm(n, x).rnorm();                                        \
  }
__HEDDLE_NORMS(float, unsigned, f, 0xfe000000u, 0x7e800000u, 0x00800000u)
__HEDDLE_NORMS(double, unsigned long long, , 0xffc0000000000000u,
               0x7fd0000000000000u, 0x0010000000000000u)
#undef __HEDDLE_NORMS

#endif
