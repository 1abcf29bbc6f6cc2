#include <cuda.h>
#include <cstdint>

// One box between a tensor of RANK dimensions and `raw`, which holds the bytes
// of shared memory as they lie.

#ifndef RANK
#define RANK 2
#endif
#ifndef OFFSETS
#define OFFSETS ""
#endif
#define WORDS_(n) #n
#define WORDS(n) WORDS_(n)
#if RANK == 1
#define COORDS "{%2}"
#elif RANK == 2
#define COORDS "{%2, %3}"
#elif RANK == 3
#define COORDS "{%2, %3, %4}"
#elif RANK == 4
#define COORDS "{%2, %3, %4, %5}"
#else
#define COORDS "{%2, %3, %4, %5, %6}"
#endif
#define INPUTS "l"(&map), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v)

__device__ unsigned placeOf(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void waitFor(unsigned barrier) {
  unsigned done;
  do
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(barrier)
                 : "memory");
  while (!done);
}

#ifndef MODE
#define MODE ".tile"
#endif
__global__ void load(const __grid_constant__ CUtensorMap map, uint4 *raw,
                     int bytes, int x, int y, int z, int u, int v) {
  extern __shared__ __align__(1024) uint4 tile[];
  __shared__ uint64_t barrier;
  const unsigned at = placeOf(&barrier);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
    asm volatile("fence.proxy.async.shared::cta;");
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     at),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.prefetch.tensor." WORDS(RANK) "d.L2.global" MODE
                 " [%1, " COORDS "]" OFFSETS ";" ::"r"(0),
                 INPUTS);
    asm volatile("cp.async.bulk.tensor." WORDS(RANK) "d.shared::cluster.global"
                 MODE ".mbarrier::complete_tx::bytes.L2::cache_hint"
                 " [%0], [%1, " COORDS "], [%7]" OFFSETS ", %8;" ::"r"(
                     placeOf(tile)),
                 INPUTS, "r"(at), "l"(0x1000000000000000ll)
                 : "memory");
  }
  __syncthreads();
  waitFor(at);
  for (int i = threadIdx.x; i < bytes / 16; i += blockDim.x)
    raw[i] = tile[i];
}

#ifndef STORE
#define STORE "cp.async.bulk.tensor."
#endif
#ifndef OPERATION
#define OPERATION ""
#endif
#ifndef STORE_MODE
#define STORE_MODE "tile."
#endif
__global__ void store(const __grid_constant__ CUtensorMap map, const uint4 *raw,
                      int bytes, int x, int y, int z, int u, int v) {
  extern __shared__ __align__(1024) uint4 tile[];
  for (int i = threadIdx.x; i < bytes / 16; i += blockDim.x)
    tile[i] = raw[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x)
    return;
  asm volatile(STORE WORDS(RANK) "d.global.shared::cta." OPERATION STORE_MODE
               "bulk_group [%1, " COORDS "], [%0];" ::"r"(placeOf(tile)),
               INPUTS
               : "memory");
  asm volatile("cp.async.bulk.commit_group;");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Plain memory, there and back with an operation.
#ifndef PLAIN
#define PLAIN "cp.async.bulk.global.shared::cta.bulk_group"
#endif
__global__ void plain(const uint4 *from, uint4 *to, int bytes) {
  extern __shared__ __align__(1024) uint4 tile[];
  __shared__ uint64_t barrier;
  const unsigned at = placeOf(&barrier);
  if (threadIdx.x)
    return;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(
                   __cvta_generic_to_global(from)),
               "r"(bytes));
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at),
               "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(placeOf(tile)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(at)
               : "memory");
  waitFor(at);
  asm volatile(PLAIN " [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
               "r"(placeOf(tile)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
