// Seen before every OpenCL source.

#ifndef HEDDLE_OPENCL_PRELUDE_H
#define HEDDLE_OPENCL_PRELUDE_H

// Compilers of vendors take half without being asked.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Functions of vendors that Clang does not declare, for sources that use one
// and do not define it themselves (ClangInvocation.cpp).
#ifdef __HEDDLE_VENDOR_FUNCTIONS

// cl_intel_subgroups (bodies: Subgroups.cl).
#define __HEDDLE_SUBGROUP __attribute__((overloadable, convergent))
#define __HEDDLE_VALUE(T)                                                      \
  T __HEDDLE_SUBGROUP intel_sub_group_shuffle(T, uint);                        \
  T __HEDDLE_SUBGROUP intel_sub_group_shuffle_xor(T, uint);
#define __HEDDLE_SCALAR(T)                                                     \
  __HEDDLE_VALUE(T)                                                            \
  T __HEDDLE_SUBGROUP intel_sub_group_shuffle_down(T, T, uint);                \
  T __HEDDLE_SUBGROUP intel_sub_group_shuffle_up(T, T, uint);
__HEDDLE_SCALAR(char)
__HEDDLE_SCALAR(uchar)
__HEDDLE_SCALAR(short)
__HEDDLE_SCALAR(ushort)
__HEDDLE_SCALAR(int)
__HEDDLE_SCALAR(uint)
__HEDDLE_SCALAR(long)
__HEDDLE_SCALAR(ulong)
__HEDDLE_SCALAR(float)
__HEDDLE_SCALAR(half)
__HEDDLE_SCALAR(double)
__HEDDLE_VALUE(int2)
__HEDDLE_VALUE(int4)
__HEDDLE_VALUE(int8)
__HEDDLE_VALUE(uint2)
__HEDDLE_VALUE(uint4)
__HEDDLE_VALUE(uint8)
__HEDDLE_VALUE(float2)
__HEDDLE_VALUE(float4)
__HEDDLE_VALUE(float8)
#define __HEDDLE_BLOCK(T, space, suffix, N)                                    \
  T##N __HEDDLE_SUBGROUP intel_sub_group_block_read##suffix##N(                \
      const space T *);                                                        \
  void __HEDDLE_SUBGROUP intel_sub_group_block_write##suffix##N(space T *,     \
                                                                T##N);
#define __HEDDLE_BLOCKS(T, space, suffix)                                      \
  __HEDDLE_BLOCK(T, space, suffix, )                                           \
  __HEDDLE_BLOCK(T, space, suffix, 2)                                          \
  __HEDDLE_BLOCK(T, space, suffix, 4)                                          \
  __HEDDLE_BLOCK(T, space, suffix, 8)
__HEDDLE_BLOCKS(uint, __global, )
__HEDDLE_BLOCKS(uint, __global, _ui)
__HEDDLE_BLOCKS(uchar, __global, _uc)
__HEDDLE_BLOCKS(ushort, __global, _us)
__HEDDLE_BLOCKS(ulong, __global, _ul)
__HEDDLE_BLOCKS(uint, __local, )
__HEDDLE_BLOCKS(ushort, __local, _us)
#undef __HEDDLE_BLOCKS
#undef __HEDDLE_BLOCK
#undef __HEDDLE_SCALAR
#undef __HEDDLE_VALUE
#undef __HEDDLE_SUBGROUP

// cl_amd_media_ops, cl_amd_media_ops2.
#define __HEDDLE_AMD                                                           \
  static inline __attribute__((overloadable, always_inline, unused))
#define __HEDDLE_MEDIA(T)                                                      \
  __HEDDLE_AMD T amd_bitalign(T a, T b, T n) {                                 \
    n &= 31;                                                                   \
    return n == 0 ? b : b >> n | a << (32 - n);                                \
  }                                                                            \
  __HEDDLE_AMD T amd_bytealign(T a, T b, T n) {                                \
    return amd_bitalign(a, b, (n & 3) * 8);                                    \
  }                                                                            \
  __HEDDLE_AMD T amd_bfe(T v, T first, T width) {                              \
    width &= 31;                                                               \
    return v >> (first & 31) & (((T)1 << width) - 1);                          \
  }                                                                            \
  __HEDDLE_AMD T amd_sad(T a, T b, T sum) {                                    \
    for (uint i = 0; i < 32; i += 8) {                                         \
      T x = a >> i & 255, y = b >> i & 255;                                    \
      sum += x > y ? x - y : y - x;                                            \
    }                                                                          \
    return sum;                                                                \
  }                                                                            \
  __HEDDLE_AMD T amd_sadhi(T a, T b, T sum) {                                  \
    return sum + (amd_sad(a, b, (T)0) << 16);                                  \
  }                                                                            \
  __HEDDLE_AMD T amd_lerp(T a, T b, T round) {                                 \
    T r = 0;                                                                   \
    for (uint i = 0; i < 32; i += 8)                                           \
      r |= ((a >> i & 255) + (b >> i & 255) + (round >> i & 1)) >> 1 << i;     \
    return r;                                                                  \
  }
#define __HEDDLE_ORDER(T)                                                      \
  __HEDDLE_AMD T amd_min3(T a, T b, T c) { return min(min(a, b), c); }         \
  __HEDDLE_AMD T amd_max3(T a, T b, T c) { return max(max(a, b), c); }         \
  __HEDDLE_AMD T amd_median3(T a, T b, T c) {                                  \
    return max(min(max(a, b), c), min(a, b));                                  \
  }
