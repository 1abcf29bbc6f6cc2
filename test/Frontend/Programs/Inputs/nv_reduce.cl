#pragma OPENCL EXTENSION cl_nv_pragma_unroll : enable
#ifdef cl_nv_device_attribute_query
#define WARP 32
#endif
#ifndef T
#define T float
#endif
#ifndef blockSize
#define blockSize 128
#endif
#ifndef nIsPow2
#define nIsPow2 1
#endif
static inline uint lane(void) { uint r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__kernel void reduce6(__global T *g_idata, __global T *g_odata, unsigned int n, __local volatile T *sdata) {
  unsigned int tid = get_local_id(0), i = get_group_id(0) * (get_local_size(0) * 2) + get_local_id(0), gridSize = blockSize * 2 * get_num_groups(0);
  sdata[tid] = 0;
  while (i < n) { sdata[tid] += g_idata[i]; if (nIsPow2 || i + blockSize < n) sdata[tid] += g_idata[i + blockSize]; i += gridSize; }
  barrier(CLK_LOCAL_MEM_FENCE);
#if (blockSize >= 256)
  if (tid < 128) { sdata[tid] += sdata[tid + 128]; } barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } barrier(CLK_LOCAL_MEM_FENCE); }
  if (tid < 32) {
    #pragma unroll 6
    for (int d = 32; d; d >>= 1) { if (blockSize >= 2 * d) { sdata[tid] += sdata[tid + d]; mem_fence(CLK_LOCAL_MEM_FENCE); } }
  }
  if (tid == 0) g_odata[get_group_id(0)] = sdata[0] + lane();
}
__kernel __attribute__((work_group_size_hint(64, 1, 1))) void clz_etc(__global uint *a, __global ulong *b, __global char16 *c) {
  size_t i = get_global_id(0);
  a[i] = clz(a[i]) + popcount(a[i]) + rotate(a[i], 3u) + mad24(a[i], 5u, 1u) + mul_hi(a[i], a[i + 1]) + hadd(a[i], 1u) + abs_diff(a[i], 4u) + bitselect(a[i], 1u, 6u);
  b[i] = upsample(a[i], a[i + 1]) + mul_hi(b[i], b[i + 1]) + add_sat(b[i], 1ul);
  c[i] = shuffle2(c[i], c[i + 1], (uchar16)(0, 31, 2, 29, 4, 27, 6, 25, 8, 23, 10, 21, 12, 19, 14, 17)) + as_char16((uint4)(a[i]));
}
