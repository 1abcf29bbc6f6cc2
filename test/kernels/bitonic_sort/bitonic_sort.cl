#define GROUP 256

void order(__local uint *a, __local uint *b, bool ascending) {
  uint x = *a, y = *b;
  if ((x > y) == ascending) {
    *a = y;
    *b = x;
  }
}

// Sorts each run of 2 * GROUP keys in local memory, every other run downwards,
// so that two neighbours form a bitonic sequence.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bitonic_local(__global uint *keys) {
  __local uint run[2 * GROUP];
  int lid = get_local_id(0);
  int base = get_group_id(0) * 2 * GROUP;
  run[lid] = keys[base + lid];
  run[lid + GROUP] = keys[base + lid + GROUP];
  for (int size = 2; size <= 2 * GROUP; size <<= 1) {
    bool ascending = size == 2 * GROUP ? (get_group_id(0) & 1) == 0
                                       : (lid & (size >> 1)) == 0;
    for (int stride = size >> 1; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int i = 2 * lid - (lid & (stride - 1));
      order(&run[i], &run[i + stride], ascending);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  keys[base + lid] = run[lid];
  keys[base + lid + GROUP] = run[lid + GROUP];
}

// One stage between runs: compares keys that are `stride` apart, in sequences
// of `size` keys.
__kernel void bitonic_stage(__global uint *keys, uint pairs, uint size,
                            uint stride) {
  uint p = get_global_id(0);
  if (p >= pairs)
    return;
  uint i = 2 * p - (p & (stride - 1));
  bool ascending = (i & size) == 0;
  uint x = keys[i], y = keys[i + stride];
  if ((x > y) == ascending) {
    keys[i] = y;
    keys[i + stride] = x;
  }
}
