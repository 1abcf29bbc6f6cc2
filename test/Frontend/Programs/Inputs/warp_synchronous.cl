// Reductions and scans that count on warps, sub-groups where they are declared.
#define T float
#define OPERATOR(a, b) ((a) + (b))
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#ifndef blockSize
#define blockSize 128
#define nIsPow2 1
#endif
__kernel void reduce6(__global T *g_idata, __global T *g_odata, unsigned int n, __local volatile T *sdata) {
  unsigned int tid = get_local_id(0), i = get_group_id(0) * (get_local_size(0) * 2) + get_local_id(0), gridSize = blockSize * 2 * get_num_groups(0);
  sdata[tid] = 0;
  while (i < n) {
    sdata[tid] += g_idata[i];
    if (nIsPow2 || i + blockSize < n) sdata[tid] += g_idata[i + blockSize];
    i += gridSize;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } barrier(CLK_LOCAL_MEM_FENCE); }
  if (tid < 32) {
    if (blockSize >= 64) { sdata[tid] += sdata[tid + 32]; }
    if (blockSize >= 32) { sdata[tid] += sdata[tid + 16]; }
  }
  if (tid == 0) g_odata[get_group_id(0)] = OPERATOR(sdata[0], 0);
}
inline T scan_local(T value, __local T *s, int n) {
  int lid = get_local_id(0), offset = 1;
  s[lid] = value;
  for (int d = n >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < d) { int ai = offset * (2 * lid + 1) - 1, bi = offset * (2 * lid + 2) - 1; s[bi] += s[ai]; }
    offset <<= 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return s[lid];
}
__kernel __attribute__((reqd_work_group_size(blockSize, 1, 1))) void scan(__global T *in, __global T *out, __global T *sums) {
  __local T lmem[blockSize];
  T r = scan_local(in[get_global_id(0)], lmem, blockSize);
  out[get_global_id(0)] = r;
  if (get_local_id(0) == get_local_size(0) - 1) sums[get_group_id(0)] = r;
}
#ifdef cl_khr_subgroups
__kernel void groups(__global int *p) { int v = p[get_global_id(0)]; p[get_global_id(0)] = sub_group_scan_inclusive_add(v) + sub_group_reduce_max(v) + get_sub_group_id() + sub_group_broadcast(v, 0); }
#endif
__kernel void locks(__global volatile int *lock, __global volatile long *sum, __global float *f) {
  atom_add(sum, (long)get_local_id(0));
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(lock, 0, 1) != 0) {}
    f[0] += 1.0f;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
  }
}
