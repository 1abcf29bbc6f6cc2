// Prefix sums of blocks in dynamic shared memory, then of the blocks' sums.
#include "check.h"
#include <vector>

__global__ void scanBlocks(const int *in, int *out, int *sums, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    const int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (i < n)
    out[i] = s[t];
  if (sums && t == blockDim.x - 1)
    sums[blockIdx.x] = s[t];
}
__global__ void addSums(int *out, const int *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n)
    out[i] += sums[blockIdx.x - 1];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 10000, threads = 128;
  const int blocks = (n + threads - 1) / threads;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i % 13 - 4;
  int *d, *o, *s;
  CHECK(cudaMalloc(&d, n * sizeof(int)));
  CHECK(cudaMalloc(&o, n * sizeof(int)));
  CHECK(cudaMalloc(&s, blocks * sizeof(int)));
  CHECK(cudaMemcpy(d, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  scanBlocks<<<blocks, threads, threads * sizeof(int)>>>(d, o, s, n);
  scanBlocks<<<1, 128, 128 * sizeof(int)>>>(s, s, nullptr, blocks);
  addSums<<<blocks, threads>>>(o, s, n);
  CHECK(cudaMemcpy(out.data(), o, n * sizeof(int), cudaMemcpyDeviceToHost));
  bool ok = blocks <= 128;
  for (int i = 0, sum = 0; i < n; ++i)
    ok &= out[i] == (sum += in[i]);
  cudaFree(d);
  cudaFree(o);
  cudaFree(s);
  return verdict(ok);
}
