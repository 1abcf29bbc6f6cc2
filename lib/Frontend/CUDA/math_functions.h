// Mathematical functions of device code. The compiler's built-ins become LLVM
// intrinsics; what LLVM has no intrinsic for goes by libdevice's name.

#ifndef HEDDLE_CUDA_MATH_FUNCTIONS_H
#define HEDDLE_CUDA_MATH_FUNCTIONS_H

#include "host_defines.h"

// In float, in double, and overloaded for float as C++ does.
#define __HEDDLE_MATH1(name)                                                   \
  __HEDDLE_DEVICE float name##f(float x) { return __builtin_##name##f(x); }    \
  __HEDDLE_DEVICE double name(double x) { return __builtin_##name(x); }        \
  __HEDDLE_DEVICE float name(float x) { return __builtin_##name##f(x); }
#define __HEDDLE_MATH2(name)                                                   \
  __HEDDLE_DEVICE float name##f(float x, float y) {                            \
    return __builtin_##name##f(x, y);                                          \
  }                                                                            \
  __HEDDLE_DEVICE double name(double x, double y) {                            \
    return __builtin_##name(x, y);                                             \
  }                                                                            \
  __HEDDLE_DEVICE float name(float x, float y) {                               \
    return __builtin_##name##f(x, y);                                          \
  }
#define __HEDDLE_LIBDEVICE1(name)                                              \
  extern "C" __attribute__((device, const, nothrow)) float __nv_##name##f(     \
      float);                                                                  \
  extern "C" __attribute__((device, const, nothrow)) double __nv_##name(       \
      double);                                                                 \
  __HEDDLE_DEVICE float name##f(float x) { return __nv_##name##f(x); }         \
  __HEDDLE_DEVICE double name(double x) { return __nv_##name(x); }             \
  __HEDDLE_DEVICE float name(float x) { return __nv_##name##f(x); }
#define __HEDDLE_LIBDEVICE2(name)                                              \
  extern "C" __attribute__((device, const, nothrow)) float __nv_##name##f(     \
      float, float);                                                           \
  extern "C" __attribute__((device, const, nothrow)) double __nv_##name(       \
      double, double);                                                         \
  __HEDDLE_DEVICE float name##f(float x, float y) {                            \
    return __nv_##name##f(x, y);                                               \
  }                                                                            \
  __HEDDLE_DEVICE double name(double x, double y) { return __nv_##name(x, y); }

__HEDDLE_MATH1(sin)
__HEDDLE_MATH1(cos)
__HEDDLE_MATH1(tan)
__HEDDLE_MATH1(asin)
__HEDDLE_MATH1(acos)
__HEDDLE_MATH1(atan)
__HEDDLE_MATH1(sinh)
__HEDDLE_MATH1(cosh)
__HEDDLE_MATH1(tanh)
__HEDDLE_MATH1(asinh)
__HEDDLE_MATH1(acosh)
__HEDDLE_MATH1(atanh)
__HEDDLE_MATH1(exp)
__HEDDLE_MATH1(exp2)
__HEDDLE_MATH1(expm1)
__HEDDLE_MATH1(log)
__HEDDLE_MATH1(log2)
__HEDDLE_MATH1(log10)
__HEDDLE_MATH1(log1p)
__HEDDLE_MATH1(logb)
__HEDDLE_MATH1(sqrt)
__HEDDLE_MATH1(cbrt)
__HEDDLE_MATH1(erf)
__HEDDLE_MATH1(erfc)
__HEDDLE_MATH1(tgamma)
__HEDDLE_MATH1(lgamma)
__HEDDLE_MATH1(floor)
__HEDDLE_MATH1(ceil)
__HEDDLE_MATH1(trunc)
__HEDDLE_MATH1(round)
__HEDDLE_MATH1(rint)
__HEDDLE_MATH1(nearbyint)
__HEDDLE_MATH1(fabs)
__HEDDLE_MATH2(pow)
__HEDDLE_MATH2(atan2)
__HEDDLE_MATH2(fmod)
__HEDDLE_MATH2(remainder)
__HEDDLE_MATH2(hypot)
__HEDDLE_MATH2(fdim)
__HEDDLE_MATH2(fmin)
__HEDDLE_MATH2(fmax)
__HEDDLE_MATH2(copysign)
__HEDDLE_MATH2(nextafter)
__HEDDLE_LIBDEVICE1(exp10)
__HEDDLE_LIBDEVICE1(rcbrt)
__HEDDLE_LIBDEVICE1(sinpi)
__HEDDLE_LIBDEVICE1(cospi)
__HEDDLE_LIBDEVICE1(erfinv)
__HEDDLE_LIBDEVICE1(erfcinv)
__HEDDLE_LIBDEVICE1(erfcx)
__HEDDLE_LIBDEVICE1(normcdf)
__HEDDLE_LIBDEVICE1(normcdfinv)
__HEDDLE_LIBDEVICE1(j0)
__HEDDLE_LIBDEVICE1(j1)
__HEDDLE_LIBDEVICE1(y0)
__HEDDLE_LIBDEVICE1(y1)
__HEDDLE_LIBDEVICE2(rhypot)
#undef __HEDDLE_MATH1
#undef __HEDDLE_MATH2
#undef __HEDDLE_LIBDEVICE1
#undef __HEDDLE_LIBDEVICE2

extern "C" __attribute__((device, const, nothrow)) double __nv_rsqrt(double);
__HEDDLE_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
__HEDDLE_DEVICE double rsqrt(double x) { return __nv_rsqrt(x); }
__HEDDLE_DEVICE float rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
__HEDDLE_DEVICE float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
__HEDDLE_DEVICE double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
__HEDDLE_DEVICE float fma(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
__HEDDLE_DEVICE float powif(float x, int y) { return __builtin_powif(x, y); }
__HEDDLE_DEVICE double powi(double x, int y) { return __builtin_powi(x, y); }
__HEDDLE_DEVICE float pow(float x, int y) { return __builtin_powif(x, y); }
__HEDDLE_DEVICE double pow(double x, int y) { return __builtin_powi(x, y); }
__HEDDLE_DEVICE double pow(float x, double y) { return __builtin_pow(x, y); }
__HEDDLE_DEVICE double pow(double x, float y) { return __builtin_pow(x, y); }
__HEDDLE_DEVICE double pow(int x, double y) { return __builtin_pow(x, y); }
__HEDDLE_DEVICE double pow(int x, int y) { return __builtin_pow(x, y); }
__HEDDLE_DEVICE float ldexpf(float x, int n) { return __builtin_ldexpf(x, n); }
__HEDDLE_DEVICE double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
__HEDDLE_DEVICE float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
__HEDDLE_DEVICE float scalbnf(float x, int n) { return __builtin_ldexpf(x, n); }
__HEDDLE_DEVICE double scalbn(double x, int n) { return __builtin_ldexp(x, n); }
__HEDDLE_DEVICE int __heddle_exponent(long n) {
  return n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n;
}
__HEDDLE_DEVICE float scalblnf(float x, long n) {
  return __builtin_ldexpf(x, __heddle_exponent(n));
}
__HEDDLE_DEVICE double scalbln(double x, long n) {
  return __builtin_ldexp(x, __heddle_exponent(n));
}
__HEDDLE_DEVICE int ilogbf(float x) { return __builtin_ilogbf(x); }
__HEDDLE_DEVICE int ilogb(double x) { return __builtin_ilogb(x); }
__HEDDLE_DEVICE float modff(float x, float *i) {
  *i = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *i, x);
}
__HEDDLE_DEVICE double modf(double x, double *i) {
  *i = __builtin_trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *i, x);
}
__HEDDLE_DEVICE float frexpf(float x, int *e) {
  if (x == 0 || !__builtin_isfinite(x)) {
    *e = 0;
    return x;
  }
  *e = __builtin_ilogbf(x) + 1;
  return __builtin_ldexpf(x, -*e);
}
__HEDDLE_DEVICE double frexp(double x, int *e) {
  if (x == 0 || !__builtin_isfinite(x)) {
    *e = 0;
    return x;
  }
  *e = __builtin_ilogb(x) + 1;
  return __builtin_ldexp(x, -*e);
}
__HEDDLE_DEVICE void sincosf(float x, float *s, float *c) {
  *s = __builtin_sinf(x);
  *c = __builtin_cosf(x);
}
__HEDDLE_DEVICE void sincos(double x, double *s, double *c) {
  *s = __builtin_sin(x);
  *c = __builtin_cos(x);
}
__HEDDLE_DEVICE void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}
__HEDDLE_DEVICE void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}
__HEDDLE_DEVICE long lrintf(float x) { return (long)__builtin_rintf(x); }
__HEDDLE_DEVICE long lrint(double x) { return (long)__builtin_rint(x); }
__HEDDLE_DEVICE long lroundf(float x) { return (long)__builtin_roundf(x); }
__HEDDLE_DEVICE long lround(double x) { return (long)__builtin_round(x); }
__HEDDLE_DEVICE long long llrintf(float x) {
  return (long long)__builtin_rintf(x);
}
__HEDDLE_DEVICE long long llrint(double x) {
  return (long long)__builtin_rint(x);
}
__HEDDLE_DEVICE long long llroundf(float x) {
  return (long long)__builtin_roundf(x);
}
__HEDDLE_DEVICE long long llround(double x) {
  return (long long)__builtin_round(x);
}
__HEDDLE_DEVICE float fdividef(float x, float y) { return x / y; }
__HEDDLE_DEVICE float saturatef(float x) { return __nvvm_saturate_f(x); }

