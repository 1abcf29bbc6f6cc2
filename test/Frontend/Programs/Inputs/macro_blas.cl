// tuned elsewhere: TS, WPT, PRECISION come from the host
#ifndef PRECISION
  #define PRECISION 32
#endif
#if PRECISION == 16
  #pragma OPENCL EXTENSION cl_khr_fp16 : enable
  typedef half real; typedef half2 real2; typedef half4 real4;
  #define ZERO 0
#elif PRECISION == 64
  #pragma OPENCL EXTENSION cl_khr_fp64 : enable
  typedef double real; typedef double2 real2; typedef double4 real4;
  #define ZERO 0.0
#else
  typedef float real; typedef float2 real2; typedef float4 real4;
  #define ZERO 0.0f
#endif
#ifndef WGD
  #define WGD 8
#endif
#ifndef MDIMCD
  #define MDIMCD 8
#endif
#ifndef VWND
  #define VWND 2
#endif
#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
#if VWND == 1
  typedef real realND;
#else
  typedef CAT(real, VWND) realND;
#endif
#define MultiplyAdd(c, a, b) c = mad(a, b, c)
#define INLINE_FUNC inline
#define GlobalToLocal(NAME, TRANS, PAD) \
  INLINE_FUNC void NAME(const __global real *restrict g, __local real *l, const int ld, const int off, const int t) { \
    for (int i = get_local_id(1); i < WGD; i += MDIMCD) \
      for (int j = get_local_id(0); j < WGD; j += MDIMCD) { \
        const int idx = TRANS ? (j + t) * ld + i : (i + t) * ld + j; \
        l[i * (WGD + PAD) + j] = g[idx + off]; } }
GlobalToLocal(toA, 0, 1)
GlobalToLocal(toB, 1, 0)
__kernel __attribute__((reqd_work_group_size(MDIMCD, MDIMCD, 1)))
void XgemmDirect(const int M, const int N, const int K, const real alpha, const __global realND *restrict agm,
                 const __global realND *restrict bgm, __global real *cgm, const int lda, const int ldb, const int c_ld) {
  __local real alm[WGD * (WGD + 1)];
  __local real blm[WGD * WGD];
  const __global real *a = (const __global real *)agm;
  real acc = ZERO;
  for (int t = 0; t < K; t += WGD) {
    toA(a, alm, lda, get_group_id(1) * WGD, t);
    toB((const __global real *)bgm, blm, ldb, get_group_id(0) * WGD, t);
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int k = 0; k < WGD; ++k) MultiplyAdd(acc, alm[k * (WGD + 1) + get_local_id(1)], blm[k * WGD + get_local_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_global_id(0) < N && get_global_id(1) < M) cgm[get_global_id(1) * c_ld + get_global_id(0)] = alpha * acc;
}
#define UNROLL2(x) x(0) x(1)
#define UNROLL4(x) x(0) x(1) x(2) x(3)
#define BODY(i) { real4 v = vload4(i, src + get_global_id(0) * 16); sum += dot(v, (real4)(1)); mx = fmax(mx, fmax(fmax(v.x, v.y), fmax(v.z, v.w))); }
__kernel void asum_amax(const __global real *src, __global real *out) {
  real sum = ZERO, mx = -INFINITY;
  UNROLL4(BODY)
  out[get_global_id(0) << 1] = sum, out[(get_global_id(0) << 1) + 1] = mx;
}
