// Keeps the elements that a functor wants, in their order: votes within warps,
// sums between them, then a pass over the blocks' counts.
#include "../check.h"
#include <vector>

struct Multiple {
  int of;
  __host__ __device__ bool operator()(int x) const { return x % of == 0; }
};

template <typename Wanted>
__global__ void count(const int *in, int n, int *counts, Wanted wanted) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int here = __syncthreads_count(i < n && wanted(in[i]));
  if (threadIdx.x == 0)
    counts[blockIdx.x] = here;
}

__global__ void offsets(int *counts, int blocks) {
  int sum = 0;
  for (int i = 0; i < blocks; ++i) {
    const int here = counts[i];
    counts[i] = sum;
    sum += here;
  }
  counts[blocks] = sum;
}

template <typename Wanted>
__global__ void move(const int *in, int n, const int *offset, int *out,
                     Wanted wanted) {
  __shared__ int before[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool keep = i < n && wanted(in[i]);
  const unsigned votes = __ballot_sync(0xffffffffu, keep);
  if (lane == 0)
    before[warp] = __popc(votes);
  __syncthreads();
  if (warp == 0) {
    const int mine = lane < blockDim.x / 32 ? before[lane] : 0;
    int sum = mine;
    for (int step = 1; step < 32; step *= 2) {
      const int other = __shfl_up_sync(0xffffffffu, sum, step);
      sum += lane >= step ? other : 0;
    }
    before[lane] = sum - mine;
  }
  __syncthreads();
  if (keep)
    out[offset[blockIdx.x] + before[warp] +
        __popc(votes & ((1u << lane) - 1))] = in[i];
}

int main() {
  const int n = 20000, threads = 256, blocks = (n + threads - 1) / threads;
  const Multiple wanted{7};
  std::vector<int> in(n), out, reference;
  for (int i = 0; i < n; ++i) {
    in[i] = int((i * 2654435761u) >> 12);
    if (wanted(in[i]))
      reference.push_back(in[i]);
  }
  int *a, *b, *counts, total = 0;
  CHECK(cudaMalloc(&a, n * sizeof(int)));
  CHECK(cudaMalloc(&b, n * sizeof(int)));
  CHECK(cudaMalloc(&counts, (blocks + 1) * sizeof(int)));
  CHECK(cudaMemcpy(a, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  count<<<blocks, threads>>>(a, n, counts, wanted);
  offsets<<<1, 1>>>(counts, blocks);
  move<<<blocks, threads>>>(a, n, counts, b, wanted);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&total, counts + blocks, sizeof(int),
                   cudaMemcpyDeviceToHost));
  out.resize(total);
  CHECK(cudaMemcpy(out.data(), b, total * sizeof(int),
                   cudaMemcpyDeviceToHost));
  for (int *p : {a, b, counts})
    CHECK(cudaFree(p));
  return verdict(out == reference);
}