// --- approximate functions: the special function unit
// ----------------------------
__HEDDLE_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
__HEDDLE_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
__HEDDLE_DEVICE float __fdividef(float x, float y) {
  return __nvvm_div_approx_f(x, y);
}
__HEDDLE_DEVICE float __tanf(float x) {
  return __fdividef(__sinf(x), __cosf(x));
}
__HEDDLE_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
__HEDDLE_DEVICE float __logf(float x) {
  return __log2f(x) * 0.693147180559945309f;
}
__HEDDLE_DEVICE float __log10f(float x) {
  return __log2f(x) * 0.301029995663981195f;
}
__HEDDLE_DEVICE float __exp2f(float x) { return __nvvm_ex2_approx_f(x); }
__HEDDLE_DEVICE float __expf(float x) {
  return __exp2f(x * 1.44269504088896341f);
}
__HEDDLE_DEVICE float __exp10f(float x) {
  return __exp2f(x * 3.32192809488736235f);
}
__HEDDLE_DEVICE float __powf(float x, float y) {
  return __exp2f(y * __log2f(x));
}
__HEDDLE_DEVICE void __sincosf(float x, float *s, float *c) {
  *s = __sinf(x);
  *c = __cosf(x);
}
__HEDDLE_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
// The approximate root of the mantissa, and a step that rounds it to nearest.
__HEDDLE_DEVICE float __frsqrt_rn(float x) {
  const bool small = __builtin_fabsf(x) < 0x1p-126f;
  const float scaled = small ? x * 0x1p24f : x;
  const unsigned bits = __builtin_bit_cast(unsigned, scaled);
  if (bits - 0x00800000u >= 0x7f000000u)
    return __nvvm_rsqrt_approx_ftz_f(scaled);
  const unsigned part = (bits & 0xffffffu) | 0x3f000000u;
  const int shift = (int)(part - bits) + (small ? 12 << 24 : 0);
  const float m = __builtin_bit_cast(float, part);
  const float y = __nvvm_rsqrt_approx_ftz_f(m), square = y * y;
  const float left = __builtin_fmaf(__builtin_fmaf(y, y, -square), -m,
                                    __builtin_fmaf(square, -m, 1.0f));
  const float root =
      __builtin_fmaf(__builtin_fmaf(0.375f, left, 0.5f), y * left, y);
  return __builtin_bit_cast(float,
                            __builtin_bit_cast(int, root) + (shift >> 1));
}

