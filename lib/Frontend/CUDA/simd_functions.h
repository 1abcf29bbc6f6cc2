// Integers within a word: the SIMD intrinsics, dot products and warp functions
// of newer architectures.

#ifndef HEDDLE_CUDA_SIMD_FUNCTIONS_H
#define HEDDLE_CUDA_SIMD_FUNCTIONS_H

#include "device_functions.h"

// --- dot products of bytes and halves: one instruction each
#define __HEDDLE_INSTRUCTION                                                   \
  extern "C" __attribute__((device, const, nothrow, noconvergent))
__HEDDLE_INSTRUCTION int __heddle_dp4a_s(int, int,
                                         int) __asm__("llvm.nvvm.idp4a.s.s");
__HEDDLE_INSTRUCTION unsigned
__heddle_dp4a_u(unsigned, unsigned, unsigned) __asm__("llvm.nvvm.idp4a.u.u");
__HEDDLE_INSTRUCTION int __heddle_dp2a_s(int, int, bool,
                                         int) __asm__("llvm.nvvm.idp2a.s.s");
__HEDDLE_INSTRUCTION unsigned
__heddle_dp2a_u(unsigned, unsigned, bool,
                unsigned) __asm__("llvm.nvvm.idp2a.u.u");
#define __HEDDLE_DOT(type, letter, four, two)                                  \
  __HEDDLE_DEVICE type __dp4a(type a, type b, type c) {                        \
    __heddle_is_assembly();                                                    \
    return __heddle_dp4a_##letter(a, b, c);                                    \
  }                                                                            \
  __HEDDLE_DEVICE type __dp4a(four a, four b, type c) {                        \
    return __dp4a(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b),    \
                  c);                                                          \
  }                                                                            \
  __HEDDLE_DEVICE type __dp2a_lo(type a, type b, type c) {                     \
    __heddle_is_assembly();                                                    \
    return __heddle_dp2a_##letter(a, b, false, c);                             \
  }                                                                            \
  __HEDDLE_DEVICE type __dp2a_hi(type a, type b, type c) {                     \
    __heddle_is_assembly();                                                    \
    return __heddle_dp2a_##letter(a, b, true, c);                              \
  }                                                                            \
  __HEDDLE_DEVICE type __dp2a_lo(two a, four b, type c) {                      \
    return __dp2a_lo(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), \
                     c);                                                       \
  }                                                                            \
  __HEDDLE_DEVICE type __dp2a_hi(two a, four b, type c) {                      \
    return __dp2a_hi(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), \
                     c);                                                       \
  }
__HEDDLE_DOT(int, s, char4, short2)
__HEDDLE_DOT(unsigned, u, uchar4, ushort2)
#undef __HEDDLE_DOT

// --- four bytes or two halves of a word at a time
// H is the highest bit of each part. Sums leave these bits out and put them
// back, so that nothing is carried from one part to the next; a comparison is
// the highest bits of a word, spread over their parts by prmt.
__HEDDLE_INSTRUCTION unsigned
__heddle_vabsdiff4(unsigned, unsigned,
                   unsigned) __asm__("heddle.ptx.vabsdiff4.u32.u32.u32");
__HEDDLE_INSTRUCTION unsigned
__heddle_vsad4(unsigned, unsigned,
               unsigned) __asm__("heddle.ptx.vabsdiff4.u32.u32.u32.add");
__HEDDLE_DEVICE unsigned __heddle_vsad2(unsigned a, unsigned b, unsigned c) {
  return __usad(a >> 16, b >> 16, __usad(a & 0xffffu, b & 0xffffu, c));
}
__HEDDLE_DEVICE unsigned __heddle_vabsdiff2(unsigned a, unsigned b, unsigned) {
  return __usad(a >> 16, b >> 16, 0) << 16 |
         __usad(a & 0xffffu, b & 0xffffu, 0);
}
__HEDDLE_DEVICE unsigned __vadd4(unsigned a, unsigned b) {
  return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}
