constexpr int Tile = 32;
constexpr int Rows = 8;

// out = transpose of the height x width matrix in, through a tile in shared
// memory so that reads and writes are coalesced. The extra column keeps a
// column of the tile out of one bank.
template <typename T>
__device__ void transpose(const T *__restrict__ in, T *__restrict__ out,
                          int width, int height) {
  __shared__ T tile[Tile][Tile + 1];
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < Tile; j += Rows)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < Tile; j += Rows)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose_tiled(const float *in, float *out, int width,
                                int height) {
  transpose(in, out, width, height);
}
