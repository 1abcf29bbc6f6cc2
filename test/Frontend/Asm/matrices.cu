// mma.sync and ldmatrix against products counted element by element; packed
// halves, predicates after shuffles and guarded statements.
// RUN: %heddle run %s --kernel matrices --grid 1 --block 32 --arg bad:i32[12]=zero --dump bad 2>/dev/null | FileCheck %s
// RUN: %heddle run %s --kernel matrices --grid 1 --block 32 --arg bad:i32[12]=zero --dump bad --engine interpreter 2>/dev/null | FileCheck %s
// RUN: %heddle kernels %s --arch sm_80 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: %heddle kernels %s 2>&1 | FileCheck %s --check-prefix=OLD
// CHECK: bad (i32[12]): 128 0 128 0 128 0 128 0 128 0 128 0
// COUNTS: tensor 6
// OLD: warning: matrices is not compiled ({{.*}}): {{.*}}matrices.cu:[[#]]: kernel 'matrices' uses mma of this shape and type, which needs sm_80; compile it for that: --arch sm_80
// OLD: packed
#include <cuda_fp16.h>

__device__ float elementA(int r, int c) { return (r * 3 + c * 5) % 7 - 3; }
__device__ float elementB(int r, int c) { return (r * 2 + c * 3) % 5 - 2; }
__device__ float expected(int r, int c, int depth) {
  float sum = r - c;
  for (int k = 0; k < depth; ++k)
    sum += elementA(r, k) * elementB(k, c);
  return sum;
}
__device__ unsigned pack(float low, float high) {
  return __half_as_ushort(__float2half(low)) | __half_as_ushort(__float2half(high)) << 16;
}
__device__ unsigned brains(float low, float high) {
  return __float_as_uint(low) >> 16 | (__float_as_uint(high) >> 16 << 16);
}
__device__ unsigned bytes(bool fromA, int fixed, int k) {
  unsigned v = 0;
  for (int i = 0; i < 4; ++i)
    v |= ((int)(fromA ? elementA(fixed, k + i) : elementB(k + i, fixed)) & 255) << 8 * i;
  return v;
}
__device__ void count(int *bad, float value, float wanted) { atomicAdd(bad + (value != wanted), 1); }

