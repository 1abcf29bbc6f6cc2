// Sparse products: warps of threads on a row, texture fetches, pointers to
// kernels, launch parameters from occupancy.
#include <cuda.h>
#include <stdlib.h>
#include <vector>
texture<float, 1> vecTex;
texture<int2, 1> vecTexD;
template <typename T> __device__ T fetch(int i);
template <> __device__ float fetch<float>(int i) { return tex1Dfetch(vecTex, i); }
template <> __device__ double fetch<double>(int i) { int2 v = tex1Dfetch(vecTexD, i); return __hiloint2double(v.y, v.x); }
static const int BLOCK_SIZE = 128, WARP_SIZE = 32;
template <typename fpType> __global__ void csr_scalar(const fpType *__restrict__ val, const int *__restrict__ cols, const int *__restrict__ rows, const int dim, fpType *__restrict__ out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= dim) return;
  fpType t = 0;
  for (int j = rows[row], end = rows[row + 1]; j < end; j++) t += val[j] * fetch<fpType>(cols[j]);
  out[row] = t;
}
template <typename fpType> __global__ void csr_vector(const fpType *val, const int *cols, const int *rows, const int dim, fpType *out) {
  int t = threadIdx.x, id = t & (WARP_SIZE - 1), perBlock = blockDim.x / WARP_SIZE, row = blockIdx.x * perBlock + t / WARP_SIZE;
  __shared__ volatile fpType partial[BLOCK_SIZE];
  if (row < dim) {
    fpType sum = 0;
    for (int j = rows[row] + id; j < rows[row + 1]; j += WARP_SIZE) sum += val[j] * fetch<fpType>(cols[j]);
    partial[t] = sum;
    if (id < 16) partial[t] += partial[t + 16];
    if (id < 8) partial[t] += partial[t + 8];
    if (id == 0) out[row] = partial[t];
  }
}
__global__ void ellpack(const double *v, const int *c, const int *len, int n, double *o) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
  int m = len[t];
  for (int i = 0; i < m; i++) { int j = i * n + t; r = __fma_rn(v[j], fetch<double>(c[j]), r); }
  o[t] = r;
}
template <typename T> void run(T *v, int *c, int *r) {
  void (*kernels[2])(const T *, const int *, const int *, const int, T *) = {csr_scalar<T>, csr_vector<T>};
  int grid, block;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, csr_scalar<T>);
  for (auto k : kernels) k<<<grid, block>>>(v, c, r, 3, v);
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaBindTexture(0, vecTex, v, desc, 100);
}
int main() { run<float>(0, 0, 0); run<double>(0, 0, 0); ellpack<<<1, 1>>>(0, 0, 0, 1, 0); return cudaUnbindTexture(&vecTex); }
