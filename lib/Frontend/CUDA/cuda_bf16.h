// bfloat16: the upper half of a float. Arithmetic is done in single precision
// and rounded, which for +, -, * and / gives the correctly rounded result.

#ifndef HEDDLE_CUDA_CUDA_BF16_H
#define HEDDLE_CUDA_CUDA_BF16_H

#include "own_names.def"

#include "cuda_fp16.h"

__HEDDLE_BOTH unsigned short __heddle_to_bf16(float f) {
  unsigned u = __builtin_bit_cast(unsigned, f);
  if ((u & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short)((u + 0x7fffu + ((u >> 16) & 1)) >> 16);
}
// The float \p f next to what it stands for, odd where it is another number:
// \p smaller or \p larger in size. Rounding it again rounds once.
__HEDDLE_BOTH float __heddle_odd(float f, bool smaller, bool larger) {
  unsigned u = __builtin_bit_cast(unsigned, f);
  if (!(u & 1))
    u += smaller ? 1 : larger ? -1 : 0;
  return __builtin_bit_cast(float, u);
}
__HEDDLE_BOTH float __heddle_odd(double x) {
  const float f = (float)x;
  const double size = __builtin_fabs((double)f), exact = __builtin_fabs(x);
  return __heddle_odd(f, size<exact, size> exact);
}
__HEDDLE_BOTH float __heddle_from_bf16(unsigned short b) {
  return __builtin_bit_cast(float, (unsigned)b << 16);
}
struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};
struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __HEDDLE_MEMBER constexpr __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x) {}
#define __HEDDLE_FROM(type)                                                    \
  __HEDDLE_MEMBER __nv_bfloat16(type x) : __x(__heddle_to_bf16((float)x)) {}
  __HEDDLE_FROM(float)
  __HEDDLE_FROM(short)
  __HEDDLE_FROM(unsigned short)
  __HEDDLE_FROM(long)
  __HEDDLE_FROM(unsigned long)
  __HEDDLE_FROM(long long)
  __HEDDLE_FROM(unsigned long long)
#undef __HEDDLE_FROM
#define __HEDDLE_FROM(type)                                                    \
  __HEDDLE_MEMBER __nv_bfloat16(type x)                                        \
      : __x(__heddle_to_bf16(__heddle_odd((double)x))) {}
  __HEDDLE_FROM(double)
  __HEDDLE_FROM(int)
  __HEDDLE_FROM(unsigned)
#undef __HEDDLE_FROM
  __HEDDLE_MEMBER operator float() const { return __heddle_from_bf16(__x); }
  __HEDDLE_MEMBER operator __nv_bfloat16_raw() const { return {__x}; }
  __HEDDLE_MEMBER explicit operator bool() const { return __x & 0x7fff; }
  __HEDDLE_MEMBER explicit operator double() const {
    return __heddle_from_bf16(__x);
  }
  __HEDDLE_MEMBER explicit operator int() const {
    return (int)__heddle_from_bf16(__x);
  }
  __HEDDLE_MEMBER explicit operator unsigned() const {
    return (unsigned)__heddle_from_bf16(__x);
  }
// What is beyond 8 or 16 bits is the last number.
#define __HEDDLE_TO(type, low, high)                                           \
  __HEDDLE_MEMBER explicit operator type() const {                             \
    int i = (int)__heddle_from_bf16(__x);                                      \
    return (type)(i < low ? low : i > high ? high : i);                        \
  }
  __HEDDLE_TO(char, -128, 127)
  __HEDDLE_TO(signed char, -128, 127)
  __HEDDLE_TO(unsigned char, 0, 255)
  __HEDDLE_TO(short, -32768, 32767)
  __HEDDLE_TO(unsigned short, 0, 65535)
#undef __HEDDLE_TO
};
typedef __nv_bfloat16 nv_bfloat16;
__HEDDLE_BOTH float __heddle_float(__nv_bfloat16 x) { return x; }
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __HEDDLE_MEMBER __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
      : x(a), y(b) {}
  __HEDDLE_MEMBER __nv_bfloat162(__nv_bfloat162_raw r)
      : x(__nv_bfloat16_raw{r.x}), y(__nv_bfloat16_raw{r.y}) {}
  __HEDDLE_MEMBER operator __nv_bfloat162_raw() const { return {x.__x, y.__x}; }
};
typedef __nv_bfloat162 nv_bfloat162;

