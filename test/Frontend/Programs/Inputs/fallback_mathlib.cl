#if __OPENCL_VERSION__ < 120
#error too old
#endif
#if __OPENCL_C_VERSION__ >= 200 || defined(__opencl_c_generic_address_space)
#define HAVE_GENERIC 1
#endif
#if defined(DOUBLE_SUPPORT) || defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real_t;
#elif defined(cl_amd_fp64)
#pragma OPENCL EXTENSION cl_amd_fp64 : enable
typedef double real_t;
#else
typedef float real_t;
#endif
typedef struct __attribute__((packed, aligned(4))) { uchar tag; ushort len; real_t w; } rec_t;
typedef union { float f; uint u; uchar4 c; } fu;
enum { A = 1 << 0, B = 1 << 1, C = A | B };
__constant real_t lut[2][3] = {{0.1, .2, 3e-1}, {1, 2, [2] = 3}};
__constant char text[] = "abc" "def";
float fast_exp2(float x) { fu v; v.u = (uint)((x + 127.f) * (1 << 23)); return v.f; }
void swap_r(__global real_t *a, __global real_t *b) { real_t t = *a; *a = *b; *b = t; }
__kernel void heap(__global rec_t *r, __global real_t *v, const uint flags, __global volatile int *lock) {
  size_t i = get_global_id(0) - get_global_offset(0);
  if (flags & C) { for (uint d = 1; d < 8; d <<= 1) if (v[i] > v[i + d]) swap_r(v + i, v + i + d); }
  r[i].w = lut[flags & 1][i % 3] + erf((real_t)i) + tgamma((real_t)1.5) + fast_exp2((float)i);
  r[i].len = (ushort)sizeof(rec_t) + text[i % sizeof(text)];
  while (atomic_cmpxchg(lock, 0, 1) != 0) if (i > 3) break;
  atomic_xchg(lock, 0);
  int e; real_t m = frexp(v[i], &e), ip; v[i] = m * e + modf(v[i], &ip) + ip + nan((ulong)1) * 0 + sincos(m, &ip) + cbrt(m) + hypot(m, ip);
  do { if (i == 5) continue; v[i] *= .5; } while (v[i] > 1);
  float4 q = (float4)((float2)(1, 2), 3, (float)i); q.s13 += q.hi.yx; q.even = q.odd; v[i] += q.lo.x + (vec_step(q) == 4 ? 1 : 0);
}
