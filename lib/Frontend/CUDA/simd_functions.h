// Integers within a word: the SIMD intrinsics, dot products and warp functions
// of newer architectures.

#ifndef HEDDLE_CUDA_SIMD_FUNCTIONS_H
#define HEDDLE_CUDA_SIMD_FUNCTIONS_H

#include "device_functions.h"

// --- dot products of bytes and halves
__HEDDLE_DEVICE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i)
    c += (int)(signed char)(a >> (8 * i)) * (int)(signed char)(b >> (8 * i));
  return c;
}
__HEDDLE_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i)
    c += ((a >> (8 * i)) & 0xff) * ((b >> (8 * i)) & 0xff);
  return c;
}
__HEDDLE_DEVICE int __dp4a(char4 a, char4 b, int c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__HEDDLE_DEVICE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__HEDDLE_DEVICE int __dp2a_lo(int a, int b, int c) {
  return c + (int)(short)a * (int)(signed char)b +
         (a >> 16) * (int)(signed char)(b >> 8);
}
__HEDDLE_DEVICE int __dp2a_hi(int a, int b, int c) {
  return __dp2a_lo(a, b >> 16, c);
}
__HEDDLE_DEVICE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * ((b >> 8) & 0xff);
}
__HEDDLE_DEVICE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return __dp2a_lo(a, b >> 16, c);
}

// --- four bytes or two halves at a time: x and y are the parts, widened
#define __HEDDLE_PARTS(name, part, bits, expression)                           \
  __HEDDLE_DEVICE unsigned name(unsigned a, unsigned b) {                      \
    unsigned r = 0;                                                            \
    for (int i = 0; i < 32; i += bits) {                                       \
      int x = (int)(part)(a >> i), y = (int)(part)(b >> i);                    \
      r |= ((unsigned)(expression) & ((1u << bits) - 1)) << i;                 \
    }                                                                          \
    return r;                                                                  \
  }
#define __HEDDLE_PART_UNARY(name, part, bits, expression)                      \
  __HEDDLE_DEVICE unsigned name(unsigned a) {                                  \
    unsigned r = 0;                                                            \
    for (int i = 0; i < 32; i += bits) {                                       \
      int x = (int)(part)(a >> i);                                             \
      r |= ((unsigned)(expression) & ((1u << bits) - 1)) << i;                 \
    }                                                                          \
    return r;                                                                  \
  }
#define __HEDDLE_LIMIT(v, low, high)                                           \
  ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))
