// Sums of halves and bfloat16 in memory, single and in pairs, of which each
// half is atomic by itself. nvcc writes them for atomicAdd().
// RUN: %heddle run %s --grid 1 --block 4 --arg p:u32[2]=zero --arg q:u16[2]=zero --arg o:u32[4]=zero --dump p --dump q --dump o --engine jit -q | FileCheck %s
// RUN: %heddle run %s --grid 1 --block 4 --arg p:u32[2]=zero --arg q:u16[2]=zero --arg o:u32[4]=zero --dump p --dump q --dump o --engine interpreter -q | FileCheck %s
// RUN: %heddle run %s --arch sm_90 --grid 1 --block 4 --arg p:u32[2]=zero --arg q:u16[2]=zero --arg o:u32[4]=zero --dump p --dump q --dump o -q | FileCheck %s
// RUN: %heddle simulate %s --grid 1 --block 4 --arg p:u32[2]=zero --arg q:u16[2]=zero --arg o:u32[4]=zero -q
// (2, 4) as halves and as bfloat16; 4 as both.
// CHECK: p (u32[2]): 1140867072 1082146816
// CHECK: q (u16[2]): 16512 17408
// CHECK: o (u32[4]): 0 1006647296 1073757184 1107312128
extern "C" __global__ void k(unsigned *p, unsigned short *q, unsigned *o) {
  unsigned old;
  unsigned short half;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(0x3c003800u));
  o[threadIdx.x] = old;
  asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(p + 1), "r"(0x3f803f00u));
  asm volatile("atom.global.add.noftz.bf16 %0, [%1], %2;" : "=h"(half) : "l"(q), "h"((unsigned short)0x3f80));
  asm volatile("red.relaxed.gpu.global.add.noftz.f16 [%0], %1;" ::"l"(q + 1), "h"((unsigned short)0x3c00));
}
