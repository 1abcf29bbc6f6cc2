// Synchronisation, warp functions, integer intrinsics and atomics.

#ifndef HEDDLE_CUDA_DEVICE_FUNCTIONS_H
#define HEDDLE_CUDA_DEVICE_FUNCTIONS_H

#include "device_variables.h"

// --- synchronisation
// -----------------------------------------------------------
// __syncthreads() itself is built into the compiler.
__HEDDLE_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
__HEDDLE_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
__HEDDLE_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
__HEDDLE_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  __nvvm_bar_warp_sync(mask);
}
__HEDDLE_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
__HEDDLE_DEVICE void __threadfence() { __nvvm_membar_gl(); }
__HEDDLE_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
__HEDDLE_DEVICE void __trap() { __builtin_trap(); }
__HEDDLE_DEVICE void __brkpt() { __builtin_trap(); }
// The toolkit's headers have some functions as assembly that is volatile. nvcc
// moves no access past that, and does not count on it to end: a loop whose step
// is not a constant keeps its form around it.
__HEDDLE_DEVICE void __heddle_is_assembly() { __asm__ volatile(""); }
__HEDDLE_DEVICE void __nanosleep(unsigned) { __heddle_is_assembly(); }
__HEDDLE_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
__HEDDLE_DEVICE long clock() { return __nvvm_read_ptx_sreg_clock(); }

// --- votes and shuffles
// --------------------------------------------------------
__HEDDLE_DEVICE unsigned __activemask() { return __nvvm_activemask(); }
__HEDDLE_DEVICE int __all_sync(unsigned mask, int p) {
  return __nvvm_vote_all_sync(mask, p != 0);
}
__HEDDLE_DEVICE int __any_sync(unsigned mask, int p) {
  return __nvvm_vote_any_sync(mask, p != 0);
}
__HEDDLE_DEVICE int __uni_sync(unsigned mask, int p) {
  return __nvvm_vote_uni_sync(mask, p != 0);
}
__HEDDLE_DEVICE unsigned __ballot_sync(unsigned mask, int p) {
  return __nvvm_vote_ballot_sync(mask, p != 0);
}
__HEDDLE_DEVICE int __all(int p) { return __all_sync(__activemask(), p); }
__HEDDLE_DEVICE int __any(int p) { return __any_sync(__activemask(), p); }
__HEDDLE_DEVICE unsigned __ballot(int p) {
  return __ballot_sync(__activemask(), p);
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
// A call says what it needs, see refuseUnknownCalls.
#define __HEDDLE_NEEDS_SM_70                                                   \
  __HEDDLE_DEVICE __attribute__((error("needs sm_70 or later"))) unsigned
template <typename T> __HEDDLE_NEEDS_SM_70 __match_any_sync(unsigned, T);
template <typename T> __HEDDLE_NEEDS_SM_70 __match_all_sync(unsigned, T, int *);
#undef __HEDDLE_NEEDS_SM_70
#else
__HEDDLE_DEVICE unsigned __match_any_sync(unsigned mask, unsigned v) {
  return __nvvm_match_any_sync_i32(mask, v);
}
__HEDDLE_DEVICE unsigned __match_any_sync(unsigned mask, int v) {
  return __nvvm_match_any_sync_i32(mask, (unsigned)v);
}
__HEDDLE_DEVICE unsigned __match_any_sync(unsigned mask, float v) {
  return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned, v));
}
__HEDDLE_DEVICE unsigned __match_any_sync(unsigned mask, unsigned long long v) {
  return __nvvm_match_any_sync_i64(mask, v);
}
__HEDDLE_DEVICE unsigned __match_any_sync(unsigned mask, long long v) {
  return __nvvm_match_any_sync_i64(mask, (unsigned long long)v);
}
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
__HEDDLE_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned v) {
  return __nvvm_redux_sync_add(v, mask);
}
__HEDDLE_DEVICE int __reduce_add_sync(unsigned mask, int v) {
  return __nvvm_redux_sync_add(v, mask);
}
__HEDDLE_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned v) {
  return __nvvm_redux_sync_umin(v, mask);
}
__HEDDLE_DEVICE int __reduce_min_sync(unsigned mask, int v) {
  return __nvvm_redux_sync_min(v, mask);
}
__HEDDLE_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned v) {
  return __nvvm_redux_sync_umax(v, mask);
}
__HEDDLE_DEVICE int __reduce_max_sync(unsigned mask, int v) {
  return __nvvm_redux_sync_max(v, mask);
}
__HEDDLE_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned v) {
  return __nvvm_redux_sync_and(v, mask);
}
__HEDDLE_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned v) {
  return __nvvm_redux_sync_or(v, mask);
}
__HEDDLE_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned v) {
  return __nvvm_redux_sync_xor(v, mask);
}
#endif
__HEDDLE_DEVICE unsigned __lanemask_lt() {
  return __nvvm_read_ptx_sreg_lanemask_lt();
}

