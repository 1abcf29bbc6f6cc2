// --check finds accesses to what a cp.async may still write, since its thread has
// not waited for the group.
// DEFINE: %{run} = %heddle run %s --arch sm_80 --grid 2 --block 64 --arg i32[128]=iota --arg o:i32[64]=zero --check --dump o -q --kernel
// RUN: %status 1 %{run} no_wait 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}copies-in-flight.cu:[[#@LINE+24]]: read of 4 bytes at offset 0 of shared memory, to which the asynchronous copy at {{.*}}copies-in-flight.cu:[[#@LINE+15]] of thread 0 may still write: that thread waits for its group (cp.async.wait_group) first (block (0, 0, 0), thread (0, 0, 0)), and 127 more
// RUN: %status 1 %{run} one_left 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: error: {{.*}}copies-in-flight.cu:[[#@LINE+32]]: read of 4 bytes at offset 256 of shared memory, to which the asynchronous copy at
// RUN: %status 1 %{run} overwritten 2>&1 | FileCheck %s --check-prefix=OVER
// OVER: error: {{.*}}copies-in-flight.cu:[[#@LINE+36]]: write of 4 bytes at offset 0 of shared memory, to which the asynchronous copy at
// RUN: %{run} awaited | FileCheck %s --check-prefix=GOOD
// RUN: %{run} in_turn | FileCheck %s --check-prefix=GOOD
// GOOD: o (i32[64]): 0 1 2 3 4 5 6 7

#include <cuda_pipeline.h>

// Each half of the memory is one group.
__device__ void copy(int *to, const int *from, int half) {
  int i = threadIdx.x;
  if (i < 16)
    __pipeline_memcpy_async(to + 64 * half + 4 * i,
                            from + 64 * half + 4 * i, 16);
  __pipeline_commit();
}

extern "C" __global__ void no_wait(const int *in, int *o) {
  __shared__ __align__(16) int t[128];
  copy(t, in, 0);
  __syncthreads();
  o[threadIdx.x] = t[threadIdx.x];
}
extern "C" __global__ void one_left(const int *in, int *o) {
  __shared__ __align__(16) int t[128];
  copy(t, in, 0);
  copy(t, in, 1);
  __pipeline_wait_prior(1);
  __syncthreads();
  o[threadIdx.x] = t[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = t[64 + threadIdx.x];
}
extern "C" __global__ void overwritten(const int *in, int *o) {
  __shared__ __align__(16) int t[128];
  copy(t, in, 0);
  __syncthreads();
  t[threadIdx.x] = 0;
  __pipeline_wait_prior(0);
}
extern "C" __global__ void awaited(const int *in, int *o) {
  __shared__ __align__(16) int t[128];
  copy(t, in, 0);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  o[threadIdx.x] = t[threadIdx.x];
}
// Two halves in turn, one of which is in flight.
extern "C" __global__ void in_turn(const int *in, int *o) {
  __shared__ __align__(16) int t[128];
  copy(t, in, 0);
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    copy(t, in, ~i & 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += t[(i & 1) * 64 + threadIdx.x];
    __syncthreads();
  }
  o[threadIdx.x] = sum / 4 - 32;
}
