#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int Tile = 64, Stages = 2;

// A matrix of 64 rows of 64 halves whose pieces of 16 bytes are swizzled over
// the 128 bytes of a row: 16-byte units of start, leading and stride offset
// (1024 bytes from eight rows to the next), and mode 1.
__device__ uint64_t descriptor(const half *matrix) {
  uint64_t start = ((uint32_t)__cvta_generic_to_shared(matrix) & 0x3ffff) >> 4;
  return start | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

// d += a b: 64 x 64 x 16; of B, whose rows lie in memory, 16 rows.
__device__ void multiply(float (&d)[32], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
      "%30, %31}, %32, %33, 1, 1, 1, 0, 1;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
        "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
        "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
        "+f"(d[31])
      : "l"(a), "l"(b));
}

// half_product_staged on wgmma: a warp group makes a tile of 64 x 64 from two
// stages of A and B in shared memory. M, N and K are multiples of 64.
__global__ void half_product_group(const half *__restrict__ a,
                                   const half *__restrict__ b,
                                   float *__restrict__ c, int m, int n, int k) {
  __shared__ __align__(1024) half as[Stages][Tile * Tile];
  __shared__ __align__(1024) half bs[Stages][Tile * Tile];
  int row = blockIdx.y * Tile, column = blockIdx.x * Tile;

  auto copy = [&](int stage, int k0) {
    for (int i = threadIdx.x; i < Tile * Tile / 8; i += blockDim.x) {
      int r = i / 8, x = i % 8, to = r * Tile + (x ^ r % 8) * 8;
      __pipeline_memcpy_async(&as[stage][to], &a[(row + r) * k + k0 + x * 8],
                              16);
      __pipeline_memcpy_async(&bs[stage][to], &b[(k0 + r) * n + column + x * 8],
                              16);
    }
    __pipeline_commit();
  };

  float sums[32];
  for (int i = 0; i < 32; ++i)
    sums[i] = 0;

  copy(0, 0);
  int stage = 0;
  for (int k0 = 0; k0 < k; k0 += Tile) {
    if (k0 + Tile < k)
      copy(stage ^ 1, k0 + Tile);
    else
      __pipeline_commit();
    __pipeline_wait_prior(1);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    uint64_t da = descriptor(as[stage]), db = descriptor(bs[stage]);
    for (int x = 0; x < Tile / 16; ++x) // 32 bytes of rows of A, 16 rows of B
      multiply(sums, da + 2 * x, db + 128 * x);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
    stage ^= 1;
  }
  int lane = threadIdx.x % 32;
  row += threadIdx.x / 32 * 16 + lane / 4;
  column += lane % 4 * 2;
  for (int i = 0; i < 32; i += 2)
    *(float2 *)&c[(row + i / 2 % 2 * 8) * n + column + i / 4 * 8] =
        make_float2(sums[i], sums[i + 1]);
}