// --- arithmetic with a named rounding
// ------------------------------------------- To nearest is what plain
// arithmetic does, but these are never fused.
#define __HEDDLE_ROUNDED(prefix, type, suffix, builtin, mode)                  \
  __HEDDLE_DEVICE type __##prefix##add_##suffix(type x, type y) {              \
    return __nvvm_add_##mode##_##builtin(x, y);                                \
  }                                                                            \
  __HEDDLE_DEVICE type __##prefix##sub_##suffix(type x, type y) {              \
    return __nvvm_add_##mode##_##builtin(x, -y);                               \
  }                                                                            \
  __HEDDLE_DEVICE type __##prefix##mul_##suffix(type x, type y) {              \
    return __nvvm_mul_##mode##_##builtin(x, y);                                \
  }                                                                            \
  __HEDDLE_DEVICE type __##prefix##div_##suffix(type x, type y) {              \
    return __nvvm_div_##mode##_##builtin(x, y);                                \
  }                                                                            \
  __HEDDLE_DEVICE type __##prefix##sqrt_##suffix(type x) {                     \
    return __nvvm_sqrt_##mode##_##builtin(x);                                  \
  }                                                                            \
  __HEDDLE_DEVICE type __##prefix##rcp_##suffix(type x) {                      \
    return __nvvm_rcp_##mode##_##builtin(x);                                   \
  }
