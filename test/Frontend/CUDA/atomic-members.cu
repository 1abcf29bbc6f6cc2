// Operators of cuda::atomic and atomic_ref, waiting, and atomic_flag.
// RUN: %heddle run %s --arch sm_70 --grid 2 --block 32 --arg o:u32[10]=zero --dump o | FileCheck %s
// RUN: %heddle run %s --arch sm_70 --grid 2 --block 32 --arg o:u32[10]=zero --dump o --engine interpreter | FileCheck %s
// CHECK: o (u32[10]): 128 4294967200 31 63 1 64 2 0 1 1
#include <cuda/atomic>
#include <cuda/std/atomic>
__device__ cuda::std::atomic_flag flag;
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> turn;
template <typename T> using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
__global__ void k(unsigned *o) {
  Ref<unsigned> sum(o[0]), difference(o[1]), bits(o[2]), all(o[3]), odd(o[4]);
  sum += 1;
  ++sum;
  difference -= 1;
  if (threadIdx.x % 2)
    --difference;
  bits |= threadIdx.x;
  if (threadIdx.x == 0)
    all = 63 + 64;
  __syncwarp();
  all &= 63;
  odd ^= blockIdx.x == 0 ? threadIdx.x == 3 : 0;
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> count;
  if (threadIdx.x == 0)
    count = 64;
  __syncwarp();
  count -= 2;
  count |= 64;
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    o[5] = count & 64;
    o[6] = flag.test_and_set() + 2 * flag.test_and_set();
    flag.clear();
    o[7] = flag.test();
    turn.store(1);
    turn.notify_all();
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    turn.wait(0);
    o[8] = turn;
    o[9] = turn.is_lock_free();
  }
}
