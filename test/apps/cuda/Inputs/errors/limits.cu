// Launches that are out of one limit each.
#include "check.h"
#include <cooperative_groups.h>

__global__ void touch(int *p) { p[0] = 1; }
__global__ void __launch_bounds__(128) bounded(int *p) { p[0] = 1; }
// Keeps a hundred values across the barrier, and where they lie.
__global__ void wide(float *p) {
  float kept[100];
#pragma unroll
  for (int i = 0; i < 100; ++i)
    kept[i] = p[i * blockDim.x + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 100; ++i)
    p[i * blockDim.x + threadIdx.x] = kept[i] * kept[99 - i];
}
__global__ void together(int *p) {
  cooperative_groups::this_grid().sync();
  p[0] = 1;
}

static bool right = true;
static void tell(const char *what, cudaError_t got) {
  printf("%s: %s\n", what, cudaGetErrorName(got));
  cudaGetLastError();
  right &= cudaDeviceSynchronize() == cudaSuccess; // it is no fault
}
static void launch(const char *what, dim3 grid, dim3 block, size_t shared = 0) {
  static int *p = nullptr;
  if (!p)
    CHECK(cudaMalloc(&p, sizeof(int)));
  touch<<<grid, block, shared>>>(p);
  tell(what, cudaGetLastError());
}

int main() {
  const unsigned big = 65536;
  launch("grid 0", 0, 1);
  launch("grid x", 1u << 31, 1);
  launch("grid y", dim3(1, big), 1);
  launch("grid z", dim3(1, 1, big), 1);
  launch("block 0", 1, 0);
  launch("block x", 1, 1025);
  launch("block y", 1, dim3(1, 1025));
  launch("block z", 1, dim3(1, 1, 65));
  launch("block", 1, dim3(32, 64));
  launch("shared", 1, 1, 48 * 1024 + 1);
  tell("more shared", cudaFuncSetAttribute(
                          touch, cudaFuncAttributeMaxDynamicSharedMemorySize,
                          1 << 20));
  CHECK(cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             96 * 1024));
  launch("allowed", 1, 1, 96 * 1024);
  float *values = nullptr;
  CHECK(cudaMalloc(&values, 100 * 1024 * sizeof(float)));
  wide<<<1, 1024>>>(values);
  tell("registers", cudaGetLastError());
  wide<<<1, 256>>>(values);
  tell("fewer", cudaGetLastError());
  int *p = nullptr;
  bounded<<<1, 256>>>(p);
  tell("bounds", cudaGetLastError());
  void *args[] = {&p};
  tell("cooperative", cudaLaunchCooperativeKernel((void *)together, dim3(big),
                                                  dim3(1024), args, 0, 0));
  cudaLaunchAttribute attribute = {};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(big);
  config.blockDim = dim3(1024);
  config.attrs = &attribute;
  config.numAttrs = 1;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  tell("attribute", cudaLaunchKernelExC(&config, (void *)together, args));
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  tell("cluster", cudaLaunchKernelExC(&config, (void *)touch, args));
  return verdict(right);
}
