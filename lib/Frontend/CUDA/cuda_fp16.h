// Half precision: __half is the compiler's _Float16, so that its arithmetic is
// the machine's own.

#ifndef HEDDLE_CUDA_CUDA_FP16_H
#define HEDDLE_CUDA_CUDA_FP16_H

#include "own_names.def"

#include "device_functions.h"
#include "math_functions.h"
#include "narrow_functions.h"

#define CUDA_FP16_TYPES_EXIST
#define __CUDA_FP16_TYPES_EXIST__
#define __HEDDLE_MEMBER                                                        \
  __attribute__((host, device, always_inline, nodebug)) inline

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};
struct __attribute__((aligned(2))) __half {
  union {
    _Float16 __v;
    unsigned short __x; // as CUDA's, from which libcu++ derives
  };
  __half() = default;
  __HEDDLE_MEMBER constexpr __half(__half_raw r) : __x(r.x) {}
#define __HEDDLE_FROM(type)                                                    \
  __HEDDLE_MEMBER __half(type x) : __v((_Float16)x) {}                         \
  __HEDDLE_MEMBER __half &operator=(type x) {                                  \
    __v = (_Float16)x;                                                         \
    return *this;                                                              \
  }
  __HEDDLE_FROM(float)
  __HEDDLE_FROM(double)
  __HEDDLE_FROM(short)
  __HEDDLE_FROM(unsigned short)
  __HEDDLE_FROM(int)
  __HEDDLE_FROM(unsigned)
  __HEDDLE_FROM(long)
  __HEDDLE_FROM(unsigned long)
  __HEDDLE_FROM(long long)
  __HEDDLE_FROM(unsigned long long)
#undef __HEDDLE_FROM
  // In assembly, as the toolkit has it, so that each block converts for itself.
  __HEDDLE_MEMBER operator float() const {
#if defined(__HEDDLE_AS_NVCC) && defined(__CUDA_ARCH__)
    float f;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(__x));
    return f;
#else
    return (float)__v;
#endif
  }
  __HEDDLE_MEMBER operator __half_raw() const {
    return {__builtin_bit_cast(unsigned short, __v)};
  }
  __HEDDLE_MEMBER explicit operator bool() const { return __v != 0; }
#define __HEDDLE_TO(type)                                                      \
  __HEDDLE_MEMBER explicit operator type() const { return (type)(float)__v; }
  __HEDDLE_TO(double)
  __HEDDLE_TO(int)
  __HEDDLE_TO(unsigned)
  __HEDDLE_TO(long)
  __HEDDLE_TO(unsigned long)
  __HEDDLE_TO(long long)
  __HEDDLE_TO(unsigned long long)
#undef __HEDDLE_TO
  // What is beyond 16 or 8 bits is the last number.
  __HEDDLE_MEMBER explicit operator short() const { return (short)__v; }
  __HEDDLE_MEMBER explicit operator unsigned short() const {
    return (unsigned short)__v;
  }
  __HEDDLE_MEMBER explicit operator signed char() const {
    short x = (short)__v;
    return (signed char)(x < -128 ? -128 : x > 127 ? 127 : x);
  }
  __HEDDLE_MEMBER explicit operator unsigned char() const {
    unsigned short x = (unsigned short)__v;
    return (unsigned char)(x > 255 ? 255 : x);
  }
  __HEDDLE_MEMBER explicit operator char() const { return (signed char)*this; }
};
typedef __half half;
typedef __half __nv_half;
typedef __half nv_half;

struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __HEDDLE_MEMBER __half2(__half a, __half b) : x(a), y(b) {}
  __HEDDLE_MEMBER __half2(__half2_raw r)
      : x(__half_raw{r.x}), y(__half_raw{r.y}) {}
  __HEDDLE_MEMBER operator __half2_raw() const {
    return {__half_raw(x).x, __half_raw(y).x};
  }
};
typedef __half2 half2;
typedef __half2 nv_half2;

__HEDDLE_BOTH __half __heddle_half(_Float16 v) {
  __half h;
  h.__v = v;
  return h;
}

