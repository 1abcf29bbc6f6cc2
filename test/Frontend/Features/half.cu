// RUN: %frontends --test %s
// FEATURE: half and bfloat16 arithmetic
// LAUNCH: --grid 1 --block 1 --arg o:f32[5] --dump o
// EXPECT: o (f32[5]): 3.25 6 1.0078125 256 0.5
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(float *o) {
  half a = __float2half(1.5f);
  o[0] = __half2float(__hfma(a, a, __float2half(1.0f)));
  half2 v = __hadd2(__floats2half2_rn(1, 2), __floats2half2_rn(2, 4));
  o[1] = __high2float(v);
  o[2] = __bfloat162float(__float2bfloat16(1.005f));
  o[3] = __bfloat162float(__hadd(__float2bfloat16(255.0f), __float2bfloat16(1.0f)));
  o[4] = __half2float(hrcp(__float2half(2.0f)));
}
