"""What random kernels begin with, in CUDA and in OpenCL, and CUDA's text as OpenCL."""

import re

# Inline assembly and what host.h has in its place; helpers of all kernels.
CUDA = """
#ifndef HOST
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
#define texel(line, i) tex1Dfetch<unsigned>(line, i)
#define point(plane, x, y) tex2D<float>(plane, x, y)
#define blend(smooth, x, y) tex2D<float>(smooth, x, y)
typedef unsigned char u8;
typedef unsigned long long u64;
#define PTX(text, ...) ({ unsigned r; asm(text : "=r"(r) : __VA_ARGS__); r; })
#define ptxBfe(a, p, n) PTX("bfe.u32 %0, %1, %2, %3;", "r"(a), "r"(p), "r"(n))
#define ptxLop3(a, b, c) PTX("lop3.b32 %0, %1, %2, %3, 0xCA;", "r"(a), "r"(b), "r"(c))
#define ptxMin(a, b) PTX("min.s32 %0, %1, %2;", "r"(a), "r"(b))
#define ptxSelect(a, b) PTX("{ .reg .pred p; .reg .u32 t; add.u32 t, %2, 1; setp.gt.u32 p, %1, %2; " \\
                            "sub.u32 %0, %1, %2; @!p mov.u32 %0, t; }", "r"(a), "r"(b))
#define ptxCarry(a, b) PTX("{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, 7, 0; }", "r"(a), "r"(b))
#define ptxShift(a, n) PTX("shl.b32 %0, %1, %2;", "r"(a), "r"(n))
#define ptxInsert(a, b, p, n) PTX("bfi.b32 %0, %1, %2, %3, %4;", "r"(a), "r"(b), "r"(p), "r"(n))
#define ptxHigh(a, b, c) PTX("mad.hi.u32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(c))
#define ptxSaturate(a) PTX("{ .reg .u8 t; cvt.sat.u8.s32 t, %1; cvt.u32.u8 %0, t; }", "r"(a))
#define ptxWide(a, b) PTX("{ .reg .u64 t; mul.wide.u32 t, %1, %2; shr.u64 t, t, 9; cvt.u32.u64 %0, t; }", "r"(a), "r"(b))
#define ptxLeap(a, b) PTX("{ .reg .pred p; mov.u32 %0, %1; setp.lt.u32 p, %1, %2; @p bra LEAP_%=; " \\
                          "sub.u32 %0, %1, %2; LEAP_%=: xor.b32 %0, %0, 3; }", "r"(a), "r"(b))
#endif
__constant__ unsigned table[16] = {3, 1u << 31, 77, 0, 5, 0xfffffff0, 9, 4096, 11, 12, 0x8000, 14, 15, 99, 17, 65537};
__constant__ float weights[8] = {0.5f, 1.25f, 3.0f, 100.0f, 0.0f, 7.5f, 2.0f, 12.0f};
struct Fields { unsigned a : 5; unsigned b : 20; unsigned c : 7; };
__device__ unsigned recurse(unsigned depth, unsigned x) {
  if (depth == 0 || x % 7u == 3u)
    return x * 5u + depth;
  unsigned first = recurse(depth - 1, x >> 1);
  return first ^ (x & 1u ? recurse(depth - 1, first + x) : x);
}
__device__ __noinline__ unsigned walk(unsigned x, unsigned n) {
  do {
    x = x & 1u ? x * 3u + 1u : x >> 1;
  } while (n-- && x > 4u);
  return x;
}
template <int N, typename F> __device__ unsigned repeat(F f, unsigned x) {
  for (int i = 0; i < N; ++i)
    x = f(x);
  return x;
}
union Bits { unsigned u[2]; u64 w; double d; float f[2]; unsigned short s[4]; u8 b[8]; };
__device__ unsigned words[8] = {7, 1u << 30, 12, 0xffff, 3, 0, 99, 0x80000001};
__device__ unsigned *rows[4] = {words, words + 5, words + 2, words};
__device__ const char *const names[4] = {"zero", "a longer one", "2", "three"};
__device__ unsigned stepAdd(unsigned a, unsigned b) { return a + 3u * b; }
__device__ unsigned stepMix(unsigned a, unsigned b) { return b & 1u ? a ^ (b << 7) : walk(a, 2u); }
__device__ unsigned stepLoop(unsigned a, unsigned b) {
  for (unsigned i = 0; i < (b & 3u); ++i)
    a = a * 9u + i;
  return a;
}
typedef unsigned (*Step)(unsigned, unsigned);
__device__ Step steps[4] = {stepAdd, stepMix, stepLoop, stepAdd};
struct Shape {
  unsigned side;
  __device__ Shape(unsigned side) : side(side) {}
  __device__ virtual unsigned area() const { return side * side; }
};
struct Box : Shape {
  unsigned other;
  __device__ Box(unsigned a, unsigned b) : Shape(a), other(b) {}
  __device__ unsigned area() const override { return side * (other & 0xffu); }
};
struct Pair { unsigned a; unsigned short c; float b; };
__device__ Pair mix(Pair p, unsigned v) {
  return v & 1u ? Pair{p.a + v, p.c, p.b} : Pair{v, (unsigned short)(p.c ^ v), p.b * 0.5f};
}
#define atomicWide(p, v) atomicAdd(p, v)
"""

