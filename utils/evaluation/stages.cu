// A product of halves by mma.sync: blocks of 8 warps make tiles of 128 x 128, 32
// deep, which cp.async copies STAGES - 1 ahead (1: copy, wait, multiply). Both
// factors have k along their lines. LAYOUT of a line in shared memory: 0 as it is,
// 1 with 8 halves of padding, 2 with its pieces of 16 bytes exchanged.

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int Tile = 128, Depth = 32, Pieces = Depth / 8;
constexpr int Line = LAYOUT == 1 ? Depth + 8 : Depth;

__device__ int place(int line, int piece) {
  return line * Line + 8 * (LAYOUT == 2 ? piece ^ (line / 2 % Pieces) : piece);
}

__device__ void load(unsigned (&to)[4], const half *from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"((unsigned)__cvta_generic_to_shared(from)));
}

extern "C" __global__ void __launch_bounds__(256)
    product(const half *__restrict__ a, const half *__restrict__ b,
            float *__restrict__ c, int n, int k) {
  extern __shared__ __align__(128) half memory[];
  const int row = blockIdx.y * Tile, column = blockIdx.x * Tile;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warpRow = warp / 2 * 32, warpColumn = warp % 2 * 64;
  auto tileOf = [&](int stage, int factor) {
    return memory + (2 * stage + factor) * Tile * Line;
  };
  auto copy = [&](int step) {
    for (int round = 0; round < Tile * Pieces / 256; ++round) {
      const int i = round * 256 + threadIdx.x;
      const int line = i / Pieces, piece = i % Pieces;
      const int from = step * Depth + 8 * piece;
      __pipeline_memcpy_async(tileOf(step % STAGES, 0) + place(line, piece),
                              a + (size_t)(row + line) * k + from, 16);
      __pipeline_memcpy_async(tileOf(step % STAGES, 1) + place(line, piece),
                              b + (size_t)(column + line) * k + from, 16);
    }
  };
  float sums[2][8][4] = {};
  const int steps = k / Depth;
  for (int s = 0; s < STAGES - 1; ++s) {
    copy(s);
    __pipeline_commit();
  }
  for (int s = 0; s < steps; ++s) {
    if (STAGES == 1) {
      __syncthreads();
      copy(s);
      __pipeline_commit();
    }
    __pipeline_wait_prior(STAGES > 1 ? STAGES - 2 : 0);
    __syncthreads();
    if (STAGES > 1) {
      if (s + STAGES - 1 < steps)
        copy(s + STAGES - 1);
      __pipeline_commit();
    }
    const half *as = tileOf(s % STAGES, 0), *bs = tileOf(s % STAGES, 1);
#pragma unroll
    for (int x = 0; x < Pieces; x += 2) {
      unsigned fa[2][4], fb[4][4];
#pragma unroll
      for (int i = 0; i < 2; ++i)
        load(fa[i], as + place(warpRow + 16 * i + lane % 16, x + lane / 16));
#pragma unroll
      for (int j = 0; j < 4; ++j)
        load(fb[j], bs + place(warpColumn + 16 * j + lane % 8 + lane / 16 * 8,
                               x + lane / 8 % 2));
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          asm volatile(
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
              "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
              : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]),
                "+f"(sums[i][j][3])
              : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]),
                "r"(fb[j / 2][j % 2 * 2]), "r"(fb[j / 2][j % 2 * 2 + 1]));
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        c[(size_t)(row + warpRow + 16 * i + lane / 4 + e / 2 * 8) * n + column +
          warpColumn + 8 * j + lane % 4 * 2 + e % 2] = sums[i][j][e];
}
