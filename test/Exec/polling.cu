// Warps that wait for other warps of their block in a loop: both engines give
// each its turn, and count alike.
// RUN: %heddle run %s --kernel consume --grid 3 --block 64 --arg o:i32[32] --dump o --engine jit | FileCheck %s --check-prefix=FLAG
// RUN: %heddle run %s --kernel consume --grid 3 --block 64 --arg o:i32[32] --dump o --engine interpreter | FileCheck %s --check-prefix=FLAG
// FLAG: o (i32[32]): 96 99 102 105 108
// RUN: %heddle run %s --kernel one_lane --grid 1 --block 64 --arg o:i32[32] --dump o --engine jit | FileCheck %s --check-prefix=LANE
// RUN: %heddle run %s --kernel one_lane --grid 1 --block 64 --arg o:i32[32] --dump o --engine interpreter | FileCheck %s --check-prefix=LANE
// LANE: o (i32[32]): 96 100 104 108 112
// RUN: %heddle run %s --kernel ring --grid 2 --block 128 --arg o:i32[128] --arg i32=5 --dump o --engine jit | FileCheck %s --check-prefix=RING
// RUN: %heddle run %s --kernel ring --grid 2 --block 128 --arg o:i32[128] --arg i32=5 --dump o --engine interpreter --threads 4 | FileCheck %s --check-prefix=RING
// RING: o (i32[128]): 2376770 2376780 2376790
// A block may wait for those before it, whatever --threads says.
// RUN: %heddle run %s --kernel chain --grid 50 --block 32 --arg f:i32[51]=zero --arg o:i32[50] --dump o --threads 4 | FileCheck %s --check-prefix=CHAIN
// CHAIN: o (i32[50]): 1 2 3 4 5 6 7
// What never comes ends at the step limit, soon.
// RUN: %status 1 %heddle run %s --kernel never --grid 1 --block 64 --arg o:i32[64] 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %status 1 %heddle run %s --kernel never --grid 1 --block 64 --arg o:i32[64] --engine interpreter 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: polling.cu:[[#]]: a warp has not ended after 1073741824 basic blocks: an endless loop, or one that waits for what is never written
// Executed and sliced traces hold the same.
// RUN: %heddle trace %s --kernel ring --grid 1 --block 128 --arg o:i32[128] --arg i32=5 --mode executed -o %t.e
// RUN: %heddle trace %s --kernel ring --grid 1 --block 128 --arg o:i32[128] --arg i32=5 --mode executed --engine interpreter -o %t.i
// RUN: cmp %t.e %t.i
extern "C" __global__ void consume(int *o) {
  __shared__ volatile int flag;
  __shared__ int data[32];
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    o[threadIdx.x] = data[threadIdx.x];
  } else {
    data[threadIdx.x - 32] = 3 * threadIdx.x;
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x == 32)
      flag = 1;
  }
}
// One lane asks, the others wait where they meet.
extern "C" __global__ void one_lane(int *o) {
  __shared__ int flag;
  __shared__ int data[32];
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 5)
      while (atomicAdd(&flag, 0) == 0)
        __nanosleep(20);
    __syncwarp();
    o[threadIdx.x] = data[threadIdx.x] + threadIdx.x;
  } else {
    data[threadIdx.x - 32] = 3 * threadIdx.x;
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x == 32)
      atomicExch(&flag, 1);
  }
}
// Four warps take turns, the last one first.
extern "C" __global__ void ring(int *o, int n) {
  __shared__ volatile int turn, sum;
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  if (threadIdx.x == 0)
    turn = sum = 0;
  __syncthreads();
  int own = 0;
  for (int i = 0; i < n; ++i) {
    if (l == 0) {
      while (turn != 4 * i + (3 - w)) {
      }
      sum = sum * 2 + w;
      __threadfence_block();
      turn = 4 * i + (3 - w) + 1;
    }
    own += i * l;
  }
  __syncthreads();
  o[threadIdx.x] = sum + own;
}
extern "C" __global__ void chain(volatile int *f, int *o) {
  if (threadIdx.x != 0)
    return;
  int v = 0;
  if (blockIdx.x)
    while ((v = f[blockIdx.x]) == 0) {
    }
  o[blockIdx.x] = v + 1;
  __threadfence();
  f[blockIdx.x + 1] = v + 1;
}
extern "C" __global__ void never(int *o) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  while (flag == 0) {
  }
  o[threadIdx.x] = flag;
}
