#include <cuda.h>
#include <cuda_fp16.h>
#include <cstdint>

#ifndef CLUSTER
#define CLUSTER 1 // blocks that share their slices of B: 1 or 2
#endif
#ifndef STAGES
#define STAGES 4
#endif

// A block makes a tile of 128 x 256 from slices of 64. Of A and B these lie in
// parts of 64 x 64 halves; their rows have 128 bytes, over which pieces of 16
// bytes are swizzled.
constexpr int High = 128, Wide = 256, Slice = 64, Part = 64;
constexpr int PartBytes = Part * Slice * 2;
constexpr int PartsOfB = Wide / Part;
constexpr int StageBytes = (High / Part + PartsOfB) * PartBytes;

__device__ unsigned placeOf(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

// Dynamic shared memory from a multiple of 1024 bytes on.
__device__ unsigned stages() {
  extern __shared__ char memory[];
  return (placeOf(memory) + 1023) & ~1023u;
}

__device__ void init(uint64_t *barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                   placeOf(barrier)),
               "r"(arrivals));
}

__device__ void expect(uint64_t *barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   placeOf(barrier)),
               "r"(bytes)
               : "memory");
}

__device__ void wait(uint64_t *barrier, int parity) {
  unsigned done;
  do
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(placeOf(barrier)), "r"(parity)
                 : "memory");
  while (!done);
}

__device__ void copy(unsigned to, const CUtensorMap *map, int x, int y,
                     uint64_t *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   to),
               "l"(map), "r"(x), "r"(y), "r"(placeOf(barrier))
               : "memory");
}

// Units of 16 bytes of a matrix whose rows are swizzled over 128 bytes: where
// it starts, from one part to the next, and from eight rows to the next.
__device__ uint64_t descriptor(unsigned start) {
  return (start & 0x3ffff) >> 4 | (uint64_t)(PartBytes >> 4) << 16 |
         64ull << 32 | 1ull << 62;
}

#define TEN(X)                                                                 \
  "%" #X "0, %" #X "1, %" #X "2, %" #X "3, %" #X "4, %" #X "5, %" #X "6, %" #X \
  "7, %" #X "8, %" #X "9, "
#define EIGHT(I)                                                               \
  "+f"(d[I]), "+f"(d[I + 1]), "+f"(d[I + 2]), "+f"(d[I + 3]), "+f"(d[I + 4]),  \
      "+f"(d[I + 5]), "+f"(d[I + 6]), "+f"(d[I + 7])

// d += a b: 64 x 256 x 16. Columns of B lie side by side.
__device__ void multiply(float (&d)[128], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" TEN() TEN(1)
          TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10)
              TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127}, "
                      "%128, %129, 1, 1, 1, 0, 1;"
      : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40),
        EIGHT(48), EIGHT(56), EIGHT(64), EIGHT(72), EIGHT(80), EIGHT(88),
        EIGHT(96), EIGHT(104), EIGHT(112), EIGHT(120)
      : "l"(a), "l"(b));
}

// The same with 128 columns.
__device__ void multiply(float (&d)[64], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" TEN()
                   TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) "%60, %61, %62, %63}, "
                                                      "%64, %65, 1, 1, 1, 0, 1;"
               : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40),
                 EIGHT(48), EIGHT(56)
               : "l"(a), "l"(b));
}

// The products of a slice, whose A and B begin there; they are under way after.
template <int Sums>
__device__ void multiplySlice(float (&d)[Sums], unsigned a, unsigned b) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int x = 0; x < Slice / 16; ++x) // 32 bytes of rows of A, 16 rows of B
    multiply(d, descriptor(a + 32 * x), descriptor(b + 16 * 128 * x));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// The sums of a warp group's 64 rows, from this row and column of C on.
template <int Sums>
__device__ void store(const float (&d)[Sums], float *c, int row, int column,
                      int m, int n) {
  const int lane = threadIdx.x % 32;
  row += threadIdx.x % 128 / 32 * 16 + lane / 4;
  column += lane % 4 * 2;
  for (int i = 0; i < Sums; i += 2) {
    const int r = row + i / 2 % 2 * 8, x = column + i / 4 * 8;
    if (r < m && x < n)
      *(float2 *)&c[(size_t)r * n + x] = make_float2(d[i], d[i + 1]);
  }
}

__device__ unsigned rankInCluster() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// Into the same place of all blocks of the cluster.
__device__ void copyToAll(unsigned to, const CUtensorMap *map, int x, int y,
                          uint64_t *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
               "l"(map), "r"(x), "r"(y), "r"(placeOf(barrier)),
               "h"((uint16_t)((1 << CLUSTER) - 1))
               : "memory");
}

// Says to all blocks that write there that a warp has read the stage.
__device__ void release(uint64_t *barrier) {
  if (threadIdx.x % 32 != 0)
    return;
  for (int rank = 0; rank < CLUSTER; ++rank)
    asm volatile("{\n.reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
                 "[there];\n}" ::"r"(placeOf(barrier)),
                 "r"(rank)
                 : "memory");
}

