// RUN: %frontends --test %s
// FEATURE: single and double mathematics, fast and rounded variants
// LAUNCH: --grid 1 --block 1 --arg o:f64[6] --dump o
// EXPECT: o (f64[6]): 2 5 8 3 0 1
__global__ void k(double *o) {
  o[0] = sqrt(4.0);
  o[1] = hypotf(3, 4);
  o[2] = exp2(3.0);
  o[3] = __fadd_rn(1, 2);
  o[4] = rint(1e3 * (__sinf(0.5f) - sinf(0.5f)));
  o[5] = rint(erf(5.0) * normcdf(0.0) * 2 * rsqrtf(1.0f));
}