// What functions in single precision take: part of what they compute.
__HEDDLE_BOTH float __heddle_float(__half h) { return (float)h.__v; }

// --- conversions
__HEDDLE_BOTH __half __float2half(float x) { return x; }
__HEDDLE_BOTH __half __float2half_rn(float x) { return x; }
__HEDDLE_BOTH __half __double2half(double x) { return x; }
__HEDDLE_BOTH float __half2float(__half x) { return x; }
// Towards zero: to nearest, and one step back where that went too far.
__HEDDLE_BOTH __half __float2half_rz(float x) {
  __half h = x;
  if (__builtin_fabsf((float)h.__v) > __builtin_fabsf(x))
    h.__v = __builtin_bit_cast(
        _Float16,
        (unsigned short)(__builtin_bit_cast(unsigned short, h.__v) - 1));
  return h;
}
__HEDDLE_BOTH __half __heddle_half_next(__half h, bool up) {
  unsigned short b = __builtin_bit_cast(unsigned short, h.__v);
  if ((b & 0x7fff) == 0)
    b = up ? 1 : 0x8001;
  else
    b = ((b >> 15) != 0) == up ? b - 1 : b + 1;
  return __heddle_half(__builtin_bit_cast(_Float16, b));
}
__HEDDLE_BOTH __half __float2half_rd(float x) {
  __half h = x;
  return (float)h.__v > x ? __heddle_half_next(h, false) : h;
}
__HEDDLE_BOTH __half __float2half_ru(float x) {
  __half h = x;
  return (float)h.__v < x ? __heddle_half_next(h, true) : h;
}
__HEDDLE_BOTH __half2 __float2half2_rn(float x) { return {x, x}; }
__HEDDLE_BOTH __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
__HEDDLE_BOTH __half2 __float22half2_rn(float2 v) { return {v.x, v.y}; }
__HEDDLE_BOTH float2 __half22float2(__half2 v) { return {v.x, v.y}; }
__HEDDLE_BOTH float __low2float(__half2 v) { return v.x; }
__HEDDLE_BOTH float __high2float(__half2 v) { return v.y; }
__HEDDLE_BOTH __half __low2half(__half2 v) { return v.x; }
__HEDDLE_BOTH __half __high2half(__half2 v) { return v.y; }
__HEDDLE_BOTH __half2 __half2half2(__half x) { return {x, x}; }
__HEDDLE_BOTH __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__HEDDLE_BOTH __half2 make_half2(__half x, __half y) { return {x, y}; }
__HEDDLE_BOTH __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
__HEDDLE_BOTH __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
__HEDDLE_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
__HEDDLE_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
#define __HEDDLE_CONVERT(name, type)                                           \
  __HEDDLE_BOTH type __half2##name##_rz(__half x) { return (type)x; }          \
  __HEDDLE_BOTH type __half2##name##_rn(__half x) {                            \
    return (type)__half(__builtin_rintf(__heddle_float(x)));                   \
  }                                                                            \
  __HEDDLE_BOTH type __half2##name##_rd(__half x) {                            \
    return (type)__half(__builtin_floorf(__heddle_float(x)));                  \
  }                                                                            \
  __HEDDLE_BOTH type __half2##name##_ru(__half x) {                            \
    return (type)__half(__builtin_ceilf(__heddle_float(x)));                   \
  }                                                                            \
  __HEDDLE_BOTH __half __##name##2half_rn(type x) {                            \
    return __heddle_half((_Float16)x);                                         \
  }                                                                            \
  __HEDDLE_BOTH __half __##name##2half_rz(type x) {                            \
    return __float2half_rz((float)x);                                          \
  }                                                                            \
  __HEDDLE_BOTH __half __##name##2half_rd(type x) {                            \
    return __float2half_rd((float)x);                                          \
  }                                                                            \
  __HEDDLE_BOTH __half __##name##2half_ru(type x) {                            \
    return __float2half_ru((float)x);                                          \
  }