__HEDDLE_BOTH __nv_bfloat16 __float2bfloat16(float x) { return x; }
__HEDDLE_BOTH __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
// The upper half, and 1 more where the rest asks for it.
__HEDDLE_BOTH __nv_bfloat16 __heddle_directed_bf16(float x, bool up) {
  const unsigned u = __builtin_bit_cast(unsigned, x);
  if ((u & 0x7fffffffu) > 0x7f800000u)
    return __nv_bfloat16_raw{0x7fff};
  return __nv_bfloat16_raw{(unsigned short)((u + (up ? 0xffffu : 0u)) >> 16)};
}
__HEDDLE_BOTH __nv_bfloat16 __float2bfloat16_rz(float x) {
  return __heddle_directed_bf16(x, false);
}
__HEDDLE_BOTH __nv_bfloat16 __float2bfloat16_rd(float x) {
  return __heddle_directed_bf16(x, __builtin_signbit(x));
}
__HEDDLE_BOTH __nv_bfloat16 __float2bfloat16_ru(float x) {
  return __heddle_directed_bf16(x, !__builtin_signbit(x));
}
__HEDDLE_BOTH __nv_bfloat16 __double2bfloat16(double x) { return x; }
__HEDDLE_BOTH __nv_bfloat16 __int2bfloat16_rn(int x) { return x; }
__HEDDLE_BOTH __nv_bfloat16 __uint2bfloat16_rn(unsigned x) { return x; }
__HEDDLE_BOTH __nv_bfloat16 __short2bfloat16_rn(short x) { return x; }
__HEDDLE_BOTH __nv_bfloat16 __ushort2bfloat16_rn(unsigned short x) { return x; }
#define __HEDDLE_CONVERT(name, exact)                                          \
  __HEDDLE_DEVICE __nv_bfloat16 __##name##_rz(exact x) {                       \
    return __float2bfloat16_rz(__heddle_odd(x));                               \
  }                                                                            \
  __HEDDLE_DEVICE __nv_bfloat16 __##name##_rd(exact x) {                       \
    return __float2bfloat16_rd(__heddle_odd(x));                               \
  }                                                                            \
  __HEDDLE_DEVICE __nv_bfloat16 __##name##_ru(exact x) {                       \
    return __float2bfloat16_ru(__heddle_odd(x));                               \
  }
__HEDDLE_DEVICE float __heddle_odd(long long x) {
  const float f = __ll2float_rz(x);
  return __heddle_odd(f, (long long)f != x, false);
}
__HEDDLE_DEVICE float __heddle_odd(unsigned long long x) {
  const float f = __ull2float_rz(x);
  return __heddle_odd(f, (unsigned long long)f != x, false);
}
__HEDDLE_DEVICE __nv_bfloat16 __ll2bfloat16_rn(long long x) {
  return __heddle_odd(x);
}
__HEDDLE_DEVICE __nv_bfloat16 __ull2bfloat16_rn(unsigned long long x) {
  return __heddle_odd(x);
}
__HEDDLE_CONVERT(int2bfloat16, double)
__HEDDLE_CONVERT(uint2bfloat16, double)
__HEDDLE_CONVERT(short2bfloat16, double)
__HEDDLE_CONVERT(ushort2bfloat16, double)
__HEDDLE_CONVERT(ll2bfloat16, long long)
__HEDDLE_CONVERT(ull2bfloat16, unsigned long long)
#undef __HEDDLE_CONVERT
#define __HEDDLE_CONVERT(name, type)                                           \
  __HEDDLE_DEVICE type __bfloat162##name##_rz(__nv_bfloat16 x) {               \
    return __float2##name##_rz(x);                                             \
  }                                                                            \
  __HEDDLE_DEVICE type __bfloat162##name##_rn(__nv_bfloat16 x) {               \
    return __float2##name##_rn(x);                                             \
  }                                                                            \
  __HEDDLE_DEVICE type __bfloat162##name##_rd(__nv_bfloat16 x) {               \
    return __float2##name##_rd(x);                                             \
  }                                                                            \
  __HEDDLE_DEVICE type __bfloat162##name##_ru(__nv_bfloat16 x) {               \
    return __float2##name##_ru(x);                                             \
  }
