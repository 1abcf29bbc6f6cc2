constexpr int Tile = 16;

// c = a * b for row-major matrices: each thread block computes a tile of c and
// moves along k with tiles of a and b in shared memory.
__global__ void __launch_bounds__(Tile *Tile)
    matmul_tiled(const float *__restrict__ a, const float *__restrict__ b,
                 float *__restrict__ c, int m, int n, int k) {
  __shared__ float tileA[Tile][Tile];
  __shared__ float tileB[Tile][Tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * Tile + tx;
  int row = blockIdx.y * Tile + ty;
  float sum = 0.0f;
  for (int base = 0; base < k; base += Tile) {
    tileA[ty][tx] = row < m && base + tx < k ? a[row * k + base + tx] : 0.0f;
    tileB[ty][tx] = col < n && base + ty < k ? b[(base + ty) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile; ++i)
      sum += tileA[ty][i] * tileB[i][tx];
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}
