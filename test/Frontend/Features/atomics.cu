// RUN: %frontends --test %s
// FEATURE: atomics of all types, cuda::atomic
// LAUNCH: --grid 4 --block 32 --arg o:i32[5] --dump o
// EXPECT: o (i32[5]): 128 127 3 128 127
#include <cuda/atomic>
__global__ void k(int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(o, 1);
  atomicMax(o + 1, i);
  atomicOr(o + 2, 1 << (i & 1));
  cuda::atomic_ref<int, cuda::thread_scope_device> r(o[3]);
  r.fetch_add(1, cuda::memory_order_acq_rel);
  int old = o[4], seen;
  do {
    seen = old;
    old = atomicCAS(o + 4, seen, seen > i ? seen : i);
  } while (seen != old);
}
