// Blocks that write the same place: which of them is last depends on the
// threads that run them. Block 0 takes its time, so that it is not the first.
#include "../check.h"

__device__ int busy(int rounds) {
  unsigned x = 1;
  for (int i = 0; i < rounds; ++i)
    x = (x ^ (x << 13)) + (x >> 7);
  return int(x >> 1);
}

// Work for all threads of the host, so that they are there when `last` starts.
__global__ void wake(int *out, int rounds) {
  const int x = busy(rounds);
  if (threadIdx.x == 0)
    out[blockIdx.x] = x;
}

__global__ void last(int *who, int rounds) {
  const int x = blockIdx.x == 0 ? busy(rounds) : 0;
  if (threadIdx.x == 0)
    who[0] = int(blockIdx.x) + (x == 7);
}

__global__ void scale(const int *who, int *out) {
  out[threadIdx.x] = who[0] * 3;
}

__global__ void tickets(int *next, int *order) {
  if (threadIdx.x == 0)
    order[blockIdx.x] = atomicAdd(next, 1);
}

int main() {
  const int blocks = 64, threads = 32;
  int *who, *out, *next, got = 0, order[blocks];
  CHECK(cudaMalloc(&who, threads * sizeof(int)));
  CHECK(cudaMalloc(&out, threads * sizeof(int)));
  CHECK(cudaMalloc(&next, (blocks + 1) * sizeof(int)));
  bool seen = false;
  // On a busy machine the second thread may come late.
  for (int i = 0; i < 24 && !seen; ++i) {
    wake<<<blocks, threads>>>(next, 1 << 16);
    last<<<blocks, threads>>>(who, 1 << (i < 8 ? 22 : 24));
    scale<<<1, threads>>>(who, out);
    CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    seen = got != 3 * (blocks - 1);
  }
  CHECK(cudaMemset(next, 0, (blocks + 1) * sizeof(int)));
  tickets<<<blocks, threads>>>(next, next + 1);
  CHECK(cudaMemcpy(order, next + 1, sizeof order, cudaMemcpyDeviceToHost));
  bool all = true;
  for (int i = 0; i < blocks; ++i)
    all &= order[i] >= 0 && order[i] < blocks;
  printf("%s\n", seen ? "seen" : "not seen");
  return verdict(all);
}
