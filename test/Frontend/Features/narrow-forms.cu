// RUN: %frontends --test %s
// FEATURE: half and bfloat16: mathematics, saturation, forms that never fuse, steps, sums of pairs in memory
// LAUNCH: --arch sm_80 --grid 1 --block 32 --arg f32=1.5 --arg u32[2]=zero --arg o:f32[16]=zero --dump o
// EXPECT: o (f32[16]): -3184 3264 102 202 203 -102 2221 2047 2047 231.25 26 101 251.5 176.5 6.5 505
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Both of a pair in one number.
template <typename T2> __device__ float digits(T2 v) { return 100 * __low2float(v) + __high2float(v); }
__device__ bool near(float a, float b) { return fabsf(a - b) <= fabsf(b) / 256; }

template <typename T, typename T2> __device__ float functions(T2 v) {
  const float x = v.x, y = v.y;
  T2 r[] = {h2sqrt(v), h2rsqrt(v), h2rcp(v), h2exp(v), h2exp2(v), h2exp10(v), h2log(v), h2log2(v), h2log10(v), h2sin(v), h2cos(v)};
  float lows[] = {sqrtf(x), rsqrtf(x), 1 / x, expf(x), exp2f(x), exp10f(x), logf(x), log2f(x), log10f(x), sinf(x), cosf(x)};
  float highs[] = {sqrtf(y), rsqrtf(y), 1 / y, expf(y), exp2f(y), exp10f(y), logf(y), log2f(y), log10f(y), sinf(y), cosf(y)};
  T one[] = {hsqrt(v.x), hrsqrt(v.x), hrcp(v.x), hexp(v.x), hexp2(v.x), hexp10(v.x), hlog(v.x), hlog2(v.x), hlog10(v.x), hsin(v.x), hcos(v.x)};
  int right = 0;
  for (int i = 0; i < 11; ++i)
    right |= (near(r[i].x, lows[i]) && near(r[i].y, highs[i]) && (float)one[i] == (float)r[i].x) << i;
  return right;
}

__global__ void k(float s, unsigned *sums, float *o) {
  __nv_bfloat162 *bs = reinterpret_cast<__nv_bfloat162 *>(sums);
  __half2 *hs = reinterpret_cast<__half2 *>(sums + 1);
  atomicAdd(bs, __floats2bfloat162_rn(-1, 0.5f));
  atomicAdd(hs, __floats2half2_rn(1, 2));
  __syncthreads();
  if (threadIdx.x)
    return;
  o[0] = digits(*bs);
  o[1] = digits(*hs);
  __nv_bfloat162 pair = __floats2bfloat162_rn(s, s + 1);
  o[2] = digits(h2floor(pair));
  o[3] = digits(h2rint(pair));
  o[4] = digits(h2ceil(pair));
  o[5] = digits(h2trunc(-pair));
  o[6] = (float)hfloor(pair.x) + 10 * (float)hceil(pair.x) + 100 * (float)hrint(pair.y) + 1000 * (float)htrunc(pair.y);
  o[7] = functions<__nv_bfloat16>(pair);
  o[8] = functions<__half>(__floats2half2_rn(s, s + 1));
  o[9] = digits(__hmul2_rn(pair, pair));
  o[10] = digits(__hadd2_sat(pair, __floats2bfloat162_rn(0.25f - s, 9)));
  o[11] = (float)__hmul_sat(pair.x, pair.y) + 10 * (float)__hsub_sat(pair.x, pair.y) + 100 * __low2float(__hfma2_sat(pair, pair, pair));
  o[12] = digits(__lowhigh2highlow(pair));
  __nv_bfloat16 b = pair.x;
  o[13] = b++;
  o[13] += 10 * (float)b + 100 * (float)--b;
  __half h = __float2half(s);
  o[14] = h--;
  o[14] += 10 * (float)h;
  __half2 steps = __floats2half2_rn(s, s);
  o[15] = digits(steps++);
  o[15] += digits(++steps);
}
