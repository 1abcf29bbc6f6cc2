// One level of a breadth-first search over a graph in compressed sparse rows:
// the nodes of the current level mark their neighbours that have none yet.
// Marks go to a buffer of their own, so that the order of threads is of no
// consequence.
__global__ void bfs_level(const int *__restrict__ rowOffsets,
                          const int *__restrict__ columns,
                          const int *__restrict__ level, unsigned char *marks,
                          int *found, int nodes, int current) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || level[node] != current)
    return;
  int end = rowOffsets[node + 1];
  for (int edge = rowOffsets[node]; edge < end; ++edge) {
    int neighbor = columns[edge];
    if (level[neighbor] < 0) {
      marks[neighbor] = 1;
      *found = 1;
    }
  }
}
