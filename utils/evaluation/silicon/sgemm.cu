// The steps of test/hw/silicon/sgemm_ladder_a6000.csv, written from its
// descriptions: C = alpha A B + beta C in row-major order. Matrices are `n` wide;
// the sum runs over the first `depth` products.

#include <cuda_runtime.h>

#define ARGUMENTS                                                              \
  const float *a, const float *b, float *c, float alpha, float beta, int n,    \
      int depth

__device__ void element(int row, int column, ARGUMENTS) {
  float sum = 0;
  for (int k = 0; k < depth; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

__global__ void naive(ARGUMENTS) {
  element(blockIdx.x * 32 + threadIdx.x, blockIdx.y * 32 + threadIdx.y, a, b, c,
          alpha, beta, n, depth);
}

__global__ void coalesced(ARGUMENTS) {
  element(blockIdx.x * 32 + threadIdx.x / 32,
          blockIdx.y * 32 + threadIdx.x % 32, a, b, c, alpha, beta, n, depth);
}

__global__ void shared(ARGUMENTS) {
  __shared__ float as[32][32], bs[32][32];
  int r = threadIdx.x / 32, x = threadIdx.x % 32;
  int row = blockIdx.x * 32 + r, column = blockIdx.y * 32 + x;
  float sum = 0;
  for (int at = 0; at < depth; at += 32) {
    as[r][x] = a[row * n + at + x];
    bs[r][x] = b[(at + r) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += as[r][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// A thread makes eight elements of a column of a 64 x 64 tile.
__global__ void tile_1d(ARGUMENTS) {
  __shared__ float as[64][8], bs[8][64];
  int t = threadIdx.x, x = t % 64, y = t / 64 * 8;
  a += blockIdx.y * 64 * n;
  b += blockIdx.x * 64;
  c += blockIdx.y * 64 * n + blockIdx.x * 64;
  float sum[8] = {};
  for (int at = 0; at < depth; at += 8) {
    as[t / 8][t % 8] = a[t / 8 * n + at + t % 8];
    bs[t / 64][x] = b[(at + t / 64) * n + x];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      float q = bs[k][x];
      for (int i = 0; i < 8; ++i)
        sum[i] += as[y + i][k] * q;
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    c[(y + i) * n + x] = alpha * sum[i] + beta * c[(y + i) * n + x];
}

// A thread makes 8 x 8 elements of a 128 x 128 tile. "Scalar loads", says the
// description: nvcc 11.8 leaves those of A alone. nvcc 13 would join four of a
// row, so that they are volatile here; both join those of B.
__global__ void tile_2d(ARGUMENTS) {
  __shared__ float as[128 * 8], bs[8 * 128];
  const volatile float *scalar = as;
  int t = threadIdx.x, x = t % 16 * 8, y = t / 16 * 8;
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * 128;
  c += blockIdx.y * 128 * n + blockIdx.x * 128;
  float sum[8][8] = {}, p[8], q[8];
  for (int at = 0; at < depth; at += 8) {
    for (int i = 0; i < 128; i += 32)
      as[(i + t / 8) * 8 + t % 8] = a[(i + t / 8) * n + at + t % 8];
    for (int i = 0; i < 8; i += 2)
      bs[(i + t / 128) * 128 + t % 128] = b[(at + i + t / 128) * n + t % 128];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < 8; ++i) {
        p[i] = scalar[(y + i) * 8 + k];
        q[i] = bs[k * 128 + x + i];
      }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          sum[i][j] += p[i] * q[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      c[(y + i) * n + x + j] = alpha * sum[i][j] + beta * c[(y + i) * n + x + j];
}

// The same with float4 and A transposed in shared memory. `Row` floats make a row
// of B there; `Linear` puts the eight values of a thread sixteen apart.
template <int Row, bool Linear> __device__ void vectors(ARGUMENTS) {
  __shared__ __align__(16) float as[8][128];
  __shared__ __align__(16) float bs[8 * Row];
  int t = threadIdx.x, x = t % 16, y = t / 16 * 8;
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * 128;
  c += blockIdx.y * 128 * n + blockIdx.x * 128 + x * 8;
  int ar = t / 2, ac = t % 2 * 4, br = t / 32, bc = t % 32 * 4;
  float sum[8][8] = {}, p[8], q[8];
  for (int at = 0; at < depth; at += 8) {
    float4 v = *(const float4 *)&a[ar * n + at + ac];
    as[ac][ar] = v.x;
    as[ac + 1][ar] = v.y;
    as[ac + 2][ar] = v.z;
    as[ac + 3][ar] = v.w;
    float4 w = *(const float4 *)&b[(at + br) * n + bc];
    if (Linear || Row % 4) {
      float values[4] = {w.x, w.y, w.z, w.w};
      for (int i = 0; i < 4; ++i)
        bs[br * Row + (Linear ? (bc % 8 + i) * 16 + bc / 8 : bc + i)] = values[i];
    } else {
      *(float4 *)&bs[br * Row + bc] = w;
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < 8; ++i) {
        p[i] = as[k][y + i];
        q[i] = bs[k * Row + (Linear ? i * 16 + x : x * 8 + i)];
      }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          sum[i][j] += p[i] * q[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; j += 4) {
      float4 *to = (float4 *)&c[(y + i) * n + j], v = *to;
      v.x = alpha * sum[i][j] + beta * v.x;
      v.y = alpha * sum[i][j + 1] + beta * v.y;
      v.z = alpha * sum[i][j + 2] + beta * v.z;
      v.w = alpha * sum[i][j + 3] + beta * v.w;
      *to = v;
    }
}
__global__ void vectorised(ARGUMENTS) {
  vectors<128, false>(a, b, c, alpha, beta, n, depth);
}
__global__ void linear_no_conflicts(ARGUMENTS) {
  vectors<128, true>(a, b, c, alpha, beta, n, depth);
}
__global__ void offset_no_conflicts(ARGUMENTS) {
  vectors<133, false>(a, b, c, alpha, beta, n, depth);
}

// Thread tiles of 8 x 8 as four of 4 x 4, one in each 64 x 64 sub-tile of the
// block's 128 x 128 x 16: a warp has two rows of sixteen threads of each.
__global__ void __launch_bounds__(256) autotuned(ARGUMENTS) {
  __shared__ __align__(16) float as[16][128], bs[16][128];
  const int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * 128;
  c += blockIdx.y * 128 * n + blockIdx.x * 128;
  float sum[8][8] = {}, p[8], q[8];
  for (int at = 0; at < depth; at += 16) {
    const int k = t % 4 * 4;
#pragma unroll
    for (int i = 0; i < 128; i += 64) {
      const int row = i + t / 4;
      float4 v = *(const float4 *)&a[row * n + at + k];
      as[k][row] = v.x;
      as[k + 1][row] = v.y;
      as[k + 2][row] = v.z;
      as[k + 3][row] = v.w;
    }
#pragma unroll
    for (int row = 0; row < 16; row += 8)
      *(float4 *)&bs[row + t / 32][t % 32 * 4] = *(const float4 *)&b[(at + row + t / 32) * n + t % 32 * 4];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        p[i] = as[k][y + i / 4 * 64 + i % 4];
        q[i] = bs[k][x + i / 4 * 64 + i % 4];
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          sum[i][j] += p[i] * q[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      float4 *to = (float4 *)&c[(y + i / 4 * 64 + i % 4) * n + x + j / 4 * 64], v = *to;
      v.x = alpha * sum[i][j] + beta * v.x;
      v.y = alpha * sum[i][j + 1] + beta * v.y;
      v.z = alpha * sum[i][j + 2] + beta * v.z;
      v.w = alpha * sum[i][j + 3] + beta * v.w;
      *to = v;
    }
}

// Tiles of 128 x Wide x 16: warps make Rows x Columns elements of it, lanes 8 x
// Each, in as many sub-tiles as that takes. Two buffers if Twice: the next tile
// goes to the other one before this one is summed.
template <int Wide, int Rows, int Columns, int Each, bool Twice>
__device__ void warps(ARGUMENTS) {
  constexpr int Warps = 128 / Rows * (Wide / Columns), Threads = Warps * 32;
  // Lanes of a sub-tile: as many rows of eight as fit, the rest beside them.
  constexpr int High = Rows / 8 < 8 ? Rows / 8 : 8, Beside = 32 / High;
  constexpr int Downs = Rows / (High * 8), Across = Columns / (Beside * Each);
  constexpr int LoadsA = 128 * 16 / 4 / Threads, LoadsB = Wide * 16 / 4 / Threads;
  __shared__ __align__(16) float as[Twice + 1][16][128];
  __shared__ __align__(16) float bs[Twice + 1][16][Wide];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const int top = warp / (Wide / Columns) * Rows + lane / Beside * 8;
  const int left = warp % (Wide / Columns) * Columns + lane % Beside * Each;
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * Wide;
  c += blockIdx.y * 128 * n + blockIdx.x * Wide;
  float sum[Downs * 8][Across * Each] = {}, p[Downs * 8], q[Across * Each];
  float4 nextA[LoadsA], nextB[LoadsB];
  auto load = [&](int at) {
#pragma unroll
    for (int i = 0; i < LoadsA; ++i)
      nextA[i] = *(const float4 *)&a[(t / 4 + i * Threads / 4) * n + at + t % 4 * 4];
#pragma unroll
    for (int i = 0; i < LoadsB; ++i)
      nextB[i] = *(const float4 *)&b[(at + t / (Wide / 4) + i * Threads / (Wide / 4)) * n + t % (Wide / 4) * 4];
  };
  auto store = [&](int buffer) {
#pragma unroll
    for (int i = 0; i < LoadsA; ++i) {
      const int row = t / 4 + i * Threads / 4, k = t % 4 * 4;
      as[buffer][k][row] = nextA[i].x;
      as[buffer][k + 1][row] = nextA[i].y;
      as[buffer][k + 2][row] = nextA[i].z;
      as[buffer][k + 3][row] = nextA[i].w;
    }
#pragma unroll
    for (int i = 0; i < LoadsB; ++i)
      *(float4 *)&bs[buffer][t / (Wide / 4) + i * Threads / (Wide / 4)][t % (Wide / 4) * 4] = nextB[i];
  };
  auto multiply = [&](int buffer) {
#pragma unroll
    for (int k = 0; k < 16; ++k) {
#pragma unroll
      for (int i = 0; i < Downs * 8; ++i)
        p[i] = as[buffer][k][top + i / 8 * High * 8 + i % 8];
#pragma unroll
      for (int j = 0; j < Across * Each; ++j)
        q[j] = bs[buffer][k][left + j / Each * Beside * Each + j % Each];
#pragma unroll
      for (int i = 0; i < Downs * 8; ++i)
#pragma unroll
        for (int j = 0; j < Across * Each; ++j)
          sum[i][j] += p[i] * q[j];
    }
  };
  if (Twice) {
    load(0);
    store(0);
    __syncthreads();
  }
  for (int at = 0, buffer = 0; at < depth; at += 16) {
    if (Twice) {
      if (at + 16 < depth) {
        load(at + 16);
        store(buffer ^ 1);
      }
      multiply(buffer);
      buffer ^= 1;
    } else {
      load(at);
      store(0);
      __syncthreads();
      multiply(0);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < Downs * 8; ++i)
#pragma unroll
    for (int j = 0; j < Across * Each; j += 4) {
      float4 *to = (float4 *)&c[(top + i / 8 * High * 8 + i % 8) * n + left + j / Each * Beside * Each + j % Each], v = *to;
      v.x = alpha * sum[i][j] + beta * v.x;
      v.y = alpha * sum[i][j + 1] + beta * v.y;
      v.z = alpha * sum[i][j + 2] + beta * v.z;
      v.w = alpha * sum[i][j + 3] + beta * v.w;
      *to = v;
    }
}

__global__ void __launch_bounds__(128) warp_tiles(ARGUMENTS) {
  warps<128, 64, 64, 4, false>(a, b, c, alpha, beta, n, depth);
}
__global__ void __launch_bounds__(256) double_buffered(ARGUMENTS) {
  warps<256, 128, 32, 8, true>(a, b, c, alpha, beta, n, depth);
}
