// RUN: %frontends --test %s
// FEATURE: vectors, swizzles and conversions
// LAUNCH: --grid 1 --block 1 --arg o:i32[6] --dump o
// EXPECT: o (i32[6]): 4 3 2 1 255 2
kernel void k(global int *o) {
  float4 v = (float4)(1, 2, 3, 4);
  vstore4(convert_int4(v.wzyx), 0, o);
  o[4] = convert_uchar_sat(300.0f);
  o[5] = convert_int_rte(2.5f);
}