__device__ void meetAll() {
  if (CLUSTER > 1)
    asm volatile("barrier.cluster.arrive.release;\n"
                 "barrier.cluster.wait.acquire;" ::: "memory");
  else
    __syncthreads();
}

// C = A B. The first warp group copies, and gives registers to the two that
// multiply, each 64 rows of the tile. The blocks of a cluster make tiles below
// each other: each copies its part of B for all. While the last sums of a tile
// are stored, slices of the next one come. Sides need not divide.
__global__ void __launch_bounds__(384, 1) __cluster_dims__(CLUSTER)
    half_product_specialised(const __grid_constant__ CUtensorMap a,
                             const __grid_constant__ CUtensorMap b,
                             float *__restrict__ c, int m, int n, int k) {
  __shared__ uint64_t full[STAGES], empty[STAGES];
  const int rank = CLUSTER > 1 ? rankInCluster() : 0;
  const int wide = (n + Wide - 1) / Wide, high = High * CLUSTER;
  const int tiles = wide * ((m + high - 1) / high);
  const int slices = (k + Slice - 1) / Slice;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      init(&full[s], 1);
      init(&empty[s], 8 * CLUSTER); // warps that multiply
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  meetAll();

  int slice = 0; // of all tiles
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      for (int tile = blockIdx.x / CLUSTER; tile < tiles;
           tile += gridDim.x / CLUSTER) {
        const int row = tile / wide * high + rank * High;
        const int column = tile % wide * Wide;
        for (int t = 0; t < slices; ++t, ++slice) {
          const int s = slice % STAGES, parity = slice / STAGES % 2;
          const unsigned to = stages() + s * StageBytes;
          const unsigned right = to + High / Part * PartBytes;
          if (slice >= STAGES)
            wait(&empty[s], parity ^ 1);
          expect(&full[s], StageBytes);
          copy(to, &a, t * Slice, row, &full[s]);
          for (int x = rank; x < PartsOfB; x += CLUSTER)
            if (CLUSTER > 1)
              copyToAll(right + x * PartBytes, &b, column + x * Part,
                        t * Slice, &full[s]);
            else
              copy(right + x * PartBytes, &b, column + x * Part, t * Slice,
                   &full[s]);
        }
      }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int group = threadIdx.x / 128 - 1;
    for (int tile = blockIdx.x / CLUSTER; tile < tiles;
         tile += gridDim.x / CLUSTER) {
      float sums[Wide / 2];
      for (int i = 0; i < Wide / 2; ++i)
        sums[i] = 0;
      for (int t = 0; t < slices; ++t, ++slice) {
        const int s = slice % STAGES;
        wait(&full[s], slice / STAGES % 2);
        const unsigned from = stages() + s * StageBytes;
        multiplySlice(sums, from + group * PartBytes,
                      from + High / Part * PartBytes);
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (t > 0)
          release(&empty[(slice - 1) % STAGES]);
      }
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      release(&empty[(slice - 1) % STAGES]);
      store(sums, c, tile / wide * high + rank * High + group * Part,
            tile % wide * Wide, m, n);
    }
  }
  if (CLUSTER > 1)
    meetAll(); // nothing comes into a block that has ended
}

// The same by one warp group, which copies a slice, waits, multiplies, waits.
// Its registers hold the sums of 128 x 128.
__global__ void __launch_bounds__(128)
    half_product_in_turn(const __grid_constant__ CUtensorMap a,
                         const __grid_constant__ CUtensorMap b,
                         float *__restrict__ c, int m, int n, int k) {
  __shared__ uint64_t full;
  constexpr int Tile = 128;
  const int wide = (n + Tile - 1) / Tile;
  const int tiles = wide * ((m + Tile - 1) / Tile);
  const int slices = (k + Slice - 1) / Slice;
  if (threadIdx.x == 0)
    init(&full, 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  int slice = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int row = tile / wide * Tile, column = tile % wide * Tile;
    float upper[64], lower[64];
    for (int i = 0; i < 64; ++i)
      upper[i] = lower[i] = 0;
    for (int t = 0; t < slices; ++t, ++slice) {
      const unsigned to = stages();
      if (threadIdx.x == 0) {
        expect(&full, 4 * PartBytes);
        copy(to, &a, t * Slice, row, &full);
        copy(to + 2 * PartBytes, &b, column, t * Slice, &full);
        copy(to + 3 * PartBytes, &b, column + Part, t * Slice, &full);
      }
      wait(&full, slice % 2);
      multiplySlice(upper, to, to + 2 * PartBytes);
      multiplySlice(lower, to + PartBytes, to + 2 * PartBytes);
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      __syncthreads();
    }
    store(upper, c, row, column, m, n);
    store(lower, c, row + Part, column, m, n);
  }
}