__HEDDLE_ROUNDED(f, float, rn, f, rn)
__HEDDLE_ROUNDED(f, float, rz, f, rz)
__HEDDLE_ROUNDED(f, float, ru, f, rp)
__HEDDLE_ROUNDED(f, float, rd, f, rm)
__HEDDLE_ROUNDED(d, double, rn, d, rn)
__HEDDLE_ROUNDED(d, double, rz, d, rz)
__HEDDLE_ROUNDED(d, double, ru, d, rp)
__HEDDLE_ROUNDED(d, double, rd, d, rm)
#undef __HEDDLE_ROUNDED
#define __HEDDLE_FMA(suffix, mode)                                             \
  __HEDDLE_DEVICE float __fmaf_##suffix(float x, float y, float z) {           \
    return __nvvm_fma_##mode##_f(x, y, z);                                     \
  }                                                                            \
  /* Denormal numbers stay, with -ftz=true too. */                             \
  __HEDDLE_DEVICE float __fmaf_ieee_##suffix(float x, float y, float z) {      \
    return __nvvm_fma_##mode##_f(x, y, z);                                     \
  }                                                                            \
  __HEDDLE_DEVICE double __fma_##suffix(double x, double y, double z) {        \
    return __nvvm_fma_##mode##_d(x, y, z);                                     \
  }
__HEDDLE_FMA(rn, rn)
__HEDDLE_FMA(rz, rz)
__HEDDLE_FMA(ru, rp)
__HEDDLE_FMA(rd, rm)
#undef __HEDDLE_FMA

// --- classification
// ---------------------------------------------------------------
#define __HEDDLE_CLASSIFY(type)                                                \
  __HEDDLE_DEVICE bool isnan(type x) { return __builtin_isnan(x); }            \
  __HEDDLE_DEVICE bool isinf(type x) { return __builtin_isinf(x); }            \
  __HEDDLE_DEVICE bool isfinite(type x) { return __builtin_isfinite(x); }      \
  __HEDDLE_DEVICE bool signbit(type x) { return __builtin_signbit(x); }
#ifdef isnan
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#endif
__HEDDLE_CLASSIFY(float)
__HEDDLE_CLASSIFY(double)
#undef __HEDDLE_CLASSIFY
__HEDDLE_DEVICE double nan(const char *) { return __builtin_nan(""); }
__HEDDLE_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
__HEDDLE_DEVICE int __isnanf(float x) { return __builtin_isnan(x); }
__HEDDLE_DEVICE int __isinff(float x) { return __builtin_isinf(x); }
__HEDDLE_DEVICE int __finitef(float x) { return __builtin_isfinite(x); }

