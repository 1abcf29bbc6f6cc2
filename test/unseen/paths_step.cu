// One step of all-pairs shortest paths over a dense matrix.
__global__ void paths_step(int *distance, int *via, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int direct = distance[y * n + x];
  int detour = distance[y * n + k] + distance[k * n + x];
  if (detour < direct) {
    distance[y * n + x] = detour;
    via[y * n + x] = k;
  }
}
