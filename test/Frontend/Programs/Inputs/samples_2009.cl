// Styles of the first OpenCL programs.
#define LOCAL_SIZE_LIMIT 512U
#define mul24i(a, b) mul24(a, b)
#ifdef GPU_AMD
#pragma OPENCL EXTENSION cl_amd_vec3 : enable
#endif
inline void ComparatorPrivate(uint *keyA, uint *valA, uint *keyB, uint *valB,
                              uint dir) {
  if ((*keyA > *keyB) == dir) {
    uint t;
    t = *keyA;
    *keyA = *keyB;
    *keyB = t;
    t = *valA;
    *valA = *valB;
    *valB = t;
  }
}
inline void ComparatorLocal(__local uint *keyA, __local uint *valA,
                            __local uint *keyB, __local uint *valB, uint dir) {
  if ((*keyA > *keyB) == dir) {
    uint t = *keyA;
    *keyA = *keyB;
    *keyB = t;
  }
}
__kernel __attribute__((reqd_work_group_size(LOCAL_SIZE_LIMIT / 2, 1, 1))) void
bitonicSortLocal(__global uint *d_DstKey, __global uint *d_SrcKey,
                 uint arrayLength, uint sortDir) {
  __local uint l_key[LOCAL_SIZE_LIMIT];
  d_SrcKey += get_group_id(0) * LOCAL_SIZE_LIMIT + get_local_id(0);
  l_key[get_local_id(0) + 0] = d_SrcKey[0];
  for (uint size = 2; size < arrayLength; size <<= 1) {
    uint ddd = sortDir ^ ((get_local_id(0) & (size / 2)) != 0);
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint pos = 2 * get_local_id(0) - (get_local_id(0) & (stride - 1));
      ComparatorLocal(&l_key[pos + 0], &l_key[pos], &l_key[pos + stride],
                      &l_key[pos + stride], ddd);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  d_DstKey[0] = l_key[get_local_id(0)];
}
uint scan1(uint idata, __local volatile uint *l_Data, uint size) {
  uint pos = 2 * get_local_id(0) - (get_local_id(0) & (size - 1));
  l_Data[pos] = 0;
  pos += size;
  l_Data[pos] = idata;
  for (uint o = 1; o < size; o <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint t = l_Data[pos] + l_Data[pos - o];
    barrier(CLK_LOCAL_MEM_FENCE);
    l_Data[pos] = t;
  }
  return l_Data[pos];
}
__kernel void scan(__global uint4 *d, __local uint *l, uint size) {
  uint4 v = d[get_global_id(0)];
  v.y += v.x;
  v.w = scan1(v.w, l, size);
  d[get_global_id(0)] = v;
}
__kernel void hist(__global uint *h, __global const uint *d, uint n) {
  __local uchar s[256 * 16];
  const uint tp = (get_local_id(0) & ~63) | ((get_local_id(0) & 15) << 2);
  s[tp]++;
  barrier(1);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atom_inc(h + (d[i] & 255));
}
float4 getBodyBodyForce(float4 ai, float4 bi, float4 bj,
                        float softeningSquared) {
  float4 r = bi - bj;
  r.w = 0;
  float distSqr = dot(r, r) + softeningSquared;
  float invDist = native_rsqrt(distSqr);
  return ai + r * bj.w * invDist * invDist * invDist;
}
__kernel void nb(__global float4 *p, __local float4 *sh, float s, int n) {
  float4 a = (float4){0.0f, 0.0f, 0.0f, 0.0f};
  float4 b = (float4)(0);
  for (int i = 0; i < n; i++) {
    a = getBodyBodyForce(a, p[get_global_id(0)], sh[i], s);
  }
  p[get_global_id(0)] = a;
}
