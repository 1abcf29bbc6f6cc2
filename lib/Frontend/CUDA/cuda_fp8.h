// The two formats of 8 bits: e4m3 (no infinity, NaN 0x7f, largest 448) and e5m2
// (as a half that lost its lower byte), after OCP's "8-bit Floating Point
// Specification".

#ifndef HEDDLE_CUDA_CUDA_FP8_H
#define HEDDLE_CUDA_CUDA_FP8_H

#include "own_names.def"

#include "cuda_bf16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// Rounds to nearest even; beyond the largest number: that, if saturating, else
// infinity (e5m2) or NaN (e4m3).
__HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  const int mantissa = format == __NV_E4M3 ? 3 : 2;
  const int bias = format == __NV_E4M3 ? 7 : 15;
  unsigned u = __builtin_bit_cast(unsigned, x);
  unsigned char sign = (u >> 24) & 0x80;
  float a = __builtin_bit_cast(float, u & 0x7fffffffu);
  if (a != a)
    return sign | 0x7f;
  const float largest = format == __NV_E4M3 ? 448.0f : 57344.0f;
  const unsigned char largest_bits = format == __NV_E4M3 ? 0x7e : 0x7b;
  int exponent = (int)(__builtin_bit_cast(unsigned, a) >> 23) - 127;
  if (exponent < 1 - bias)
    exponent = 1 - bias;
  // In units of the last place.
  float unit =
      __builtin_bit_cast(float, (unsigned)(exponent - mantissa + 127) << 23);
  if (a == __builtin_inff())
    return saturate ? sign | largest_bits
                    : sign | (format == __NV_E4M3 ? 0x7f : 0x7c);
  float rounded = __builtin_rintf(a / unit) * unit;
  if (rounded > largest)
    return saturate ? sign | largest_bits
                    : sign | (format == __NV_E4M3 ? 0x7f : 0x7c);
  unsigned steps = (unsigned)(rounded / unit);
  // 2^mantissa steps are a number with exponent field 1.
  return sign | (unsigned char)(((exponent - (1 - bias)) << mantissa) + steps);
}
__HEDDLE_BOTH float __heddle_fp8_to_float(__nv_fp8_storage_t b,
                                          __nv_fp8_interpretation_t format) {
  const int mantissa = format == __NV_E4M3 ? 3 : 2;
  const int bias = format == __NV_E4M3 ? 7 : 15;
  unsigned magnitude = b & 0x7f;
  float sign = b & 0x80 ? -1.0f : 1.0f;
  if (format == __NV_E4M3 ? magnitude == 0x7f : magnitude > 0x7c)
    return __builtin_nanf("");
  if (format == __NV_E5M2 && magnitude == 0x7c)
    return sign * __builtin_inff();
  int exponent = (int)(magnitude >> mantissa);
  unsigned fraction = magnitude & ((1u << mantissa) - 1);
  if (exponent)
    fraction |= 1u << mantissa;
  else
    exponent = 1;
  float unit = __builtin_bit_cast(
      float, (unsigned)(exponent - bias - mantissa + 127) << 23);
  return sign * (float)fraction * unit;
}
__HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8((float)x, saturate, format);
}
__HEDDLE_BOTH __half_raw __nv_cvt_fp8_to_halfraw(
    __nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
  return __half(__heddle_fp8_to_float(x, format));
}
__HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
    float2 v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return (unsigned short)(__nv_cvt_float_to_fp8(v.x, saturate, format) |
                          __nv_cvt_float_to_fp8(v.y, saturate, format) << 8);
}
__HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
    double2 v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  return __nv_cvt_float2_to_fp8x2({(float)v.x, (float)v.y}, saturate, format);
}
__HEDDLE_BOTH __nv_fp8_storage_t
__nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                        __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8((float)__half(x), saturate, format);
}
__HEDDLE_BOTH __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                            __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), saturate, format);
}
__HEDDLE_BOTH __nv_fp8x2_storage_t
__nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t saturate,
                           __nv_fp8_interpretation_t format) {
  return __nv_cvt_float2_to_fp8x2(
      {(float)__half(__half_raw{v.x}), (float)__half(__half_raw{v.y})},
      saturate, format);
}
__HEDDLE_BOTH __nv_fp8x2_storage_t
__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw v, __nv_saturation_t saturate,
                               __nv_fp8_interpretation_t format) {
  return __nv_cvt_float2_to_fp8x2(
      {(float)__nv_bfloat16(__nv_bfloat16_raw{v.x}),
       (float)__nv_bfloat16(__nv_bfloat16_raw{v.y})},
      saturate, format);
}
__HEDDLE_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    __nv_fp8x2_storage_t v, __nv_fp8_interpretation_t format) {
  return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, format).x,
          __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), format).x};
}
#define __HEDDLE_FP8(name, format)                                             \
  struct name {                                                                \
    __nv_fp8_storage_t __x;                                                    \
    name() = default;                                                          \
    __HEDDLE_MEMBER explicit name(float f)                                     \
        : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, format)) {}             \
    __HEDDLE_MEMBER explicit name(double f) : name((float)f) {}                \
    __HEDDLE_MEMBER explicit name(int f) : name((float)f) {}                   \
    __HEDDLE_MEMBER explicit name(__half f) : name((float)f) {}                \
    __HEDDLE_MEMBER explicit name(__nv_bfloat16 f) : name((float)f) {}         \
    __HEDDLE_MEMBER operator float() const {                                   \
      return __heddle_fp8_to_float(__x, format);                               \
    }                                                                          \
    __HEDDLE_MEMBER explicit operator __half() const { return (float)*this; }  \
    __HEDDLE_MEMBER explicit operator double() const { return (float)*this; }  \
  };
__HEDDLE_FP8(__nv_fp8_e4m3, __NV_E4M3)
__HEDDLE_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef __HEDDLE_FP8
#define __HEDDLE_FP8X(name, element, storage, vector, count)                   \
  struct name {                                                                \
    storage __x;                                                               \
    name() = default;                                                          \
    __HEDDLE_MEMBER explicit name(vector v) : __x(0) {                         \
      const float *f = (const float *)&v;                                      \
      for (int i = 0; i < count; ++i)                                          \
        __x |= (storage)element(f[i]).__x << (8 * i);                          \
    }                                                                          \
    __HEDDLE_MEMBER operator vector() const {                                  \
      vector v;                                                                \
      for (int i = 0; i < count; ++i) {                                        \
        element e;                                                             \
        e.__x = (unsigned char)(__x >> (8 * i));                               \
        ((float *)&v)[i] = e;                                                  \
      }                                                                        \
      return v;                                                                \
    }                                                                          \
  };
__HEDDLE_FP8X(__nv_fp8x2_e4m3, __nv_fp8_e4m3, __nv_fp8x2_storage_t, float2, 2)
__HEDDLE_FP8X(__nv_fp8x2_e5m2, __nv_fp8_e5m2, __nv_fp8x2_storage_t, float2, 2)
__HEDDLE_FP8X(__nv_fp8x4_e4m3, __nv_fp8_e4m3, __nv_fp8x4_storage_t, float4, 4)
__HEDDLE_FP8X(__nv_fp8x4_e5m2, __nv_fp8_e5m2, __nv_fp8x4_storage_t, float4, 4)
#undef __HEDDLE_FP8X

#include "user_names.def"

#endif
