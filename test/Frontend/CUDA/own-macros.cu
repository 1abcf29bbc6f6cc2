// What a file of an extension defines by itself is no warning.
// RUN: %heddle run %s --grid 1 --block 4 --arg p:f32[4] --arg i32=4 --dump p -q 2>&1 | FileCheck %s --implicit-check-not=warning
// CHECK: p (f32[4]): 0 2 4 6
#include <torch/extension.h>
#define CUDA_KERNEL_LOOP(i, n) \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
__global__ void twice(float *p, int n) {
  CUDA_KERNEL_LOOP(i, n) { p[i] = 2 * i; }
}
