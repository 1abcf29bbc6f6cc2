// The DPX functions: minima and maxima of sums and of three values, of words
// and of two halves of a word (CUDA Math API, "SIMD Intrinsics").

#ifndef HEDDLE_CUDA_DPX_FUNCTIONS_H
#define HEDDLE_CUDA_DPX_FUNCTIONS_H

#include "device_functions.h"
#include "simd_functions.h"

#define __HEDDLE_MAX(x, y) ((x) > (y) ? (x) : (y))
#define __HEDDLE_MIN(x, y) ((x) < (y) ? (x) : (y))
#define __HEDDLE_MAX3(x, y, z) __HEDDLE_MAX(__HEDDLE_MAX(x, y), z)
#define __HEDDLE_MIN3(x, y, z) __HEDDLE_MIN(__HEDDLE_MIN(x, y), z)

// A function of words, and with a lower limit of zero.
#define __HEDDLE_DPX_WORD(name, type, expression)                              \
  __HEDDLE_DEVICE type name(type x, type y, type z) { return expression; }
// The same of two halves of a word.
#define __HEDDLE_DPX_HALVES(name, expression)                                  \
  __HEDDLE_DEVICE unsigned name(unsigned x, unsigned y, unsigned z) {          \
    return expression;                                                         \
  }
#define __HEDDLE_DPX(name, M, M3)                                              \
  __HEDDLE_DPX_WORD(__vi##name##3_s32, int, M3(x, y, z))                       \
  __HEDDLE_DPX_WORD(__vi##name##3_u32, unsigned, M3(x, y, z))                  \
  __HEDDLE_DPX_WORD(__vi##name##3_s32_relu, int, __HEDDLE_MAX(M3(x, y, z), 0)) \
  __HEDDLE_DPX_WORD(__viadd##name##_s32, int,                                  \
                    M((int)((unsigned)x + (unsigned)y), z))                    \
  __HEDDLE_DPX_WORD(__viadd##name##_u32, unsigned, M(x + y, z))                \
  __HEDDLE_DPX_WORD(__viadd##name##_s32_relu, int,                             \
                    __HEDDLE_MAX(M((int)((unsigned)x + (unsigned)y), z), 0))   \
  __HEDDLE_DPX_HALVES(__vi##name##3_s16x2,                                     \
                      __v##name##s2(__v##name##s2(x, y), z))                   \
  __HEDDLE_DPX_HALVES(__vi##name##3_u16x2,                                     \
                      __v##name##u2(__v##name##u2(x, y), z))                   \
  __HEDDLE_DPX_HALVES(__vi##name##3_s16x2_relu,                                \
                      __vmaxs2(__v##name##s2(__v##name##s2(x, y), z), 0))      \
  __HEDDLE_DPX_HALVES(__viadd##name##_s16x2, __v##name##s2(__vadd2(x, y), z))  \
  __HEDDLE_DPX_HALVES(__viadd##name##_u16x2, __v##name##u2(__vadd2(x, y), z))  \
  __HEDDLE_DPX_HALVES(__viadd##name##_s16x2_relu,                              \
                      __vmaxs2(__v##name##s2(__vadd2(x, y), z), 0))            \
  __HEDDLE_DEVICE int __vi##name##_s32_relu(int x, int y) {                    \
    return __HEDDLE_MAX(M(x, y), 0);                                           \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vi##name##_s16x2_relu(unsigned x, unsigned y) {   \
    return __vmaxs2(__v##name##s2(x, y), 0);                                   \
  }
__HEDDLE_DPX(max, __HEDDLE_MAX, __HEDDLE_MAX3)
__HEDDLE_DPX(min, __HEDDLE_MIN, __HEDDLE_MIN3)
#undef __HEDDLE_DPX
#undef __HEDDLE_DPX_WORD
#undef __HEDDLE_DPX_HALVES

// Those that also say whether the first operand won, or tied.
#define __HEDDLE_DPX_CHOICE(name, test)                                        \
  __HEDDLE_DEVICE int __vib##name##_s32(int x, int y, bool *first) {           \
    *first = x test y;                                                         \
    return *first ? x : y;                                                     \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vib##name##_u32(unsigned x, unsigned y,           \
                                             bool *first) {                    \
    *first = x test y;                                                         \
    return *first ? x : y;                                                     \
  }                                                                            \
  __HEDDLE_DPX_PAIR(__vib##name##_s16x2, __v##name##s2)                        \
  __HEDDLE_DPX_PAIR(__vib##name##_u16x2, __v##name##u2)
#define __HEDDLE_DPX_PAIR(name, extreme)                                       \
  __HEDDLE_DEVICE unsigned name(unsigned a, unsigned b, bool *high,            \
                                bool *low) {                                   \
    unsigned r = extreme(a, b);                                                \
    *high = r >> 16 == a >> 16;                                                \
    *low = (unsigned short)r == (unsigned short)a;                             \
    return r;                                                                  \
  }
__HEDDLE_DPX_CHOICE(max, >=)
__HEDDLE_DPX_CHOICE(min, <=)
#undef __HEDDLE_DPX_CHOICE
#undef __HEDDLE_DPX_PAIR
#undef __HEDDLE_MAX
#undef __HEDDLE_MIN
#undef __HEDDLE_MAX3
#undef __HEDDLE_MIN3

#endif
