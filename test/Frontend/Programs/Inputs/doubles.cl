#if defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#elif defined(cl_amd_fp64)
#pragma OPENCL EXTENSION cl_amd_fp64 : enable
#else
#error double precision is not supported
#endif
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL FP_CONTRACT OFF
double atomic_add_d(volatile __global double *p, double v) {
  union {
    ulong u;
    double d;
  } o, n;
  do {
    o.d = *p;
    n.d = o.d + v;
  } while (atom_cmpxchg((volatile __global ulong *)p, o.u, n.u) != o.u);
  return o.d;
}
void atomic_add_f(volatile global float *addr, float val) {
  union {
    uint u;
    float f;
  } next, expected, current;
  current.f = *addr;
  do {
    expected.f = current.f;
    next.f = expected.f + val;
    current.u =
        atomic_cmpxchg((volatile global uint *)addr, expected.u, next.u);
  } while (current.u != expected.u);
}
__kernel void nb(__global const double4 *restrict pos, __global double4 *vel,
                 const double eps2, const int n, __global double *e,
                 __global float *ef) {
  double4 p = pos[get_global_id(0)], a = 0;
  for (int i = 0; i < n; i++) {
    double4 d = pos[i] - p;
    double r2 = d.x * d.x + d.y * d.y + d.z * d.z + eps2;
    double inv = rsqrt(r2);
    a += pos[i].w * inv * inv * inv * d;
    a.w = exp(-r2) + native_rsqrt((float)r2);
  }
  vel[get_global_id(0)] += a;
  atomic_add_d(e, length(a));
  atomic_add_f(ef, 1.f);
  double3 c = cross(a.xyz, p.xyz);
  e[1] = fmax(c.x, 0.0) + fabs(c.y) + pow(c.z, 2) + ldexp(1.0, 3) +
         fma(c.x, c.y, c.z) + convert_double(n) + (double)n;
  int2 ii = convert_int2(a.xy);
  e[2] = ii.x;
  long4 m = a > p;
  e[3] = any(m) + isnan(a.x);
}