__HEDDLE_DEVICE unsigned __vsub4(unsigned a, unsigned b) {
  return ((a | 0x80808080u) - (b & 0x7f7f7f7fu)) ^ (~(a ^ b) & 0x80808080u);
}
// Opaque to LLVM, as the assembly in nvcc's headers is.
#define __HEDDLE_SIMD_OPAQUE(type, name, instruction)                          \
  __HEDDLE_INSTRUCTION type name(type, type) __asm__("heddle."                 \
                                                     "ptx." instruction);
#define __HEDDLE_SIMD_EXTREMES(name)                                           \
  __HEDDLE_SIMD_OPAQUE(unsigned, __v##name##s2, #name ".s16x2")                \
  __HEDDLE_SIMD_OPAQUE(unsigned, __v##name##u2, #name ".u16x2")                \
  __HEDDLE_SIMD_OPAQUE(int, __heddle_##name##_relu, #name ".relu.s32")         \
  __HEDDLE_SIMD_OPAQUE(unsigned, __heddle_##name##_relu2, #name ".relu.s16x2")
__HEDDLE_SIMD_OPAQUE(int, __heddle_opaque_max, "max.s32")
__HEDDLE_INSTRUCTION int __heddle_move(int) __asm__("llvm.nvvm.move.i32");
#define __HEDDLE_SIMD_COMPARISON(name, n, select, shift, expression)           \
  __HEDDLE_DEVICE unsigned __vcmp##name##n(unsigned a, unsigned b) {           \
    return __nvvm_prmt(expression, 0, select);                                 \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vset##name##n(unsigned a, unsigned b) {           \
    return ((expression) >> shift) & (~0u / ((1ull << (shift + 1)) - 1));      \
  }
// Where the highest bits differ, they decide; else the bits below.
#define __HEDDLE_SIMD_GREATER(a, b, H, decides)                                \
  (((a ^ b) & decides) | (~(a ^ b) & ((a & ~H) + (~b & ~H))))
#define __HEDDLE_SIMD_NOT_LESS(a, b, H, decides)                               \
  (((a ^ b) & decides) | (~(a ^ b) & ((a | H) - (b & ~H))))
#define __HEDDLE_SIMD_EQUAL(H, shift)                                          \
  ~((a ^ b) | (((a ^ b) | H) - (H >> shift)))
#define __HEDDLE_SIMD(n, H, select, shift)                                     \
  __HEDDLE_SIMD_COMPARISON(eq, n, select, shift,                               \
                           __HEDDLE_SIMD_EQUAL(H, shift))                      \
  __HEDDLE_SIMD_COMPARISON(ne, n, select, shift,                               \
                           ~(__HEDDLE_SIMD_EQUAL(H, shift)))                   \
  __HEDDLE_SIMD_COMPARISON(gts, n, select, shift,                              \
                           __HEDDLE_SIMD_GREATER(a, b, H, b))                  \
  __HEDDLE_SIMD_COMPARISON(gtu, n, select, shift,                              \
                           __HEDDLE_SIMD_GREATER(a, b, H, a))                  \
  __HEDDLE_SIMD_COMPARISON(lts, n, select, shift,                              \
                           __HEDDLE_SIMD_GREATER(b, a, H, a))                  \
  __HEDDLE_SIMD_COMPARISON(ltu, n, select, shift,                              \
                           __HEDDLE_SIMD_GREATER(b, a, H, b))                  \
  __HEDDLE_SIMD_COMPARISON(ges, n, select, shift,                              \
                           __HEDDLE_SIMD_NOT_LESS(a, b, H, b))                 \
  __HEDDLE_SIMD_COMPARISON(geu, n, select, shift,                              \
                           __HEDDLE_SIMD_NOT_LESS(a, b, H, a))                 \
  __HEDDLE_SIMD_COMPARISON(les, n, select, shift,                              \
                           __HEDDLE_SIMD_NOT_LESS(b, a, H, a))                 \
  __HEDDLE_SIMD_COMPARISON(leu, n, select, shift,                              \
                           __HEDDLE_SIMD_NOT_LESS(b, a, H, b))                 \
  __HEDDLE_DEVICE unsigned __vaddus##n(unsigned a, unsigned b) {               \
    unsigned sum = __vadd##n(a, b);                                            \
    return sum | __nvvm_prmt((a & b) | ((a | b) & ~sum), 0, select);           \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vsubus##n(unsigned a, unsigned b) {               \
    unsigned rest = __vsub##n(a, b);                                           \
    return rest & ~__nvvm_prmt((~a & b) | ((~a | b) & rest), 0, select);       \
  }                                                                            \
  /* What leaves the range becomes the limit on the side of a. */              \
  __HEDDLE_DEVICE unsigned __vaddss##n(unsigned a, unsigned b) {               \
    unsigned sum = __vadd##n(a, b);                                            \
    unsigned out = __nvvm_prmt((a ^ sum) & (b ^ sum), 0, select);              \
    return (sum & ~out) | ((__nvvm_prmt(a, 0, select) ^ ~H) & out);            \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vsubss##n(unsigned a, unsigned b) {               \
    unsigned rest = __vsub##n(a, b);                                           \
    unsigned out = __nvvm_prmt((a ^ b) & (a ^ rest), 0, select);               \
    return (rest & ~out) | ((__nvvm_prmt(a, 0, select) ^ ~H) & out);           \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vavgu##n(unsigned a, unsigned b) {                \
    return (a | b) - (((a ^ b) >> 1) & ~H);                                    \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vhaddu##n(unsigned a, unsigned b) {               \
    return (a & b) + (((a ^ b) >> 1) & ~H);                                    \
  }                                                                            \
  /* Rounds away from zero: half of the sum, and one more for an odd sum */    \
  /* that is not negative. */                                                  \
  __HEDDLE_DEVICE unsigned __vavgs##n(unsigned a, unsigned b) {                \
    unsigned down = __vhaddu##n(a ^ H, b ^ H) ^ H;                             \
    unsigned odd = (a ^ b) & (H >> shift);                                     \
    return __vadd##n(down, odd & ~((down & H) >> shift));                      \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vabsdiffu##n(unsigned a, unsigned b) {            \
    return __heddle_vabsdiff##n(a, b, 0);                                      \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vabsdiffs##n(unsigned a, unsigned b) {            \
    return __heddle_vabsdiff##n(a ^ H, b ^ H, 0);                              \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vsadu##n(unsigned a, unsigned b) {                \
    return __heddle_vsad##n(a, b, 0);                                          \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vsads##n(unsigned a, unsigned b) {                \
    return __heddle_vsad##n(a ^ H, b ^ H, 0);                                  \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vabs##n(unsigned a) {                             \
    return __heddle_vabsdiff##n(a ^ H, H, 0);                                  \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vabsss##n(unsigned a) {                           \
    unsigned r = __vabs##n(a);                                                 \
    return r - ((r & H) >> shift);                                             \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __vneg##n(unsigned a) { return __vsub##n(0, a); }   \
  __HEDDLE_DEVICE unsigned __vnegss##n(unsigned a) { return __vsubss##n(0, a); }
#define __HEDDLE_SIMD_CHOICE(name, comparison)                                 \
  __HEDDLE_DEVICE unsigned name(unsigned a, unsigned b) {                      \
    unsigned first = comparison(a, b);                                         \
    return (a & first) | (b & ~first);                                         \
  }
// From sm_90 on, halves are added and compared in one instruction.
#define __HEDDLE_SIMD_PACKED(name, type, expression)                           \
  __HEDDLE_DEVICE unsigned name(unsigned a, unsigned b) {                      \
    typedef type halves __attribute__((ext_vector_type(2)));                   \
    halves x = __builtin_bit_cast(halves, a);                                  \
    halves y = __builtin_bit_cast(halves, b);                                  \
    return __builtin_bit_cast(unsigned, (halves)(expression));                 \
  }
#define __HEDDLE_SIMD_HIGH(m, type)                                            \
  ((unsigned)m((type)a, (type)b) & 0xffff0000u)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__HEDDLE_SIMD_PACKED(__vadd2, unsigned short, x + y)
__HEDDLE_SIMD_PACKED(__vsub2, unsigned short, x - y)
__HEDDLE_SIMD_EXTREMES(max)
__HEDDLE_SIMD_EXTREMES(min)
#else
// What the lower half carries into the upper one is taken back.
__HEDDLE_DEVICE unsigned __vadd2(unsigned a, unsigned b) {
  return a + b - ((a ^ b ^ (a + b)) & 0x10000u);
}
__HEDDLE_DEVICE unsigned __vsub2(unsigned a, unsigned b) {
  return a - b + ((a ^ b ^ (a - b)) & 0x10000u);
}
// The upper halves as they are; the lower ones moved up, or alone.
#define __HEDDLE_SIMD_EXTREME(name, m)                                         \
  __HEDDLE_DEVICE unsigned __v##name##s2(unsigned a, unsigned b) {             \
    return __HEDDLE_SIMD_HIGH(m, int) |                                        \
           (unsigned)m((int)(a << 16), (int)(b << 16)) >> 16;                  \
  }                                                                            \
  __HEDDLE_DEVICE unsigned __v##name##u2(unsigned a, unsigned b) {             \
    return __HEDDLE_SIMD_HIGH(m, unsigned) | m(a & 0xffffu, b & 0xffffu);      \
  }
