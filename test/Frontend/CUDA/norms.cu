// Functions at arguments where a shorter way overflows, vanishes or rounds twice:
// norms, quotients that go with remainders, roots rounded to nearest.
// DEFINE: %{args} = %s --grid 1 --block 1 --arg one:f32[4]=value:1 --arg o:i32[17]=zero -q
// RUN: %heddle run %{args} --dump o=%t.bin
// RUN: od -An -v -w68 -t d4 %t.bin | FileCheck %s
// RUN: %heddle run %{args} --engine interpreter --dump o=%t.bin
// RUN: od -An -v -w68 -t d4 %t.bin | FileCheck %s
// CHECK: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1{{$}}
__device__ bool near(double x, double y, double limit) {
  return fabs(x - y) <= limit * fabs(y);
}
extern "C" __global__ void norms(const float *one, int *o) {
  const float x = one[0];
  const double d = x;
  const float zero = x - 1, nan = zero / zero;
  const double big = d * 0x1p1000, tiny = d * 0x1p-1000;
  const float array[] = {x * 0x1p100f, x * 0x1p99f, 0};
  const double small[] = {tiny, tiny};
  int q;
  o[0] = near(norm3df(x * 0x1p100f, x * 0x1p100f, 0), sqrt(2.0) * 0x1p100, 1e-7);
  o[1] = near(norm4d(big, tiny, big, big), sqrt(3.0) * 0x1p1000, 4e-16);
  o[2] = near(rnorm3d(tiny, tiny, tiny), 0x1p1000 / sqrt(3.0), 4e-16);
  o[3] = near(rnorm4df(x * 0x1p-100f, 0, 0, 0), 0x1p100, 1e-7);
  o[4] = isinf(norm3df(x / 0.0f, nan, x)) && rnorm3df(x / 0.0f, nan, x) == 0;
  o[5] = isnan(norm3df(x, nan, x)) && isnan(rnorm4d(d, nan, d, d));
  o[6] = near(normf(3, array), sqrt(1.25) * 0x1p100, 1e-7);
  o[7] = near(norm(2, small), sqrt(2.0) * 0x1p-1000, 4e-16);
  o[8] = near(rnormf(3, array), 1 / (sqrt(1.25) * 0x1p100), 2e-7);
  o[9] = remquof(x * 100001, x * 0x1p-60f, &q) == 0 && (q & 7) == 0;
  o[10] = remquof(x * 11, x * -4, &q) == -1 && (q & 7) == 5;
  o[11] = remquo(d * 0x1.8p60, d * 7, &q) == -2 && (q & 7) == 6;
  o[12] = remquof(x * 3e38f, x * 2.9e38f, &q) == 3e38f - 2.9e38f && q == 1;
  o[13] = __frsqrt_rn(x * __uint_as_float(0x7c00fc00)) == __uint_as_float(0x213453c8);
  o[14] = isinf(__frsqrt_rn(x * 0)) && __frsqrt_rn(x * 0x1p-140f) == 0x1p70f;
  o[15] = isinf(cyl_bessel_i0f(x * 3e38f)) && isinf(cyl_bessel_i1(d * 1e308));
  o[16] = scalblnf(x, 1l << 40) == INFINITY && scalbln(d, -1074l) == 0x1p-1074;
}
