// Labels and branches, guarded accesses, and copies that read less than they write.
// RUN: %heddle run %s --kernel flow --grid 1 --block 32 --arg a:u32[32]=iota --arg out:u32[96]=zero --dump out | FileCheck %s
// RUN: %heddle run %s --kernel flow --grid 1 --block 32 --arg a:u32[32]=iota --arg out:u32[96]=zero --dump out --engine interpreter | FileCheck %s
// The bits of 0 ... 15; 0 where the guard does not hold, lane above; 7 or a.
// CHECK: out (u32[96]): 0 1 1 2 1 2 2 3 1 2 2 3 2 3 3 4
extern "C" __global__ void flow(unsigned *a, unsigned *out) {
  unsigned lane = threadIdx.x, bits, r = 7;
  asm volatile("{\n"
               " .reg .pred p;\n .reg .u32 v, w;\n"
               " mov.u32 v, %1;\n mov.u32 %0, 0;\n"
               "AGAIN:\n"
               " setp.eq.u32 p, v, 0;\n"
               " @p bra DONE;\n"
               " sub.u32 w, v, 1;\n and.b32 v, v, w;\n add.u32 %0, %0, 1;\n"
               " bra.uni AGAIN;\n"
               "DONE:\n}"
               : "=r"(bits) : "r"(a[lane]));
  if (lane < 16)
    out[lane] = bits;
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 15; @p st.global.u32 [%0], %1; }" ::"l"(out + 16 + lane), "r"(lane) : "memory");
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 4; @p bra SKIP%=; ld.global.u32 %0, [%1]; SKIP%=: }" : "+r"(r) : "l"(a + lane), "r"(lane));
  if (r != (lane < 4 ? 7 : lane))
    __trap();
}
// RUN: %heddle run %s --kernel copies --grid 1 --block 8 --arg in:f32[18]=iota --arg out:f32[32]=value:9 --arg i32=18 --dump out | FileCheck %s --check-prefix=COPIES
// RUN: %heddle run %s --kernel copies --grid 1 --block 8 --arg in:f32[18]=iota --arg out:f32[32]=value:9 --arg i32=18 --dump out --check | FileCheck %s --check-prefix=COPIES
// COPIES: out (f32[32]): 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// RUN: %heddle run %s --kernel copies --grid 1 --block 8 --arg in:f32[2]=iota --arg out:f32[32]=value:9 --arg i32=2 --dump out | FileCheck %s --check-prefix=PARTLY
// PARTLY: out (f32[32]): 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0
extern "C" __global__ void copies(const float *in, float *out, int n) {
  __shared__ float s[32];
  unsigned to = (unsigned)__cvta_generic_to_shared(s + 4 * threadIdx.x);
  int left = 4 * (n - 4 * (int)threadIdx.x), size = left < 0 ? 0 : left > 16 ? 16 : left;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in + 4 * threadIdx.x), "r"(size));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    out[4 * threadIdx.x + i] = s[4 * threadIdx.x + i];
}
// A jump to nowhere stays, and is named.
// RUN: %status 1 %heddle run %s --kernel nowhere --grid 1 --block 32 --arg a:u32[32]=iota 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: flow.cu:[[#@LINE+2]]
extern "C" __global__ void nowhere(unsigned *a) {
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0; @p bra ELSEWHERE; }" ::"r"(a[0]));
}
// A colon without a name is no label.
// RUN: %status 1 %heddle run %s --kernel colon --grid 1 --block 32 --arg a:u32[32]=iota 2>&1 | FileCheck %s --check-prefix=COLON
// COLON: flow.cu:[[#@LINE+2]]
extern "C" __global__ void colon(unsigned *a) {
  asm volatile("{ : ; }" ::"r"(a[0]));
}
// RUN: %heddle run %s --kernel plain --grid 1 --block 8 --arg in:f32[32]=iota --arg out:f32[32]=zero --dump out | FileCheck %s --check-prefix=PLAIN
// PLAIN: out (f32[32]): 28 29 30 31 24 25 26 27 20
extern "C" __global__ void plain(const float *in, float *out) {
  __shared__ float s[32];
  unsigned to = (unsigned)__cvta_generic_to_shared(s + 4 * (7 - threadIdx.x));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * threadIdx.x));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    out[4 * threadIdx.x + i] = s[4 * threadIdx.x + i];
}
