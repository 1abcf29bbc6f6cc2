#include <cstdio>
#include <cuda_runtime.h>
__device__ int g_uids = 0;
__global__ void child(int *d, int n) {
  int i = threadIdx.x;
  if (i < n)
    d[i] *= 2;
}
__global__ void cdp_simple_quicksort(unsigned int *data, int left, int right,
                                     int depth) {
  if (depth >= 16 || right - left <= 32) {
    for (int i = left; i <= right; ++i)
      for (int j = i + 1; j <= right; ++j)
        if (data[j] < data[i]) {
          unsigned t = data[i];
          data[i] = data[j];
          data[j] = t;
        }
    return;
  }
  unsigned *lptr = data + left, *rptr = data + right;
  unsigned pivot = data[(left + right) / 2];
  while (lptr <= rptr) {
    unsigned l = *lptr, r = *rptr;
    while (l < pivot) {
      lptr++;
      l = *lptr;
    }
    while (r > pivot) {
      rptr--;
      r = *rptr;
    }
    if (lptr <= rptr) {
      *lptr++ = r;
      *rptr-- = l;
    }
  }
  int nright = rptr - data, nleft = lptr - data;
  if (left < (rptr - data)) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cdp_simple_quicksort<<<1, 1, 0, s>>>(data, left, nright, depth + 1);
    cudaStreamDestroy(s);
  }
  if ((lptr - data) < right) {
    cudaStream_t s1;
    cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
    cdp_simple_quicksort<<<1, 1, 0, s1>>>(data, nleft, right, depth + 1);
    cudaStreamDestroy(s1);
  }
}
__global__ void parent(int *d, int n) {
  if (threadIdx.x == 0) {
    child<<<1, n>>>(d, n);
    cudaDeviceSynchronize();
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess)
      printf("%s\n", cudaGetErrorString(e));
    int *q;
    cudaMalloc(&q, 4);
    cudaFree(q);
    cudaMemcpyAsync(d, q, 4, cudaMemcpyDeviceToDevice);
    cudaMemsetAsync(d, 0, 4);
  }
  __syncthreads();
  d[threadIdx.x]++;
}
__global__ void plain(int *d) { d[threadIdx.x] = 3; }
template <int D> __global__ void rec(int *d) {
  if (threadIdx.x == 0) {
    rec<D - 1><<<1, 32>>>(d);
  }
  d[threadIdx.x] += D;
}
template <> __global__ void rec<0>(int *d) { d[0]++; }
int main() {
  parent<<<1, 32>>>(0, 0);
  plain<<<1, 1>>>(0);
  rec<3><<<1, 32>>>(0);
  cdp_simple_quicksort<<<1, 1>>>(0, 0, 0, 0);
  cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 16);
  cudaDeviceSynchronize();
}
