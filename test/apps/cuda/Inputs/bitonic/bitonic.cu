// Bitonic sort of keys with values: steps within a block in shared memory, the
// others in device memory, one launch each. An argument says how often.
#include "../check.h"
#include <algorithm>
#include <vector>

constexpr unsigned Half = 256; // threads of a block, which sorts twice as many

__device__ void order(unsigned &ka, unsigned &va, unsigned &kb, unsigned &vb,
                      bool up) {
  if ((ka > kb) == up) {
    unsigned t = ka;
    ka = kb;
    kb = t;
    t = va;
    va = vb;
    vb = t;
  }
}

__global__ void in_block(unsigned *keys, unsigned *values, unsigned first_size,
                         unsigned last_size) {
  __shared__ unsigned k[2 * Half], v[2 * Half];
  const unsigned base = blockIdx.x * 2 * Half, t = threadIdx.x;
  for (unsigned i = t; i < 2 * Half; i += Half) {
    k[i] = keys[base + i];
    v[i] = values[base + i];
  }
  for (unsigned size = first_size; size <= last_size; size *= 2)
    for (unsigned stride = min(size / 2, Half); stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned i = 2 * t - (t & (stride - 1));
      order(k[i], v[i], k[i + stride], v[i + stride], ((base + i) & size) == 0);
    }
  __syncthreads();
  for (unsigned i = t; i < 2 * Half; i += Half) {
    keys[base + i] = k[i];
    values[base + i] = v[i];
  }
}

__global__ void between_blocks(unsigned *keys, unsigned *values, unsigned size,
                               unsigned stride) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned i = 2 * t - (t & (stride - 1));
  order(keys[i], values[i], keys[i + stride], values[i + stride],
        (i & size) == 0);
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  const unsigned n = 1 << 13;
  std::vector<unsigned> keys(n), values(n), in;
  unsigned seed = 12345;
  for (unsigned i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    keys[i] = seed >> 8;
    values[i] = i;
  }
  in = keys;
  unsigned *k, *v;
  CHECK(cudaMalloc(&k, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&v, n * sizeof(unsigned)));
  const unsigned blocks = n / (2 * Half);
  for (int r = 0; r < rounds; ++r) {
    CHECK(cudaMemcpy(k, keys.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(v, values.data(), n * 4, cudaMemcpyHostToDevice));
    in_block<<<blocks, Half>>>(k, v, 2, 2 * Half);
    for (unsigned size = 4 * Half; size <= n; size *= 2) {
      for (unsigned stride = size / 2; stride > Half; stride /= 2)
        between_blocks<<<blocks, Half>>>(k, v, size, stride);
      in_block<<<blocks, Half>>>(k, v, size, size);
    }
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(keys.data(), k, n * 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(values.data(), v, n * 4, cudaMemcpyDeviceToHost));
  bool ok = std::is_sorted(keys.begin(), keys.end());
  for (unsigned i = 0; i < n; ++i)
    ok &= in[values[i]] == keys[i];
  std::sort(in.begin(), in.end());
  CHECK(cudaFree(k));
  CHECK(cudaFree(v));
  return verdict(ok && in == keys);
}