__HEDDLE_MEDIA(uint)
__HEDDLE_MEDIA(uint2)
__HEDDLE_MEDIA(uint4)
__HEDDLE_ORDER(int)
__HEDDLE_ORDER(uint)
__HEDDLE_ORDER(float)
__HEDDLE_AMD int amd_bfe(int v, uint first, uint width) {
  width &= 31;
  return width ? v << (32 - width - (first & 31)) >> (32 - width) : 0;
}
__HEDDLE_AMD uint amd_bfm(uint width, uint first) {
  return ((1u << (width & 31)) - 1) << (first & 31);
}
__HEDDLE_AMD uint amd_sad4(uint4 a, uint4 b, uint sum) {
  uint4 s = amd_sad(a, b, (uint4)0);
  return sum + s.x + s.y + s.z + s.w;
}
__HEDDLE_AMD uint amd_pack(float4 v) {
  uchar4 c = convert_uchar4_sat_rte(v);
  return c.x | (uint)c.y << 8 | (uint)c.z << 16 | (uint)c.w << 24;
}
__HEDDLE_AMD float amd_unpack0(uint v) { return (float)(v & 255); }
__HEDDLE_AMD float amd_unpack1(uint v) { return (float)(v >> 8 & 255); }
__HEDDLE_AMD float amd_unpack2(uint v) { return (float)(v >> 16 & 255); }
__HEDDLE_AMD float amd_unpack3(uint v) { return (float)(v >> 24); }
#undef __HEDDLE_ORDER
#undef __HEDDLE_MEDIA
#undef __HEDDLE_AMD

#endif // __HEDDLE_VENDOR_FUNCTIONS

// Limits of mixed types, min(uint, 255), for sources where Clang finds a call
// ambiguous (ClangInvocation.cpp). A declaration hides Clang's own, so that all
// are declared. The operands become what C makes of them in a sum.
#ifdef __HEDDLE_MIXED_LIMITS

#define __HEDDLE_LIMIT __attribute__((overloadable, const))
#define __HEDDLE_LIMITS(T)                                                     \
  T __HEDDLE_LIMIT min(T, T);                                                  \
  T __HEDDLE_LIMIT max(T, T);                                                  \
  T __HEDDLE_LIMIT clamp(T, T, T);
#define __HEDDLE_VECTOR_LIMITS(T, N)                                           \
  __HEDDLE_LIMITS(T##N)                                                        \
  T##N __HEDDLE_LIMIT min(T##N, T);                                            \
  T##N __HEDDLE_LIMIT max(T##N, T);                                            \
  T##N __HEDDLE_LIMIT clamp(T##N, T, T);
#define __HEDDLE_ALL_LIMITS(T)                                                 \
  __HEDDLE_LIMITS(T)                                                           \
  __HEDDLE_VECTOR_LIMITS(T, 2)                                                 \
  __HEDDLE_VECTOR_LIMITS(T, 3)                                                 \
  __HEDDLE_VECTOR_LIMITS(T, 4)                                                 \
  __HEDDLE_VECTOR_LIMITS(T, 8)                                                 \
  __HEDDLE_VECTOR_LIMITS(T, 16)
__HEDDLE_ALL_LIMITS(char)
__HEDDLE_ALL_LIMITS(uchar)
__HEDDLE_ALL_LIMITS(short)
__HEDDLE_ALL_LIMITS(ushort)
__HEDDLE_ALL_LIMITS(int)
__HEDDLE_ALL_LIMITS(uint)
__HEDDLE_ALL_LIMITS(long)
__HEDDLE_ALL_LIMITS(ulong)
__HEDDLE_ALL_LIMITS(float)
__HEDDLE_ALL_LIMITS(double)
#define __HEDDLE_MIXED(A, B, T)                                                \
  static inline __attribute__((overloadable, always_inline, unused)) T min(    \
      A a, B b) {                                                              \
    return min((T)a, (T)b);                                                    \
  }                                                                            \
  static inline __attribute__((overloadable, always_inline, unused)) T max(    \
      A a, B b) {                                                              \
    return max((T)a, (T)b);                                                    \
  }                                                                            \
  static inline __attribute__((overloadable, always_inline, unused)) T clamp(  \
      A a, B low, B high) {                                                    \
    return clamp((T)a, (T)low, (T)high);                                       \
  }
#define __HEDDLE_MIXED_PAIR(A, B, T)                                           \
  __HEDDLE_MIXED(A, B, T)                                                      \
  __HEDDLE_MIXED(B, A, T)
__HEDDLE_MIXED_PAIR(int, uint, uint)
__HEDDLE_MIXED_PAIR(int, long, long)
__HEDDLE_MIXED_PAIR(int, ulong, ulong)
__HEDDLE_MIXED_PAIR(uint, long, long)
__HEDDLE_MIXED_PAIR(uint, ulong, ulong)
__HEDDLE_MIXED_PAIR(long, ulong, ulong)
#undef __HEDDLE_MIXED_PAIR
#undef __HEDDLE_MIXED
#undef __HEDDLE_ALL_LIMITS
#undef __HEDDLE_VECTOR_LIMITS
#undef __HEDDLE_LIMITS
#undef __HEDDLE_LIMIT

#endif // __HEDDLE_MIXED_LIMITS

#endif