extern "C" __global__ void matrices(int *bad) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  float d[4], c[4] = {g - 2.f * t, g - 2.f * t - 1, g + 8 - 2.f * t, g + 8 - 2.f * t - 1};
  {
    // A comes by ldmatrix, B by its transposed form.
    __shared__ __half sa[16][16], sb[16][8];
    for (int i = lane; i < 256; i += 32)
      sa[i / 16][i % 16] = __float2half(elementA(i / 16, i % 16));
    for (int i = lane; i < 128; i += 32)
      sb[i / 8][i % 8] = __float2half(elementB(i / 8, i % 8));
    __syncthreads();
    unsigned a[4], b[2];
    unsigned pa = (unsigned)__cvta_generic_to_shared(&sa[lane % 16][lane / 16 * 8]);
    unsigned pb = (unsigned)__cvta_generic_to_shared(&sb[lane % 16][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1]) : "r"(pb));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                   "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    for (int i = 0; i < 4; ++i)
      count(bad, d[i], expected(g + i / 2 * 8, 2 * t + i % 2, 16));
  }
  {
    // Half sums, two registers.
    unsigned a0 = pack(elementA(g, 2 * t), elementA(g, 2 * t + 1)), a1 = pack(elementA(g + 8, 2 * t), elementA(g + 8, 2 * t + 1));
    unsigned b0 = pack(elementB(2 * t, g), elementB(2 * t + 1, g)), c0 = pack(c[0], c[1]), c1 = pack(c[2], c[3]), d0, d1;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%5,%6};"
                 : "=r"(d0), "=r"(d1) : "r"(a0), "r"(a1), "r"(b0), "r"(c0), "r"(c1));
    for (int i = 0; i < 4; ++i)
      count(bad + 2, __half2float(__ushort_as_half((i / 2 ? d1 : d0) >> 16 * (i % 2))), expected(g + i / 2 * 8, 2 * t + i % 2, 8));
  }
  {
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i)
      a[i] = __float_as_uint(elementA(g + i % 2 * 8, t + i / 2 * 4));
    for (int i = 0; i < 2; ++i)
      b[i] = __float_as_uint(elementB(t + 4 * i, g));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                   "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    for (int i = 0; i < 4; ++i)
      count(bad + 4, d[i], expected(g + i / 2 * 8, 2 * t + i % 2, 8));
  }
  {
    unsigned a[4], b[2];
    int s[4];
    for (int i = 0; i < 4; ++i)
      a[i] = bytes(true, g + i % 2 * 8, 4 * t + i / 2 * 16);
    for (int i = 0; i < 2; ++i)
      b[i] = bytes(false, g, 4 * t + 16 * i);
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
                 : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                   "r"((int)c[0]), "r"((int)c[1]), "r"((int)c[2]), "r"((int)c[3]));
    for (int i = 0; i < 4; ++i)
      count(bad + 6, s[i], expected(g + i / 2 * 8, 2 * t + i % 2, 32));
  }
  {
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i)
      a[i] = brains(elementA(g + i % 2 * 8, 2 * t + i / 2 * 8), elementA(g + i % 2 * 8, 2 * t + i / 2 * 8 + 1));
    for (int i = 0; i < 2; ++i)
      b[i] = brains(elementB(2 * t + 8 * i, g), elementB(2 * t + 8 * i + 1, g));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                   "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    for (int i = 0; i < 4; ++i)
      count(bad + 8, d[i], expected(g + i / 2 * 8, 2 * t + i % 2, 16));
  }
  {
    // Unsigned: 200 is no -56.
    unsigned a = 0, a1 = 0, b = 0;
    int s[4];
    for (int i = 0; i < 4; ++i) {
      a |= (unsigned)(200 + g - 4 * t - i) << 8 * i;
      a1 |= (unsigned)(200 + g + 8 - 4 * t - i) << 8 * i;
      b |= (unsigned)(4 * t + i + g) << 8 * i;
    }
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
                 : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3])
                 : "r"(a), "r"(a1), "r"(b), "r"((int)c[0]), "r"((int)c[1]), "r"((int)c[2]), "r"((int)c[3]));
    for (int i = 0; i < 4; ++i) {
      int row = g + i / 2 * 8, column = 2 * t + i % 2, sum = (int)c[i];
      for (int k = 0; k < 16; ++k)
        sum += (200 + row - k) * (k + column);
      count(bad + 10, s[i], sum);
    }
  }
}

// RUN: %heddle run %s --kernel packed --grid 1 --block 32 --arg out:u32[48]=zero --dump out | FileCheck %s --check-prefix=PACKED
// RUN: %heddle run %s --kernel packed --grid 1 --block 32 --arg out:u32[48]=zero --dump out --engine interpreter | FileCheck %s --check-prefix=PACKED
// (1, 2); (4, 16); 1.5 * 2 + 1 = 4 twice; (1.0078125, 1) in bfloat16; 2.
// PACKED: out (u32[48]): 1073757184 1275085824 1140868096 1065369473 16384 1 3 6 10 15 21 28
extern "C" __global__ void packed(unsigned *out) {
  unsigned r, lane = threadIdx.x;
  unsigned short h;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(2.0f), "f"(1.0f));
  out[0] = r;
  asm("{add.f16x2 %0,%1,%2;}" : "=r"(r) : "r"(r), "r"(r));
  asm("mul.f16x2 %0, %1, %1;" : "=r"(r) : "r"(r));
  out[1] = r;
  asm("{fma.rn.f16x2 %0,%1,%2,%3;}" : "=r"(r) : "r"(0x3e003e00u), "r"(0x40004000u), "r"(0x3c003c00u));
  out[2] = r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(1.0f), "f"(1.005f));
  out[3] = r;
  asm("{.reg.b16 one; mov.b16 one, 0x3f80; fma.rn.bf16 %0, %1, one, %1;}" : "=h"(h) : "h"((unsigned short)0x3f80));
  out[4] = h;
  // A scan by shuffles with the predicate of each.
  unsigned sum = lane;
  for (int step = 1; step < 32; step *= 2)
    asm volatile("{ .reg .u32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %0, %1, 0, -1; @p add.u32 r0, r0, %0; @!p mov.u32 r0, %0; mov.u32 %0, r0; }"
                 : "+r"(sum) : "r"(step));
  if (lane)
    out[4 + lane] = sum;
}
