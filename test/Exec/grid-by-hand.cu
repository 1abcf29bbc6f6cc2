// Barriers of the grid by hand: blocks that wait for later ones run at the same time, in both engines, with any
// number of host threads.
// DEFINE: %{jacobi} = --kernel jacobi --grid 8 --block 64 --arg a:f32[1000]=iota --arg b:f32[1000]=zero --arg c:i32[1]=zero --arg i32=1000 --arg i32=4
// DEFINE: %{flags} = --kernel flags --grid 8 --block 64 --arg a:i32[8]=zero --arg b:i32[8]=zero --arg o:i32[8]=zero --arg i32=4
// RUN: %heddle run %s %{jacobi} --dump a --engine jit --threads 4 | FileCheck %s --check-prefix=JACOBI
// RUN: %heddle run %s %{jacobi} --dump a --engine interpreter | FileCheck %s --check-prefix=JACOBI
// RUN: %heddle kernels %s --ptx -q -o %t.ptx
// RUN: %heddle run %t.ptx %{jacobi} --dump a --check | FileCheck %s --check-prefix=JACOBI
// JACOBI: a (f32[1000]): 2 3 4 5 6 7 8 9 10
// RUN: %heddle run %s %{flags} --dump o --engine jit | FileCheck %s --check-prefix=FLAGS
// RUN: %heddle run %s %{flags} --dump o --engine interpreter --threads 4 | FileCheck %s --check-prefix=FLAGS
// FLAGS: o (i32[8]): 10 10 10 10 10 10 10 10
// Blocks that wait for the one before them need no more than one at a time, and are read in order.
// RUN: %heddle trace %s %{jacobi} --mode executed -o %t.e
// RUN: %heddle trace %s %{jacobi} --mode executed --engine interpreter -o %t.i
// RUN: cmp %t.e %t.i
// RUN: %heddle trace %s --kernel after_last --grid 500 --block 32 --arg n:i32[1]=zero --arg o:i32[500] --mode executed -o %t.c
// RUN: %heddle trace verify %t.c
// RUN: %heddle run %s --kernel after_last --grid 500 --block 32 --arg n:i32[1]=zero --arg o:i32[500] --dump o | FileCheck %s --check-prefix=LAST
// LAST: o (i32[500]): 499 498 497 496
// RUN: %heddle simulate %s --gpu v100 %{jacobi} 2>&1 | FileCheck %s --check-prefix=SAID
// SAID: kernel 'jacobi', line [[#]]: warps ask memory until others have written it; a trace holds one or two rounds of each wait
// What no block writes ends soon, and more blocks than are held cannot meet.
// RUN: %status 1 %heddle run %s --kernel never --grid 8 --block 64 --arg o:i32[1]=zero 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %status 1 %heddle run %s --kernel jacobi --grid 9000 --block 32 --arg a:f32[1000]=iota --arg b:f32[1000]=zero --arg c:i32[1]=zero --arg i32=1000 --arg i32=4 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: grid-by-hand.cu:[[#]]: a warp has not ended after 1073741824 basic blocks: an endless loop, or one that waits for what is never written
__device__ void barrier(volatile int *count, int goal) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd((int *)count, 1);
    while (*count < goal) {
    }
  }
  __syncthreads();
}
extern "C" __global__ void jacobi(float *a, float *b, int *count, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      b[i] = 0.5f * (a[i] + a[i + 1 < n ? i + 1 : 0]);
    barrier(count, gridDim.x * (s + 1));
    float *t = a; a = b; b = t;
  }
}
// Block 0 collects flags, the others wait for their release.
extern "C" __global__ void flags(int *in, int *out, int *o, int rounds) {
  for (int r = 1; r <= rounds; ++r) {
    __syncthreads();
    if (blockIdx.x == 0) {
      if (threadIdx.x < gridDim.x)
        while (((volatile int *)in)[threadIdx.x] != r && threadIdx.x != 0) {
        }
      __syncthreads();
      if (threadIdx.x < gridDim.x)
        ((volatile int *)out)[threadIdx.x] = r;
    } else if (threadIdx.x == 0) {
      ((volatile int *)in)[blockIdx.x] = r;
      while (((volatile int *)out)[blockIdx.x] != r) {
      }
    }
    __syncthreads();
    if (threadIdx.x == 0)
      atomicAdd(&o[blockIdx.x], r);
  }
}
// Each block waits for the one after it.
extern "C" __global__ void after_last(int *n, int *o) {
  if (threadIdx.x == 0) {
    while (*(volatile int *)n != gridDim.x - 1 - blockIdx.x) {
    }
    o[blockIdx.x] = *n;
    __threadfence();
    atomicAdd(n, 1);
  }
}
extern "C" __global__ void never(int *o) {
  while (*(volatile int *)o == 0) {
  }
}
