// Sums and maxima by functors, warp shuffles and two launches each. An argument
// says how often.
#include "check.h"
#include <algorithm>
#include <numeric>
#include <vector>

struct Plus {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};
struct Larger {
  __host__ __device__ int operator()(int a, int b) const {
    return a < b ? b : a;
  }
};

template <typename Op>
__global__ void reduce(const int *in, int *out, int n, int neutral, Op op) {
  __shared__ int warps[32];
  int v = neutral;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    v = op(v, in[i]);
  for (int d = 16; d; d /= 2)
    v = op(v, __shfl_down_sync(0xffffffffu, v, d));
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : neutral;
    for (int d = 16; d; d /= 2)
      v = op(v, __shfl_down_sync(0xffffffffu, v, d));
    if (threadIdx.x == 0)
      out[blockIdx.x] = v;
  }
}

template <typename Op>
int device(const std::vector<int> &v, int neutral, int rounds) {
  int *in, *part, result;
  const int blocks = 8;
  CHECK(cudaMalloc(&in, v.size() * sizeof(int)));
  CHECK(cudaMalloc(&part, (blocks + 1) * sizeof(int)));
  CHECK(cudaMemcpy(in, v.data(), v.size() * sizeof(int),
                   cudaMemcpyHostToDevice));
  for (int r = 0; r < rounds; ++r) {
    reduce<<<blocks, 256>>>(in, part, int(v.size()), neutral, Op());
    reduce<<<1, 64>>>(part, part + blocks, blocks, neutral, Op());
  }
  CHECK(cudaMemcpy(&result, part + blocks, sizeof(int),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(part));
  return result;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  std::vector<int> v(5000);
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = int(i * 7919 % 1009) - 300;
  const bool sum =
      device<Plus>(v, 0, rounds) == std::accumulate(v.begin(), v.end(), 0);
  const bool top =
      device<Larger>(v, -1000, rounds) == *std::max_element(v.begin(), v.end());
  return verdict(sum && top);
}
