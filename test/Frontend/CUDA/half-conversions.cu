// Each block converts halves for itself, as in nvcc's code, where conversions are assembly: what stays in registers from one loop to the other is the half.
// DEFINE: %{kernels} = %heddle kernels %s --arch sm_80
// RUN: %{kernels} --ptx | FileCheck %s
// RUN: %{kernels} --ptx --compiler clang | FileCheck %s --check-prefix=CLANG
// CHECK-COUNT-4: cvt.f32.f16
// CHECK-NOT: cvt.f32.f16
// CLANG-COUNT-2: cvt.f32.f16
// CLANG-NOT: cvt.f32.f16
//
// Both halves of a word come out in one statement, so that ptxas computes with both where they lie.
// RUN: %{kernels} --code-table --isa machine | FileCheck %s --check-prefix=MACHINE
// MACHINE-NOT: PRMT
// MACHINE: HFMA2
// MACHINE-NOT: PRMT
//
// RUN: %heddle run %s --grid 1 --block 32 --arg x:u32[32]=value:1006648320 --arg o:f32[32]=zero --arg y:f16[64]=zero --arg i32=3 --dump o -q | FileCheck %s --check-prefix=VALUES
// RUN: %heddle run %s --grid 1 --block 32 --arg x:u32[32]=value:1006648320 --arg o:f32[32]=zero --arg y:f16[64]=zero --arg i32=3 --dump o -q --engine interpreter | FileCheck %s --check-prefix=VALUES
// VALUES: o (f32[32]): 0.5 0.5 0.5
#include <cuda_fp16.h>
__global__ void centre(const unsigned *x, float *o, __half2 *y, int n) {
  unsigned word = x[threadIdx.x];
  const __half2 pair = *reinterpret_cast<__half2 *>(&word);
  const float2 v = __half22float2(pair);
  float sum = v.x + v.y;
  for (int lanes = 16; lanes > 0; lanes /= 2)
    sum += __shfl_xor_sync(~0u, sum, lanes);
  if (n > 2) {
    const float2 w = __half22float2(pair);
    o[threadIdx.x] = (w.x - sum / 128) * (w.x - sum / 128) + (w.y - sum / 128) * (w.y - sum / 128);
    y[threadIdx.x] = __hfma2(pair, pair, pair);
  }
}
