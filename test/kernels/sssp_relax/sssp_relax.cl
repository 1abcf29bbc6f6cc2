// Relaxes the outgoing edges of all active nodes: shortest paths from one
// source, graph in compressed sparse rows. Distances are read from one buffer
// and lowered in another, so that the order of work items is of no consequence.
__kernel void sssp_relax(__global const int *rowOffsets,
                         __global const int *columns,
                         __global const uint *weights,
                         __global const uchar *active,
                         __global const uint *distance,
                         __global uint *lowered, int nodes) {
  int node = get_global_id(0);
  if (node >= nodes || !active[node])
    return;
  uint own = distance[node];
  int end = rowOffsets[node + 1];
  for (int edge = rowOffsets[node]; edge < end; ++edge) {
    int target = columns[edge];
    uint candidate = own + weights[edge];
    if (candidate < distance[target])
      atomic_min(&lowered[target], candidate);
  }
}
