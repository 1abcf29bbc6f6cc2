#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_amd_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_local_int32_base_atomics : enable
#pragma OPENCL EXTENSION cl_amd_printf : enable
#pragma OPENCL EXTENSION cl_nv_compiler_options : enable
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#define TS 16
typedef struct {
  float4 pos;
  int n;
} __attribute__((packed)) P;
__constant sampler_t smp =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t s2 = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
__constant float coef[4] = {1, 2, 3, 4.0f};
constant int other = 3;
inline float sq(float x) { return x * x; }
float helper(__global const float *p, int i) { return p[i]; }
__attribute__((always_inline)) static int foo(int a) { return a; }
__kernel __attribute__((vec_type_hint(float4)))
__attribute__((work_group_size_hint(16, 16, 1))) void
a(__global float4 *restrict out, __read_only image2d_t img, write_only image2d_t o, sampler_t s,
  __local float *l, const unsigned int n) {
  size_t gx = get_global_id(0), gy = get_global_id(1);
  int2 c = (int2)(gx, gy);
  float4 v = read_imagef(img, smp, c) + read_imagef(img, s, (float2)(0.5f, 0.5f)) +
             read_imagef(img, s2, convert_float2(c));
  uint4 u = read_imageui(img, smp, c);
  write_imagef(o, c, v);
  l[get_local_id(0)] = v.x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gy * n + gx] =
      v + (float4)(sq(v.x), mad(v.y, 2.f, coef[1]), native_sin(v.z), clamp(v.w, 0.f, 1.f)) +
      convert_float4(u);
}
__kernel void __attribute__((reqd_work_group_size(TS, TS, 1))) b(global double *a, global int *b,
                                                                 global P *p) {
  local double t[TS][TS + 1];
  __local int cnt;
  if (get_local_id(0) == 0)
    cnt = 0;
  t[get_local_id(1)][get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  atom_add(b, 1);
  atomic_inc(&cnt);
  atom_inc(&cnt);
  atomic_cmpxchg(b, 0, 1);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_id(0)][get_local_id(1)] + p[0].pos.s3 + select(1, 2, b[0] > 1) +
                        any(p->pos > 0.0f) + dot(p->pos, p->pos) + as_int(1.0f);
  printf("%d %f\n", cnt, a[0]);
  event_t e = async_work_group_copy((__local int *)t, b, 16, 0);
  wait_group_events(1, &e);
  uchar4 q = convert_uchar4_sat_rte(p->pos);
  b[3] = q.x + mul24(b[1], b[2]) + rotate((uint)b[1], 3u) + popcount(b[1]) +
         upsample((ushort)1, (ushort)2) + bitselect(1, 2, 3) + clz(b[1]) + hadd(1, 3) +
         abs_diff(b[1], 3);
  float8 f8 = vload8(0, (global float *)a);
  vstore8(f8.s76543210, 0, (global float *)a);
  float16 ff = (float16)(f8, f8);
  a[1] = ff.sF + ff.hi.lo.even.x;
  prefetch(a, 3);
  float fr;
  int ex;
  a[2] = fract(p->pos.x, &fr) + frexp(fr, &ex) + sincos(fr, &fr) + ex + modf(fr, &fr) +
         remquo(1.f, 2.f, &ex) + lgamma_r(1.f, &ex) + nan(3u) + M_PI + FLT_MAX + MAXFLOAT +
         INFINITY;
}
#if defined(cl_khr_fp64) && !defined(NOPE)
kernel void c(global uint *p) {
  *p = get_work_dim() + get_num_groups(0) + get_global_size(1) + get_global_offset(0) +
       get_local_size(2);
  for (int i = 0; i < 4; ++i)
    p[i] ^= p[i + 1] << (i & 31);
  switch (*p) {
  case 1:
    p++;
    break;
  default:
    return;
  }
}
#endif