#define __HEDDLE_SIMD(n, s, u, bits)                                           \
  __HEDDLE_PARTS(__vadd##n, u, bits, x + y)                                    \
  __HEDDLE_PARTS(__vsub##n, u, bits, x - y)                                    \
  __HEDDLE_PARTS(                                                              \
      __vaddss##n, s, bits,                                                    \
      __HEDDLE_LIMIT(x + y, -(1 << (bits - 1)), (1 << (bits - 1)) - 1))        \
  __HEDDLE_PARTS(                                                              \
      __vsubss##n, s, bits,                                                    \
      __HEDDLE_LIMIT(x - y, -(1 << (bits - 1)), (1 << (bits - 1)) - 1))        \
  __HEDDLE_PARTS(__vaddus##n, u, bits,                                         \
                 __HEDDLE_LIMIT(x + y, 0, (1 << bits) - 1))                    \
  __HEDDLE_PARTS(__vsubus##n, u, bits, __HEDDLE_LIMIT(x - y, 0, x))            \
  __HEDDLE_PARTS(__vavgs##n, s, bits, (x + y + (x + y >= 0)) >> 1)             \
  __HEDDLE_PARTS(__vavgu##n, u, bits, (x + y + 1) >> 1)                        \
  __HEDDLE_PARTS(__vhaddu##n, u, bits, (x + y) >> 1)                           \
  __HEDDLE_PARTS(__vmaxs##n, s, bits, x > y ? x : y)                           \
  __HEDDLE_PARTS(__vmaxu##n, u, bits, x > y ? x : y)                           \
  __HEDDLE_PARTS(__vmins##n, s, bits, x < y ? x : y)                           \
  __HEDDLE_PARTS(__vminu##n, u, bits, x < y ? x : y)                           \
  __HEDDLE_PARTS(__vabsdiffs##n, s, bits, x > y ? x - y : y - x)               \
  __HEDDLE_PARTS(__vabsdiffu##n, u, bits, x > y ? x - y : y - x)               \
  __HEDDLE_PARTS(__vcmpeq##n, u, bits, x == y ? -1 : 0)                        \
  __HEDDLE_PARTS(__vcmpne##n, u, bits, x != y ? -1 : 0)                        \
  __HEDDLE_PARTS(__vcmpges##n, s, bits, x >= y ? -1 : 0)                       \
  __HEDDLE_PARTS(__vcmpgeu##n, u, bits, x >= y ? -1 : 0)                       \
  __HEDDLE_PARTS(__vcmpgts##n, s, bits, x > y ? -1 : 0)                        \
  __HEDDLE_PARTS(__vcmpgtu##n, u, bits, x > y ? -1 : 0)                        \
  __HEDDLE_PARTS(__vcmples##n, s, bits, x <= y ? -1 : 0)                       \
  __HEDDLE_PARTS(__vcmpleu##n, u, bits, x <= y ? -1 : 0)                       \
  __HEDDLE_PARTS(__vcmplts##n, s, bits, x < y ? -1 : 0)                        \
  __HEDDLE_PARTS(__vcmpltu##n, u, bits, x < y ? -1 : 0)                        \
  __HEDDLE_PARTS(__vseteq##n, u, bits, x == y)                                 \
  __HEDDLE_PARTS(__vsetne##n, u, bits, x != y)                                 \
  __HEDDLE_PARTS(__vsetges##n, s, bits, x >= y)                                \
  __HEDDLE_PARTS(__vsetgeu##n, u, bits, x >= y)                                \
  __HEDDLE_PARTS(__vsetgts##n, s, bits, x > y)                                 \
  __HEDDLE_PARTS(__vsetgtu##n, u, bits, x > y)                                 \
  __HEDDLE_PARTS(__vsetles##n, s, bits, x <= y)                                \
  __HEDDLE_PARTS(__vsetleu##n, u, bits, x <= y)                                \
  __HEDDLE_PARTS(__vsetlts##n, s, bits, x < y)                                 \
  __HEDDLE_PARTS(__vsetltu##n, u, bits, x < y)                                 \
  __HEDDLE_PART_UNARY(__vabs##n, s, bits, x < 0 ? -x : x)                      \
  __HEDDLE_PART_UNARY(__vabsss##n, s, bits,                                    \
                      x == -(1 << (bits - 1)) ? (1 << (bits - 1)) - 1          \
                      : x < 0                 ? -x                             \
                                              : x)                             \
  __HEDDLE_PART_UNARY(__vneg##n, s, bits, -x)                                  \
  __HEDDLE_PART_UNARY(__vnegss##n, s, bits,                                    \
                      x == -(1 << (bits - 1)) ? (1 << (bits - 1)) - 1 : -x)    \
  __HEDDLE_DEVICE unsigned __vsads##n(unsigned a, unsigned b) {                \
    unsigned d = __vabsdiffs##n(a, b), r = 0;                                  \
    for (int i = 0; i < 32; i += bits)                                         \
      r += (u)(d >> i);                                                        \
    return r;                                                                  \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vsadu##n(unsigned a, unsigned b) {                \
    unsigned d = __vabsdiffu##n(a, b), r = 0;                                  \
    for (int i = 0; i < 32; i += bits)                                         \
      r += (u)(d >> i);                                                        \
    return r;                                                                  \
  }
__HEDDLE_SIMD(4, signed char, unsigned char, 8)
__HEDDLE_SIMD(2, short, unsigned short, 16)
#undef __HEDDLE_SIMD
#undef __HEDDLE_LIMIT
#undef __HEDDLE_PART_UNARY
#undef __HEDDLE_PARTS

// --- warps
__HEDDLE_DEVICE unsigned __lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__HEDDLE_DEVICE unsigned __match_any_sync(unsigned mask, unsigned long v) {
  return __nvvm_match_any_sync_i64(mask, v);
}
__HEDDLE_DEVICE unsigned __match_any_sync(unsigned mask, long v) {
  return __nvvm_match_any_sync_i64(mask, (unsigned long)v);
}
__HEDDLE_DEVICE unsigned __match_any_sync(unsigned mask, double v) {
  return __nvvm_match_any_sync_i64(mask,
                                   __builtin_bit_cast(unsigned long long, v));
}
template <typename T>
__HEDDLE_DEVICE unsigned __match_all_sync(unsigned mask, T v, int *p) {
  bool same = __match_any_sync(mask, v) == mask;
  *p = __all_sync(mask, same);
  return *p ? mask : 0;
}
#endif

// What redux.sync computes on sm_80, by exchange.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800
#define __HEDDLE_REDUCE(name, type, expression)                                \
  __HEDDLE_DEVICE type __reduce_##name##_sync(unsigned mask, type v) {         \
    type x = __shfl_sync(mask, v, __ffs((int)mask) - 1);                       \
    for (unsigned left = mask & (mask - 1); left; left &= left - 1) {          \
      type y = __shfl_sync(mask, v, __ffs((int)left) - 1);                     \
      x = expression;                                                          \
    }                                                                          \
    return x;                                                                  \
  }
__HEDDLE_REDUCE(add, unsigned, x + y)
__HEDDLE_REDUCE(add, int, x + y)
__HEDDLE_REDUCE(min, unsigned, y < x ? y : x)
__HEDDLE_REDUCE(min, int, y < x ? y : x)
__HEDDLE_REDUCE(max, unsigned, x < y ? y : x)
__HEDDLE_REDUCE(max, int, x < y ? y : x)
__HEDDLE_REDUCE(and, unsigned, x &y)
__HEDDLE_REDUCE(or, unsigned, x | y)
__HEDDLE_REDUCE(xor, unsigned, x ^ y)
#undef __HEDDLE_REDUCE
#endif

// --- integers and conversions
__HEDDLE_DEVICE unsigned __umad24(unsigned a, unsigned b, unsigned c) {
  return __umul24(a, b) + c;
}
__HEDDLE_DEVICE int __mad24(int a, int b, int c) { return __mul24(a, b) + c; }
__HEDDLE_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
__HEDDLE_DEVICE unsigned umul24(unsigned a, unsigned b) {
  return __umul24(a, b);
}
__HEDDLE_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
__HEDDLE_DEVICE unsigned umulhi(unsigned a, unsigned b) {
  return __umulhi(a, b);
}
__HEDDLE_DEVICE int float_as_int(float x) { return __builtin_bit_cast(int, x); }
__HEDDLE_DEVICE float int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
__HEDDLE_DEVICE float saturate(float x) { return __nvvm_saturate_f(x); }
__HEDDLE_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0)
    return mask & (1u << base) ? base : 0xffffffffu;
  int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
  for (int i = (int)base; i >= 0 && i < 32; i += step)
    if ((mask >> i) & 1 && --left == 0)
      return (unsigned)i;
  return 0xffffffffu;
}
__HEDDLE_DEVICE bool __isGlobal(const void *p) {
  return __nvvm_isspacep_global(p);
}
__HEDDLE_DEVICE bool __isShared(const void *p) {
  return __nvvm_isspacep_shared(p);
}
__HEDDLE_DEVICE bool __isConstant(const void *p) {
  return __nvvm_isspacep_const(p);
}
__HEDDLE_DEVICE bool __isLocal(const void *p) {
  return __nvvm_isspacep_local(p);
}
__HEDDLE_DEVICE size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(__attribute__((address_space(3))) const void *)p;
}
__HEDDLE_DEVICE size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(__attribute__((address_space(1))) const void *)p;
}
__HEDDLE_DEVICE void *__cvta_shared_to_generic(size_t p) {
  return (void *)(__attribute__((address_space(3))) void *)p;
}
__HEDDLE_DEVICE void __prof_trigger(int) {}
__HEDDLE_DEVICE void __assume(bool) {}

// Asynchronous copies: cp.async where the architecture has it.
__HEDDLE_DEVICE void __pipeline_memcpy_async(void *to, const void *from,
                                             size_t n, size_t zeros = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto *shared = (__attribute__((address_space(3))) void *)to;
  auto *global = (__attribute__((address_space(1))) const void *)from;
  if (zeros == 0 && n == 4)
    return __nvvm_cp_async_ca_shared_global_4(shared, global);
  if (zeros == 0 && n == 8)
    return __nvvm_cp_async_ca_shared_global_8(shared, global);
  if (zeros == 0 && n == 16)
    return __nvvm_cp_async_cg_shared_global_16(shared, global);
#endif
  for (size_t i = 0; i < n; i += 4)
    *(unsigned *)((char *)to + i) =
        i < n - zeros ? *(const unsigned *)((const char *)from + i) : 0;
}
__HEDDLE_DEVICE void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  __nvvm_cp_async_commit_group();
#endif
}
/// The number must be a literal in the end; more than 7 wait as 7.
__HEDDLE_DEVICE void __pipeline_wait_prior(size_t n) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  switch (n) {
  case 0:
    return __nvvm_cp_async_wait_group(0);
  case 1:
    return __nvvm_cp_async_wait_group(1);
  case 2:
    return __nvvm_cp_async_wait_group(2);
  case 3:
    return __nvvm_cp_async_wait_group(3);
  case 4:
    return __nvvm_cp_async_wait_group(4);
  case 5:
    return __nvvm_cp_async_wait_group(5);
  case 6:
    return __nvvm_cp_async_wait_group(6);
  default:
    return __nvvm_cp_async_wait_group(7);
  }
#endif
}
/// The elements \p first, \p first + \p step, ... of \p bytes bytes.
template <typename T>
__HEDDLE_DEVICE void __heddle_copy_async(T *to, const T *from, size_t bytes,
                                         size_t first, size_t step) {
  for (size_t i = first; i < bytes / sizeof(T); i += step)
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
      __pipeline_memcpy_async(to + i, from + i, sizeof(T));
    else
      to[i] = from[i];
}

#endif
