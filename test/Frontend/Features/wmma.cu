// RUN: %frontends --test %s
// FEATURE: wmma: half products, single sums
// LAUNCH: --grid 1 --block 32 --arg o:f32[4] --dump o
// EXPECT: o (f32[4]): 16 24 136 0
#include <mma.h>
using namespace nvcuda;
__global__ void k(float *o) {
  __shared__ half a[256], b[256];
  __shared__ float c[256];
  for (int i = threadIdx.x; i < 256; i += 32) {
    a[i] = __float2half(i / 16 + 1.0f); // row + 1
    b[i] = __float2half(i % 16 == 1 ? 1.5f : 1.0f);
  }
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
  __syncthreads();
  o[0] = c[0];
  o[1] = c[1];
  o[2] = c[7 * 16 + 2] + 8;
  o[3] = 0;
}