__HEDDLE_CONVERT(int, int)
__HEDDLE_CONVERT(uint, unsigned)
__HEDDLE_CONVERT(ll, long long)
__HEDDLE_CONVERT(ull, unsigned long long)
#undef __HEDDLE_CONVERT
// What is beyond 16 bits is the last number.
#define __HEDDLE_CONVERT(name, type, low, high)                                \
  __HEDDLE_DEVICE type __heddle_##name(int x) {                                \
    return (type)(x < low ? low : x > high ? high : x);                        \
  }                                                                            \
  __HEDDLE_DEVICE type __bfloat162##name##_rz(__nv_bfloat16 x) {               \
    return __heddle_##name(__float2int_rz(x));                                 \
  }                                                                            \
  __HEDDLE_DEVICE type __bfloat162##name##_rn(__nv_bfloat16 x) {               \
    return __heddle_##name(__float2int_rn(x));                                 \
  }                                                                            \
  __HEDDLE_DEVICE type __bfloat162##name##_rd(__nv_bfloat16 x) {               \
    return __heddle_##name(__float2int_rd(x));                                 \
  }                                                                            \
  __HEDDLE_DEVICE type __bfloat162##name##_ru(__nv_bfloat16 x) {               \
    return __heddle_##name(__float2int_ru(x));                                 \
  }
__HEDDLE_CONVERT(short, short, -32768, 32767)
__HEDDLE_CONVERT(ushort, unsigned short, 0, 65535)
#undef __HEDDLE_CONVERT
__HEDDLE_BOTH signed char __bfloat162char_rz(__nv_bfloat16 x) {
  return (signed char)x;
}
__HEDDLE_BOTH unsigned char __bfloat162uchar_rz(__nv_bfloat16 x) {
  return (unsigned char)x;
}
__HEDDLE_BOTH float __bfloat162float(__nv_bfloat16 x) { return x; }
__HEDDLE_BOTH __nv_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
__HEDDLE_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {x, y};
}
__HEDDLE_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return {v.x, v.y};
}
__HEDDLE_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) {
  return {(float)v.x, (float)v.y};
}
__HEDDLE_BOTH float __low2float(__nv_bfloat162 v) { return v.x; }
__HEDDLE_BOTH float __high2float(__nv_bfloat162 v) { return v.y; }
__HEDDLE_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
__HEDDLE_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
__HEDDLE_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) {
  return {x, x};
}
__HEDDLE_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x,
                                                __nv_bfloat16 y) {
  return {x, y};
}
__HEDDLE_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
__HEDDLE_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) {
  return x.__x;
}
__HEDDLE_BOTH short __bfloat16_as_short(__nv_bfloat16 x) {
  return (short)x.__x;
}
__HEDDLE_BOTH __nv_bfloat16 __short_as_bfloat16(short x) {
  return __nv_bfloat16_raw{(unsigned short)x};
}
__HEDDLE_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) {
  return {v.x, v.x};
}
__HEDDLE_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) {
  return {v.y, v.y};
}
__HEDDLE_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a,
                                              __nv_bfloat162 b) {
  return {a.x, b.x};
}
__HEDDLE_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a,
                                               __nv_bfloat162 b) {
  return {a.y, b.y};
}
__HEDDLE_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return __nv_bfloat16_raw{x};
}
#define __HEDDLE_OPERATOR(op, name, name2)                                     \
  __HEDDLE_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {         \
    return (float)a op(float) b;                                               \
  }                                                                            \
  __HEDDLE_BOTH __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b) {     \
    return {name(a.x, b.x), name(a.y, b.y)};                                   \
  }                                                                            \
  __HEDDLE_BOTH __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) {  \
    return name(a, b);                                                         \
  }                                                                            \
  __HEDDLE_BOTH __nv_bfloat162 operator op(__nv_bfloat162 a,                   \
                                           __nv_bfloat162 b) {                 \
    return name2(a, b);                                                        \
  }                                                                            \
  __HEDDLE_BOTH __nv_bfloat16 &operator op## =                                 \
      (__nv_bfloat16 & a, __nv_bfloat16 b) {                                   \
    return a = name(a, b);                                                     \
  }                                                                            \
  __HEDDLE_BOTH __nv_bfloat162 &operator op## =                                \
      (__nv_bfloat162 & a, __nv_bfloat162 b) {                                 \
    return a = name2(a, b);                                                    \
  }