// --- abs, min, max
// ------------------------------------------------------------------
__HEDDLE_DEVICE int abs(int x) { return __builtin_abs(x); }
__HEDDLE_DEVICE long abs(long x) { return __builtin_labs(x); }
__HEDDLE_DEVICE long long abs(long long x) { return __builtin_llabs(x); }
__HEDDLE_DEVICE float abs(float x) { return __builtin_fabsf(x); }
__HEDDLE_DEVICE double abs(double x) { return __builtin_fabs(x); }
__HEDDLE_DEVICE long labs(long x) { return __builtin_labs(x); }
__HEDDLE_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }
#define __HEDDLE_MINMAX(type, left, right)                                     \
  __HEDDLE_BOTH type min(left a, right b) {                                    \
    return (type)a < (type)b ? (type)a : (type)b;                              \
  }                                                                            \
  __HEDDLE_BOTH type max(left a, right b) {                                    \
    return (type)a < (type)b ? (type)b : (type)a;                              \
  }
__HEDDLE_MINMAX(int, int, int)
__HEDDLE_MINMAX(unsigned, unsigned, unsigned)
__HEDDLE_MINMAX(unsigned, int, unsigned)
__HEDDLE_MINMAX(unsigned, unsigned, int)
__HEDDLE_MINMAX(long, long, long)
__HEDDLE_MINMAX(unsigned long, unsigned long, unsigned long)
__HEDDLE_MINMAX(unsigned long, long, unsigned long)
__HEDDLE_MINMAX(unsigned long, unsigned long, long)
__HEDDLE_MINMAX(long long, long long, long long)
__HEDDLE_MINMAX(unsigned long long, unsigned long long, unsigned long long)
__HEDDLE_MINMAX(unsigned long long, long long, unsigned long long)
__HEDDLE_MINMAX(unsigned long long, unsigned long long, long long)
#undef __HEDDLE_MINMAX
#define __HEDDLE_MINMAX(type, builtin, left, right)                            \
  __HEDDLE_BOTH type min(left a, right b) {                                    \
    return __builtin_fmin##builtin(a, b);                                      \
  }                                                                            \
  __HEDDLE_BOTH type max(left a, right b) {                                    \
    return __builtin_fmax##builtin(a, b);                                      \
  }
__HEDDLE_MINMAX(float, f, float, float)
__HEDDLE_MINMAX(double, , double, double)
__HEDDLE_MINMAX(double, , float, double)
__HEDDLE_MINMAX(double, , double, float)
#undef __HEDDLE_MINMAX
// The remainder and the low bits of the quotient that belongs to it. Of a
// quotient that has more bits than a number, eight divisors' worth is left.
#define __HEDDLE_REMQUO(type, f, exact, large)                                 \
  __HEDDLE_DEVICE type remquo##f(type x, type y, int *quotient) {              \
    const type rest = remainder##f(x, y);                                      \
    if (fabs##f(x) > fabs##f(y) * exact && fabs##f(y) < large)                 \
      x = fmod##f(x, 8 * y);                                                   \
    *quotient = (int)rint##f((x - rest) / y);                                  \
    return rest;                                                               \
  }
__HEDDLE_REMQUO(float, f, 0x1p20f, 0x1p120f)
__HEDDLE_REMQUO(double, , 0x1p30, 0x1p1020)
#undef __HEDDLE_REMQUO
__HEDDLE_DEVICE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
__HEDDLE_DEVICE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
__HEDDLE_DEVICE unsigned long long ullmin(unsigned long long a,
                                          unsigned long long b) {
  return a < b ? a : b;
}
__HEDDLE_DEVICE unsigned long long ullmax(unsigned long long a,
                                          unsigned long long b) {
  return a > b ? a : b;
}
__HEDDLE_DEVICE long long llmin(long long a, long long b) { return min(a, b); }
__HEDDLE_DEVICE long long llmax(long long a, long long b) { return max(a, b); }

#include "norm_functions.h"
#include "special_functions.h"

#endif
