#define GROUP 128

// Index of and squared distance to the closest of n points for each of m
// queries; the work group passes the points through local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nearest_neighbor(__global const float2 *queries,
                      __global const float2 *points, __global int *index,
                      __global float *distance, int m, int n) {
  __local float2 tile[GROUP];
  int lid = get_local_id(0);
  int q = get_global_id(0);
  float2 query = queries[min(q, m - 1)];
  float best = INFINITY;
  int bestIndex = -1;
  for (int base = 0; base < n; base += GROUP) {
    int count = min(GROUP, n - base);
    if (lid < count)
      tile[lid] = points[base + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < count; ++i) {
      float2 d = tile[i] - query;
      float squared = fma(d.x, d.x, d.y * d.y);
      if (squared < best) {
        best = squared;
        bestIndex = base + i;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (q < m) {
    index[q] = bestIndex;
    distance[q] = best;
  }
}