__HEDDLE_SIMD_EXTREME(max, __builtin_elementwise_max)
__HEDDLE_SIMD_EXTREME(min, __builtin_elementwise_min)
#undef __HEDDLE_SIMD_EXTREME
#endif
__HEDDLE_SIMD(4, 0x80808080u, 0xba98u, 7)
__HEDDLE_SIMD(2, 0x80008000u, 0xbb99u, 15)
__HEDDLE_SIMD_CHOICE(__vmaxs4, __vcmpges4)
__HEDDLE_SIMD_CHOICE(__vmaxu4, __vcmpgeu4)
__HEDDLE_SIMD_CHOICE(__vmins4, __vcmples4)
__HEDDLE_SIMD_CHOICE(__vminu4, __vcmpleu4)
#undef __HEDDLE_SIMD_HIGH
#undef __HEDDLE_SIMD_PACKED
#undef __HEDDLE_SIMD_CHOICE
#undef __HEDDLE_SIMD
#undef __HEDDLE_SIMD_EQUAL
#undef __HEDDLE_SIMD_NOT_LESS
#undef __HEDDLE_SIMD_GREATER
#undef __HEDDLE_SIMD_COMPARISON
#undef __HEDDLE_SIMD_EXTREMES
#undef __HEDDLE_SIMD_OPAQUE
#undef __HEDDLE_INSTRUCTION

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
  return __nvvm_fns(mask, base, offset);
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
#define __HEDDLE_ADDRESSES(name, space)                                        \
  __HEDDLE_DEVICE size_t __cvta_generic_to_##name(const void *p) {             \
    return (size_t)(__attribute__((address_space(space))) const void *)p;      \
  }                                                                            \
  __HEDDLE_DEVICE void *__cvta_##name##_to_generic(size_t p) {                 \
    return (void *)(__attribute__((address_space(space))) void *)p;            \
  }
__HEDDLE_ADDRESSES(global, 1)
__HEDDLE_ADDRESSES(shared, 3)
__HEDDLE_ADDRESSES(constant, 4)
__HEDDLE_ADDRESSES(local, 5)
#undef __HEDDLE_ADDRESSES
__HEDDLE_DEVICE void __prof_trigger(int) {}
__HEDDLE_DEVICE void __assume(bool) {}

#include "async_copies.h"

#endif
