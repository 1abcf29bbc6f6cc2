// What half and bfloat16 have alike, for a type T and its pair T2: macros for
// the headers of both.

#ifndef HEDDLE_CUDA_NARROW_FUNCTIONS_H
#define HEDDLE_CUDA_NARROW_FUNCTIONS_H

// Comparisons: ordered ones are false if either is no number, those with u
// true; operators are C's. A pair gives 1 or 0, a mask, or whether both hold.
#define __HEDDLE_PAIR_COMPARE(T, T2, name)                                     \
  __HEDDLE_BOTH T2 __h##name##2(T2 a, T2 b) {                                  \
    return {T(__h##name(a.x, b.x) ? 1.0f : 0.0f),                              \
            T(__h##name(a.y, b.y) ? 1.0f : 0.0f)};                             \
  }                                                                            \
  __HEDDLE_BOTH unsigned __h##name##2_mask(T2 a, T2 b) {                       \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) |                               \
           (__h##name(a.y, b.y) ? 0xffff0000u : 0);                            \
  }                                                                            \
  __HEDDLE_BOTH bool __hb##name##2(T2 a, T2 b) {                               \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                         \
  }
#define __HEDDLE_COMPARE(T, T2, name, op)                                      \
  __HEDDLE_BOTH bool __h##name(T a, T b) {                                     \
    float x = __heddle_float(a), y = __heddle_float(b);                        \
    return x op y && !__builtin_isunordered(x, y);                             \
  }                                                                            \
  __HEDDLE_BOTH bool __h##name##u(T a, T b) {                                  \
    float x = __heddle_float(a), y = __heddle_float(b);                        \
    return x op y || __builtin_isunordered(x, y);                              \
  }                                                                            \
  __HEDDLE_PAIR_COMPARE(T, T2, name)                                           \
  __HEDDLE_PAIR_COMPARE(T, T2, name##u)                                        \
  __HEDDLE_BOTH bool operator op(T a, T b) {                                   \
    return __heddle_float(a) op __heddle_float(b);                             \
  }                                                                            \
  __HEDDLE_BOTH bool operator op(T2 a, T2 b) {                                 \
    return a.x op b.x && a.y op b.y;                                           \
  }
#define __HEDDLE_COMPARES(T, T2)                                               \
  __HEDDLE_COMPARE(T, T2, eq, ==)                                              \
  __HEDDLE_COMPARE(T, T2, ne, !=)                                              \
  __HEDDLE_COMPARE(T, T2, lt, <)                                               \
  __HEDDLE_COMPARE(T, T2, le, <=)                                              \
  __HEDDLE_COMPARE(T, T2, gt, >)                                               \
  __HEDDLE_COMPARE(T, T2, ge, >=)

// Extremes that are no number if either operand is none; products and sums of
// complex numbers.
#define __HEDDLE_NAN_EXTREME(T, T2, name, nan)                                 \
  __HEDDLE_BOTH T __h##name##_nan(T a, T b) {                                  \
    float x = __heddle_float(a), y = __heddle_float(b);                        \
    return __builtin_isunordered(x, y) ? nan : __h##name(a, b);                \
  }                                                                            \
  __HEDDLE_BOTH T2 __h##name##2_nan(T2 a, T2 b) {                              \
    return {__h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y)};             \
  }
#define __HEDDLE_NARROW(T, T2, nan)                                            \
  __HEDDLE_NAN_EXTREME(T, T2, max, nan)                                        \
  __HEDDLE_NAN_EXTREME(T, T2, min, nan)                                        \
  __HEDDLE_BOTH T2 __hisnan2(T2 a) {                                           \
    return {T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f)};   \
  }                                                                            \
  __HEDDLE_BOTH T2 __hfma2_relu(T2 a, T2 b, T2 c) {                            \
    return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};           \
  }                                                                            \
  __HEDDLE_BOTH T2 __hcmadd(T2 a, T2 b, T2 c) {                                \
    return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),                   \
            __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};                          \
  }

// Forms that never fuse, and what follows from the functions of one value: sums
// and products in [0, 1], pairs, ++ and --.
#define __HEDDLE_NEVER_FUSED(T, T2, name, op)                                  \
  __HEDDLE_BOTH T __h##name##_rn(T a, T b) {                                   \
    _Pragma("clang fp contract(off)") return __heddle_float(a)                 \
        op __heddle_float(b);                                                  \
  }                                                                            \
  __HEDDLE_BOTH T2 __h##name##2_rn(T2 a, T2 b) {                               \
    return {__h##name##_rn(a.x, b.x), __h##name##_rn(a.y, b.y)};               \
  }
#define __HEDDLE_SATURATED_PAIR(T2, name)                                      \
  __HEDDLE_BOTH T2 __h##name##2_sat(T2 a, T2 b) {                              \
    return {__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)};             \
  }
