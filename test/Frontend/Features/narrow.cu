// RUN: %frontends --test %s
// FEATURE: half and bfloat16: comparisons of what is no number, masks, complex products
// LAUNCH: --grid 1 --block 1 --arg f32=1 --arg o:u32[16]=zero --dump o
// EXPECT: o (u32[16]): 0 1 0 1 0 1 1 65535 1006632960 0 4294901760 32767 32767 1 4294967294 2
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(float one, unsigned *o) {
  __half x = __float2half(one), none = __ushort_as_half(0x7e00);
  o[0] = __hne(x, none);
  o[1] = __hneu(x, none);
  o[2] = __heq(none, none);
  o[3] = __hequ(none, none);
  o[4] = __hlt(x, none);
  o[5] = __hltu(x, none);
  o[6] = x != none;
  __half2 a = __halves2half2(x, none), b = __halves2half2(x, x);
  o[7] = __heq2_mask(a, b);
  __half2 c = __hne2(b, __halves2half2(x, __hneg(x)));
  o[8] = *reinterpret_cast<unsigned *>(&c);
  o[9] = __hbge2(a, b);
  o[10] = __hneu2_mask(a, b);
  o[11] = __half_as_ushort(__hmax_nan(x, none));
  __nv_bfloat16 y = __float2bfloat16(one);
  o[12] = __bfloat16_as_ushort(__hmin_nan(y, __ushort_as_bfloat16(0x7fc0)));
  o[13] = __hequ(y, __ushort_as_bfloat16(0x7fc0));
  o[14] = __bfloat162int_rd(__float2bfloat16(-1.5f * one));
  // (1 + i) (1 + i) + 0 is 2 i.
  __half2 p = __hcmadd(b, b, __floats2half2_rn(0, 0));
  o[15] = __high2float(p) - __low2float(p);
}
