#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

constexpr int Tile = 64, Depth = 32, Pad = 8, Stages = 2;

// half_product with two stages: while a stage is multiplied, the next one is
// copied past the registers.
__global__ void half_product_staged(const half *__restrict__ a,
                                    const half *__restrict__ b,
                                    float *__restrict__ c, int m, int n,
                                    int k) {
  __shared__ __align__(32) half as[Stages][Tile][Depth + Pad];
  __shared__ __align__(32) half bs[Stages][Depth][Tile + Pad];
  int row = blockIdx.y * Tile, column = blockIdx.x * Tile;
  int warp = threadIdx.x / 32;
  int warpRow = warp / 2 * 32, warpColumn = warp % 2 * 32;

  auto copy = [&](int stage, int k0) {
    for (int i = threadIdx.x; i < Tile * Depth / 8; i += blockDim.x) {
      int r = i / (Depth / 8), x = i % (Depth / 8) * 8;
      __pipeline_memcpy_async(&as[stage][r][x], &a[(row + r) * k + k0 + x], 16);
    }
    for (int i = threadIdx.x; i < Depth * Tile / 8; i += blockDim.x) {
      int r = i / (Tile / 8), x = i % (Tile / 8) * 8;
      __pipeline_memcpy_async(&bs[stage][r][x], &b[(k0 + r) * n + column + x],
                              16);
    }
    __pipeline_commit();
  };

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::fill_fragment(sums[i][j], 0.0f);

  copy(0, 0);
  int stage = 0;
  for (int k0 = 0; k0 < k; k0 += Depth) {
    if (k0 + Depth < k)
      copy(stage ^ 1, k0 + Depth);
    else
      __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int x = 0; x < Depth; x += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(fa[i], &as[stage][warpRow + 16 * i][x],
                               Depth + Pad);
        wmma::load_matrix_sync(fb[i], &bs[stage][x][warpColumn + 16 * i],
                               Tile + Pad);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          wmma::mma_sync(sums[i][j], fa[i], fb[j], sums[i][j]);
    }
    __syncthreads();
    stage ^= 1;
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&c[(row + warpRow + 16 * i) * n + column +
                                 warpColumn + 16 * j],
                              sums[i][j], n, wmma::mem_row_major);
}