// The last operand of shfl.sync holds the segment mask in bits 8-12 and the
// clamp in bits 0-4 (PTX ISA, shfl.sync).
// Forms without a mask take the types of those with one, and as CUDA's count
// lanes unsigned up and down: a program's own overload for another type wins.
#define __HEDDLE_SHUFFLE(name, kind, clamp, count)                             \
  __HEDDLE_DEVICE int __##name##_sync(unsigned mask, int v, int lane,          \
                                      int width = 32) {                        \
    return __nvvm_shfl_sync_##kind##_i32(mask, v, lane,                        \
                                         ((32 - width) << 8) | clamp);         \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __##name##_sync(unsigned mask, unsigned v,          \
                                           int lane, int width = 32) {         \
    return (unsigned)__##name##_sync(mask, (int)v, lane, width);               \
  }                                                                            \
  __HEDDLE_DEVICE float __##name##_sync(unsigned mask, float v, int lane,      \
                                        int width = 32) {                      \
    return __nvvm_shfl_sync_##kind##_f32(mask, v, lane,                        \
                                         ((32 - width) << 8) | clamp);         \
  }                                                                            \
  __HEDDLE_DEVICE unsigned long long __##name##_sync(                          \
      unsigned mask, unsigned long long v, int lane, int width = 32) {         \
    unsigned low = __##name##_sync(mask, (unsigned)v, lane, width);            \
    unsigned high = __##name##_sync(mask, (unsigned)(v >> 32), lane, width);   \
    return ((unsigned long long)high << 32) | low;                             \
  }                                                                            \
  __HEDDLE_DEVICE long long __##name##_sync(unsigned mask, long long v,        \
                                            int lane, int width = 32) {        \
    return (long long)__##name##_sync(mask, (unsigned long long)v, lane,       \
                                      width);                                  \
  }                                                                            \
  __HEDDLE_DEVICE long __##name##_sync(unsigned mask, long v, int lane,        \
                                       int width = 32) {                       \
    return (long)__##name##_sync(mask, (unsigned long long)v, lane, width);    \
  }                                                                            \
  __HEDDLE_DEVICE unsigned long __##name##_sync(                               \
      unsigned mask, unsigned long v, int lane, int width = 32) {              \
    return (unsigned long)__##name##_sync(mask, (unsigned long long)v, lane,   \
                                          width);                              \
  }                                                                            \
  __HEDDLE_DEVICE double __##name##_sync(unsigned mask, double v, int lane,    \
                                         int width = 32) {                     \
    return __builtin_bit_cast(                                                 \
        double,                                                                \
        __##name##_sync(mask, __builtin_bit_cast(unsigned long long, v), lane, \
                        width));                                               \
  }                                                                            \
  template <typename T, typename = decltype(__##name##_sync(0u, T(), 0))>      \
  __HEDDLE_DEVICE T __##name(T v, count lane, int width = 32) {                \
    return __##name##_sync(__activemask(), v, lane, width);                    \
  }
__HEDDLE_SHUFFLE(shfl, idx, 31, int)
__HEDDLE_SHUFFLE(shfl_up, up, 0, unsigned)
__HEDDLE_SHUFFLE(shfl_down, down, 31, unsigned)
__HEDDLE_SHUFFLE(shfl_xor, bfly, 31, int)
#undef __HEDDLE_SHUFFLE

// --- loads through named paths
// -------------------------------------------------
template <typename T> __HEDDLE_DEVICE T __ldg(const T *p) {
  T v = *p;
  __heddle_is_assembly();
  return v;
}
template <typename T> __HEDDLE_DEVICE T __ldca(const T *p) { return __ldg(p); }
template <typename T> __HEDDLE_DEVICE T __ldcg(const T *p) { return __ldg(p); }
template <typename T> __HEDDLE_DEVICE T __ldcs(const T *p) { return __ldg(p); }
template <typename T> __HEDDLE_DEVICE T __ldlu(const T *p) { return __ldg(p); }
template <typename T> __HEDDLE_DEVICE T __ldcv(const T *p) {
  return *(const volatile T *)p;
}
template <typename T> __HEDDLE_DEVICE void __stcg(T *p, T v) {
  *p = v;
  __heddle_is_assembly();
}
template <typename T> __HEDDLE_DEVICE void __stcs(T *p, T v) { __stcg(p, v); }
template <typename T> __HEDDLE_DEVICE void __stwb(T *p, T v) { __stcg(p, v); }
template <typename T> __HEDDLE_DEVICE void __stwt(T *p, T v) { __stcg(p, v); }

