// RUN: %frontends --test %s
// FEATURE: a whole program: host code, a kernel that only its launch instantiates
// LAUNCH: --grid 1 --block 4 --arg o:i32[4] --dump o
// EXPECT: o (i32[4]): 3 4 5 6
#include <cstdio>
#include <cuda_runtime.h>
template <typename T, int Add> __global__ void k(T *o) {
  o[threadIdx.x] = threadIdx.x + Add;
}
int main() {
  int *o;
  cudaMalloc(&o, 4 * sizeof(int));
  k<int, 3><<<1, 4>>>(o);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
