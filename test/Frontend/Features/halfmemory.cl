// RUN: %frontends --test %s
// FEATURE: vload_half, vstore_half and their rounding
// LAUNCH: --grid 1 --block 1 --arg h:f16[16] --arg o:f32[4] --dump o
// EXPECT: o (f32[4]): 1.5 2048 2050 4
kernel void k(global half *h, global float *o) {
  vstore_half(1.5f, 0, h);
  vstore_half_rtz(2049.5f, 1, h);
  vstore_half_rtp(2049.5f, 2, h);
  vstore_half4((float4)(1, 2, 3, 4), 1, h);
  o[0] = vload_half(0, h);
  o[1] = vload_half(1, h);
  o[2] = vload_half(2, h);
  o[3] = vload_half4(1, h).w;
}
