// What is no number, as an integer and after .relu.
// DEFINE: %{args} = %s --grid 1 --block 1 --arg one:f32[4]=value:1 --arg o:i32[8]=zero -q
// RUN: %heddle run %{args} --dump o=%t.bin
// RUN: od -An -v -w32 -t d4 %t.bin | FileCheck %s
// RUN: %heddle run %{args} --engine interpreter --dump o=%t.bin
// RUN: od -An -v -w32 -t d4 %t.bin | FileCheck %s
// CHECK: 1 1 1 1 1 1 1 1{{$}}
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__device__ int code(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
extern "C" __global__ void no_number(const float *one, int *o) {
  const float x = one[0];
  const double d = x;
  const float zero = x - 1, nan = zero / zero;
  const double none = (d - 1) / (d - 1);
  __shared__ long long kept;
  kept = __half2ll_rz(__float2half(nan));
  __syncthreads();
  o[0] = __float2int_rn(nan) == 0 && (int)nan == 0;
  o[1] = __double2int_rn(none) == INT_MIN && (int)none == INT_MIN;
  o[2] = __double2uint_rz(none) == 0x80000000u;
  o[3] = __float2ll_ru(nan) == LLONG_MIN && (long long)nan == LLONG_MIN;
  o[4] = __float2ull_rz(nan) == 1ull << 63 && llrintf(nan) == LLONG_MIN;
  o[5] = kept == LLONG_MIN;
  o[6] = __half_as_ushort(__hfma_relu(__float2half(nan), __float2half(x), __float2half(x))) == 0x7fff;
  o[7] = code(__hfma_relu(__float2bfloat16(nan), __float2bfloat16(x), __float2bfloat16(x))) == 0x7fff;
}
