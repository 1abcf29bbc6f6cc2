// Mathematical functions that are sums of many terms.

#ifndef HEDDLE_CUDA_SPECIAL_FUNCTIONS_H
#define HEDDLE_CUDA_SPECIAL_FUNCTIONS_H

#include "math_functions.h"

// Modified Bessel functions of \p order: the power series up to \p limit,
// behind it the one in 1 / x. Either sum is written from its last term, whose
// ratio to the one before it is known; \p rising and \p falling terms suffice.
#define __HEDDLE_BESSEL(type, exp, rsqrt, limit, rising, falling)              \
  template <int order> __HEDDLE_DEVICE type __heddle_bessel(type x) {          \
    type sum = 1, size = __builtin_fabs(x);                                    \
    if (size < limit) {                                                        \
      _Pragma("unroll") for (int k = rising; k > 0; --k) sum =                 \
          sum * (x * x * (type)0.25) * (type)(1.0 / (k * (k + order))) + 1;    \
      return order ? x / 2 * sum : sum;                                        \
    }                                                                          \
    const type inverse = 1 / size, half = exp(size / 2);                       \
    _Pragma("unroll") for (int k = falling; k > 0; --k) sum =                  \
        sum * inverse *                                                        \
            (type)(((2 * k - 1) * (2 * k - 1) - 4 * order * order) /           \
                   (8.0 * k)) +                                                \
        1;                                                                     \
    sum *= half * (rsqrt(size) * (type)0.3989422804014327) * half;             \
    if (__builtin_isinf(size))                                                 \
      sum = size;                                                              \
    return order ? __builtin_copysign(sum, x) : sum;                           \
  }
__HEDDLE_BESSEL(float, expf, rsqrtf, 10, 15, 8)
__HEDDLE_BESSEL(double, exp, rsqrt, 20, 34, 22)
#undef __HEDDLE_BESSEL
__HEDDLE_DEVICE float cyl_bessel_i0f(float x) { return __heddle_bessel<0>(x); }
__HEDDLE_DEVICE float cyl_bessel_i1f(float x) { return __heddle_bessel<1>(x); }
__HEDDLE_DEVICE double cyl_bessel_i0(double x) { return __heddle_bessel<0>(x); }
__HEDDLE_DEVICE double cyl_bessel_i1(double x) { return __heddle_bessel<1>(x); }
__HEDDLE_DEVICE float cyl_bessel_i0(float x) { return __heddle_bessel<0>(x); }
__HEDDLE_DEVICE float cyl_bessel_i1(float x) { return __heddle_bessel<1>(x); }

#endif