__HEDDLE_CONVERT(int, int)
__HEDDLE_CONVERT(uint, unsigned)
__HEDDLE_CONVERT(short, short)
__HEDDLE_CONVERT(ushort, unsigned short)
__HEDDLE_CONVERT(ll, long long)
__HEDDLE_CONVERT(ull, unsigned long long)
#undef __HEDDLE_CONVERT
__HEDDLE_BOTH signed char __half2char_rz(__half x) { return (signed char)x; }
__HEDDLE_BOTH unsigned char __half2uchar_rz(__half x) {
  return (unsigned char)x;
}
__HEDDLE_BOTH short __half_as_short(__half x) {
  return __builtin_bit_cast(short, x.__v);
}
__HEDDLE_BOTH unsigned short __half_as_ushort(__half x) {
  return __builtin_bit_cast(unsigned short, x.__v);
}
__HEDDLE_BOTH __half __short_as_half(short x) {
  return __heddle_half(__builtin_bit_cast(_Float16, x));
}
__HEDDLE_BOTH __half __ushort_as_half(unsigned short x) {
  return __heddle_half(__builtin_bit_cast(_Float16, x));
}

// --- arithmetic
#define __HEDDLE_BINARY(name, expression)                                      \
  __HEDDLE_BOTH __half __h##name(__half a, __half b) {                         \
    _Float16 x = a.__v, y = b.__v;                                             \
    return __heddle_half(expression);                                          \
  }                                                                            \
  __HEDDLE_BOTH __half2 __h##name##2(__half2 a, __half2 b) {                   \
    return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                         \
  }
__HEDDLE_BINARY(add, x + y)
__HEDDLE_BINARY(sub, x - y)
__HEDDLE_BINARY(mul, x *y)
__HEDDLE_BINARY(min, (_Float16)__builtin_fminf((float)x, (float)y))
__HEDDLE_BINARY(max, (_Float16)__builtin_fmaxf((float)x, (float)y))
#undef __HEDDLE_BINARY
__HEDDLE_BOTH __half __hdiv(__half a, __half b) {
  return __heddle_half(a.__v / b.__v);
}
__HEDDLE_BOTH __half2 __h2div(__half2 a, __half2 b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
__HEDDLE_BOTH _Float16 __heddle_saturate(_Float16 v) {
  return v > (_Float16)0 ? (v < (_Float16)1 ? v : (_Float16)1) : (_Float16)0;
}
__HEDDLE_BOTH __half __hadd_sat(__half a, __half b) {
  return __heddle_half(__heddle_saturate(a.__v + b.__v));
}
__HEDDLE_BOTH __half __hsub_sat(__half a, __half b) {
  return __heddle_half(__heddle_saturate(a.__v - b.__v));
}
__HEDDLE_BOTH __half __hmul_sat(__half a, __half b) {
  return __heddle_half(__heddle_saturate(a.__v * b.__v));
}
// One rounding: the product and sum of halves are exact in double or so far
// apart that the second rounding cannot meet a tie.
__HEDDLE_BOTH __half __hfma(__half a, __half b, __half c) {
  return __heddle_half((_Float16)__builtin_fmaf16(a.__v, b.__v, c.__v));
}
__HEDDLE_BOTH __half __hfma_relu(__half a, __half b, __half c) {
  __half r = __hfma(a, b, c);
  if (r.__v != r.__v)
    return __ushort_as_half(0x7fff);
  return r.__v > (_Float16)0 ? r : __heddle_half(0);
}
__HEDDLE_BOTH __half __hfma_sat(__half a, __half b, __half c) {
  return __heddle_half(__heddle_saturate(__hfma(a, b, c).__v));
}
__HEDDLE_BOTH __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__HEDDLE_BOTH __half __hneg(__half a) { return __heddle_half(-a.__v); }
__HEDDLE_BOTH __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
__HEDDLE_BOTH __half __habs(__half a) {
  return __ushort_as_half(__half_as_ushort(a) & 0x7fff);
}
__HEDDLE_BOTH __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
__HEDDLE_BOTH bool __hisnan(__half a) { return a.__v != a.__v; }
__HEDDLE_BOTH int __hisinf(__half a) {
  unsigned short b = __half_as_ushort(a);
  return b == 0x7c00 ? 1 : b == 0xfc00 ? -1 : 0;
}
__HEDDLE_COMPARES(__half, __half2)
__HEDDLE_NARROW(__half, __half2, __ushort_as_half(0x7fff))
#define __HEDDLE_OPERATOR(op, name, name2)                                     \
  __HEDDLE_BOTH __half operator op(__half a, __half b) { return name(a, b); }  \
  __HEDDLE_BOTH __half2 operator op(__half2 a, __half2 b) {                    \
    return name2(a, b);                                                        \
  }                                                                            \
  __HEDDLE_BOTH __half &operator op## = (__half & a, __half b) {               \
    return a = name(a, b);                                                     \
  }                                                                            \
  __HEDDLE_BOTH __half2 &operator op## = (__half2 & a, __half2 b) {            \
    return a = name2(a, b);                                                    \
  }
