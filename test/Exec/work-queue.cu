// Loops that take work from a counter: blocks, warps and threads take turns in the order of what they have
// executed, in both engines, with any number of host threads, and from PTX.
// RUN: %heddle run %s --kernel by_block --grid 6 --block 64 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=24 --dump taken --engine jit | FileCheck %s --check-prefix=BLOCK
// RUN: %heddle run %s --kernel by_block --grid 6 --block 64 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=24 --dump taken --engine interpreter --threads 4 | FileCheck %s --check-prefix=BLOCK
// RUN: %heddle run %s --kernel by_block --grid 6 --block 64 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=24 --dump taken --check | FileCheck %s --check-prefix=BLOCK
// RUN: %heddle kernels %s --ptx -q -o %t.ptx
// RUN: %heddle run %t.ptx --kernel by_block --grid 6 --block 64 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=24 --dump taken | FileCheck %s --check-prefix=BLOCK
// BLOCK: taken (i32[6]): 4 4 4 4 4 4
// Who has more to do takes less.
// RUN: %heddle run %s --kernel by_warp --grid 2 --block 96 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=71 --dump taken --engine jit | FileCheck %s --check-prefix=WARP
// RUN: %heddle run %s --kernel by_warp --grid 2 --block 96 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=71 --dump taken --engine interpreter | FileCheck %s --check-prefix=WARP
// WARP: taken (i32[6]): 1 14 14 14 14 14
// Threads, with a flag; a counter in shared memory, which is of one block.
// RUN: %heddle run %s --kernel by_thread --grid 4 --block 32 --arg next:i32[1]=zero --arg taken:i32[4] --arg i32=384 --dump taken | FileCheck %s --check-prefix=THREAD
// THREAD: taken (i32[4]): 96 96 96 96
// RUN: %heddle run %s --kernel in_block --grid 2 --block 128 --arg taken:i32[8] --arg i32=12 --dump taken | FileCheck %s --check-prefix=SHARED
// RUN: %heddle run %s --kernel in_block --grid 1 --block 128 --arg taken:i32[4] --arg i32=12 --dump taken --engine interpreter | FileCheck %s --check-prefix=SHARED
// SHARED: taken (i32[{{[48]}}]): 3 3 3 3
// More blocks than are held at once: the later ones come too late, but run.
// RUN: %heddle run %s --kernel by_block --grid 9000 --block 32 --arg next:i32[1]=zero --arg taken:i32[9000] --arg i32=16384 --dump taken --json %t.json | FileCheck %s --check-prefix=MANY
// MANY: taken (i32[9000]): 2 2 2 2
//
// What is executed stands in traces and results, and what it assumes.
// RUN: %heddle trace %s --kernel by_block --grid 6 --block 64 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=24 --mode executed -o %t.e
// RUN: %heddle trace %s --kernel by_block --grid 6 --block 64 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=24 --mode executed --engine interpreter -o %t.i
// RUN: cmp %t.e %t.i
// RUN: %heddle trace %s --kernel by_block --grid 6 --block 64 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=24 --mode sliced -o %t.s
// RUN: %heddle trace diff %t.e %t.s | FileCheck %s --check-prefix=SAME
// SAME: same
// RUN: %heddle simulate %s --gpu v100 --kernel by_block --grid 6 --block 64 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=24 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: %heddle estimate --model pipeline %s --gpu v100 --kernel by_block --grid 6 --block 64 --arg next:i32[1]=zero --arg taken:i32[6] --arg i32=24 2>&1 | FileCheck %s --check-prefix=SAID
// SAID: kernel 'by_block', line [[#]]: warps take work from a counter in the order of the basic blocks
// A position in a list decides nothing about the loop.
// RUN: %heddle simulate %s --gpu v100 --kernel append --grid 6 --block 64 --arg n:i32[1]=zero --arg o:i32[384] --arg i32=6 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: take work
__device__ void work(int rounds, int *o) {
  volatile int x = 1;
  for (int i = 0; i < rounds; ++i)
    x = x * 3 + i;
  if (x == 12345)
    *o = 0;
}
extern "C" __global__ void by_block(int *next, int *taken, int n) {
  __shared__ int tile;
  int count = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0)
      tile = atomicAdd(next, 1);
    __syncthreads();
    if (tile >= n)
      break;
    work(5, taken);
    ++count;
  }
  if (threadIdx.x == 0)
    taken[blockIdx.x] = count;
}
// The first item takes as long as all that others do meanwhile.
extern "C" __global__ void by_warp(int *next, int *taken, int n) {
  int count = 0, lane = threadIdx.x % 32;
  while (true) {
    int item = 0;
    if (lane == 0)
      item = atomicAdd(next, 1);
    item = __shfl_sync(~0u, item, 0);
    if (item >= n)
      break;
    work(item == 0 ? 2000 : 5, taken);
    ++count;
  }
  if (lane == 0)
    taken[blockIdx.x * 3 + threadIdx.x / 32] = count;
}
extern "C" __global__ void by_thread(int *next, int *taken, int n) {
  bool more = true;
  int count = 0;
  while (more) {
    int item = atomicAdd(next, 1);
    if (item >= n)
      more = false;
    else {
      work(4, taken);
      ++count;
    }
  }
  atomicAdd(&taken[blockIdx.x], count);
}
extern "C" __global__ void in_block(int *taken, int n) {
  __shared__ int next;
  if (threadIdx.x == 0)
    next = 0;
  __syncthreads();
  int count = 0, lane = threadIdx.x % 32;
  for (;;) {
    int item = lane == 0 ? atomicAdd(&next, 1) : 0;
    item = __shfl_sync(~0u, item, 0);
    if (item >= n)
      break;
    work(4, taken);
    ++count;
  }
  if (lane == 0)
    taken[blockIdx.x * 4 + threadIdx.x / 32] = count;
}
extern "C" __global__ void append(int *n, int *o, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    int at = atomicAdd(n, 1);
    if (at < 384)
      o[at] = i;
  }
}