# The same names in OpenCL C.
OPENCL = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
typedef uchar u8;
typedef ulong u64;
#define threadIdx ((uint3)(get_local_id(0), get_local_id(1), get_local_id(2)))
#define blockDim ((uint3)(get_local_size(0), get_local_size(1), get_local_size(2)))
#define blockIdx ((uint3)(get_group_id(0), get_group_id(1), get_group_id(2)))
#define gridDim ((uint3)(get_num_groups(0), get_num_groups(1), get_num_groups(2)))
#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define make_uint4(a, b, c, d) ((uint4)(a, b, c, d))
#define atomicAdd(p, v) atomic_add(p, v)
#define atomicMax(p, v) atomic_max(p, v)
#define atomicMin(p, v) atomic_min(p, v)
#define atomicXor(p, v) atomic_xor(p, v)
#define atomicWide(p, v) atom_add(p, v)
#define __popc(x) popcount(x)
#define __popcll(x) popcount(x)
#define __clz(x) clz(x)
#define __clzll(x) clz(x)
#define __umulhi(a, b) mul_hi(a, b)
#define __umul64hi(a, b) mul_hi(a, b)
#define fminf(a, b) fmin((float)(a), (float)(b))
#define fmaxf(a, b) fmax((float)(a), (float)(b))
#define fmaf(a, b, c) fma((float)(a), (float)(b), (float)(c))
#define fabsf(a) fabs((float)(a))
#define sqrtf(a) sqrt((float)(a))
#define floorf(a) floor((float)(a))
#define texel(line, i) read_imageui(line, nearest, (int)(i)).x
#define point(plane, a, b) read_imagef(plane, nearest, (float2)(a, b)).x
#define blend(smooth, a, b) read_imagef(smooth, between, (float2)(a, b)).x
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t between = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant uint table[16] = {3, 1u << 31, 77, 0, 5, 0xfffffff0, 9, 4096, 11, 12, 0x8000, 14, 15, 99, 17, 65537};
constant float weights[8] = {0.5f, 1.25f, 3.0f, 100.0f, 0.0f, 7.5f, 2.0f, 12.0f};
__attribute__((noinline)) uint walk(uint x, uint n) {
  do {
    x = x & 1u ? x * 3u + 1u : x >> 1;
  } while (n-- && x > 4u);
  return x;
}
typedef struct { uint a; ushort c; float b; } Pair;
Pair mix(Pair p, uint v) {
  return v & 1u ? (Pair){p.a + v, p.c, p.b} : (Pair){v, (ushort)(p.c ^ v), p.b * 0.5f};
}
"""

TYPES = {"unsigned long long": "ulong", "unsigned short": "ushort", "unsigned char": "uchar", "signed char": "char",
         "long long": "long", "unsigned": "uint", "_Float16": "half"}
PARAMETERS = {
    "cuda": ("unsigned *out, float *real, double *wide, unsigned long long *sums, unsigned *bins, const unsigned *in, unsigned n, "
             "cudaTextureObject_t line, cudaTextureObject_t plane, cudaTextureObject_t smooth"),
    "opencl": ("global uint *out, global float *real, global double *wide, global ulong *sums, global uint *bins, "
               "global const uint *in, uint n, read_only image1d_t line, read_only image2d_t plane, read_only image2d_t smooth")}


def opencl(text):
    """A kernel's body, which keeps to what both languages have, in OpenCL C."""
    for name, other in TYPES.items():
        text = re.sub(rf"\b{name}\b", other, text)
    text = text.replace("__shared__", "local_").replace("alignas(16)", "__attribute__((aligned(16)))")
    text = re.sub(r"\blocal\b", "own", text).replace("local_", "local")
    text = re.sub(r"\bPair\{", "(Pair){", text)
    return re.sub(r"\b(u?int|u64|float|double|half|bool)\(", r"(\1)(", text)
