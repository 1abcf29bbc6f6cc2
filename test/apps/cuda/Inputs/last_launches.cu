// A global's destructor launches kernels after main has ended; with NEW one that
// has not run before.
#include <cstdio>

__global__ void fill(int *out, int first) { out[blockIdx.x * blockDim.x + threadIdx.x] = first + blockIdx.x; }
__global__ void twice(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

constexpr int Blocks = 4096, Threads = 256;

struct Last {
  int *memory = nullptr;
  ~Last() {
    int first = -1;
    for (int i = 0; i < 8; ++i)
      fill<<<Blocks, Threads>>>(memory, 7 + i);
#ifdef NEW
    for (int i = 0; i < 4; ++i)
      twice<<<Blocks, Threads>>>(memory);
#endif
    const cudaError_t error = cudaMemcpy(&first, memory, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("at the end: %d %s\n", first, cudaGetErrorString(error));
  }
} last;

int main() {
  cudaMalloc(&last.memory, Blocks * Threads * sizeof(int));
  fill<<<Blocks, Threads>>>(last.memory, 1);
  cudaDeviceSynchronize();
  std::puts("main");
}
