#define GROUP 128

// Acceleration of each body by gravity of all others; xyz is the position, w
// the mass. The work group passes the bodies through local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nbody(__global const float4 *bodies, __global float4 *acceleration, int n,
           float softening) {
  __local float4 tile[GROUP];
  int lid = get_local_id(0);
  int i = get_global_id(0);
  float4 body = bodies[min(i, n - 1)];
  float3 sum = (float3)(0.0f);
  for (int base = 0; base < n; base += GROUP) {
    tile[lid] = base + lid < n ? bodies[base + lid] : (float4)(0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < GROUP; ++j) {
      float3 d = tile[j].xyz - body.xyz;
      float inverse = rsqrt(dot(d, d) + softening);
      sum += d * (tile[j].w * inverse * inverse * inverse);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n)
    acceleration[i] = (float4)(sum, 0.0f);
}
