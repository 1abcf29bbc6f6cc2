// A histogram in shared memory, in slices over several streams. An argument says
// how often it is counted before.
#include "check.h"
#include <vector>

constexpr int Bins = 64, Slices = 4;

__global__ void count(const unsigned char *data, int n, unsigned *bins) {
  __shared__ unsigned own[Bins];
  for (int b = threadIdx.x; b < Bins; b += blockDim.x)
    own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&own[data[i] % Bins], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < Bins; b += blockDim.x)
    atomicAdd(&bins[b], own[b]);
}

int main(int argc, char **argv) {
  const int before = argc > 1 ? atoi(argv[1]) : 0;
  const int n = 1 << 14;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(Bins), got(Bins);
  unsigned seed = 1;
  for (unsigned char &v : data) {
    seed = seed * 1664525u + 1013904223u;
    v = seed >> 24;
    ++expected[v % Bins];
  }
  unsigned char *d;
  unsigned *bins;
  CHECK(cudaMalloc(&d, n));
  CHECK(cudaMalloc(&bins, Bins * sizeof(unsigned)));
  for (int r = 0; r < before; ++r)
    for (int s = 0; s < Slices; ++s)
      count<<<4, 128>>>(d + s * (n / Slices), n / Slices, bins);
  CHECK(cudaMemset(bins, 0, Bins * sizeof(unsigned)));
  cudaStream_t streams[Slices];
  for (int s = 0; s < Slices; ++s) {
    CHECK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    const int part = n / Slices;
    CHECK(cudaMemcpyAsync(d + s * part, data.data() + s * part, part,
                          cudaMemcpyHostToDevice, streams[s]));
    count<<<4, 128, 0, streams[s]>>>(d + s * part, part, bins);
  }
  for (cudaStream_t s : streams) {
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
  }
  CHECK(cudaMemcpy(got.data(), bins, Bins * sizeof(unsigned),
                   cudaMemcpyDeviceToHost));
  cudaFree(d);
  cudaFree(bins);
  return verdict(got == expected);
}
