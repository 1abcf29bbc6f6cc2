// Functions of mathematics by sums and products alone, for host and device: two
// compilers compute the same with them where neither fuses products and sums
// (-fmad=false). PLAIN_NAME makes NAME one of these. utils/reproduce toolkit
// builds programs with them to find out which functions differ.
#ifndef HEDDLE_EVALUATION_PLAIN_MATH_H
#define HEDDLE_EVALUATION_PLAIN_MATH_H
#include <cmath>
#include <cstring>
#include <cuda_runtime.h>

static inline __host__ __device__ double plainExp(double x) {
  // e^x = (e^(x / 1024))^1024, the inner one by its series.
  const double y = x / 1024;
  double sum = 1;
  for (int n = 12; n > 0; --n)
    sum = sum * y / n + 1;
  for (int n = 0; n < 10; ++n)
    sum = sum * sum;
  return sum;
}

/// Newton's method on plainExp().
static inline __host__ __device__ double plainLog(double x) {
  double y = 0;
  for (int n = 0; n < 60; ++n) {
    const double e = plainExp(y);
    y = y + 2 * (x - e) / (x + e);
  }
  return y;
}

/// Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
static inline __host__ __device__ double plainErfc(double x) {
  const double a = x < 0 ? -x : x, t = 1 / (1 + 0.3275911 * a);
  const double p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t -
                     0.284496736) * t + 0.254829592) * t * plainExp(-a * a);
  return x < 0 ? 2 - p : p;
}

static inline __host__ __device__ double plainSin(double x) {
  const double turn = 6.283185307179586;
  const double y = x - turn * (long long)(x / turn);
  double sum = 1;
  for (int n = 20; n > 0; --n)
    sum = 1 - sum * y * y / (2 * n * (2 * n + 1));
  return sum * y;
}

#ifdef PLAIN_expf
#define expf(x) float(plainExp(x))
#endif
#ifdef PLAIN_logf
#define logf(x) float(plainLog(x))
#endif
#ifdef PLAIN_erfcf
#define erfcf(x) float(plainErfc(x))
#endif
#ifdef PLAIN_sinf
#define sinf(x) float(plainSin(x))
#endif
#ifdef PLAIN_cosf
#define cosf(x) float(plainSin((x) + 1.5707963267948966))
#endif

#endif // HEDDLE_EVALUATION_PLAIN_MATH_H
