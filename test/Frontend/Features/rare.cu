// RUN: %frontends --test %s
// FEATURE: modified Bessel functions, loads of a last use, FMA that keeps denormal numbers, halves of integers rounded up and down
// TOOLKIT: its headers have assembly that the JIT does not execute
// LAUNCH: --grid 1 --block 1 --arg f32=1 --arg o:i32[6]=zero --dump o
// EXPECT: o (i32[6]): 63 63 3 3 2050 2048
#include <cuda_fp16.h>
__global__ void k(float one, int *o) {
  const double at[] = {0, 0.5, 2.5, 12, 30, -2.5};
  const double zeroth[] = {1, 1.0634833707413235, 3.289839144050123, 18948.925349296308, 781672297823.9775, 3.289839144050123};
  const double first[] = {0, 0.2578943053908963, 2.5167162452886984, 18141.34878163883, 768532038938.957, -2.5167162452886984};
  for (int i = 0; i < 6; ++i) {
    const float x = one * (float)at[i];
    o[0] |= (fabs(cyl_bessel_i0((double)x) - zeroth[i]) <= 4e-16 * fabs(zeroth[i]) && fabs(cyl_bessel_i1((double)x) - first[i]) <= 4e-16 * fabs(first[i])) << i;
    o[1] |= (fabs(cyl_bessel_i0f(x) - zeroth[i]) <= 1e-6 * fabs(zeroth[i]) && fabs(cyl_bessel_i1f(x) - first[i]) <= 1e-6 * fabs(first[i])) << i;
  }
  o[2] = isinf(cyl_bessel_i0f(one / 0)) + 2 * (cyl_bessel_i1(-1 / (one - 1)) == -INFINITY);
  // The least float, and twice it.
  const float least = __int_as_float(__float_as_int(one) >> 29);
  o[3] = __float_as_int(__fmaf_ieee_rn(least, one, least)) + __float_as_int(__fmaf_ieee_rz(least, one * 0.5f, least));
  // Between two halves.
  const int between = 2048 + __float_as_int(one) / 0x3f800000;
  o[4] = (int)__half2float(__int2half_ru(between)) + __half2char_rz(__float2half(-0.75f * one));
  o[5] = (int)__half2float(__int2half_rd(between)) + __ldlu(o + 3) - 3;
}
