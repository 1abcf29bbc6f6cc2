// Steps of one cooperative launch, as large as the device takes; what the
// runtime says of the kernel.
#include "check.h"
#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

__global__ void relax(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
      b[i] = (a[(i + n - 1) % n] + a[i] + a[(i + 1) % n]) / 3;
    grid.sync();
    float *t = a;
    a = b;
    b = t;
  }
}

int main() {
  int n = 3000, steps = 6, threads = 128, perSM = 0, sms = 0, possible = 0;
  CHECK(cudaDeviceGetAttribute(&possible, cudaDevAttrCooperativeLaunch, 0));
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSM, relax, threads, 0));
  cudaFuncAttributes of;
  CHECK(cudaFuncGetAttributes(&of, relax));
  std::vector<float> v(n), got(n);
  for (int i = 0; i < n; ++i)
    v[i] = i % 17;
  float *a, *b;
  CHECK(cudaMalloc(&a, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  CHECK(cudaMemcpy(a, v.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  void *args[] = {&a, &b, &n, &steps};
  CHECK(cudaLaunchCooperativeKernel((void *)relax, dim3(8), dim3(threads), args));
  CHECK(cudaMemcpy(got.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int s = 0; s < steps; ++s) {
    std::vector<float> next(n);
    for (int i = 0; i < n; ++i)
      next[i] = (v[(i + n - 1) % n] + v[i] + v[(i + 1) % n]) / 3;
    v = next;
  }
  bool ok = possible && perSM >= 1 && sms > 0 && of.numRegs > 0;
  for (int i = 0; i < n; ++i)
    ok &= got[i] - v[i] < 1e-4f && v[i] - got[i] < 1e-4f;
  const cudaError_t large = cudaLaunchCooperativeKernel(
      (void *)relax, dim3(100000), dim3(threads), args);
  ok &= large == cudaErrorCooperativeLaunchTooLarge;
  return verdict(ok);
}
