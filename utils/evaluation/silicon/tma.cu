// Bulk copies, written from the descriptions in test/hw/silicon/README.md.

#include <cuda.h>
#include <cstdint>

__device__ unsigned placeOf(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

// All threads arrive for each tile and wait for it, as in the examples of CUDA's
// programming guide; one of them copies.
__device__ void begin(uint64_t *barrier) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(placeOf(barrier)),
                 "r"(blockDim.x));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
}

__device__ void arrive(uint64_t *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(placeOf(barrier))
               : "memory");
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

template <int Rank>
__device__ void copyBox(void *to, const CUtensorMap *map, int x, int y, int z,
                        uint64_t *barrier) {
  if constexpr (Rank == 1)
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(
                   placeOf(to)),
               "l"(map), "r"(x), "r"(placeOf(barrier))
               : "memory");
  else if constexpr (Rank == 3)
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::
                   "r"(placeOf(to)),
               "l"(map), "r"(x), "r"(y), "r"(z), "r"(placeOf(barrier))
               : "memory");
  else
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   placeOf(to)),
               "l"(map), "r"(x), "r"(y), "r"(placeOf(barrier))
               : "memory");
}

// Blocks take tile after tile and wait for each.
__global__ void tma_bw(const char *from, int bytes, int rounds) {
  __shared__ __align__(1024) char tile[16384];
  __shared__ uint64_t barrier;
  begin(&barrier);
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x == 0) {
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
          "[%0], [%1], %2, [%3];" ::"r"(placeOf(tile)),
          "l"(__cvta_generic_to_global(
              from + ((size_t)r * gridDim.x + blockIdx.x) * bytes)),
          "r"(bytes), "r"(placeOf(&barrier))
          : "memory");
      expect(&barrier, bytes);
    } else {
      arrive(&barrier);
    }
    wait(&barrier, r & 1);
    __syncthreads();
  }
}

// The same by a tensor map: tiles of x by y by z, `across` of them in a row and
// `down` in a column.
template <int Rank>
__device__ void boxes(char *tile, const CUtensorMap *map, int bytes, int rounds,
                      int x, int y, int z, int across, int down) {
  __shared__ uint64_t barrier;
  begin(&barrier);
  for (int r = 0; r < rounds; ++r) {
    const int n = r * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) {
      copyBox<Rank>(tile, map, n % across * x, n / across % down * y,
                    n / across / down * z, &barrier);
      expect(&barrier, bytes);
    } else {
      arrive(&barrier);
    }
    wait(&barrier, r & 1);
    __syncthreads();
  }
}
__global__ void tma_boxes_2d(const __grid_constant__ CUtensorMap map, int bytes,
                             int rounds, int x, int y, int z, int across,
                             int down) {
  __shared__ __align__(1024) char tile[16384];
  boxes<2>(tile, &map, bytes, rounds, x, y, z, across, down);
}
__global__ void tma_boxes_3d(const __grid_constant__ CUtensorMap map, int bytes,
                             int rounds, int x, int y, int z, int across,
                             int down) {
  __shared__ __align__(1024) char tile[16384];
  boxes<3>(tile, &map, bytes, rounds, x, y, z, across, down);
}

// One thread follows indices through a ring of lines of 128 bytes, each copied
// into shared memory.
__global__ void tma_chase(const __grid_constant__ CUtensorMap map,
                          uint64_t *out, int rounds) {
  __shared__ __align__(1024) uint64_t line[16];
  __shared__ uint64_t barrier;
  begin(&barrier);
  uint64_t next = 0;
  for (int r = 0; r < rounds; ++r) {
    expect(&barrier, 16);
    copyBox<1>(line, &map, (int)next * 16, 0, 0, &barrier);
    wait(&barrier, r & 1);
    next = *(volatile uint64_t *)line;
  }
  *out = next;
}
