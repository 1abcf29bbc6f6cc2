// memcpy_async between any memories, of any number of bytes, and by numbers of elements: cp.async and bulk copies load
// shared memory from global memory alone, and move whole pieces.
// DEFINE: %{arch} = sm_70
// DEFINE: %{run} = %heddle run %s --arch %{arch} --grid 1 --block 64 --arg wrong:i32[8] --arg in:i32[1024]=iota --arg out:i32[1024] --dump wrong -q
// RUN: %{run} --engine jit | FileCheck %s
// REDEFINE: %{arch} = sm_80
// RUN: %{run} --engine jit | FileCheck %s
// RUN: %{run} --engine interpreter --check | FileCheck %s
// RUN: %heddle kernels %s --arch sm_80 --ptx -o - | FileCheck %s --check-prefix=PTX
// REDEFINE: %{arch} = sm_90
// RUN: %{run} --engine jit | FileCheck %s
// RUN: %{run} --engine interpreter | FileCheck %s
// CHECK: wrong (i32[8]): 0 0 0 0 0 0 0 0
// Where both memories are known, nothing asks for them at run time.
// PTX-NOT: isspacep
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__device__ void compare(const int *to, const int *from, int n, int *wrong) {
  for (int i = n - 1 - threadIdx.x; i >= 0; i -= 64)
    if (to[i] != from[i])
      atomicAdd(wrong, 1);
  __syncthreads();
}

__global__ void copy(int *wrong, const int4 *in, int4 *out) {
  __shared__ int4 s[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  int *words = (int *)s, *there = (int *)out;
  const int *from = (const int *)in;
  for (int i = threadIdx.x; i < 1024; i += 64)
    words[i] = 3 * i;
  if (threadIdx.x == 0)
    init(&bar, 64);
  block.sync();

  // From shared to global memory, and within each of them.
  cg::memcpy_async(block, there, words, 512);
  cg::wait(block);
  compare(there, words, 128, wrong);
  cuda::memcpy_async(block, out + 64, (const int4 *)s, 2048, bar);
  bar.arrive_and_wait();
  compare(there + 256, words, 512, wrong + 1);
  cg::memcpy_async(block, words + 512, words, 512);
  cg::wait(block);
  compare(words + 512, words, 128, wrong + 2);
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(block, there, from + 5, 512, pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  block.sync();
  compare(there, from + 5, 128, wrong + 3);
  pipe.consumer_release();

  // Ten bytes of integers change no more.
  cuda::memcpy_async(block, words, from + 1, 10, bar);
  bar.arrive_and_wait();
  if (threadIdx.x == 0)
    wrong[4] = words[0] != 1 || words[1] != 2 || words[2] != 3 || words[3] != 9;
  block.sync();
  cg::memcpy_async(block, words, from + 4, 6);
  cg::wait(block);
  if (threadIdx.x == 0)
    wrong[5] = words[0] != 4 || words[1] != 5 || words[2] != 3;
  block.sync();

  // By elements: as many as both places have.
  cg::memcpy_async(block, words, 300, from, 200);
  cg::wait(block);
  compare(words, from, 200, wrong + 6);
  cg::memcpy_async(block, words, from + 4, cuda::aligned_size_t<16>(640));
  cg::wait(block);
  compare(words, from + 4, 160, wrong + 7);
}
