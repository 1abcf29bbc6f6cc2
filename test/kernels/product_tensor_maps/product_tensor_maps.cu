#include <cuda.h>
#include <cstdint>

#ifndef STAGES
#define STAGES 3
#endif

constexpr int Side = 32; // of each tile; a row has 128 bytes

__device__ unsigned placeOf(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void init(uint64_t *barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                   placeOf(barrier)),
               "r"(arrivals));
}

__device__ void arrive(uint64_t *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                   placeOf(barrier))
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

__device__ void copyTile(float *to, const CUtensorMap *map, int x, int y,
                         uint64_t *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   placeOf(to)),
               "l"(map), "r"(x), "r"(y), "r"(placeOf(barrier))
               : "memory");
}

// Where the element in this row and column of a tile lies, swizzled.
__device__ int at(int row, int column) {
  return row * Side + ((column / 4 ^ row % 8) * 4) + column % 4;
}

// C = A B. The first warp copies tiles of A and B into a ring, four warps
// multiply; the sums go back as a tile of C. Sides need not divide.
__global__ void product_tensor_maps(const __grid_constant__ CUtensorMap a,
                                    const __grid_constant__ CUtensorMap b,
                                    const __grid_constant__ CUtensorMap c,
                                    int depth) {
  __shared__ __align__(1024) float tiles[STAGES][2][Side * Side];
  __shared__ __align__(1024) float sums[Side * Side];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  const int n0 = blockIdx.x * Side, m0 = blockIdx.y * Side;
  const int steps = (depth + Side - 1) / Side;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      init(&full[s], 1);
      init(&empty[s], 128);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      for (int t = 0; t < steps; ++t) {
        const int s = t % STAGES, parity = t / STAGES % 2;
        if (t >= STAGES)
          wait(&empty[s], parity ^ 1);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::
                         "r"(placeOf(&full[s])),
                     "r"(2 * Side * Side * 4)
                     : "memory");
        copyTile(tiles[s][0], &a, t * Side, m0, &full[s]);
        copyTile(tiles[s][1], &b, n0, t * Side, &full[s]);
      }
    return;
  }
  const int thread = threadIdx.x - 32, column = thread % Side,
            row0 = thread / Side * 8;
  float sum[8] = {};
  for (int t = 0; t < steps; ++t) {
    const int s = t % STAGES, parity = t / STAGES % 2;
    wait(&full[s], parity);
    for (int k = 0; k < Side; ++k) {
      const float right = tiles[s][1][at(k, column)];
#pragma unroll
      for (int i = 0; i < 8; ++i)
        sum[i] += tiles[s][0][at(row0 + i, k)] * right;
    }
    arrive(&empty[s]);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    sums[at(row0 + i, column)] = sum[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("bar.sync 1, 128;" ::: "memory");
  if (thread == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(&c),
                 "r"(n0), "r"(m0), "r"(placeOf(sums))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