#define __HEDDLE_STEP(T, T2, op, name)                                         \
  __HEDDLE_BOTH T &operator op(T &a) { return a = name(a, T(1.0f)); }          \
  __HEDDLE_BOTH T operator op(T &a, int) {                                     \
    T old = a;                                                                 \
    op a;                                                                      \
    return old;                                                                \
  }                                                                            \
  __HEDDLE_BOTH T2 &operator op(T2 &a) {                                       \
    op a.x;                                                                    \
    op a.y;                                                                    \
    return a;                                                                  \
  }                                                                            \
  __HEDDLE_BOTH T2 operator op(T2 &a, int) {                                   \
    T2 old = a;                                                                \
    op a;                                                                      \
    return old;                                                                \
  }
#define __HEDDLE_FORMS(T, T2)                                                  \
  __HEDDLE_NEVER_FUSED(T, T2, add, +)                                          \
  __HEDDLE_NEVER_FUSED(T, T2, sub, -)                                          \
  __HEDDLE_NEVER_FUSED(T, T2, mul, *)                                          \
  __HEDDLE_SATURATED_PAIR(T2, add)                                             \
  __HEDDLE_SATURATED_PAIR(T2, sub)                                             \
  __HEDDLE_SATURATED_PAIR(T2, mul)                                             \
  __HEDDLE_BOTH T2 __hfma2_sat(T2 a, T2 b, T2 c) {                             \
    return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};             \
  }                                                                            \
  __HEDDLE_BOTH T2 __lowhigh2highlow(T2 v) { return {v.y, v.x}; }              \
  __HEDDLE_STEP(T, T2, ++, __hadd)                                             \
  __HEDDLE_STEP(T, T2, --, __hsub)                                             \
  __HEDDLE_BOTH T operator+(T a) { return a; }                                 \
  __HEDDLE_BOTH T2 operator+(T2 a) { return a; }

// Mathematics, in single precision and rounded.
#define __HEDDLE_FUNCTION(T, T2, name, f)                                      \
  __HEDDLE_DEVICE T h##name(T a) { return f(__heddle_float(a)); }              \
  __HEDDLE_DEVICE T2 h2##name(T2 a) { return {h##name(a.x), h##name(a.y)}; }
#define __HEDDLE_FUNCTIONS(T, T2)                                              \
  __HEDDLE_FUNCTION(T, T2, sqrt, sqrtf)                                        \
  __HEDDLE_FUNCTION(T, T2, rsqrt, rsqrtf)                                      \
  __HEDDLE_FUNCTION(T, T2, rcp, 1.0f /)                                        \
  __HEDDLE_FUNCTION(T, T2, exp, expf)                                          \
  __HEDDLE_FUNCTION(T, T2, exp2, exp2f)                                        \
  __HEDDLE_FUNCTION(T, T2, exp10, exp10f)                                      \
  __HEDDLE_FUNCTION(T, T2, log, logf)                                          \
  __HEDDLE_FUNCTION(T, T2, log2, log2f)                                        \
  __HEDDLE_FUNCTION(T, T2, log10, log10f)                                      \
  __HEDDLE_FUNCTION(T, T2, sin, sinf)                                          \
  __HEDDLE_FUNCTION(T, T2, cos, cosf)                                          \
  __HEDDLE_FUNCTION(T, T2, tanh, tanhf)                                        \
  __HEDDLE_FUNCTION(T, T2, tanh_approx, tanhf)                                 \
  __HEDDLE_FUNCTION(T, T2, floor, floorf)                                      \
  __HEDDLE_FUNCTION(T, T2, ceil, ceilf)                                        \
  __HEDDLE_FUNCTION(T, T2, trunc, truncf)                                      \
  __HEDDLE_FUNCTION(T, T2, rint, rintf)

// A pair as two atomics, where a GPU has one instruction. Results say so of
// atomics in functions whose names begin with __heddle_one_atomic.
#define __HEDDLE_ADD_ELEMENTS(T2, add)                                         \
  __HEDDLE_DEVICE T2 __heddle_one_atomic_of_2(T2 *p, T2 v) {                   \
    return {add(&p->x, v.x), add(&p->y, v.y)};                                 \
  }                                                                            \
  __HEDDLE_DEVICE T2 atomicAdd(T2 *p, T2 v) {                                  \
    return __heddle_one_atomic_of_2(p, v);                                     \
  }
// A pair at once, by compare and exchange of its word.
#define __HEDDLE_ADD_WORD(T2, name)                                            \
  __HEDDLE_DEVICE T2 name(T2 *p, T2 v) {                                       \
    unsigned *word = (unsigned *)p;                                            \
    unsigned old = *word;                                                      \
    T2 sum;                                                                    \
    do                                                                         \
      sum = __hadd2(__builtin_bit_cast(T2, old), v);                           \
    while (!__scoped_atomic_compare_exchange_n(                                \
        word, &old, __builtin_bit_cast(unsigned, sum), false,                  \
        __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE));           \
    return __builtin_bit_cast(T2, old);                                        \
  }                                                                            \
  __HEDDLE_DEVICE T2 atomicAdd(T2 *p, T2 v) { return name(p, v); }

#endif
