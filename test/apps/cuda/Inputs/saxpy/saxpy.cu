// y = a x + y on vectors whose length comes from the command line.
#include "check.h"
#include <vector>

__constant__ float factor;
__device__ unsigned updates;

__global__ void saxpy(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = factor * x[i] + y[i];
  atomicAdd(&updates, 1u);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 10000;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.5f * i;
    y[i] = 1.0f;
  }
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  CHECK(cudaMalloc((void **)&dy, n * sizeof(float)));
  CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  const float a = 3.0f;
  CHECK(cudaMemcpyToSymbol(factor, &a, sizeof(a)));
  saxpy<<<(n + 255) / 256, 256>>>(dx, dy, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost));
  unsigned seen = 0;
  CHECK(cudaMemcpyFromSymbol(&seen, updates, sizeof(seen)));
  bool ok = seen == unsigned(n);
  for (int i = 0; i < n; ++i)
    ok &= y[i] == a * x[i] + 1.0f;
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
  return verdict(ok);
}
