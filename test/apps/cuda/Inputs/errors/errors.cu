// Does wrong what programs do wrong, and looks at the codes.
#include "check.h"

__global__ void touch(int *p) { p[threadIdx.x] = 1; }
__device__ int counter;

static bool same(const char *what, cudaError_t got, cudaError_t expected) {
  printf("%s: %s\n", what, cudaGetErrorName(got));
  return got == expected;
}

int main() {
  bool ok = true;
  int *p = nullptr, host = 0, many = 0;
  ok &= same("huge", cudaMalloc(&p, size_t(1) << 50), cudaErrorMemoryAllocation);
  ok &= same("last", cudaGetLastError(), cudaErrorMemoryAllocation);
  ok &= same("cleared", cudaGetLastError(), cudaSuccess);
  CHECK(cudaMalloc(&p, 4096));
  touch<<<1, 2048>>>(p);
  ok &= same("block", cudaGetLastError(), cudaErrorInvalidConfiguration);
  touch<<<1, 32, 1 << 20>>>(p);
  ok &= same("shared", cudaGetLastError(), cudaErrorInvalidValue);
  ok &= same("copy", cudaMemcpy(p, &host, 8192, cudaMemcpyHostToDevice),
             cudaErrorInvalidValue);
  ok &= same("symbol", cudaMemcpyToSymbol(host, &host, 4), cudaErrorInvalidSymbol);
  ok &= same("device", cudaSetDevice(7), cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceCount(&many));
  CHECK(cudaFree(p));
  ok &= same("double free", cudaFree(p), cudaErrorInvalidValue);
  cudaGetLastError();
  touch<<<1, 32>>>(nullptr);
  ok &= same("launch", cudaGetLastError(), cudaErrorIllegalAddress);
  ok &= same("sticky", cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  ok &= same("still", cudaMalloc(&p, 16), cudaErrorIllegalAddress);
  return verdict(ok && many == 1);
}