// --- integers
// ------------------------------------------------------------------
__HEDDLE_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
__HEDDLE_DEVICE int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
__HEDDLE_DEVICE int __clz(int x) { return __builtin_clzg((unsigned)x, 32); }
__HEDDLE_DEVICE int __clzll(long long x) {
  return __builtin_clzg((unsigned long long)x, 64);
}
extern "C" __attribute__((device, const, nothrow, noconvergent)) int
__heddle_bfind_shiftamt(unsigned x,
                        bool shiftamt) __asm__("llvm.nvvm.flo.u.i32");
__HEDDLE_DEVICE int __ffs(int x) {
  return __heddle_bfind_shiftamt(__builtin_bitreverse32((unsigned)x), true) + 1;
}
__HEDDLE_DEVICE int __ffsll(long long x) {
  return 64 - __clzll(x & -(unsigned long long)x);
}
__HEDDLE_DEVICE unsigned __brev(unsigned x) {
  return __builtin_bitreverse32(x);
}
__HEDDLE_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
__HEDDLE_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  return __nvvm_prmt(a, b, s & 0x7777u);
}
__HEDDLE_DEVICE int __mul24(int a, int b) {
  return ((a << 8) >> 8) * ((b << 8) >> 8);
}
__HEDDLE_DEVICE unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
__HEDDLE_DEVICE int __mulhi(int a, int b) {
  return (int)(((long long)a * b) >> 32);
}
__HEDDLE_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a * b) >> 32);
}
__HEDDLE_DEVICE long long __mul64hi(long long a, long long b) {
  return __nvvm_mulhi_ll(a, b);
}
__HEDDLE_DEVICE unsigned long long __umul64hi(unsigned long long a,
                                              unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
__HEDDLE_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high,
                                         unsigned shift) {
  __heddle_is_assembly();
  return __builtin_elementwise_fshl(high, low, shift);
}
__HEDDLE_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high,
                                         unsigned shift) {
  __heddle_is_assembly();
  return __builtin_elementwise_fshr(high, low, shift);
}
// A clamped shift by 32 or more gives the other word.
extern "C" __attribute__((device, const, nothrow, noconvergent)) unsigned
__heddle_shf_l_clamp(unsigned high, unsigned low,
                     unsigned shift) __asm__("llvm.nvvm.fshl.clamp.i32");
extern "C" __attribute__((device, const, nothrow, noconvergent)) unsigned
__heddle_shf_r_clamp(unsigned high, unsigned low,
                     unsigned shift) __asm__("llvm.nvvm.fshr.clamp.i32");
__HEDDLE_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high,
                                          unsigned shift) {
  __heddle_is_assembly();
  return __heddle_shf_l_clamp(high, low, shift);
}
__HEDDLE_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high,
                                          unsigned shift) {
  __heddle_is_assembly();
  return __heddle_shf_r_clamp(high, low, shift);
}
__HEDDLE_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return (unsigned)__nvvm_sad_i(a, b, (int)c);
}
__HEDDLE_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return __nvvm_sad_ui(a, b, c);
}
__HEDDLE_DEVICE int __hadd(int a, int b) {
  return (int)(((long long)a + b) >> 1);
}
__HEDDLE_DEVICE int __rhadd(int a, int b) {
  return (int)(((long long)a + b + 1) >> 1);
}
__HEDDLE_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b) >> 1);
}
__HEDDLE_DEVICE unsigned __urhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}

// --- atomics: relaxed, for the device
// ------------------------------------------
#define __HEDDLE_RMW(name, type, operation, scope, suffix)                     \
  __HEDDLE_DEVICE type name##suffix(type *p, type v) {                         \
    return __scoped_atomic_fetch_##operation(p, v, __ATOMIC_RELAXED, scope);   \
  }
#define __HEDDLE_EXCHANGE(type, scope, suffix)                                 \
  __HEDDLE_DEVICE type atomicExch##suffix(type *p, type v) {                   \
    type old;                                                                  \
    __scoped_atomic_exchange(p, &v, &old, __ATOMIC_RELAXED, scope);            \
    return old;                                                                \
  }
#define __HEDDLE_CAS(type, scope, suffix)                                      \
  __HEDDLE_DEVICE type atomicCAS##suffix(type *p, type expected,               \
                                         type desired) {                       \
    __scoped_atomic_compare_exchange_n(p, &expected, desired, false,           \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED,     \
                                       scope);                                 \
    return expected;                                                           \
  }
