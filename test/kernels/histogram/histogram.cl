#define BINS 256

// Counts bytes: each work group counts in local memory and adds its counts to
// the result at the end.
__kernel void histogram(__global const uchar *data, __global uint *bins,
                        int n) {
  __local uint counts[BINS];
  for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
    counts[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&counts[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
    if (counts[b] != 0)
      atomic_add(&bins[b], counts[b]);
}
