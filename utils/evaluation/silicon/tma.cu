// Bulk copies, written from the descriptions in test/hw/silicon/README.md.

#include <cuda.h>
#include <cstdint>

__device__ unsigned placeOf(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void begin(uint64_t *barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(placeOf(barrier)));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
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

__device__ void copyBox(void *to, const CUtensorMap *map, int x, int y, int z,
                        uint64_t *barrier) {
#if RANK == 1
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(
                   placeOf(to)),
               "l"(map), "r"(x), "r"(placeOf(barrier))
               : "memory");
#elif RANK == 3
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::
                   "r"(placeOf(to)),
               "l"(map), "r"(x), "r"(y), "r"(z), "r"(placeOf(barrier))
               : "memory");
#else
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   placeOf(to)),
               "l"(map), "r"(x), "r"(y), "r"(placeOf(barrier))
               : "memory");
#endif
}

// Blocks take tile after tile and wait for each.
__global__ void tma_bw(const char *from, int bytes, int rounds) {
  extern __shared__ __align__(1024) char tile[];
  __shared__ uint64_t barrier;
  if (threadIdx.x)
    return;
  begin(&barrier);
  for (int r = 0; r < rounds; ++r) {
    expect(&barrier, bytes);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], %2, [%3];" ::"r"(placeOf(tile)),
                 "l"(__cvta_generic_to_global(
                     from + ((size_t)r * gridDim.x + blockIdx.x) * bytes)),
                 "r"(bytes), "r"(placeOf(&barrier))
                 : "memory");
    wait(&barrier, r & 1);
  }
}

// The same by a tensor map: tiles of x by y by z, `across` of them in a row and
// `down` in a column.
__global__ void tma_boxes(const __grid_constant__ CUtensorMap map, int bytes,
                          int rounds, int x, int y, int z, int across,
                          int down) {
  extern __shared__ __align__(1024) char tile[];
  __shared__ uint64_t barrier;
  if (threadIdx.x)
    return;
  begin(&barrier);
  for (int r = 0; r < rounds; ++r) {
    const int n = r * gridDim.x + blockIdx.x;
    expect(&barrier, bytes);
    copyBox(tile, &map, n % across * x, n / across % down * y,
            n / across / down * z, &barrier);
    wait(&barrier, r & 1);
  }
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
    copyBox(line, &map, (int)next * 16, 0, 0, &barrier);
    wait(&barrier, r & 1);
    next = *(volatile uint64_t *)line;
  }
  *out = next;
}
