// Fast Fourier transforms: radix by macros, twiddles as literals, transposes by
// local memory, vectors as complex numbers.
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double2 cplxD;
#endif
typedef float2 cplx;
#define mul_1(a) (a)
#define mul_i(a) ((cplx)(-(a).y, (a).x))
#define exp_1_8 (cplx)(1, -1)
#define iexp_1_4 (cplx)(0, 1)
#define FFT2(a0, a1) { cplx c0 = *a0; *a0 = c0 + *a1; *a1 = c0 - *a1; }
#define FFT4(a) { FFT2(&(a)[0], &(a)[2]) FFT2(&(a)[1], &(a)[3]) (a)[3] = cmul((a)[3], iexp_1_4); FFT2(&(a)[0], &(a)[1]) FFT2(&(a)[2], &(a)[3]) }
cplx cmul(cplx a, cplx b) { return (cplx)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
cplx cexp(float t) { float c; float s = sincos(t, &c); return (cplx)(c, s); }
#define TWIDDLE(a, i, n) { for (int j = 1; j < 4; j++) a[j] = cmul(a[j], cexp((-2.0f * M_PI_F * j / (n)) * (i))); }
__kernel void fft(__global cplx *work) {
  __local float lds[64 * 4];
  int tid = get_local_id(0);
  work += get_group_id(0) * 256 + tid;
  cplx data[4];
  for (int i = 0; i < 4; i++) data[i] = work[i * 64];
  FFT4(data);
  TWIDDLE(data, tid, 256);
  for (int i = 0; i < 4; i++) lds[i * 64 + tid] = data[i].x;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 4; i++) data[i].x = lds[tid * 4 + i];
  FFT4(data);
  for (int i = 0; i < 4; i++) work[i * 64] = data[i];
}
#ifdef cl_khr_fp64
__kernel void fftD(__global cplxD *d) { cplxD a = d[get_global_id(0)], w; double c; w.y = sincos(3.14159265358979323846 / get_global_size(0), &c); w.x = c; d[get_global_id(0)] = (cplxD)(a.x * w.x - a.y * w.y, fma(a.x, w.y, a.y * w.x)); }
#endif
__kernel void check(__global cplx *a, __global cplx *b, __global int *fail) { if (fabs(a[get_global_id(0)].x - b[get_global_id(0)].x) > 1e-5 || any(isnotequal(a[0], b[0]))) *fail = 1; }
