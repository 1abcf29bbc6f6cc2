// atomicAdd of halves is one instruction where the target has it. Of vectors it
// is several, or a loop, and the result says so where a GPU has one.
// RUN: %heddle kernels %s --ptx --arch sm_60 | FileCheck %s --check-prefix=OLD
// RUN: %heddle kernels %s --ptx --arch sm_70 | FileCheck %s --check-prefix=VOLTA
// RUN: %heddle kernels %s --ptx --arch sm_90 | FileCheck %s --check-prefix=HOPPER
// DEFINE: %{run} = %heddle run %s --kernel all --grid 1 --block 2 -q --arg f16[4]=zero --arg f16[4]=zero --arg u16[4]=zero --arg u16[4]=zero --arg f32[8]=zero --arg u32[2]=zero --dump h --dump h2 --dump b --dump b2 --dump f --dump w
// RUN: %{run} --arch sm_90 | FileCheck %s --check-prefix=VALUES
// RUN: %{run} --arch sm_90 --engine interpreter | FileCheck %s --check-prefix=VALUES
// RUN: %{run} --arch sm_60 | FileCheck %s --check-prefix=VALUES
// VALUES: h (f16[4]): 1 1 0 0
// VALUES-NEXT: h2 (f16[4]): 1 2 1 2
// VALUES-NEXT: b (u16[4]): 16256 16256 0 0
// VALUES-NEXT: b2 (u16[4]): 16256 16384 16256 16384
// VALUES-NEXT: f (f32[8]): 1 2 3 4 1 2 3 4
// VALUES-NEXT: w (u32[2]): 1006648320 1006648320
// DEFINE: %{note} = %heddle run %s --kernel all --grid 1 --block 2 --arg f16[4]=zero --arg f16[4]=zero --arg u16[4]=zero --arg u16[4]=zero --arg f32[8]=zero --arg u32[2]=zero
// RUN: %{note} --arch sm_90 2>&1 | FileCheck %s --check-prefix=NOTE90
// RUN: %{note} --arch sm_60 2>&1 | FileCheck %s --check-prefix=NOTE60
// NOTE90-DAG: line [[#@LINE+23]]: an atomicAdd of a vector is timed as 2 atomics; a GPU has one instruction for it
// NOTE90-DAG: line [[#@LINE+24]]: an atomicAdd of a vector is timed as 2 atomics
// NOTE90-DAG: line [[#@LINE+25]]: an atomicAdd of a vector is timed as 4 atomics
// NOTE90-DAG: line [[#@LINE+29]]: an atomicAdd of a vector is timed as 2 atomics
// NOTE60: line [[#@LINE+19]]: an atomicAdd of a vector is timed as a loop of atomicCAS; a GPU has one instruction for it
// NOTE60-NOT: line [[#@LINE+20]]: an atomicAdd

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// OLD-LABEL: .entry all(
// OLD-NOT: atom.{{.*}}add.noftz
// VOLTA-LABEL: .entry all(
// VOLTA-COUNT-5: atom.global.add.noftz.f16
// VOLTA-NOT: atom.{{.*}}bf16
// HOPPER-LABEL: .entry all(
// HOPPER-NOT: .cas
// HOPPER-COUNT-3: atom.global.add.noftz.f16 %
// HOPPER-COUNT-3: atom.global.add.noftz.bf16 %
extern "C" __global__ void all(__half *h, __half2 *h2, __nv_bfloat16 *b,
                               __nv_bfloat162 *b2, float *f, unsigned *w) {
  unsigned t = threadIdx.x;
  atomicAdd(h + t, __float2half(1));
  atomicAdd(h2 + t, __floats2half2_rn(1, 2));
  atomicAdd(b + t, __float2bfloat16(1));
  atomicAdd(b2 + t, __floats2bfloat162_rn(1, 2));
#if __CUDA_ARCH__ >= 900
  atomicAdd((float4 *)f + t, make_float4(1, 2, 3, 4));
#else
  for (int i = 0; i < 4; ++i)
    atomicAdd(f + 4 * t + i, i + 1);
#endif
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(w + t), "r"(0x3c003c00));
}