__HEDDLE_OPERATOR(+, __hadd, __hadd2)
__HEDDLE_OPERATOR(-, __hsub, __hsub2)
__HEDDLE_OPERATOR(*, __hmul, __hmul2)
__HEDDLE_OPERATOR(/, __hdiv, __h2div)
#undef __HEDDLE_OPERATOR
__HEDDLE_BOTH __half operator-(__half a) { return __hneg(a); }
__HEDDLE_BOTH __half2 operator-(__half2 a) { return __hneg2(a); }
__HEDDLE_FORMS(__half, __half2)
__HEDDLE_FUNCTIONS(__half, __half2)

// --- memory and warps
#define __HEDDLE_SHUFFLE(name, type, bits)                                     \
  __HEDDLE_DEVICE type name##_sync(unsigned mask, type v, int lane,            \
                                   int width = 32) {                           \
    return __builtin_bit_cast(                                                 \
        type, (bits)name##_sync(mask, (int)__builtin_bit_cast(bits, v), lane,  \
                                width));                                       \
  }
#define __HEDDLE_SHUFFLES(type, bits)                                          \
  __HEDDLE_SHUFFLE(__shfl, type, bits)                                         \
  __HEDDLE_SHUFFLE(__shfl_up, type, bits)                                      \
  __HEDDLE_SHUFFLE(__shfl_down, type, bits)                                    \
  __HEDDLE_SHUFFLE(__shfl_xor, type, bits)
__HEDDLE_SHUFFLES(__half, unsigned short)
__HEDDLE_SHUFFLES(__half2, unsigned int)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define __HEDDLE_ADD_HALF(p, v)                                                \
  __heddle_half(__scoped_atomic_fetch_add(                                     \
      &(p)->__v, (v).__v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
__HEDDLE_DEVICE __half atomicAdd(__half *p, __half v) {
  return __HEDDLE_ADD_HALF(p, v);
}
__HEDDLE_ADD_ELEMENTS(__half2, __HEDDLE_ADD_HALF)
#undef __HEDDLE_ADD_HALF
#else
// By compare and exchange of the word around the half.
__HEDDLE_DEVICE __half atomicAdd(__half *p, __half v) {
  unsigned long long address = (unsigned long long)p;
  unsigned *word = (unsigned *)(address & ~3ull);
  unsigned shift = (address & 2) * 8;
  unsigned old = *word, expected;
  __half before;
  do {
    expected = old;
    before = __ushort_as_half((unsigned short)(expected >> shift));
    unsigned sum = __half_as_ushort(__hadd(before, v));
    old = atomicCAS(word, expected,
                    (expected & ~(0xffffu << shift)) | (sum << shift));
  } while (old != expected);
  return before;
}
#if __CUDA_ARCH__ >= 600
__HEDDLE_ADD_WORD(__half2, __heddle_one_atomic_by_loop)
#else
__HEDDLE_ADD_WORD(__half2, __heddle_loop)
#endif
#endif

#include "user_names.def"

#endif
