#include <mma.h>

// What nothing reads of an atomic, constants by pointer and by name, and when an address is computed.
__constant__ float Table[64];

__global__ void count(int *total, const int *keys, int *old) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[keys[threadIdx.x] & 63], 1);
  old[threadIdx.x] = atomicAdd(&total[threadIdx.x], 2);
  __syncthreads();
  atomicMax(&total[threadIdx.x + 64], bins[threadIdx.x]);
}

__global__ void lookUp(float *out, int n) { out[threadIdx.x] = Table[n + threadIdx.x]; }

__global__ void add(const float *a, const float *b, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

__global__ void product(const half *a, const half *b, float *c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> x;
  fragment<matrix_b, 16, 16, 16, half, row_major> y;
  fragment<accumulator, 16, 16, 16, float> z;
  load_matrix_sync(x, a, 16);
  load_matrix_sync(y, b, 16);
  fill_fragment(z, 1.0f);
  mma_sync(z, x, y, z);
  store_matrix_sync(c, z, 16, mem_row_major);
}
