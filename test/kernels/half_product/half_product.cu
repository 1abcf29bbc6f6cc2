#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int Tile = 64, Depth = 32, Pad = 8;

// C = A B on tensor cores: halves, sums in single precision. A block of four
// warps makes a tile of 64 x 64, a warp a quarter of it from 2 x 2 fragments.
// M, N and K are multiples of 64.
__global__ void half_product(const half *__restrict__ a,
                             const half *__restrict__ b, float *__restrict__ c,
                             int m, int n, int k) {
  __shared__ __align__(32) half as[Tile][Depth + Pad];
  __shared__ __align__(32) half bs[Depth][Tile + Pad];
  int row = blockIdx.y * Tile, column = blockIdx.x * Tile;
  int warp = threadIdx.x / 32;
  int warpRow = warp / 2 * 32, warpColumn = warp % 2 * 32;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::fill_fragment(sums[i][j], 0.0f);

  for (int k0 = 0; k0 < k; k0 += Depth) {
    // Eight halves at a time.
    for (int i = threadIdx.x; i < Tile * Depth / 8; i += blockDim.x) {
      int r = i / (Depth / 8), x = i % (Depth / 8) * 8;
      *(uint4 *)&as[r][x] = *(const uint4 *)&a[(row + r) * k + k0 + x];
    }
    for (int i = threadIdx.x; i < Depth * Tile / 8; i += blockDim.x) {
      int r = i / (Tile / 8), x = i % (Tile / 8) * 8;
      *(uint4 *)&bs[r][x] = *(const uint4 *)&b[(k0 + r) * n + column + x];
    }
    __syncthreads();
    for (int x = 0; x < Depth; x += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(fa[i], &as[warpRow + 16 * i][x], Depth + Pad);
        wmma::load_matrix_sync(fb[i], &bs[x][warpColumn + 16 * i], Tile + Pad);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          wmma::mma_sync(sums[i][j], fa[i], fb[j], sums[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&c[(row + warpRow + 16 * i) * n + column +
                                 warpColumn + 16 * j],
                              sums[i][j], n, wmma::mem_row_major);
}
