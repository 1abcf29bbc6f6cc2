// What the headers' functions compute, checked by the kernel itself: an element
// of the buffer is 0 or the line of the check that failed.
// RUN: %heddle run %s --grid 1 --block 32 --arg 'i32[32]=zero' --arg f32=2.5 --arg f64=2.5 --arg i32=-77 --engine interpreter --dump failed | FileCheck %s
// RUN: %heddle run %s --grid 1 --block 32 --arg 'i32[32]=zero' --arg f32=2.5 --arg f64=2.5 --arg i32=-77 --engine jit --dump failed | FileCheck %s
// CHECK: failed (i32[{{[0-9]+}}]): {{(0 )+}}...

#define EXPECT(condition)                                                      \
  if (!(condition) && failed[threadIdx.x] == 0)                                \
  failed[threadIdx.x] = __LINE__

__device__ bool near(double value, double expected) {
  return fabs(value - expected) <= 1e-5 * fabs(expected);
}

__global__ void check(int *failed, float x, double d, int n) {
  unsigned u = n, lane = threadIdx.x;
  // float
  EXPECT(near(sinf(x), 0.598472144));
  EXPECT(near(cosf(x), -0.801143616));
  EXPECT(near(tanf(x), -0.747022297));
  EXPECT(near(expf(x), 12.182493961));
  EXPECT(near(exp2f(x), 5.656854249));
  EXPECT(near(exp10f(x), 316.227766017));
  EXPECT(near(logf(x), 0.916290732));
  EXPECT(near(log2f(x), 1.321928095));
  EXPECT(near(log10f(x), 0.397940009));
  EXPECT(near(powf(x, 3.5f), 24.705294220));
  EXPECT(near(sqrtf(x), 1.581138830));
  EXPECT(near(rsqrtf(x), 0.632455532));
  EXPECT(near(cbrtf(x), 1.357208808));
  EXPECT(near(atan2f(x, -1.0f), 1.951302704));
  EXPECT(near(fmodf(x, 0.75f), 0.25));
  EXPECT(near(remainderf(x, 0.75f), 0.25));
  EXPECT(near(hypotf(x, 6.0f), 6.5));
  EXPECT(near(erff(x), 0.999593048));
  EXPECT(near(erfcf(x), 0.000406952));
  EXPECT(near(tgammaf(x), 1.329340388));
  EXPECT(near(lgammaf(x), 0.284682870));
  EXPECT(near(log1pf(x), 1.252762968));
  EXPECT(near(expm1f(x), 11.182493961));
  EXPECT(near(sinpif(x), 1.0));
  EXPECT(near(fdimf(x, 1.0f), 1.5));
  EXPECT(near(__sinf(x), 0.598472144));
  EXPECT(near(__expf(x), 12.182493961));
  EXPECT(near(__logf(x), 0.916290732));
  EXPECT(near(__powf(x, 3.5f), 24.705294220));
  EXPECT(near(__fdividef(x, 4.0f), 0.625));
  EXPECT(floorf(-x) == -3.0f && ceilf(-x) == -2.0f && truncf(-x) == -2.0f);
  EXPECT(rintf(x) == 2.0f && roundf(x) == 3.0f && fabsf(-x) == x);
  EXPECT(fminf(x, 1.0f) == 1.0f && fmaxf(x, 1.0f) == x);
  EXPECT(copysignf(x, -1.0f) == -x && ldexpf(x, 3) == 20.0f);
  float whole;
  EXPECT(modff(-x, &whole) == -0.5f && whole == -2.0f);
  int exponent;
  EXPECT(frexpf(x, &exponent) == 0.625f && exponent == 2);
  EXPECT(powf(x, 2) == 6.25f && pow(x, 3) == 15.625f && pow(x, -1) == 0.4f);
  EXPECT(__fadd_rn(x, 1.0f) == 3.5f && __fmul_rn(x, x) == 6.25f);
  EXPECT(__fmaf_rn(x, x, x) == 8.75f && __frcp_rn(x) == 0.4f);
  EXPECT(__saturatef(x) == 1.0f && __saturatef(-x) == 0.0f);
  // double
  EXPECT(near(sin(d), 0.598472144) && near(exp(d), 12.182493961));
  EXPECT(near(pow(d, 3.5), 24.705294220) && near(rsqrt(d), 0.632455532));
  EXPECT(near(cbrt(d), 1.357208808) && near(fmod(d, 0.75), 0.25));
  EXPECT(near(tgamma(d), 1.329340388) && near(normcdf(d), 0.993790335));
  // classes
  float infinite = x / (x - 2.5f), unordered = infinite - infinite;
  EXPECT(isinf(infinite) && !isinf(x) && isnan(unordered) && !isnan(x));
  EXPECT(isfinite(x) && !isfinite(infinite) && signbit(-x) && !signbit(x));
  EXPECT(fminf(unordered, x) == x && fmaxf(unordered, x) == x);
  // integers, n = -77
  EXPECT(__popc(u) == 29 && __clz(n) == 0 && __clz(-n) == 25);
  EXPECT(__ffs(n) == 1 && __ffs(n + 77) == 0 && __ffs(n - 3) == 5);
  EXPECT(__brev(u) == 0xcdffffffu && __mul24(n, 3) == -231);
  EXPECT(__umulhi(u, u) == 0xffffff66u && __mulhi(n, n) == 0);
  EXPECT(__funnelshift_l(u, 1u, 8) == 0x1ffu);
  EXPECT(__byte_perm(u, 0x11223344u, 0x5410) == 0x3344ffb3u);
  EXPECT(abs(n) == 77 && min(n, 3) == n && max(n, 3) == 3 && max(u, 3u) == u);
  EXPECT(__sad(n, 3, 5u) == 85u && __hadd(n, 1) == -38);
  EXPECT(__float2int_rn(x) == 2 && __float2int_ru(x) == 3 && __float2int_rd(-x) == -3);
  EXPECT(__float_as_int(x) == 0x40200000 && __int_as_float(0x40200000) == x);
  EXPECT(__double2hiint(d) == 0x40040000 && __hiloint2double(0x40040000, 0) == d);
  // warp
  EXPECT(__shfl_sync(~0u, lane, 5) == 5u);
  EXPECT(__shfl_xor_sync(~0u, lane, 3) == (lane ^ 3));
  EXPECT(__shfl_down_sync(~0u, lane, 4) == (lane < 28 ? lane + 4 : lane));
  EXPECT(__shfl_up_sync(~0u, lane, 4) == (lane >= 4 ? lane - 4 : lane));
  EXPECT(__shfl_sync(~0u, lane, 1, 8) == (lane & 24) + 1);
  EXPECT(__shfl_xor_sync(~0u, d + lane, 1) == d + (lane ^ 1));
  EXPECT(__ballot_sync(~0u, lane & 1) == 0xaaaaaaaau);
  EXPECT(__any_sync(~0u, lane == 7) && !__all_sync(~0u, lane == 7));
  EXPECT(__activemask() == ~0u && __match_any_sync(~0u, lane & 3) == 0x11111111u << (lane & 3));
  EXPECT(__syncthreads_count(lane & 1) == 16 && __syncthreads_or(lane == 9));
  // atomics
  __shared__ unsigned counter, cycle;
  __shared__ float sum;
  __shared__ double dsum;
  if (lane == 0) {
    counter = 0;
    cycle = 0;
    sum = 0;
    dsum = 0;
  }
  __syncthreads();
  atomicAdd(&counter, 2u);
  atomicInc(&cycle, 4u);
  atomicAdd(&sum, 0.5f);
  atomicAdd(&dsum, 0.25);
  __syncthreads();
  EXPECT(counter == 64 && cycle == 32 % 5 && sum == 16.0f && dsum == 8.0);
  atomicMax(&counter, 60 + lane);
  __syncthreads();
  EXPECT(counter == 91);
  atomicCAS(&counter, 91u, 100u + lane);
  __syncthreads();
  EXPECT(counter >= 100 && counter < 132);
}
