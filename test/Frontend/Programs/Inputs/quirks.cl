#include "quirks_common.h"
typedef struct { float4 pos; float3 dir; int id; } ray_t;
typedef struct tag_bvh { union { struct { uint left, right; }; ulong both; }; float bounds[6]; } bvh_t;
__constant bvh_t root = {.left = 1, .right = 2, .bounds = {0, 1, 2, 3, 4, 5}};
__constant const float2 offs[] = {{0, 1}, {1, 0}, (float2)(.5)};
#define LOOP(n, ...) for (int _i = 0; _i < n; ++_i) { __VA_ARGS__; }
#define SWAP(t, a, b) do { t _t = (a); (a) = (b); (b) = _t; } while (0)
static inline __attribute__((always_inline)) float3 refl(const float3 d, const float3 n) { return d - 2.f * dot(d, n) * n; }
inline float4 tap(read_only image2d_t im, sampler_t s, float2 p) { return read_imagef(im, s, p); }
void bump(__local int *p, int by) { (void)atomic_add(p, by); }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
__kernel void trace(__global ray_t *rays, const bvh_t node, __read_only image2d_t im, const sampler_t samp, __global float *out, const int dim) {
  __local int hits[2]; __local float *rows[2]; __private int stack[32]; int sp = 0;
  size_t gid = get_global_id(dim);
  if (get_local_id(0) < 2) { hits[get_local_id(0)] = 0; rows[get_local_id(0)] = 0; }
  barrier(CLK_LOCAL_MEM_FENCE);
  ray_t r = rays[gid];
  stack[sp++] = root.left;
  while (sp > 0) { int n = stack[--sp]; if (n > 100) goto out; if (n & 1 && sp < 30) { stack[sp++] = n * 2; stack[sp++] = n * 2 + 4; } bump(&hits[n & 1], 1); }
out:
  r.dir = refl(r.dir, normalize(r.pos.xyz)); r.pos.xyz += r.dir * 0.5f; r.pos.lo = offs[gid % 3];
  float4 c = tap(im, samp, r.pos.xy) * (float4)(r.dir, 1.f);
  switch ((int)gid & 3) { case 0: c.x = 1; case 1: { float t = c.y; c.y = t * t; break; } default: SWAP(float, c.x, c.y); }
  LOOP(3, c = c.yzwx; c.w += _i)
  out[gid] = c.x + fact((int)gid % 5) + hits[0] + node.bounds[2] + SHARED_K + as_float(as_uint(c.z) & 0x7fffffffu) + fmin(c.y, 1e-3f);
  rays[gid] = r;
}
__kernel void types(__global char3 *c3, __global ushort8 *u8, __global long4 *l4, __global float16 *f16, __global half *h, uint2 args, float3 v) {
  int i = get_global_id(0);
  c3[i] = convert_char3_sat_rtz(v * (float3)(args.x, convert_float2(args.yx))); u8[i] = u8[i] >> (ushort)2 | convert_ushort8(f16[i].lo); l4[i] = (l4[i] > 0) ? -l4[i] : (long4)1;
  f16[i] = (float16)(f16[i].s01234567, f16[i].sFEDCBA98) + vload_half16(i, h); vstore_half8_rtz(f16[i].even, i, h); u8[i].s0 = popcount(u8[i].s1) + isgreater(v.x, v.y) + (isless(v, v.zxy).x ? 1 : 0) + all(l4[i] > 0) + signbit(v.x) + (ushort)select(1, 2, (int)args.x);
}
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void conv(global const uchar *restrict src, global uchar *dst, constant short *k, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1); int s = 0;
  __attribute__((opencl_unroll_hint(3))) for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s += k[(j + 1) * 3 + i + 1] * src[mad24(y + j, pitch, x + i)];
  dst[mad24(y, pitch, x)] = convert_uchar_sat(s >> 4);
  if (x == 0 && y == 0) printf((const char __constant *)"sum=%d %v4hhd %#x %5.2f %s\n", s, (char4)(1), s, (float)s, "ok");
}
