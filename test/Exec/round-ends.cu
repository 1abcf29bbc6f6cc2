// A loop that some lanes leave for good, with several ways back to its start: lanes that took different ones meet
// there, before the barrier of the next round. It was refused as a barrier in divergent code.
// DEFINE: %{run} = %heddle run %s -q --grid 2 --block 64 --arg o:i32[640]=zero --arg sum:i32[2]=zero --arg i32=5
// RUN: %{run} --kernel one_lane --dump sum --engine jit | FileCheck %s
// RUN: %{run} --kernel one_lane --dump sum --engine interpreter | FileCheck %s
// RUN: %{run} --kernel one_lane --dump sum --check | FileCheck %s
// CHECK: sum (i32[2]): 10 10
// RUN: %{run} --kernel nested --dump sum --engine jit | FileCheck %s --check-prefix=NESTED
// RUN: %{run} --kernel nested --dump sum --engine interpreter | FileCheck %s --check-prefix=NESTED
// NESTED: sum (i32[2]): 155 155
// RUN: %heddle simulate %s -q --gpu v100 --kernel one_lane --grid 2 --block 64 --arg o:i32[640]=zero --arg sum:i32[2]=zero --arg i32=5
extern "C" __global__ void one_lane(int *o, int *sum, int n) {
  __shared__ int round;
  int next = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0)
      round = next++;
    __syncthreads();
    if (round >= n)
      break;
    o[round * 128 + blockIdx.x * 64 + threadIdx.x] = round;
    if (threadIdx.x == 0)
      sum[blockIdx.x] += round;
  }
}
// Lanes part within one of the ways back, too.
extern "C" __global__ void nested(int *o, int *sum, int n) {
  __shared__ int round;
  int next = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0)
      round = next++;
    __syncthreads();
    if (round >= n)
      break;
    if (threadIdx.x % 2 == 0) {
      if (threadIdx.x < 8)
        atomicAdd(&sum[blockIdx.x], threadIdx.x);
      else if (threadIdx.x == 62)
        atomicAdd(&sum[blockIdx.x], round * 2);
      if (threadIdx.x == 14)
        atomicAdd(&sum[blockIdx.x], 15);
    }
  }
}
