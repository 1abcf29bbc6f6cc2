// A kernel reads what the one before it wrote, three times over.
#include "check.h"

__global__ void fill(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = i == n - 1 ? 2.0f : 1.0f;
}

__global__ void find(const float *data, float *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && data[i] == 2.0f)
    found[0] += i;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
  float *data, *found, sum;
  CHECK(cudaMalloc(&data, n * sizeof(float)));
  CHECK(cudaMalloc(&found, sizeof(float)));
  CHECK(cudaMemset(found, 0, sizeof(float)));
  for (int round = 0; round < 3; ++round) {
    fill<<<(n + 255) / 256, 256>>>(data, n);
    find<<<(n + 255) / 256, 256>>>(data, found, n);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaMemcpy(&sum, found, sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(data));
  CHECK(cudaFree(found));
  printf("%s\n", sum == 3.0f * (n - 1) ? "PASSED" : "FAILED");
  return sum != 3.0f * (n - 1);
}