#define __HEDDLE_INTEGER_ATOMICS(type, scope, suffix)                          \
  __HEDDLE_RMW(atomicAdd, type, add, scope, suffix)                            \
  __HEDDLE_RMW(atomicSub, type, sub, scope, suffix)                            \
  __HEDDLE_RMW(atomicMin, type, min, scope, suffix)                            \
  __HEDDLE_RMW(atomicMax, type, max, scope, suffix)                            \
  __HEDDLE_RMW(atomicAnd, type, and, scope, suffix)                            \
  __HEDDLE_RMW(atomicOr, type, or, scope, suffix)                              \
  __HEDDLE_RMW(atomicXor, type, xor, scope, suffix)                            \
  __HEDDLE_EXCHANGE(type, scope, suffix)                                       \
  __HEDDLE_CAS(type, scope, suffix)
// A template, so that a program for machines without it may define its own.
namespace __heddle_atomics {
template <typename T> struct Only {};
template <> struct Only<double> {
  typedef double type;
};
} // namespace __heddle_atomics
#define __HEDDLE_ADD_DOUBLE(scope, suffix)                                     \
  template <typename T>                                                        \
  __HEDDLE_DEVICE typename __heddle_atomics::Only<T>::type atomicAdd##suffix(  \
      T *p, typename __heddle_atomics::Only<T>::type v) {                      \
    return __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, scope);           \
  }
#define __HEDDLE_ATOMICS(scope, suffix)                                        \
  __HEDDLE_INTEGER_ATOMICS(int, scope, suffix)                                 \
  __HEDDLE_INTEGER_ATOMICS(unsigned int, scope, suffix)                        \
  __HEDDLE_INTEGER_ATOMICS(long long, scope, suffix)                           \
  __HEDDLE_INTEGER_ATOMICS(unsigned long long, scope, suffix)                  \
  __HEDDLE_CAS(unsigned short, scope, suffix)                                  \
  __HEDDLE_RMW(atomicAdd, float, add, scope, suffix)                           \
  __HEDDLE_ADD_DOUBLE(scope, suffix)                                           \
  __HEDDLE_EXCHANGE(float, scope, suffix)                                      \
  __HEDDLE_DEVICE unsigned atomicInc##suffix(unsigned *p, unsigned limit) {    \
    return __scoped_atomic_fetch_uinc(p, limit, __ATOMIC_RELAXED, scope);      \
  }                                                                            \
  __HEDDLE_DEVICE unsigned atomicDec##suffix(unsigned *p, unsigned limit) {    \
    return __scoped_atomic_fetch_udec(p, limit, __ATOMIC_RELAXED, scope);      \
  }
__HEDDLE_ATOMICS(__MEMORY_SCOPE_DEVICE, )
__HEDDLE_ATOMICS(__MEMORY_SCOPE_WRKGRP, _block)
__HEDDLE_ATOMICS(__MEMORY_SCOPE_SYSTEM, _system)
#undef __HEDDLE_ATOMICS
#undef __HEDDLE_ADD_DOUBLE
#undef __HEDDLE_INTEGER_ATOMICS
#undef __HEDDLE_CAS
#undef __HEDDLE_EXCHANGE
#undef __HEDDLE_RMW
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Each element for itself, where a GPU has one instruction: narrow_functions.h.
#define __HEDDLE_ADD_ELEMENT(x)                                                \
  __scoped_atomic_fetch_add(&p->x, v.x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
__HEDDLE_DEVICE float2 __heddle_one_atomic_of_2(float2 *p, float2 v) {
  return {__HEDDLE_ADD_ELEMENT(x), __HEDDLE_ADD_ELEMENT(y)};
}
__HEDDLE_DEVICE float4 __heddle_one_atomic_of_4(float4 *p, float4 v) {
  return {__HEDDLE_ADD_ELEMENT(x), __HEDDLE_ADD_ELEMENT(y),
          __HEDDLE_ADD_ELEMENT(z), __HEDDLE_ADD_ELEMENT(w)};
}
#undef __HEDDLE_ADD_ELEMENT
__HEDDLE_DEVICE float2 atomicAdd(float2 *p, float2 v) {
  return __heddle_one_atomic_of_2(p, v);
}
__HEDDLE_DEVICE float4 atomicAdd(float4 *p, float4 v) {
  return __heddle_one_atomic_of_4(p, v);
}
#endif

// --- output, checks, and memory --------------------------------------------
extern "C" __device__ int printf(const char *, ...);
__HEDDLE_DEVICE void *memcpy(void *to, const void *from, __SIZE_TYPE__ n) {
  return __builtin_memcpy(to, from, n);
}
__HEDDLE_DEVICE void *memmove(void *to, const void *from, __SIZE_TYPE__ n) {
  return __builtin_memmove(to, from, n);
}
__HEDDLE_DEVICE void *memset(void *to, int value, __SIZE_TYPE__ n) {
  return __builtin_memset(to, value, n);
}
// What glibc's assert() calls: prints and traps.
extern "C" __attribute__((device, noreturn)) void
__assert_fail(const char *, const char *, unsigned, const char *) noexcept;

#include "device_heap.h"

#endif
