// RUN: %frontends --test %s
// FEATURE: cuda::barrier and asynchronous copies
// LAUNCH: --grid 1 --block 64 --arg a:i32[64]=iota --arg o:i32[64] --dump o
// EXPECT: o (i32[64]): 63 62 61 60 59 58 57 56 55 54 53 52 51 50 49 48 ...
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>
__global__ void k(int *a, int *o) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ int s[64];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0)
    init(&b, block.size());
  block.sync();
  cuda::memcpy_async(block, s, a, sizeof(int) * 64, b);
  b.arrive_and_wait();
  o[threadIdx.x] = s[63 - threadIdx.x];
}
