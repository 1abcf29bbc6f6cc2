// C99 style, no underscores
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_amd_fp64 : enable
#pragma OPENCL EXTENSION cl_amd_printf : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#pragma OPENCL EXTENSION cl_nv_compiler_options : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_local_int32_base_atomics : enable
#pragma OPENCL EXTENSION cl_APPLE_gl_sharing : enable
inline float sq(float x) { return x * x; }
float inline cube(float x) { return x * x * x; }
static inline double dd(double x) { return x + 1.0; }
kernel void k1(global float *a, constant float *c, local float *l,
               const int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  l[get_local_id(0)] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = sq(l[0]) + cube(c[i]) + (float)dd(2.0);
}
kernel void k2(global uint *restrict h, global const uchar4 *restrict in,
               private int n) {
  atom_inc(&h[in[get_global_id(0)].x]);
  atomic_add(h + 1, 1u);
  atomic_cmpxchg(h, 1u, 2u);
  atomic_xchg((volatile global float *)h, 2.0f);
  (void)n;
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
k3(__global double *a) {
  a[get_global_id(0)] = sqrt(a[get_global_id(0)]);
}
__kernel __attribute__((vec_type_hint(float4)))
__attribute__((work_group_size_hint(16, 1, 1))) void
k4(__global float4 *a) {
  size_t i = get_global_id(0);
  a[i].xyz = a[i].zyx;
  a[i].lo += a[i].hi;
  a[i] = a[i].s3210 * (float4)(1.0f, (float2)(2.0f), 3.0f);
  a[i] = (a[i] > (float4)0) ? a[i] : -a[i];
  a[i] = select(a[i], a[i] + 1, isless(a[i], (float4)(2.0f)));
}
void kernel k5(global int *p) { p[0] = 1; }
