#define GROUP 256

// Cheapest way through a grid from row to row, where a step goes down or
// diagonally down. Each work group advances its columns by several rows in
// local memory; the columns at its sides become invalid one by one, so that
// neighbouring groups overlap by 2 * steps columns.
// cost: rows x cols, src: best sums up to row first - 1, dst: up to row
// first + steps - 1.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void dynprog_row(__global const int *restrict cost,
                 __global const int *restrict src, __global int *restrict dst,
                 int cols, int first, int steps) {
  __local int best[GROUP];
  int lid = get_local_id(0);
  int col = (int)get_group_id(0) * (GROUP - 2 * steps) - steps + lid;
  bool inside = col >= 0 && col < cols;
  best[lid] = inside ? src[col] : INT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < steps; ++step) {
    int value = INT_MAX;
    if (inside && lid > step && lid < GROUP - 1 - step) {
      value = min(best[lid], min(best[lid - 1], best[lid + 1]));
      value += cost[(first + step) * cols + col];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    best[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (inside && lid >= steps && lid < GROUP - steps)
    dst[col] = best[lid];
}
