#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int Width = 64, Tile = 64, Stages = 2;

// The place of halves 8 x to 8 x + 7 of a row: pieces of 16 bytes are exchanged
// within the 128 bytes of a row, so that eight rows lie in different banks.
__device__ int at(int row, int x) { return row * Width + (x ^ row % 8) * 8; }

__device__ void loadMatrices(uint32_t (&r)[4], const half *row) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"((uint32_t)__cvta_generic_to_shared(row)));
}

__device__ void loadTransposed(uint32_t (&r)[4], const half *row) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"((uint32_t)__cvta_generic_to_shared(row)));
}

// d += a b: 16 x 8 x 16.
__device__ void multiply(float (&d)[4], const uint32_t (&a)[4], uint32_t b0,
                         uint32_t b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ uint32_t pack(float x, float y) {
  const half2 pair = __floats2half2_rn(x, y);
  return *(const uint32_t *)&pair;
}

// The largest of, or the sum over, the four lanes that share a row.
__device__ float rowMax(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
__device__ float rowSum(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

// attention on matrix instructions: a block has 64 rows of Q, a warp 16. Tiles
// of 64 keys and values come by cp.async, one ahead. The weights of a tile stay
// in registers: the sums of one product are the left operand of the next.
__global__ void __launch_bounds__(128)
    attention_matrix(const half *__restrict__ q, const half *__restrict__ k,
                     const half *__restrict__ v, float *__restrict__ out,
                     int length, float scale, int causal) {
  __shared__ __align__(128) half ks[Stages][Tile * Width];
  __shared__ __align__(128) half vs[Stages][Tile * Width];
  const int head = blockIdx.y * length, first = blockIdx.x * Tile;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  // Rows behind the last are zero.
  auto copy = [&](half *to, const half *from, int row0) {
    for (int i = threadIdx.x; i < Tile * Width / 8; i += blockDim.x) {
      const int r = i / 8, x = i % 8, row = min(row0 + r, length - 1);
      __pipeline_memcpy_async(&to[at(r, x)],
                              &from[(head + row) * Width + x * 8], 16,
                              row0 + r < length ? 0 : 16);
    }
  };

  copy(ks[1], q, first);
  __pipeline_commit();
  copy(ks[0], k, 0);
  copy(vs[0], v, 0);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  uint32_t queries[Width / 16][4];
  for (int x = 0; x < Width / 16; ++x)
    loadMatrices(queries[x],
                 &ks[1][at(warp * 16 + lane % 16, 2 * x + lane / 16)]);
  __syncthreads();

  float sums[Width / 8][4] = {}, largest[2] = {-1e30f, -1e30f}, sum[2] = {};
  const int end = causal ? min(first + Tile, length) : length;
  const float scale2 = scale * 1.44269504f; // powers of two
  int stage = 0;
  for (int key0 = 0; key0 < end; key0 += Tile) {
    if (key0 + Tile < end) {
      copy(ks[stage ^ 1], k, key0 + Tile);
      copy(vs[stage ^ 1], v, key0 + Tile);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();

    float scores[Tile / 8][4] = {};
#pragma unroll
    for (int n = 0; n < Tile / 8; n += 2)
#pragma unroll
      for (int x = 0; x < Width / 16; ++x) {
        uint32_t keys[4];
        loadMatrices(keys, &ks[stage][at(n * 8 + lane % 8 + lane / 16 * 8,
                                         2 * x + lane / 8 % 2)]);
        multiply(scores[n], queries[x], keys[0], keys[1]);
        multiply(scores[n + 1], queries[x], keys[2], keys[3]);
      }

    const int row = first + warp * 16 + lane / 4, column = key0 + lane % 4 * 2;
    float most[2] = {largest[0], largest[1]};
#pragma unroll
    for (int n = 0; n < Tile / 8; ++n)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int key = column + n * 8 + i % 2;
        const bool sees = key < length && (!causal || key <= row + i / 2 * 8);
        scores[n][i] = sees ? scores[n][i] * scale2 : -1e30f;
        most[i / 2] = fmaxf(most[i / 2], scores[n][i]);
      }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      most[h] = rowMax(most[h]);
      const float old = exp2f(largest[h] - most[h]);
      largest[h] = most[h];
      sum[h] *= old;
#pragma unroll
      for (int n = 0; n < Width / 8; ++n) {
        sums[n][2 * h] *= old;
        sums[n][2 * h + 1] *= old;
      }
    }
#pragma unroll
    for (int n = 0; n < Tile / 8; ++n)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        scores[n][i] = exp2f(scores[n][i] - most[i / 2]);
        sum[i / 2] += scores[n][i];
      }

#pragma unroll
    for (int y = 0; y < Tile / 16; ++y) {
      const uint32_t weights[4] = {
          pack(scores[2 * y][0], scores[2 * y][1]),
          pack(scores[2 * y][2], scores[2 * y][3]),
          pack(scores[2 * y + 1][0], scores[2 * y + 1][1]),
          pack(scores[2 * y + 1][2], scores[2 * y + 1][3])};
#pragma unroll
      for (int n = 0; n < Width / 8; n += 2) {
        uint32_t values[4];
        loadTransposed(values,
                       &vs[stage][at(y * 16 + lane % 16, n + lane / 16)]);
        multiply(sums[n], weights, values[0], values[1]);
        multiply(sums[n + 1], weights, values[2], values[3]);
      }
    }
    __syncthreads();
    stage ^= 1;
  }

  for (int h = 0; h < 2; ++h) {
    const int row = first + warp * 16 + lane / 4 + 8 * h;
    const float part = 1.0f / rowSum(sum[h]);
    if (row < length)
      for (int n = 0; n < Width / 8; ++n)
        *(float2 *)&out[(head + row) * Width + n * 8 + lane % 4 * 2] =
            make_float2(sums[n][2 * h] * part, sums[n][2 * h + 1] * part);
  }
}