__HEDDLE_OPERATOR(+, __hadd, __hadd2)
__HEDDLE_OPERATOR(-, __hsub, __hsub2)
__HEDDLE_OPERATOR(*, __hmul, __hmul2)
__HEDDLE_OPERATOR(/, __hdiv, __h2div)
#undef __HEDDLE_OPERATOR
__HEDDLE_BOTH __nv_bfloat16 operator-(__nv_bfloat16 a) {
  return __nv_bfloat16_raw{(unsigned short)(a.__x ^ 0x8000)};
}
__HEDDLE_BOTH __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
__HEDDLE_BOTH __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __nv_bfloat16_raw{(unsigned short)(a.__x & 0x7fff)};
}
__HEDDLE_BOTH __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __builtin_fmaxf(a, b);
}
__HEDDLE_BOTH __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __builtin_fminf(a, b);
}
__HEDDLE_BOTH __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
__HEDDLE_BOTH __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
__HEDDLE_BOTH __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return {-a.x, -a.y}; }
__HEDDLE_BOTH __nv_bfloat162 __habs2(__nv_bfloat162 a) {
  return {__habs(a.x), __habs(a.y)};
}
__HEDDLE_BOTH __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b,
                                   __nv_bfloat16 c) {
  return __builtin_fmaf(a, b, c);
}
__HEDDLE_BOTH __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b,
                                     __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__HEDDLE_BOTH bool __hisnan(__nv_bfloat16 a) {
  return (a.__x & 0x7fff) > 0x7f80;
}
__HEDDLE_BOTH int __hisinf(__nv_bfloat16 a) {
  return a.__x == 0x7f80 ? 1 : a.__x == 0xff80 ? -1 : 0;
}
__HEDDLE_BOTH __nv_bfloat16 __hfma_relu(__nv_bfloat16 a, __nv_bfloat16 b,
                                        __nv_bfloat16 c) {
  float r = __hfma(a, b, c);
  if (r != r)
    return __ushort_as_bfloat16(0x7fff);
  return r > 0 ? r : 0.0f;
}
__HEDDLE_COMPARES(__nv_bfloat16, __nv_bfloat162)
__HEDDLE_NARROW(__nv_bfloat16, __nv_bfloat162, __ushort_as_bfloat16(0x7fff))
__HEDDLE_BOTH __nv_bfloat16 __heddle_unit(float v) {
  return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f;
}
__HEDDLE_BOTH __nv_bfloat16 __hadd_sat(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __heddle_unit((float)a + (float)b);
}
__HEDDLE_BOTH __nv_bfloat16 __hsub_sat(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __heddle_unit((float)a - (float)b);
}
__HEDDLE_BOTH __nv_bfloat16 __hmul_sat(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __heddle_unit((float)a * (float)b);
}
__HEDDLE_BOTH __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b,
                                       __nv_bfloat16 c) {
  return __heddle_unit(__builtin_fmaf(a, b, c));
}
__HEDDLE_BOTH __nv_bfloat162 operator-(__nv_bfloat162 a) { return __hneg2(a); }
__HEDDLE_FORMS(__nv_bfloat16, __nv_bfloat162)
__HEDDLE_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
__HEDDLE_SHUFFLES(__nv_bfloat16, unsigned short)
__HEDDLE_SHUFFLES(__nv_bfloat162, unsigned int)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
typedef __bf16 __attribute__((may_alias)) __heddle_bf16_bits;
#define __HEDDLE_ADD_BRAIN(p, v)                                               \
  __builtin_bit_cast(                                                          \
      __nv_bfloat16,                                                           \
      __scoped_atomic_fetch_add((__heddle_bf16_bits *)&(p)->__x,               \
                                __builtin_bit_cast(__bf16, (v).__x),           \
                                __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
__HEDDLE_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v) {
  return __HEDDLE_ADD_BRAIN(p, v);
}
__HEDDLE_ADD_ELEMENTS(__nv_bfloat162, __HEDDLE_ADD_BRAIN)
#undef __HEDDLE_ADD_BRAIN
#else
__HEDDLE_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v) {
  unsigned long long address = (unsigned long long)p;
  unsigned *word = (unsigned *)(address & ~3ull);
  unsigned shift = (address & 2) * 8;
  unsigned old = *word, expected;
  __nv_bfloat16 before;
  do {
    expected = old;
    before = __ushort_as_bfloat16((unsigned short)(expected >> shift));
    unsigned sum = __bfloat16_as_ushort(before + v);
    old = atomicCAS(word, expected,
                    (expected & ~(0xffffu << shift)) | (sum << shift));
  } while (old != expected);
  return before;
}
__HEDDLE_ADD_WORD(__nv_bfloat162, __heddle_loop)
#endif

#include "user_names.def"

#endif
