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

// Extremes with a lower limit of zero. From sm_90 on they are an instruction.
// Before, LLVM would move a limit that it knows to the end of a chain; nvcc's
// code has it where it stands.
#define __HEDDLE_DPX_LIMIT(name, M)                                            \
  __HEDDLE_DEVICE int __heddle_##name##_relu(int x, int y) {                   \
    return __heddle_opaque_max(M(x, y), 0);                                    \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __heddle_##name##_relu2(unsigned x, unsigned y) {   \
    unsigned r = __v##name##s2(x, y);                                          \
    return (__heddle_opaque_max(r, 0) & 0xffff0000u) |                         \
           (unsigned)__heddle_opaque_max(r << 16, 0) >> 16;                    \
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
__HEDDLE_DPX_LIMIT(max, __HEDDLE_MAX)
__HEDDLE_DPX_LIMIT(min, __HEDDLE_MIN)
#endif
#undef __HEDDLE_DPX_LIMIT

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
  __HEDDLE_DPX_WORD(__vi##name##3_s32_relu, int,                               \
                    __heddle_##name##_relu(M(x, y), z))                        \
  __HEDDLE_DPX_WORD(__viadd##name##_s32, int,                                  \
                    M((int)((unsigned)x + (unsigned)y), z))                    \
  __HEDDLE_DPX_WORD(__viadd##name##_u32, unsigned, M(x + y, z))                \
  __HEDDLE_DPX_WORD(                                                           \
      __viadd##name##_s32_relu, int,                                           \
      __heddle_##name##_relu((int)((unsigned)x + (unsigned)y), z))             \
  __HEDDLE_DPX_HALVES(__vi##name##3_s16x2,                                     \
                      __v##name##s2(__v##name##s2(x, y), z))                   \
  __HEDDLE_DPX_HALVES(__vi##name##3_u16x2,                                     \
                      __v##name##u2(__v##name##u2(x, y), z))                   \
  __HEDDLE_DPX_HALVES(__vi##name##3_s16x2_relu,                                \
                      __heddle_##name##_relu2(__v##name##s2(x, y), z))         \
  __HEDDLE_DPX_HALVES(__viadd##name##_s16x2, __v##name##s2(__vadd2(x, y), z))  \
  __HEDDLE_DPX_HALVES(__viadd##name##_u16x2, __v##name##u2(__vadd2(x, y), z))  \
  __HEDDLE_DPX_HALVES(__viadd##name##_s16x2_relu,                              \
                      __heddle_##name##_relu2(__vadd2(x, y), z))               \
  __HEDDLE_DEVICE int __vi##name##_s32_relu(int x, int y) {                    \
    return __heddle_##name##_relu(x, y);                                       \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vi##name##_s16x2_relu(unsigned x, unsigned y) {   \
    return __heddle_##name##_relu2(x, y);                                      \
  }
__HEDDLE_DPX(max, __HEDDLE_MAX, __HEDDLE_MAX3)
__HEDDLE_DPX(min, __HEDDLE_MIN, __HEDDLE_MIN3)
#undef __HEDDLE_DPX
#undef __HEDDLE_DPX_WORD
#undef __HEDDLE_DPX_HALVES

// Those that also say whether the first operand won, or tied. From sm_90 on
// nvcc has the comparison in assembly, so that no maximum is seen in them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define __HEDDLE_DPX_OPAQUE(x) __heddle_move(x)
#else
#define __HEDDLE_DPX_OPAQUE(x) (x)
#endif
#define __HEDDLE_DPX_CHOICE(name, test)                                        \
  __HEDDLE_DEVICE int __vib##name##_s32(int x, int y, bool *first) {           \
    *first = __HEDDLE_DPX_OPAQUE(x) test y;                                    \
    return *first ? x : y;                                                     \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vib##name##_u32(unsigned x, unsigned y,           \
                                             bool *first) {                    \
    *first = (unsigned)__HEDDLE_DPX_OPAQUE(x) test y;                          \
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
#undef __HEDDLE_DPX_OPAQUE
#undef __HEDDLE_DPX_PAIR
#undef __HEDDLE_MAX
#undef __HEDDLE_MIN
#undef __HEDDLE_MAX3
#undef __HEDDLE_MIN3

#endif
