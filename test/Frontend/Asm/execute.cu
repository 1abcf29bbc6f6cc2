// Inline PTX with a meaning here executes; the numbers are those of the PTX ISA.
// RUN: %heddle run %s --kernel k --grid 1 --block 32 --arg a:u32[32]=iota --arg out:u32[64] --dump out | FileCheck %s
// RUN: %heddle run %s --kernel k --grid 1 --block 32 --arg a:u32[32]=iota --arg out:u32[64] --dump out --engine interpreter | FileCheck %s
// CHECK: out (u32[64]): 5 15 65535 64 128 6 31 255 11 4294967295 21 77 1
extern "C" __global__ void k(unsigned *a, unsigned *out) {
  unsigned r, lane;
  unsigned long long wide;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (lane == 5)
    out[0] = lane;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(0xF0u), "r"(4), "r"(8));
  out[1] = r;
  asm("bfi.b32 %0, %1, %2, 8, 8;" : "=r"(r) : "r"(0xFFu), "r"(0xFFu));
  out[2] = r;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(wide) : "r"(6u), "r"(10u), "l"(4ull));
  out[3] = (unsigned)wide;
  asm("{ .reg .u32 t; shl.b32 t, %1, 2; mov.u32 %0, t; }" : "=r"(r) : "r"(32u));
  out[4] = r;
  asm volatile("ld.global.cg.u32 %0, [%1+4];" : "=r"(r) : "l"(a + 5));
  out[5] = r;
  asm("shfl.sync.idx.b32 %0, %1, 31, 31, -1;" : "=r"(r) : "r"(a[lane]));
  out[6] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0xFE;" : "=r"(r) : "r"(15u), "r"(240u), "r"(0u));
  out[7] = r;
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(out + 8), "r"(11u) : "memory");
  asm("{ .reg .pred p; setp.lt.u32 p, %1, 32; vote.sync.ballot.b32 %0, p, -1; }" : "=r"(r) : "r"(lane));
  out[9] = r;
  asm volatile("bar.sync 0;");
  if (lane == 0)
    out[10] = 20;
  __syncwarp();
  if (lane == 3)
    asm volatile("red.global.add.u32 [%0], 1;" ::"l"(out + 10));
  asm("prmt.b32 %0, %1, 0, 0x4440;" : "=r"(r) : "r"(0x1234004Du));
  out[11] = r;
  asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(0u));
  out[12] = r;
}
// What has none is still listed, and named when it should execute.
// RUN: %heddle kernels %s | FileCheck %s --check-prefix=LIST
// LIST: k
// LIST: strange
// RUN: %status 1 %heddle run %s --kernel strange --grid 1 --block 32 --arg a:u32[32]=iota 2>&1 | FileCheck %s --check-prefix=STRANGE
// STRANGE: execute.cu:[[#@LINE+3]]
extern "C" __global__ void strange(unsigned *a) {
  unsigned r;
  asm volatile("vmad.u32.u32.u32 %0, %1, %1, %1;" : "=r"(r) : "r"(a[0]));
  a[0] = r;
}
