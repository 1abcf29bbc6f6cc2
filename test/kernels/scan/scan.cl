// Exclusive prefix sum of each work group's elements, two per work item: an
// up-sweep that builds a tree of sums in local memory and a down-sweep that
// turns it into prefixes. sums[g] gets the total of group g.
__kernel void scan(__global const uint *in, __global uint *out,
                   __global uint *sums, int n, __local uint *tree) {
  int lid = get_local_id(0);
  int count = 2 * get_local_size(0);
  int base = get_group_id(0) * count;
  int first = base + 2 * lid;
  tree[2 * lid] = first < n ? in[first] : 0;
  tree[2 * lid + 1] = first + 1 < n ? in[first + 1] : 0;

  int offset = 1;
  for (int d = count >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < d) {
      int left = offset * (2 * lid + 1) - 1;
      int right = offset * (2 * lid + 2) - 1;
      tree[right] += tree[left];
    }
    offset <<= 1;
  }
  if (lid == 0) {
    sums[get_group_id(0)] = tree[count - 1];
    tree[count - 1] = 0;
  }
  for (int d = 1; d < count; d <<= 1) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < d) {
      int left = offset * (2 * lid + 1) - 1;
      int right = offset * (2 * lid + 2) - 1;
      uint value = tree[left];
      tree[left] = tree[right];
      tree[right] += value;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (first < n)
    out[first] = tree[2 * lid];
  if (first + 1 < n)
    out[first + 1] = tree[2 * lid + 1];
}
