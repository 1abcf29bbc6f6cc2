// Bfloat16 of numbers that a float does not hold, in every direction.
// DEFINE: %{args} = %s --grid 1 --block 1 --arg one:f32[4]=value:1 --arg o:i32[9]=zero -q
// RUN: %heddle run %{args} --dump o=%t.bin
// RUN: od -An -v -w36 -t d4 %t.bin | FileCheck %s
// RUN: %heddle run %{args} --engine interpreter --dump o=%t.bin
// RUN: od -An -v -w36 -t d4 %t.bin | FileCheck %s
// CHECK: 1 1 1 1 1 1 1 1 1{{$}}
#include <cuda_bf16.h>
__device__ int code(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
extern "C" __global__ void brain_conversions(const float *one, int *o) {
  const float x = one[0];
  const double d = x;
  const unsigned below = 0xff7fffffu + (unsigned)x - 1;
  const int odd = 0x01010001 + (int)x - 1;
  const long long wide = (1ll << 62) + (1ll << 54) + (long long)x;
  o[0] = code(__float2bfloat16_rz(__uint_as_float(0x7f800001 + __float2int_rn(x)))) == 0x7fff;
  o[1] = code(__uint2bfloat16_rn(below)) == 0x4f7f && code(__nv_bfloat16(below)) == 0x4f7f;
  o[2] = code(__int2bfloat16_rn(odd)) == 0x4b81 && code(__int2bfloat16_rz(odd)) == 0x4b80;
  o[3] = code(__ll2bfloat16_rn(wide)) == 0x5e81 && code(__ll2bfloat16_rd(-wide)) == 0xde81;
  o[4] = code(__ull2bfloat16_ru(~0ull - 1 + (unsigned)x)) == 0x5f80 && code(__ull2bfloat16_rz(~0ull - 1 + (unsigned)x)) == 0x5f7f;
  o[5] = code(__double2bfloat16(d * (1 + 0x1p-8 + 0x1p-40))) == 0x3f81;
  o[6] = code(__short2bfloat16_rd((short)(x * -257))) == 0xc381 && code(__ushort2bfloat16_ru((unsigned short)(x * 257))) == 0x4381;
  o[7] = code(__float2bfloat16_ru(x * -0x1.000002p0f)) == 0xbf80 && code(__float2bfloat16_rd(x * -0x1.000002p0f)) == 0xbf81;
  o[8] = __bfloat162short_rz(__float2bfloat16(x * 1e6f)) == 32767 && __bfloat162ushort_ru(__float2bfloat16(x * -0.5f)) == 0;
}
