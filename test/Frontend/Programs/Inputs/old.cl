// Old style with tabs and odd spellings
#define LOCAL_MEM_FENCE CLK_LOCAL_MEM_FENCE
#define get_tid() (get_local_id(0) + get_local_size(0) * get_group_id(0))
unsigned int rnd(unsigned int *s) {
  *s = (*s ^ 61) ^ (*s >> 16);
  return *s;
}
unsigned mwc(__private uint2 *s) { return (*s).x += 1; }
__kernel void old(__global unsigned int *restrict out, const unsigned int n,
                  __local unsigned int *sh) {
  unsigned int s = get_tid();
  size_t lid = get_local_id(0);
  sh[lid] = rnd(&s);
  barrier(LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (unsigned int st = get_local_size(0) / 2; st > 0; st >>= 1) {
    if (lid < st)
      sh[lid] += sh[lid + st];
    barrier(1);
  }
  if (!lid)
    out[get_group_id(0)] = sh[0];
}
__kernel void volat(volatile __local float *l, __global volatile int *g,
                    __global float *o) {
  l[get_local_id(0)] = 1;
  o[0] = l[1];
  while (atomic_cmpxchg(g, 0, 1) == 1)
    ;
  *g = 0;
  __global int *gi = (__global int *)o;
  gi[0] = 5;
  __local float4 *l4 = (__local float4 *)l;
  l4[0] = (float4)1;
  uintptr_t z = (uintptr_t)o;
  o[1] = z & 3;
  ptrdiff_t pd = &o[3] - o;
  o[2] = pd;
}
__kernel void fl(__global float *f) {
  f[0] = fmin(1.0f, 2.0f) + fmod(3, 2.f) + native_sin(f[1]) + half_sin(f[1]) +
         native_divide(f[0], 3.f) + ldexp(f[0], 2) + (float)ilogb(f[0]) +
         nextafter(f[1], f[2]) + remainder(f[0], f[1]) + pown(f[0], 3) +
         rootn(f[0], 3) + cospi(f[0]) + erfc(f[0]) + asinh(f[0]) +
         maxmag(f[0], f[1]) + nan(3u) + fast_length((float2)(1, 2)) +
         fast_normalize((float4)(1)).x + fast_distance(1.f, 2.f) +
         radians(3.f) + signbit(f[0]) + isfinite(f[0]) + isordered(f[0], f[1]);
  float m;
  f[3] = modf(f[0], &m) + lgamma(f[1]) + logb(f[0]) + m;
  int q;
  f[4] = remquo(f[0], f[1], &q) + q + lgamma_r(f[0], &q);
  __global float *gp = f;
  float fr = fract(f[0], gp);
  f[5] = fr;
  f[6] = 1.0 / 3;
  f[7] = (f[0] == f[1]) ? 1.f : 2.;
  int vi = any((int4)(1) == (int4)(2));
  f[8] = vi + sincos(f[0], f + 9) + frexp(f[0], &q) + exp10(f[1]) +
         powr(2.f, 3.f) + tanpi(.3f) + acospi(.2f) + trunc(f[0]) + round(f[0]) +
         rint(f[1]) + fdim(1.f, 2.f) + copysign(1.f, -2.f) + hypot(3.f, 4.f) +
         cbrt(3.f) + log1p(.3f) + expm1(.2f);
}
