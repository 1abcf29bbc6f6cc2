#include <cstdint>

#ifndef STAGES
#define STAGES 4
#endif

constexpr int Tile = 1024;

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

__device__ void arriveAndExpect(uint64_t *barrier, int bytes) {
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

__device__ void copy(void *to, const void *from, int bytes,
                     uint64_t *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(placeOf(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes),
               "r"(placeOf(barrier))
               : "memory");
}

// y = a x. A thread of the first warp copies tiles into a ring of stages, four
// warps empty them; a block has `tiles` tiles.
__global__ void stream_scale(float a, const float *__restrict__ x,
                             float *__restrict__ y, int tiles) {
  __shared__ __align__(128) float ring[STAGES][Tile];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  const size_t first = (size_t)blockIdx.x * tiles * Tile;
  if (threadIdx.x == 0)
    for (int s = 0; s < STAGES; ++s) {
      init(&full[s], 1);
      init(&empty[s], 128);
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      for (int t = 0; t < tiles; ++t) {
        const int s = t % STAGES, parity = t / STAGES % 2;
        if (t >= STAGES)
          wait(&empty[s], parity ^ 1);
        arriveAndExpect(&full[s], Tile * sizeof(float));
        copy(ring[s], x + first + (size_t)t * Tile, Tile * sizeof(float),
             &full[s]);
      }
    return;
  }
  for (int t = 0; t < tiles; ++t) {
    const int s = t % STAGES, parity = t / STAGES % 2;
    wait(&full[s], parity);
    for (int i = threadIdx.x - 32; i < Tile; i += 128)
      y[first + (size_t)t * Tile + i] = a * ring[s][i];
    arrive(&empty[s]);
  }
}
