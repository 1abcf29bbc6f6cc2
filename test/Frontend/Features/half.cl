// RUN: %frontends --test %s
// FEATURE: half: arithmetic, vectors and mathematics
// LAUNCH: --grid 1 --block 1 --arg o:f32[6] --dump o
// EXPECT: o (f32[6]): 2 4 3 1 5 2
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global float *o) {
  half x = 4.0h;
  half4 v = (half4)(1, 4, 9, 16);
  o[0] = sqrt(x);
  o[1] = convert_float4(sqrt(v)).w;
  o[2] = fma(x, 0.5h, 1.0h);
  o[3] = exp(v - v).x;
  o[4] = length((half2)(3, 4));
  o[5] = max(v, (half4)(2)).x;
}
