// -0 is less than 0, and saturation makes 0 of it.
// DEFINE: %{args} = %s --grid 1 --block 1 --arg one:f32[4]=value:1 --arg o:i32[3]=zero -q
// RUN: %heddle run %{args} --dump o=%t.bin
// RUN: od -An -v -w12 -t d4 %t.bin | FileCheck %s
// RUN: %heddle run %{args} --engine interpreter --dump o=%t.bin
// RUN: od -An -v -w12 -t d4 %t.bin | FileCheck %s
// CHECK: 1 1 1{{$}}
#include <cuda_fp16.h>
extern "C" __global__ void zeros(const float *one, int *o) {
  const float x = one[0];
  o[0] = __float_as_int(fmaxf(x * -0.0f, x * 0.0f)) == 0 && __float_as_int(fminf(x * 0.0f, x * -0.0f)) == INT_MIN;
  o[1] = __half_as_ushort(__hmax_nan(__float2half(x * -0.0f), __float2half(x * 0.0f))) == 0;
  o[2] = __half_as_ushort(__hmul_sat(__float2half(x * -0.0f), __float2half(x))) == 0;
}
