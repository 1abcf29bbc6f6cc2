// RUN: %frontends --test %s
// FEATURE: half: comparisons, selection, parts of numbers, rounded conversions
// LAUNCH: --grid 1 --block 1 --arg o:f32[16] --arg q:f32[16] --arg r:f32[8] --dump o --dump q --dump r
// EXPECT: o (f32[16]): 1 0 -1 0 1 2 1 4 8 1 7 5 0.75 2 0.5 -3
// EXPECT: q (f32[16]): 0.625 4 9 40 -1 1.0009766 65504 65504 2 3 -128 255 0 2147483600 -3 0
// EXPECT: r (f32[8]): 3.5 3 1 -2 -1 5.9604645e-08 65504 1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global float *o, global float *q, global float *r) {
  volatile half one = 1.0h, infinity = INFINITY, none = NAN;
  half4 v = (half4)(1, 2, 3, 4);
  o[0] = isnan(none);
  o[1] = isinf(one);
  o[2] = isgreater(v, (half4)(2)).z;
  o[3] = isless(none, one);
  o[4] = isunordered(one, none);
  o[5] = select(one, (half)2, (short)1);
  o[6] = select(v, v + (half)4, (short4)(1, 0, 0, -1)).x;
  half4 s = shuffle(v, (ushort4)(3, 3, 7, 0));
  o[7] = s.z;
  half4 t = shuffle2(v, v + (half)4, (ushort4)(7, 4, 0, 6));
  o[8] = t.x, o[9] = t.z, o[10] = t.w, o[11] = t.y;
  int e;
  half whole;
  int2 es;
  o[12] = frexp(3.0h, &e), o[13] = e;
  o[14] = modf(-3.5h, &whole) * (half)-1, o[15] = whole;
  q[0] = frexp((half2)(5, 0.5h), &es).x;
  q[1] = es.x + 1;
  q[2] = pown(3.0h, 2);
  q[3] = ldexp((half2)(5, 1), 3).x;
  q[4] = bitselect(one, -one, as_half((ushort)0x8000));
  q[5] = nextafter(one, (half)2);
  q[6] = convert_half_rtz(1e9f), q[7] = convert_half_rtn(70000u);
  q[8] = convert_int_rte(2.5h), q[9] = convert_int_rtp(2.5h);
  q[10] = convert_char_sat(-300.0h), q[11] = convert_uchar4_sat_rte(v * (half)100).z;
  q[12] = convert_short_sat(none), q[13] = convert_int_sat(infinity);
  q[14] = convert_int_rtn(-2.5h), q[15] = fract(infinity, &whole);
  r[0] = fract(3.5h, &whole) + whole, r[1] = whole;
  r[2] = ilogb(3.0h), r[3] = convert_half2_rtp((double2)(-2.0005, 1)).x;
  r[4] = signbit((half2)(-1, 1)).x;
  r[5] = convert_half_rtp(1e-30f);
  r[6] = convert_half_rtz(0x7fffffffffffffffl);
  r[7] = step(one, v).x;
}
